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
from .http_connection import ResponseError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Mapping

    from .http_connection import HttpResponse

MOST_BYTES = 4 * 1024 * 1024
"""Longest answer that is read."""
_UNUSABLE = {
    "too-large": ("too-large", "the answer is longer than {:,} bytes"),
    "cut-off": ("connection", "the answer breaks off"),
}
"""What the caller is told of an answer that cannot be used, by its kind."""
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


class NoAnswer(ResponseError):
    """Nothing came back that can be read; `kind` is timeout, connection, too-large or protocol."""


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
) -> HttpResponse:
    """Send a JSON document and give what comes back, within so many seconds in all; raises NoAnswer.

    Looking the host's name up is left to the system and its own deadline.
    """
    from .http_connection import HttpConnection, require_libraries

    require_libraries()
    for name, value in headers.items():
        # A library would repeat the value in its complaint, and it may be a key.
        if not _TOKEN.fullmatch(name) or not _VALUE.fullmatch(value):
            raise UsageError(f"{name}: the value has characters that cannot be sent")
    own = {"Host": endpoint.shown, "Content-Type": "application/json", "Accept": "application/json"}
    own |= {"Content-Length": str(len(body)), "Accept-Encoding": "identity", "Connection": "close"}
    end = monotonic() + seconds

    def left() -> float:
        remaining = end - monotonic()
        if remaining <= 0:
            raise TimeoutError
        return remaining

    place, connection = endpoint.shown, None
    try:
        connection = HttpConnection(_reach(endpoint, left))
        sent = [*own.items(), *((name, value.strip()) for name, value in headers.items())]
        got = connection.exchange("POST", endpoint.path or "/", sent, left, most, body=body)
    except TimeoutError:
        raise NoAnswer("timeout", f"{place}: no answer within {seconds:g} seconds") from None
    except ResponseError as error:
        kind, reason = _UNUSABLE.get(error.kind, ("protocol", "what came back is not HTTP"))
        raise NoAnswer(kind, f"{place}: {reason.format(most)}") from None
    except OSError as error:
        why = getattr(error, "verify_message", "") or error.strerror or type(error).__name__
        raise NoAnswer("connection", f"{place}: {why}") from None
    except ValueError:
        raise NoAnswer("protocol", f"{place}: what came back is not HTTP") from None
    finally:
        if connection is not None:
            connection.close()
    if got.header("content-encoding").strip().lower() not in ("", "identity"):
        raise NoAnswer("protocol", f"{place}: the answer is packed although it was not to be")
    return got


def _may_be_here(host: str) -> bool:
    from ipaddress import ip_address

    if host.lower() == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _reach(endpoint: Endpoint, left: Callable[[], float]) -> socket.socket:
    """The first address of the host that takes a connection; an unencrypted one only on this machine."""
    import socket
    import ssl
    from ipaddress import ip_address

    from .http_connection import connect, make_tls_context

    context = make_tls_context() if endpoint.secure else None
    failed: OSError = OSError("no address")
    for _, _, _, _, address in socket.getaddrinfo(endpoint.host, endpoint.port, 0, socket.SOCK_STREAM):
        if not endpoint.secure and not ip_address(str(address[0]).partition("%")[0]).is_loopback:
            failed = ConnectionRefusedError(0, "http goes to this machine alone; use https")
            continue
        try:
            return connect(str(address[0]), endpoint.port, endpoint.host, context, left)
        except (TimeoutError, ssl.SSLError):
            raise
        except OSError as error:
            failed = error
    raise failed
