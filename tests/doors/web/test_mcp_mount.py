"""The server for agents in the same process."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import httpx
import pytest

from support_web import WebServer

pytestmark = pytest.mark.skipif(find_spec("mcp") is None, reason="needs the extra mcp")


@pytest.fixture
def server(repository: Path) -> Iterator[WebServer]:
    server = WebServer(repository)
    yield server
    server.stop()


def _talk(server: WebServer, token: str) -> Any:
    from mcp import Client
    from mcp.client.streamable_http import streamable_http_client
    from mcp.shared._httpx_utils import create_mcp_http_client

    async def meet() -> Any:
        http = create_mcp_http_client(headers={"authorization": f"Bearer {token}"})
        async with http, Client(streamable_http_client(f"{server.base}/mcp", http_client=http)) as client:
            tools = [tool.name for tool in (await client.list_tools()).tools]
            checked = await client.call_tool("check", {"paths": ["docs"]})
            fixed = await client.call_tool("fix", {"write": True})
            return tools, checked, fixed

    return asyncio.run(meet())


def test_an_agent_with_the_token_has_the_tools_and_may_not_write(server: WebServer) -> None:
    tools, checked, fixed = _talk(server, server.token)
    assert tools == ["check", "show", "cite", "search", "fix", "verify_answer"]
    assert "1 missing" in checked.content[0].text
    assert fixed.is_error and "nothing was written" in fixed.content[0].text


@pytest.mark.parametrize("headers", [{}, {"authorization": "Bearer " + "x" * 32}])
def test_without_the_token_there_are_no_tools(server: WebServer, headers: dict[str, str]) -> None:
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    assert httpx.post(f"{server.base}/mcp", json=call, headers=headers).status_code == 403
