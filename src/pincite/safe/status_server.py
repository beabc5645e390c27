"""A small HTTP server for a process that is no web server: a few addresses, each answered by a function."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import AF_INET6, socket
from threading import BoundedSemaphore, Thread
from typing import TYPE_CHECKING, Any

from .files import Closing
from .listening import listen

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Answer = tuple[int, str, bytes]
    """A status, a media type and a body."""

_MOST_CLIENTS = 8
"""Clients that are answered at once; others are sent away, so that none can fill memory with threads."""
_SECONDS = 10.0
"""How long a client may take to send its request."""
_BACKLOG = 16


class StatusServer(Closing):
    """Serves until it is closed, in a thread that does not keep the process alive."""

    def __init__(self, host: str, port: int, answers: Mapping[str, Callable[[], Answer]]) -> None:
        """Begin to serve; raises UsageError where the address cannot be had. Port 0 is any free one."""
        listening = listen(host, port, _BACKLOG)
        self._server = _BoundedServer(listening, _make_handler(answers))
        self.host = host
        self.port: int = listening.getsockname()[1]
        self._thread = Thread(target=self._server.serve_forever, name="pincite-status", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End it."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _BoundedServer(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, listening: socket, handler: type[BaseHTTPRequestHandler]) -> None:
        if listening.family == AF_INET6:
            self.address_family = AF_INET6
        super().__init__(listening.getsockname()[:2], handler, bind_and_activate=False)
        self.socket.close()
        self.socket = listening
        self._turns = BoundedSemaphore(_MOST_CLIENTS)

    def process_request(self, request: Any, client_address: Any) -> None:
        if self._turns.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._turns.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away is no event."""


def _make_handler(answers: Mapping[str, Callable[[], Answer]]) -> type[BaseHTTPRequestHandler]:
    class StatusHandler(BaseHTTPRequestHandler):
        """Answers GET and HEAD."""

        timeout = _SECONDS
        server_version, sys_version = "pincite", ""

        def do_GET(self) -> None:
            make = answers.get(self.path.partition("?")[0])
            try:
                status, kind, body = make() if make is not None else (404, "text/plain", b"no such address\n")
            except Exception:
                status, kind, body = 500, "text/plain", b"failed\n"
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body)))
            self.send_header("x-content-type-options", "nosniff")
            self.send_header("cache-control", "no-store")
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(body)

        do_HEAD = do_GET

        def log_message(self, format: str, *args: Any) -> None:
            """What clients ask for is not logged."""

    return StatusHandler
