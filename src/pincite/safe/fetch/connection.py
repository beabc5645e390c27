"""One connection to one host: dialled to a checked address, encrypted for the host's name, read within bounds."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING

from ...core.web import Exchange, FetchFailure
from ..escape import escape_text
from ..http_connection import HEADER_BYTES, HttpConnection, ResponseError, connect, make_tls_context, require_libraries
from .addresses import PORT, addresses_of, forbidden

if TYPE_CHECKING:
    import socket
    import ssl

    from .politeness import TestOnly
    from .target import FetchTarget
    from .time_budget import Clock

_ADDRESSES = 4
"""Addresses of one name that are tried."""
_PATIENCE = 4.0
"""Seconds for an address while there is another one to try."""


class Dialler:
    """Opens connections; everything that may be reached is decided here."""

    def __init__(self, test_only: TestOnly | None = None) -> None:
        require_libraries(*(("truststore",) if sys.platform == "darwin" else ()))
        self._test_only = test_only
        self._context: ssl.SSLContext | None = None
        self._lock = threading.Lock()

    def dial(self, host: str, clock: Clock) -> PageConnection:
        """A connection to a host, encrypted and verified for its name."""
        places = self._places(host, clock)
        for number, (address, port) in enumerate(places, 1):
            last = number == len(places)
            seconds = clock.left() if last else min(_PATIENCE, clock.left() / 2)
            try:
                sock = self._connect(host, address, port, clock, seconds)
            except FetchFailure as trouble:
                if last or trouble.kind not in ("unreachable", "timeout"):
                    raise
            else:
                return PageConnection(sock, host, address)
        raise clock.failure("unresolved", f"there is no address for {escape_text(host)}; check its spelling")

    def _places(self, host: str, clock: Clock) -> list[tuple[str, int]]:
        """Where the host may be found: public addresses, all of them checked, or what the test says."""
        if self._test_only is not None and host in self._test_only.hosts:
            address, port = self._test_only.hosts[host]
            if address not in ("127.0.0.1", "::1"):
                raise forbidden(clock, host, address)
            return [(address, port)]
        return [(address, PORT) for address in addresses_of(host, clock)[:_ADDRESSES]]

    def _connect(self, host: str, address: str, port: int, clock: Clock, seconds: float) -> socket.socket:
        """The only place that connects; the address is a number, so nothing is asked for it again."""
        import ssl

        try:
            return connect(address, port, host, self._tls(), clock.left, seconds, clock.halt.watching)
        except ssl.SSLCertVerificationError as error:
            reason = escape_text(error.verify_message or "it is not trusted", 120)
            words = f"the certificate of {escape_text(host)} is not good ({reason}); nothing is asked of it"
            raise clock.failure("tls", words) from None
        except TimeoutError:
            raise clock.expired() from None
        except (ssl.SSLError, ValueError) as error:
            clock.left()
            raise clock.failure("tls", f"no encrypted connection ({escape_text(str(error), 120)})") from None
        except OSError as error:
            clock.left()
            raise _unreachable(clock, error) from None

    def _tls(self) -> ssl.SSLContext:
        """What verifies hosts, by the system's authorities or the test's one; nothing switches it off."""
        import ssl

        if self._test_only is None and sys.platform == "darwin":
            # There the system verifies, through a context that serves one handshake at a time: each gets its own.
            import truststore

            return truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        with self._lock:
            if self._context is None:
                authority = self._test_only.ca_pem if self._test_only is not None else None
                self._context = make_tls_context(authority)
            return self._context


class PageConnection(HttpConnection):
    """An open connection to a host, by which pages are asked for."""

    def __init__(self, sock: socket.socket, host: str, address: str) -> None:
        super().__init__(sock)
        self.host = host
        self.address = address

    def ask(
        self, target: FetchTarget, headers: tuple[tuple[str, str], ...], clock: Clock, most: int, *, cut: bool = False
    ) -> Exchange:
        """One page; with `cut`, one that is too long is cut instead of refused. Raises FetchFailure."""
        import ssl

        try:
            with clock.halt.watching(self._sock):
                got = self.exchange("GET", target.path, headers, clock.left, most, cut=cut)
        except TimeoutError:
            raise clock.expired() from None
        except ResponseError as error:
            clock.left()
            raise _unusable(clock, error, most) from None
        except ssl.SSLError as error:
            clock.left()
            raise clock.failure("tls", f"the encryption broke down ({escape_text(str(error), 120)})") from None
        except OSError as error:
            clock.left()
            raise _unreachable(clock, error) from None
        return Exchange(target.url, got.status, got.reason, got.headers, got.body, headers, self.address)


def _unusable(clock: Clock, error: ResponseError, most: int) -> FetchFailure:
    if error.kind == "too-large":
        return clock.failure("too-large", f"the page has more than {most:,} bytes; raise research.megabytes")
    if error.kind == "header-too-large":
        return clock.failure("too-large", f"the header of the answer is larger than {HEADER_BYTES:,} bytes; refused")
    if error.kind == "interim":
        return clock.failure("protocol", "the server never comes to its answer; open it in a browser")
    reason = escape_text(error.reason, 120)
    return clock.failure("protocol", f"what the server sent is not HTTP as it should be ({reason})")


def _unreachable(clock: Clock, error: OSError) -> FetchFailure:
    reason = escape_text(error.strerror or str(error), 120)
    return clock.failure("unreachable", f"the server cannot be reached ({reason}); try again later")
