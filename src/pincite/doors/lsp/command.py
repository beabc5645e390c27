"""`pincite lsp`."""

from __future__ import annotations

import os
import sys

import click

from ...core.errors import UsageError


@click.command("lsp")
@click.option("--stdio", is_flag=True, help="Talk over standard input and output, as it does anyway.")
def command(stdio: bool) -> None:
    """Serve editors over the language server protocol, on standard input and output.

    An editor starts it. It shows problems as they are typed, with the evidence beside them, offers repairs, follows
    citations to what they cite and cited lines to who cites them. Settings come from pincite.toml.
    Exit code: 0 after an orderly end, 1 where the client vanished or its messages could not be followed.
    """
    if sys.stdin is not None and sys.stdin.isatty():
        raise UsageError("this is for editors, which start it themselves; see `pincite lsp --help`")
    from ...safe.protocol_streams import ProtocolStreams

    streams = ProtocolStreams()
    try:
        from .server import run_server
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol", "cattrs", "attrs"):
            raise
        raise UsageError("the language server needs an extra: pip install 'pincite[lsp]'") from None
    code = run_server(streams)
    sys.stderr.flush()
    # A thread may be busy with a check that nobody waits for any more.
    os._exit(code)
