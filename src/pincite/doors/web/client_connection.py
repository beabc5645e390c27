"""One connection of a client. A client that sends or reads too slowly loses it, so that the others are served."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from ...safe.connection_options import send_at_once

if TYPE_CHECKING:
    from asyncio import TimerHandle, Transport

HEAD_SECONDS = 10.0
"""For the line and the headers of a request, from the connection or from their first byte on."""
BODY_SECONDS = 60.0
"""For the body of a request: an upload over a slow line needs some time."""
UNREAD_SECONDS = 30.0
"""For a client that reads nothing while more waits for it than the system keeps."""
MOST_HEAD = 64 * 1024
"""Bytes before the end of the headers; browsers and proxies send less than a quarter of that."""


class ClientConnection(HttpToolsProtocol):
    """uvicorn's connection, which waits for a request for ever, with an end to each wait."""

    _deadline: TimerHandle | None = None
    _unread: TimerHandle | None = None
    _head_bytes = 0
    _is_in_head = True

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        # Head and body are two writes: without this the second waits until the client has acknowledged the first.
        # asyncio does it for sockets that name their protocol, which an inherited listener does not.
        send_at_once(transport.get_extra_info("socket"))
        self._wait_at_most(HEAD_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait_at_most(None)
        self._stop_unread()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._is_in_head:
            self._head_bytes += len(data)
            if self._head_bytes > MOST_HEAD and not self.transport.is_closing():
                self.send_400_response("The headers are too long.")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._is_in_head, self._head_bytes = True, 0
        self._wait_at_most(HEAD_SECONDS)

    def on_headers_complete(self) -> None:
        self._is_in_head = False
        self._wait_at_most(BODY_SECONDS)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._wait_at_most(None)
        super().on_message_complete()

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._unread is None:
            self._unread = self.loop.call_later(UNREAD_SECONDS, self._abort)

    def resume_writing(self) -> None:
        self._stop_unread()
        super().resume_writing()

    def _wait_at_most(self, seconds: float | None) -> None:
        """Begin to wait for the next part of a request, or end waiting."""
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = self.loop.call_later(seconds, self._abort) if seconds is not None else None

    def _stop_unread(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _abort(self) -> None:
        transport: Any = self.transport
        transport.abort()
