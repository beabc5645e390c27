"""The server for agents in the same process: what `pincite mcp --http` serves, at `/mcp`, behind the same guard.

Its libraries take longer to import than everything else together, so that it starts with its first request.
"""

from __future__ import annotations

import asyncio
from importlib.util import find_spec
from typing import TYPE_CHECKING

from .routes import NotFound

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.types import Receive, Scope, Send

PATH = "/mcp"


class McpMount:
    """An ASGI app that becomes the server for agents when it is asked for the first time. It never writes."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._starting: asyncio.Future[Starlette] | None = None
        self._running: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if find_spec("mcp") is None:
            raise NotFound("tools for agents need an extra: install 'pincite[mcp]'")
        if self._starting is None:
            self._starting = asyncio.get_running_loop().create_future()
            self._running = asyncio.create_task(self._run(self._starting))
        app = await asyncio.shield(self._starting)
        await app(scope, receive, send)

    async def close(self) -> None:
        """End it."""
        if self._running is not None:
            self._running.cancel()
            await asyncio.wait({self._running})

    async def _run(self, started: asyncio.Future[Starlette]) -> None:
        try:
            app = await asyncio.to_thread(_make_app, self._root)
            # It must be left by the task that entered it.
            async with app.router.lifespan_context(app):
                started.set_result(app)
                await asyncio.Event().wait()
        except Exception as error:
            if not started.done():
                started.set_exception(error)


def _make_app(root: str) -> Starlette:
    from ..mcp.server import make_app
    from ..mcp.workspace import Workspace

    return make_app(Workspace(root), PATH, looks_at_hosts=False)
