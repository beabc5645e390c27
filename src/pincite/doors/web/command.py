"""`pincite serve`."""

from __future__ import annotations

import click


@click.command("serve")
@click.option("--root", metavar="DIR", help="Folder to serve (default: the repository around the working folder).")
@click.option("--port", type=click.IntRange(0, 65535), default=0, metavar="N", help="Port (default: any free one).")
@click.option("--open", "opens", is_flag=True, help="Open the page in the browser.")
@click.option("--read-only", is_flag=True, help="Refuse every request that would write something.")
@click.option(
    "--host", default="127.0.0.1", metavar="ADDRESS", help="Address to listen on; other than loopback needs a token."
)
@click.option("--token-file", metavar="FILE", help="File with the token to use instead of one made for this start.")
@click.option("--allow-host", "names", multiple=True, metavar="NAME", help="Another name that the server goes by.")
@click.option("--database", metavar="URL", help="Show the fleet of this shared store instead of one repository.")
@click.option("--fleet", is_flag=True, help="The same for the store of PINCITE_DATABASE, or of your data folder.")
def command(
    root: str | None,
    port: int,
    opens: bool,
    read_only: bool,
    host: str,
    token_file: str | None,
    names: tuple[str, ...],
    database: str | None,
    fleet: bool,
) -> None:
    """Show documents and their evidence side by side in a browser, and serve the same as JSON.

    The address that it prints has a token in it: only who has that address sees anything. It listens on this machine
    alone unless --host says otherwise, which needs --token-file. Nothing is written unless you press a button that
    says so. With --database or --fleet it shows how all repositories of a fleet fare, and never writes. Needs
    pincite[web]. Exit code: 0 when it was interrupted, 2 where it cannot be started.
    """
    from importlib.util import find_spec

    from ...core.errors import UsageError

    # Looked for and not imported: the address is printed first.
    if not all(map(find_spec, ("httptools", "jinja2", "starlette", "uvicorn"))):
        raise UsageError("`pincite serve` needs an extra: install 'pincite[web]'")
    from ...project.project import open_project
    from .server import ServerPlan, serve
    from .token_file import is_loopback, read_token

    if not is_loopback(host) and token_file is None:
        raise UsageError(
            f"--host {host} lets other machines in: write a secret of 32 letters or more into a file that only you "
            "can read, and name it with --token-file"
        )
    token = read_token(token_file) if token_file is not None else ""
    if database is not None or fleet:
        if root is not None:
            raise UsageError(
                "--root names one repository, --database and --fleet show many; start two servers for both"
            )
        from .fleet_site import find_fleet

        serve(ServerPlan("", host, port, token, names, True, opens, find_fleet(database)))
    with open_project(root) as project:
        path = project.root.path
    serve(ServerPlan(path, host, port, token, names, read_only, opens))
