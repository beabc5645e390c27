"""`pincite mcp`."""

from __future__ import annotations

import sys

import click


@click.command("mcp")
@click.option("--root", metavar="DIR", help="Folder to serve (default: CLAUDE_PROJECT_DIR, else the repository).")
@click.option("--http", "over_http", is_flag=True, help="Serve HTTP on loopback instead of standard input and output.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, metavar="N", help="With --http (default: any free one)."
)
@click.option("--allow-write", is_flag=True, help="Let the tool `fix` write documents; without it nothing is written.")
def command(root: str | None, over_http: bool, port: int, allow_write: bool) -> None:
    """Serve agents over the Model Context Protocol: the tools check, show, cite, search, fix and verify_answer.

    It serves one root, reads nothing outside of it, and writes only with --allow-write. Agents start it themselves; see
    the page on MCP in the documentation. Needs pincite[mcp]. Exit code: 0 when the client is gone, 2 where it cannot
    be started.
    """
    from ...core.errors import UsageError

    # Standard output is the protocol: whatever prints from now on, also while it is imported, prints elsewhere.
    sys.stdout = sys.stderr
    if port and not over_http:
        raise click.UsageError("--port goes with --http")
    try:
        from mcp.server.mcpserver import MCPServer  # noqa: F401
    except ImportError:
        raise UsageError("`pincite mcp` needs an extra: install 'pincite[mcp]'") from None
    from .transports import serve_http, serve_stdio
    from .workspace import Workspace, choose_root

    workspace = Workspace(choose_root(root), allow_write)
    if over_http:
        serve_http(workspace, port)
    else:
        serve_stdio(workspace)
