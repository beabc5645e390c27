"""The server over standard input and output, or over HTTP on loopback; both end at once when they are told to."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import TYPE_CHECKING, Any, NoReturn

import click

from ...core.errors import UsageError
from .server import PATH, make_app, make_server

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from mcp.server.mcpserver import MCPServer

    from .workspace import Workspace

_HOST = "127.0.0.1"
_LAST_WRITES = 5.0
"""Seconds that documents which are being written have left when the server ends."""


def serve_stdio(workspace: Workspace) -> NoReturn:
    """Serve the client that started us until it is gone."""

    @asynccontextmanager
    async def claim_output(server: MCPServer[Any]) -> AsyncIterator[None]:
        # The protocol has its own descriptors by now: what prints from here on must not end up in them.
        sys.stdout = sys.stderr
        yield

    _end_on_signals(workspace)
    server = make_server(workspace, claim_output)
    if sys.__stdin__ is None or sys.__stdout__ is None:
        raise UsageError("standard input or output is closed; an agent starts `pincite mcp` with both")
    # A build server's guard may stand before them, which would change what is written.
    sys.stdin, sys.stdout = sys.__stdin__, sys.__stdout__
    with suppress(Exception):
        # The client is gone: there is no one to tell, and nothing to save.
        server.run("stdio")
    _end(workspace, 0)


def serve_http(workspace: Workspace, port: int) -> NoReturn:
    """Serve HTTP on loopback until a signal ends it; the address goes to standard error."""
    import uvicorn

    class _AnnouncingServer(uvicorn.Server):
        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets)
            for listening in self.servers:
                for one in listening.sockets:
                    click.echo(f"pincite mcp: http://{_HOST}:{one.getsockname()[1]}{PATH}", err=True)

        @contextmanager
        def capture_signals(self) -> Iterator[None]:
            # It would keep the signals until every connection has ended, and raise them again then.
            yield

    _end_on_signals(workspace)
    config = uvicorn.Config(make_app(workspace), host=_HOST, port=port, log_level="critical", access_log=False)
    server = _AnnouncingServer(config)
    code = 0
    try:
        server.run()
    except SystemExit:
        code = 2
    if not server.started:
        click.echo(f"pincite: port {port} cannot be used; choose another with --port", err=True)
        code = 2
    _end(workspace, code)


def _end_on_signals(workspace: Workspace) -> None:
    """Clients end servers by an interrupt, a moment later by a stronger signal: the first one is enough."""

    def end(number: int, frame: object) -> None:
        _end(workspace, 128 + number)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, end)


def _end(workspace: Workspace, code: int) -> NoReturn:
    """End now: threads that wait for input or for the engine would keep the interpreter, and have nothing to save."""
    workspace.jobs.cancel_all()
    workspace.writing.acquire(timeout=_LAST_WRITES)
    os._exit(code)
