"""One HTTP connection, for pages and for services alike: an address that was chosen before, TLS, deadlines, sizes.

Why h11 on our own socket, and neither a client library nor httpcore with a network backend of ours: those time each
step by itself and hold headers and bodies before a size can be refused. Here the caller chooses the address that is
dialled, one deadline counts for all steps together, every size is bounded before it is held, and another thread can end
a wait.
"""

from __future__ import annotations

from contextlib import nullcontext
from io import BytesIO
from time import monotonic
from typing import TYPE_CHECKING

from msgspec import Struct

from ..core.errors import UsageError
from ..core.libraries import describe_missing

if TYPE_CHECKING:
    import socket
    import ssl
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

    import h11

HEADER_BYTES = 64 * 1024
_AT_ONCE = 64 * 1024
_INTERIM = 8
"""Interim answers (`100 Continue` and the like) before the real one."""
_IDLE = 15.0
"""Seconds after which a kept connection is not trusted any more."""
_AUTHORITIES = (
    "/etc/ssl/cert.pem",
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "/etc/pki/tls/cert.pem",
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/ssl/ca-bundle.pem",
)
"""Where systems keep the authorities they trust, for a Python that was built elsewhere."""


class HttpResponse(Struct, frozen=True):
    """What a server answered, whatever its status."""

    status: int
    reason: str
    headers: tuple[tuple[str, str], ...]
    """Names as the server wrote them."""
    body: bytes

    def header(self, name: str) -> str:
        """The first value of a header, by its name in lower case; empty where there is none."""
        return next((value for given, value in self.headers if given.lower() == name), "")


class ResponseError(Exception):
    """An answer that cannot be used; `kind` is too-large, header-too-large, interim, cut-off or malformed."""

    def __init__(self, kind: str, reason: str = "") -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason


def require_libraries(*names: str) -> None:
    """Raise UsageError where h11 or another library is missing or damaged, before the first request."""
    from importlib import import_module

    try:
        for name in ("h11", *names):
            import_module(name)
    except ImportError as error:
        raise UsageError(describe_missing(error.name or "h11")) from None


def make_tls_context(authority: str | None = None) -> ssl.SSLContext:
    """What verifies hosts, by the system's authorities or by the one given (PEM); nothing switches it off."""
    import ssl

    context = ssl.create_default_context(cadata=authority)
    if authority is None:
        _trust_system(context)
    context.set_alpn_protocols(["http/1.1"])
    return context


def _trust_system(context: ssl.SSLContext) -> None:
    """Let a context that knows no authority know those of the system."""
    import os
    import ssl

    paths = ssl.get_default_verify_paths()
    if context.cert_store_stats()["x509_ca"] or (paths.capath and os.listdir(paths.capath)):
        return
    for path in _AUTHORITIES:
        if os.path.isfile(path):
            context.load_verify_locations(cafile=path)
            return


def connect(
    address: str,
    port: int,
    host: str,
    context: ssl.SSLContext | None,
    left: Callable[[], float],
    seconds: float | None = None,
    watching: Callable[[socket.socket], AbstractContextManager[object]] = nullcontext,
) -> socket.socket:
    """A socket to a numeric address, encrypted and verified for the host's name where there is a context.

    `left` gives the seconds that are left for everything, and raises when there are none; `seconds` is less, for the
    connection alone. While the socket is waited for, it is inside `watching`. Raises OSError, with TimeoutError and
    SSLError, and ValueError.
    """
    import socket

    six = ":" in address
    sock = socket.socket(socket.AF_INET6 if six else socket.AF_INET, socket.SOCK_STREAM)
    try:
        if context is not None:
            # Wrapped before it is connected: so there is one socket to close, whatever happens.
            sock = context.wrap_socket(sock, server_hostname=host, do_handshake_on_connect=False)
        with watching(sock):
            sock.settimeout(left() if seconds is None else seconds)
            sock.connect((address, port, 0, 0) if six else (address, port))
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if context is not None:
                # The handshake takes this for all of its steps together.
                sock.settimeout(left())
                sock.do_handshake()  # type: ignore[attr-defined]
    except BaseException:
        sock.close()
        raise
    return sock


class HttpConnection:
    """An open connection that speaks HTTP/1.1; every wait ends when the time is over, every size has a bound."""

    def __init__(self, sock: socket.socket) -> None:
        import h11

        self.reusable = False
        self.answered = False
        """Whether a byte of an answer to the last request came."""
        self._sock = sock
        self._protocol = h11.Connection(h11.CLIENT, max_incomplete_event_size=HEADER_BYTES)
        self._since = monotonic()
        self._ended = False

    def close(self) -> None:
        """Hang up."""
        self._sock.close()

    def fresh(self) -> bool:
        """Whether the other side still seems to be there, and silent as it should be."""
        import select

        poll = select.poll()
        poll.register(self._sock, select.POLLIN | select.POLLERR | select.POLLHUP)
        pending = getattr(self._sock, "pending", lambda: 0)
        return monotonic() - self._since < _IDLE and not poll.poll(0) and not pending()

    def exchange(
        self,
        method: str,
        path: str,
        headers: Sequence[tuple[str, str]],
        left: Callable[[], float],
        most: int,
        *,
        body: bytes = b"",
        cut: bool = False,
    ) -> HttpResponse:
        """One request and its whole answer; with `cut`, an answer that is too long is cut instead of refused.

        Raises ResponseError, OSError, and what `left` raises.
        """
        import h11

        self.reusable = self.answered = self._ended = False
        try:
            if self._protocol.our_state is h11.DONE:
                self._protocol.start_next_cycle()
            request = h11.Request(method=method, target=path, headers=list(headers))
            events = (request, *((h11.Data(data=body),) if body else ()), h11.EndOfMessage())
            self._send(b"".join(self._protocol.send(event) or b"" for event in events), left)
            head = self._head(left)
            content = self._body(head, left, most, cut)
        except h11.RemoteProtocolError as error:
            kind = "header-too-large" if error.error_status_hint == 431 else "cut-off" if self._ended else "malformed"
            raise ResponseError(kind, str(error)) from None
        finally:
            self._since = monotonic()
        raw = head.headers.raw_items()
        given = tuple((bytes(name).decode("latin-1"), bytes(value).decode("latin-1")) for name, value in raw)
        return HttpResponse(head.status_code, bytes(head.reason).decode("latin-1"), given, content)

    def _send(self, data: bytes, left: Callable[[], float]) -> None:
        """All of it; a TLS socket would count its time anew for every piece."""
        view = memoryview(data)
        while view:
            self._sock.settimeout(left())
            view = view[self._sock.send(view[:_AT_ONCE]) :]

    def _head(self, left: Callable[[], float]) -> h11.Response:
        import h11

        for _ in range(_INTERIM):
            event = self._event(left)
            if isinstance(event, h11.Response):
                return event
            if not isinstance(event, h11.InformationalResponse):
                break
        raise ResponseError("interim")

    def _body(self, head: h11.Response, left: Callable[[], float], most: int, cut: bool) -> bytes:
        import h11

        declared = next((value for name, value in head.headers if name == b"content-length"), b"0")
        if int(declared) > most and not cut and head.status_code not in (204, 304):
            raise ResponseError("too-large")
        # Unlike a list that is joined, this needs the room once.
        body = BytesIO()
        while True:
            event = self._event(left)
            if isinstance(event, h11.Data):
                body.write(event.data)
                if body.tell() > most:
                    if not cut:
                        raise ResponseError("too-large")
                    body.truncate(most)
                    return body.getvalue()
                continue
            if isinstance(event, h11.EndOfMessage):
                # Bytes that follow an answer to no request would be taken for the next one.
                done = self._protocol.our_state is h11.DONE and self._protocol.their_state is h11.DONE
                self.reusable = done and not self._protocol.trailing_data[0]
            return body.getvalue()

    def _event(self, left: Callable[[], float]) -> object:
        """The next part of the answer; the time left is looked at again for each."""
        import h11

        while True:
            seconds = left()
            event = self._protocol.next_event()
            if event is not h11.NEED_DATA:
                return event
            self._sock.settimeout(seconds)
            data = self._sock.recv(_AT_ONCE)
            self.answered = self.answered or bool(data)
            if not data and not self.answered:
                raise ConnectionResetError("it hung up without an answer")
            self._ended = not data
            self._protocol.receive_data(data)
