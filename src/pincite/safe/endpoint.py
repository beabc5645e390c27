"""Asking a service that the user has named: one JSON document there, one answer back.

Unlike a page that a document cites, the address is the user's own. What answers is trusted no further for that: it has
a total deadline and a size, is not followed elsewhere, and gets nothing over an unencrypted connection, except on
this machine.
"""

from __future__ import annotations

import re
from time import monotonic

from msgspec import Struct

from ..core.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from http.client import HTTPConnection
    from socket import socket

MOST_BYTES = 4 * 1024 * 1024
"""Longest answer that is read."""
_AT_ONCE = 64 * 1024
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE = re.compile(r"[\x20-\x7e]*")


class Endpoint(Struct, frozen=True):
    """Where questions go."""

    secure: bool
    host: str
    port: int
    path: str

    @property
    def shown(self) -> str:
        """Host and port, for messages; nothing of the path, which may hold what is secret."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (443 if self.secure else 80) else f"{host}:{self.port}"


class EndpointResponse(Struct, frozen=True):
    """What came back, whatever its status."""

    status: int
    body: bytes
    retry_after: str = ""


class NoAnswer(Exception):
    """Nothing came back that can be read; `kind` is timeout, connection, too-large or protocol."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason


def parse_endpoint(url: str, what: str = "endpoint") -> Endpoint:
    """A parsed address; raises UsageError where questions must not be sent there."""
    from urllib.parse import urlsplit

    if not url.isascii() or not url.isprintable() or " " in url:
        raise UsageError(f"{what}: not a URL; write https://host/path in ASCII")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
        # The resolver refuses a name that has no such form, which would pass for a poor answer.
        host.encode("idna")
    except ValueError:
        raise UsageError(f"{what}: not a URL; write https://host/path") from None
    if parts.scheme not in ("https", "http") or not host or port == 0:
        raise UsageError(f"{what}: not an address to ask; write https://host/path")
    if "@" in parts.netloc:
        raise UsageError(f"{what}: has a name or password in it; the key comes from the environment alone")
    if parts.query or parts.fragment:
        raise UsageError(f"{what}: has a query or a fragment; write https://host/path")
    secure = parts.scheme == "https"
    if not secure and not _may_be_here(host):
        raise UsageError(f"{what}: http goes to this machine alone (127.0.0.1, ::1, localhost); use https")
    return Endpoint(secure, host, port or (443 if secure else 80), parts.path)


def post_json(
    endpoint: Endpoint, body: bytes, headers: Mapping[str, str], seconds: float = 60.0, most: int = MOST_BYTES
) -> EndpointResponse:
    """Send a JSON document and give what comes back, within so many seconds in all; raises NoAnswer.

    Looking the host's name up is left to the system and its own deadline.
    """
    from http.client import HTTPConnection, HTTPException

    for name, value in headers.items():
        # The library would repeat the value in its complaint, and it may be a key.
        if not _TOKEN.fullmatch(name) or not _VALUE.fullmatch(value):
            raise UsageError(f"{name}: the value has characters that cannot be sent")
    clock = _Clock(seconds)
    plain = None
    try:
        plain = _reach(endpoint, clock)
        if endpoint.secure:
            plain = _wrap_tls(plain, endpoint.host, clock)
        connection = HTTPConnection(endpoint.host, endpoint.port)
        connection.sock = _wrap_timed_socket(plain, clock)
        sent = {"Content-Type": "application/json", "Accept": "application/json", "Accept-Encoding": "identity"}
        connection.request("POST", endpoint.path or "/", body, {**sent, **headers, "Connection": "close"})
        return _read(connection, endpoint.shown, most, clock)
    except TimeoutError:
        raise NoAnswer("timeout", f"{endpoint.shown}: no answer within {seconds:g} seconds") from None
    except HTTPException:
        raise NoAnswer("protocol", f"{endpoint.shown}: what came back is not HTTP") from None
    except OSError as error:
        reason = getattr(error, "verify_message", "") or error.strerror or type(error).__name__
        raise NoAnswer("connection", f"{endpoint.shown}: {reason}") from None
    except ValueError:
        raise NoAnswer("protocol", f"{endpoint.shown}: what came back is not HTTP") from None
    finally:
        if plain is not None:
            plain.close()


class _Clock:
    """How much time is left."""

    def __init__(self, seconds: float) -> None:
        self._end = monotonic() + seconds

    def left(self) -> float:
        """Seconds; raises TimeoutError when there are none."""
        left = self._end - monotonic()
        if left <= 0:
            raise TimeoutError
        return left


def _may_be_here(host: str) -> bool:
    from ipaddress import ip_address

    if host.lower() == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _wrap_tls(plain: socket, host: str, clock: _Clock) -> socket:
    """The same connection, encrypted, with a server that has proved to be that host."""
    import ssl

    from .fetch.connection import trust_system

    try:
        # The handshake takes this for all of its steps together.
        plain.settimeout(clock.left())
        context = ssl.create_default_context()
        trust_system(context)
        return context.wrap_socket(plain, server_hostname=host)
    except BaseException:
        plain.close()
        raise


def _reach(endpoint: Endpoint, clock: _Clock) -> socket:
    """The first address of the host that takes a connection; an unencrypted one only on this machine."""
    import socket
    from ipaddress import ip_address

    failed: OSError = OSError("no address")
    for family, kind, protocol, _, address in socket.getaddrinfo(endpoint.host, endpoint.port, 0, socket.SOCK_STREAM):
        if not endpoint.secure and not ip_address(str(address[0]).partition("%")[0]).is_loopback:
            failed = ConnectionRefusedError(0, "http goes to this machine alone; use https")
            continue
        found = socket.socket(family, kind, protocol)
        try:
            found.settimeout(clock.left())
            found.connect(address)
            return found
        except TimeoutError:
            found.close()
            raise
        except OSError as error:
            found.close()
            failed = error
    raise failed


def _wrap_timed_socket(inner: socket, clock: _Clock) -> socket:
    """The socket as the HTTP library uses one: a reader and a writer, neither of which outlasts the clock."""
    from io import BufferedReader, RawIOBase
    from typing import Any, cast

    class Reader(RawIOBase):
        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any) -> int:
            inner.settimeout(clock.left())
            return inner.recv_into(buffer)

    class Timed:
        def makefile(self, *_: Any, **__: Any) -> BufferedReader:
            return BufferedReader(Reader(), _AT_ONCE)

        def sendall(self, data: Any) -> None:
            view = memoryview(data)
            while view:
                inner.settimeout(clock.left())
                view = view[inner.send(view[:_AT_ONCE]) :]

        def close(self) -> None:
            """The library lets go of it before it has read the answer; the opener closes it."""

    return cast("socket", Timed())


def _read(connection: HTTPConnection, place: str, most: int, clock: _Clock) -> EndpointResponse:
    """The answer, unless it is longer or packed."""
    response = connection.getresponse()
    if response.getheader("Content-Encoding", "identity").strip().lower() not in ("", "identity"):
        raise NoAnswer("protocol", f"{place}: the answer is packed although it was not to be")
    pieces, size = [], 0
    while piece := response.read(_AT_ONCE):
        clock.left()
        pieces.append(piece)
        size += len(piece)
        if size > most:
            raise NoAnswer("too-large", f"{place}: the answer is longer than {most:,} bytes")
    if response.length:
        raise NoAnswer("connection", f"{place}: the answer breaks off")
    return EndpointResponse(response.status, b"".join(pieces), response.getheader("Retry-After", "") or "")
