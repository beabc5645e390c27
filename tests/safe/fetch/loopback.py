"""A TLS server on loopback that answers as it is told, well or badly."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
from collections.abc import Callable
from email.utils import formatdate

import trustme

Answer = bytes | Callable[[socket.socket], bool | None]


class Asked:
    """One request as it arrived."""

    def __init__(self, connection: int, raw: bytes) -> None:
        first, *lines = raw.decode("latin-1").split("\r\n")
        self.connection = connection
        self.first = first
        self.path = first.split(" ")[1] if first.count(" ") == 2 else ""
        self.headers = {
            name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines if line)
        }
        self.host = self.headers.get("host", "")


def page(body: bytes = b"<p>words", status: str = "200 OK", **headers: str) -> bytes:
    """A well-behaved answer."""
    given = {"content_type": "text/html", "content_length": str(len(body)), "date": formatdate(usegmt=True), **headers}
    lines = "".join(f"{name.replace('_', '-').title()}: {value}\r\n" for name, value in given.items())
    return f"HTTP/1.1 {status}\r\n{lines}\r\n".encode("latin-1") + body


class Site:
    """Answers for many names; `answers` says what, by host and path, then by path, then `default`."""

    def __init__(self, names: tuple[str, ...], authority: trustme.CA | None = None, certified: str = "") -> None:
        self.authority = authority or trustme.CA()
        self.names = names
        self.answers: dict[str, Answer] = {}
        self.default: Answer = page()
        self.asked: list[Asked] = []
        self.connections = 0
        self.raw: Callable[[socket.socket], None] | None = None
        """Answers instead of TLS, where it is set."""
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.authority.issue_cert(*([certified] if certified else names)).configure_cert(self._context)
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = self._listener.getsockname()[1]
        self._ending = False
        self._open: set[socket.socket] = set()
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    @property
    def hosts(self) -> dict[str, tuple[str, int]]:
        """The names and where they lead."""
        return dict.fromkeys(self.names, ("127.0.0.1", self.port))

    @property
    def ca_pem(self) -> str:
        """The authority that signed the certificate."""
        return self.authority.cert_pem.bytes().decode()

    def clear(self) -> None:
        """Forget everything that was said and asked."""
        self.answers, self.default, self.asked, self.connections, self.raw = {}, page(), [], 0, None

    def paths(self) -> list[str]:
        """What was asked for, in order."""
        return [asked.path for asked in self.asked]

    def close(self) -> None:
        """Stop answering."""
        self._ending = True
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for sock in list(self._open):
            with contextlib.suppress(OSError):
                socket.socket.shutdown(sock, socket.SHUT_RDWR)
        self._thread.join(5)

    def _accept(self) -> None:
        while not self._ending:
            try:
                sock, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._serve, args=(sock, self.connections), daemon=True).start()

    def _serve(self, sock: socket.socket, number: int) -> None:
        self._open.add(sock)
        sock.settimeout(10)
        try:
            if self.raw is not None:
                self.raw(sock)
                return
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            sock.getpeername()
            secret = self._context.wrap_socket(sock, server_side=True)
            self._open.add(secret)
            try:
                self._talk(secret, number)
            finally:
                self._open.discard(secret)
                secret.close()
        except (OSError, ValueError):
            pass
        finally:
            self._open.discard(sock)
            sock.close()

    def _talk(self, sock: socket.socket, number: int) -> None:
        waiting = b""
        while not self._ending:
            while b"\r\n\r\n" not in waiting:
                data = sock.recv(65536)
                if not data:
                    return
                waiting += data
            head, _, waiting = waiting.partition(b"\r\n\r\n")
            asked = Asked(number, head)
            self.asked.append(asked)
            answer = self.answers.get(asked.host + asked.path)
            if answer is None:
                answer = self.answers.get(asked.path)
            if answer is None:
                answer = page(b"", "404 Not Found") if asked.path == "/robots.txt" else self.default
            if isinstance(answer, bytes):
                sock.sendall(answer)
                if b"Connection: close" in answer:
                    return
            elif not answer(sock):
                return
