"""The server inside another app, as a web page mounts it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import uvicorn
from mcp import Client
from starlette.applications import Starlette
from starlette.routing import Mount

from pincite.doors.mcp.server import make_app
from pincite.doors.mcp.workspace import Workspace
from support_mcp import text_of


def test_another_app_mounts_it(repository: Path) -> None:
    inner = make_app(Workspace(str(repository)), "/")

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with inner.router.lifespan_context(inner):
            yield

    outer = Starlette(routes=[Mount("/mcp", inner)], lifespan=lifespan)

    async def meet() -> Any:
        server = uvicorn.Server(uvicorn.Config(outer, host="127.0.0.1", port=0, log_level="critical"))
        serving = asyncio.ensure_future(server.serve())
        while not server.started:
            await asyncio.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        try:
            async with Client(f"http://127.0.0.1:{port}/mcp/") as client:
                return await client.call_tool("check", {"paths": ["docs"]})
        finally:
            server.should_exit = True
            await serving

    assert "1 holds, 1 missing" in text_of(asyncio.run(meet()))
