"""Many web sites on loopback: one HTTPS server that answers for all names, and knows when it was asked for what."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
from collections import defaultdict
from collections.abc import Callable
from hashlib import sha256
from itertools import pairwise
from time import monotonic

import trustme
from msgspec import Struct

from pincite.safe.fetch import Fetcher, FetchPolicy, TestOnly

Answer = bytes | Callable[[socket.socket], None]


class Request(Struct, frozen=True):
    """One request as it arrived."""

    time: float
    host: str
    path: str
    headers: dict[str, str]


def reply(body: bytes | str = "<p>Some words.", status: str = "200 OK", **headers: str) -> bytes:
    """A well-behaved answer."""
    data = body.encode() if isinstance(body, str) else body
    given = {"content_type": "text/html", "content_length": str(len(data)), **headers}
    lines = "".join(f"{name.replace('_', '-').title()}: {value}\r\n" for name, value in given.items())
    return f"HTTP/1.1 {status}\r\n{lines}\r\n".encode("latin-1") + data


NOT_FOUND = reply("", "404 Not Found")


class Sites:
    """`pages` says what is answered, by host and path, then by path; everything else is a page of its own."""

    def __init__(self, names: list[str]) -> None:
        self.names = names
        self.pages: dict[str, Answer] = {}
        self.requests: list[Request] = []
        self.etags = True
        self._authority = trustme.CA()
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._authority.issue_cert(*names).configure_cert(self._context)
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        self._open: set[socket.socket] = set()
        self._ending = False
        self._lock = threading.Lock()
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._listener.getsockname()[1])

    @property
    def test_only(self) -> TestOnly:
        """What lets a fetcher reach these sites, and no other."""
        return TestOnly(dict.fromkeys(self.names, ("127.0.0.1", self.port)), self._authority.cert_pem.bytes().decode())

    def make_fetcher(self, policy: FetchPolicy, gate: object = None) -> Fetcher:
        """What a test puts in the place of `new_fetcher`."""
        return Fetcher(policy, test_only=self.test_only, gate=gate)  # type: ignore[arg-type]

    def clear(self) -> None:
        """Forget what was asked and what is answered."""
        self.pages, self.requests, self.etags = {}, [], True

    def paths(self, host: str = "") -> list[str]:
        """What was asked for, in order, but for robots.txt."""
        return [one.path for one in self.requests if one.path != "/robots.txt" and host in ("", one.host)]

    def smallest_gaps(self) -> dict[str, float]:
        """The shortest time between two requests, for each host that was asked more than once."""
        times = defaultdict(list)
        for one in sorted(self.requests, key=lambda one: one.time):
            times[one.host].append(one.time)
        return {
            host: min(later - earlier for earlier, later in pairwise(some))
            for host, some in times.items()
            if len(some) > 1
        }

    def close(self) -> None:
        """Stop answering."""
        self._ending = True
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for sock in list(self._open):
            with contextlib.suppress(OSError):
                socket.socket.shutdown(sock, socket.SHUT_RDWR)

    def _accept(self) -> None:
        while not self._ending:
            try:
                sock, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(sock,), daemon=True).start()

    def _serve(self, plain: socket.socket) -> None:
        plain.settimeout(30)
        with contextlib.suppress(OSError, ValueError), plain:
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with self._context.wrap_socket(plain, server_side=True) as sock:
                self._open.add(sock)
                try:
                    self._talk(sock)
                finally:
                    self._open.discard(sock)

    def _talk(self, sock: ssl.SSLSocket) -> None:
        waiting = b""
        while not self._ending:
            while b"\r\n\r\n" not in waiting:
                data = sock.recv(65536)
                if not data:
                    return
                waiting += data
            head, _, waiting = waiting.partition(b"\r\n\r\n")
            first, *lines = head.decode("latin-1").split("\r\n")
            headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
            request = Request(monotonic(), headers.get("host", ""), first.split(" ")[1], headers)
            with self._lock:
                self.requests.append(request)
            answer = self._answer(request)
            if not isinstance(answer, bytes):
                answer(sock)
                return
            sock.sendall(answer)

    def _answer(self, request: Request) -> Answer:
        found = self.pages.get(request.host + request.path, self.pages.get(request.path))
        if found is None and request.path == "/robots.txt":
            return NOT_FOUND
        if not isinstance(found, bytes | None):
            return found
        answer = found or reply(f"<p>This is page {request.path} of {request.host}.")
        if not answer.startswith(b"HTTP/1.1 200") or not self.etags:
            return answer
        head, _, body = answer.partition(b"\r\n\r\n")
        etag = f'"{sha256(body).hexdigest()[:16]}"'
        if request.headers.get("if-none-match") == etag:
            return f"HTTP/1.1 304 Not Modified\r\nEtag: {etag}\r\n\r\n".encode()
        return head + f"\r\nEtag: {etag}\r\n\r\n".encode() + body
