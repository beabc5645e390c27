"""Clients of `pincite serve` by the thousand: one process, bare sockets, so that the server is what is measured."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from time import perf_counter
from typing import NamedTuple
from urllib.parse import urlsplit

_PATIENCE = 120.0
"""Seconds after which a request counts as one without an answer."""
_QUIET = 0.5
"""Seconds without an event after which there is none that waits."""
_AT_ONCE = 250
"""Connections that are being opened at one moment; all of them stay open."""


class ServerAddress(NamedTuple):
    """Where a server is, and what opens it."""

    host: str
    port: int
    token: str


class Answered(NamedTuple):
    """What became of the requests of many clients: milliseconds of those that were answered, and what went wrong."""

    times: list[float]
    errors: list[str]

    def percentile(self, share: float) -> float:
        """The milliseconds within which a share of the requests was answered."""
        if not self.times:
            return 0.0
        return sorted(self.times)[min(len(self.times) - 1, int(len(self.times) * share))]


def read_address(printed: str) -> ServerAddress:
    """The address that `pincite serve` prints."""
    parts = urlsplit(printed)
    return ServerAddress(parts.hostname or "", parts.port or 0, parts.query.partition("token=")[2])


def make_request(server: ServerAddress, path: str, more: str = "") -> bytes:
    """A request as a browser that is left open sends it."""
    head = f"GET {path} HTTP/1.1\r\nHost: {server.host}:{server.port}\r\nAuthorization: Bearer {server.token}\r\n"
    return f"{head}{more}\r\n".encode()


async def read_answer(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    """The status and the body of one answer."""
    head = await reader.readuntil(b"\r\n\r\n")
    length = next(
        int(line.partition(b":")[2]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")
    )
    return int(head.split(b" ", 2)[1]), await reader.readexactly(length)


async def ask_by_many(server: ServerAddress, paths: Sequence[str], clients: int, rounds: int) -> Answered:
    """Let clients ask at once, each on a connection of its own that it keeps, and each for one page after another."""
    answered = Answered([], [])
    gate = asyncio.Semaphore(_AT_ONCE)
    ready = asyncio.Barrier(clients)

    async def ask(number: int) -> None:
        try:
            async with gate:
                reader, writer = await asyncio.open_connection(server.host, server.port)
        except OSError as error:
            answered.errors.append(f"no connection: {error}")
            await ready.wait()
            return
        await ready.wait()
        try:
            for turn in range(rounds):
                started = perf_counter()
                writer.write(make_request(server, paths[(number + turn) % len(paths)]))
                status, _ = await asyncio.wait_for(read_answer(reader), _PATIENCE)
                answered.times.append((perf_counter() - started) * 1000)
                if status != 200:
                    answered.errors.append(f"status {status}")
        except (OSError, EOFError, TimeoutError) as error:
            answered.errors.append(f"{type(error).__name__}: {error}")
        finally:
            await _close(writer)

    await asyncio.gather(*(ask(number) for number in range(clients)))
    return answered


class BadClients:
    """Clients that misbehave for as long as this is entered: slow ones, half requests, dropped connections."""

    def __init__(self, server: ServerAddress, of_each: int) -> None:
        self._server = server
        self._of_each = of_each
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> BadClients:
        for _ in range(self._of_each):
            for misbehave in (self._send_slowly, self._send_half, self._drop, self._read_nothing):
                self._tasks.append(asyncio.create_task(misbehave()))
        await asyncio.sleep(0)
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.wait(self._tasks)

    async def _send_slowly(self) -> None:
        """One byte a second."""
        request = make_request(self._server, "/", "X-Slow: " + "a" * 4000 + "\r\n")
        while True:
            with suppress(OSError):
                _, writer = await self._connect()
                try:
                    for byte in request:
                        writer.write(bytes((byte,)))
                        await writer.drain()
                        await asyncio.sleep(1.0)
                finally:
                    await _close(writer)

    async def _send_half(self) -> None:
        """Half a request, and silence until the server gives up."""
        while True:
            with suppress(OSError, EOFError):
                reader, writer = await self._connect()
                try:
                    writer.write(make_request(self._server, "/")[:40])
                    await reader.read()
                finally:
                    await _close(writer)

    async def _drop(self) -> None:
        """A request whose answer nobody waits for."""
        while True:
            with suppress(OSError):
                _, writer = await self._connect()
                writer.write(make_request(self._server, "/"))
                await writer.drain()
                writer.transport.abort()
            await asyncio.sleep(0.05)

    async def _read_nothing(self) -> None:
        """Requests one after another whose answers are not read."""
        while True:
            with suppress(OSError):
                _, writer = await self._connect()
                try:
                    writer.transport.pause_reading()  # type: ignore[attr-defined]
                    writer.write(make_request(self._server, "/") * 20)
                    await asyncio.sleep(5.0)
                finally:
                    writer.transport.abort()

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection(self._server.host, self._server.port)


class EventStreams:
    """Open pages: connections that wait for events."""

    def __init__(self, server: ServerAddress, many: int) -> None:
        self._server = server
        self._many = many
        self._streams: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def __aenter__(self) -> EventStreams:
        gate = asyncio.Semaphore(_AT_ONCE)

        async def open_one() -> None:
            async with gate:
                reader, writer = await asyncio.open_connection(self._server.host, self._server.port)
                writer.write(make_request(self._server, "/events"))
                await asyncio.wait_for(reader.readuntil(b"retry:"), _PATIENCE)
                self._streams.append((reader, writer))

        await asyncio.gather(*(open_one() for _ in range(self._many)))
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.gather(*(_close(writer) for _, writer in self._streams))

    async def read_what_waits(self) -> None:
        """Pass over what they have heard so far."""
        await asyncio.gather(*(self._skip(reader) for reader, _ in self._streams))

    async def _skip(self, reader: asyncio.StreamReader) -> None:
        with suppress(TimeoutError):
            while await asyncio.wait_for(reader.read(1 << 16), _QUIET):
                pass

    async def wait_for_change(self) -> float:
        """The moment at which the last of them heard that verdicts changed."""
        await asyncio.gather(*(self._hear(reader) for reader, _ in self._streams))
        return perf_counter()

    async def _hear(self, reader: asyncio.StreamReader) -> None:
        await asyncio.wait_for(reader.readuntil(b"event: changed"), _PATIENCE)


async def _close(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()
