"""A git server on the loopback interface: `git http-backend` behind a small HTTP server."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread


class GitServer:
    """Serves the repositories below a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.authorization = ""
        """What a request must have in this header; anyone is served where it is empty."""
        self.seen: list[tuple[str, str]] = []
        """Path and authorization of each request."""
        self.most_bytes = -1
        """So many bytes of an answer are sent before the connection breaks; all where negative."""
        self.silent = Event()
        """While set, no request is answered."""
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.answer(self)

            def do_POST(self) -> None:
                outer.answer(self)

            def log_message(self, *_: object) -> None:
                return

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._released = Event()

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        """Pass a request on to git."""
        path, _, query = request.path.partition("?")
        given = request.headers.get("Authorization", "")
        self.seen.append((path, given))
        if self.silent.is_set():
            self._released.wait()
            return
        if self.authorization and given != self.authorization:
            request.send_response(401)
            request.send_header("WWW-Authenticate", "Basic realm=git")
            request.end_headers()
            return
        body = self._read_body(request)
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
            "GIT_PROJECT_ROOT": str(self.folder),
            "GIT_HTTP_EXPORT_ALL": "1",
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "safe.directory",
            "GIT_CONFIG_VALUE_0": "*",
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "REQUEST_METHOD": request.command,
            "CONTENT_TYPE": request.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(len(body)),
            "GIT_PROTOCOL": request.headers.get("Git-Protocol", ""),
            "HTTP_CONTENT_ENCODING": request.headers.get("Content-Encoding", ""),
        }
        done = subprocess.run(["git", "http-backend"], env=environment, input=body, capture_output=True, check=False)
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        rows = [line.partition(": ")[::2] for line in head.decode().split("\r\n")]
        status = next((int(value.split()[0]) for name, value in rows if name == "Status"), 200)
        request.send_response(status)
        for name, value in rows:
            if name and name != "Status":
                request.send_header(name, value)
        request.send_header("Content-Length", str(len(content)))
        request.end_headers()
        request.wfile.write(content if self.most_bytes < 0 else content[: self.most_bytes])
        request.close_connection = True

    def _read_body(self, request: BaseHTTPRequestHandler) -> bytes:
        if request.headers.get("Transfer-Encoding") != "chunked":
            return request.rfile.read(int(request.headers.get("Content-Length") or 0))
        pieces = []
        while size := int(request.rfile.readline(), 16):
            pieces.append(request.rfile.read(size))
            request.rfile.readline()
        return b"".join(pieces)

    @contextmanager
    def run(self) -> Iterator[GitServer]:
        """Serve until the end."""
        thread = Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self._released.set()
            self._server.shutdown()
            thread.join()
            self._server.server_close()
