"""A client that sends or reads too slowly loses its connection; one that does not keeps it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from pincite.doors.web import client_connection
from pincite.doors.web.client_connection import MOST_HEAD, ClientConnection

SHORT, LONG = 0.2, 600.0
REQUEST = b"GET / HTTP/1.1\r\nHost: x\r\n"
Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[bytes]]


async def answer(scope: Any, receive: Any, send: Any) -> None:
    """An application that reads the body, and answers as much as the path says."""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        if not message.get("more_body"):
            break
    many = int(scope["path"].strip("/") or 2)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", str(many).encode())]})
    await send({"type": "http.response.body", "body": b"k" * many})


def talk(conversation: Talk) -> bytes:
    """What a client gets that talks with the server."""

    async def run() -> bytes:
        config = uvicorn.Config(answer, log_level="critical", http=ClientConnection, ws="none")
        config.load()
        state = ServerState()
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: ClientConnection(config, state, {}), "127.0.0.1", 0)
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        try:
            return await asyncio.wait_for(conversation(reader, writer), 60)
        finally:
            writer.transport.abort()
            server.close()
            await asyncio.sleep(0)

    return asyncio.run(run())


async def _read_all(reader: asyncio.StreamReader) -> bytes:
    found = b""
    with suppress(ConnectionError):
        while piece := await reader.read(1 << 16):
            found += piece
    return found


def limit(monkeypatch: pytest.MonkeyPatch, **seconds: float) -> None:
    for name in ("HEAD_SECONDS", "BODY_SECONDS", "UNREAD_SECONDS"):
        monkeypatch.setattr(client_connection, name, seconds.get(name, LONG))


@pytest.mark.parametrize("sent", [b"", b"G", REQUEST, REQUEST + b"X: " + b"a" * 1000])
def test_a_request_that_is_not_finished_ends(monkeypatch: pytest.MonkeyPatch, sent: bytes) -> None:
    limit(monkeypatch, HEAD_SECONDS=SHORT)

    async def send(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(sent)
        return await _read_all(reader)

    assert talk(send) == b""


def test_bytes_that_trickle_in_do_not_keep_the_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    limit(monkeypatch, HEAD_SECONDS=SHORT)

    async def trickle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(REQUEST)
        ended = asyncio.ensure_future(_read_all(reader))
        while not ended.done():
            with suppress(ConnectionError):
                writer.write(b"X")
                await writer.drain()
            await asyncio.sleep(0.01)
        return await ended

    assert talk(trickle) == b""


def test_a_body_that_does_not_come_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    limit(monkeypatch, BODY_SECONDS=SHORT)

    async def send(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(b"POST / HTTP/1.1\r\nHost: x\r\ncontent-length: 9\r\n\r\nhalf")
        return await _read_all(reader)

    assert talk(send) == b""


def test_a_second_request_that_is_not_finished_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    limit(monkeypatch, HEAD_SECONDS=SHORT)

    async def send(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(REQUEST + b"\r\n")
        first = await reader.readuntil(b"kk")
        writer.write(REQUEST)
        return first + await _read_all(reader)

    assert talk(send).count(b"HTTP/1.1 200") == 1


def test_headers_without_end_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    limit(monkeypatch)

    async def send(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(REQUEST + (b"X: " + b"a" * 1000 + b"\r\n") * (MOST_HEAD // 1000 + 2))
        return await _read_all(reader)

    assert talk(send).startswith(b"HTTP/1.1 400")


def test_an_answer_that_is_not_read_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    limit(monkeypatch, UNREAD_SECONDS=SHORT)
    many = 64 * 1024 * 1024

    async def wait(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(b"GET /%d HTTP/1.1\r\nHost: x\r\n\r\n" % many)
        found = await reader.readuntil(b"k")
        # Longer than the server waits: what is read afterwards is what the systems kept.
        await asyncio.sleep(SHORT * 5)
        return found + await _read_all(reader)

    assert len(talk(wait)) < many


def test_a_client_that_takes_its_time_within_the_limits_is_served(monkeypatch: pytest.MonkeyPatch) -> None:
    limit(monkeypatch)

    async def send(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        for byte in REQUEST + b"\r\n":
            writer.write(bytes((byte,)))
            await writer.drain()
        return await reader.readuntil(b"kk")

    assert talk(send).startswith(b"HTTP/1.1 200")


def test_a_whole_request_has_no_deadline_for_its_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    limit(monkeypatch, HEAD_SECONDS=SHORT, BODY_SECONDS=SHORT)

    async def send(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(b"POST /3 HTTP/1.1\r\nHost: x\r\ncontent-length: 1\r\n\r\nx")
        first = await reader.readuntil(b"kkk")
        await asyncio.sleep(SHORT * 3)
        writer.write(REQUEST + b"\r\n")
        return first + await reader.readuntil(b"kk")

    assert talk(send).count(b"HTTP/1.1 200") == 2
