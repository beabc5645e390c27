"""One connection to one host: dialled to a checked address, encrypted for the host's name, read within bounds."""

from __future__ import annotations

import sys
import threading
from io import BytesIO
from time import monotonic
from typing import TYPE_CHECKING

from ...core.errors import UsageError
from ...core.web import Exchange, FetchFailure
from ..escape import escape_text
from .addresses import PORT, addresses_of, forbidden, is_public

if TYPE_CHECKING:
    import ssl

    import h11

    from .politeness import TestOnly
    from .target import FetchTarget
    from .time_budget import Clock

HEADER_BYTES = 64 * 1024
_READ = 64 * 1024
_INTERIM = 8
"""Interim answers (`100 Continue` and the like) before the real one."""
_ADDRESSES = 4
"""Addresses of one name that are tried."""
_PATIENCE = 4.0
"""Seconds for an address while there is another one to try."""
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


class Dialler:
    """Opens connections; everything that may be reached is decided here."""

    def __init__(self, test_only: TestOnly | None = None) -> None:
        try:
            import h11  # noqa: F401 - whether it is there is known before anything is asked

            if sys.platform == "darwin":
                import truststore  # noqa: F401
        except ImportError:
            message = "fetching pages needs libraries that are not installed: pip install pincite[research]"
            raise UsageError(message) from None
        self._test_only = test_only
        self._context: ssl.SSLContext | None = None
        self._lock = threading.Lock()

    def dial(self, host: str, clock: Clock) -> Connection:
        """A connection to a host, encrypted and verified for its name."""
        places = self._places(host, clock)
        for number, (address, port) in enumerate(places, 1):
            last = number == len(places)
            seconds = clock.left() if last else min(_PATIENCE, clock.left() / 2)
            try:
                sock = self._connected(host, address, port, clock, seconds)
            except FetchFailure as trouble:
                if last or trouble.kind not in ("unreachable", "timeout"):
                    raise
            else:
                return Connection(sock, host, address)
        raise FetchFailure(
            "unresolved", f"{clock.what}: there is no address for {escape_text(host)}; check its spelling"
        )

    def _places(self, host: str, clock: Clock) -> list[tuple[str, int]]:
        """Where the host may be found: public addresses, all of them checked, or what the test says."""
        if self._test_only is not None and host in self._test_only.hosts:
            address, port = self._test_only.hosts[host]
            if address not in ("127.0.0.1", "::1"):
                raise forbidden(clock.what, host, address)
            return [(address, port)]
        literal = ":" in host or host.replace(".", "").isdigit()
        addresses = [host] if literal else addresses_of(host, clock)
        for address in addresses:
            if not is_public(address):
                raise forbidden(clock.what, escape_text(host), address)
        return [(address, PORT) for address in addresses[:_ADDRESSES]]

    def _connected(self, host: str, address: str, port: int, clock: Clock, seconds: float) -> ssl.SSLSocket:
        """The only place that connects; the address is a number, so there is no second look-up."""
        import socket

        six = ":" in address
        try:
            plain = socket.socket(socket.AF_INET6 if six else socket.AF_INET, socket.SOCK_STREAM)
        except OSError as error:
            raise _unreachable(clock, error) from None
        try:
            # Wrapped before it is connected: so there is one socket to close, whatever happens.
            sock = self._tls().wrap_socket(plain, server_hostname=host, do_handshake_on_connect=False)
        except (OSError, ValueError) as error:
            plain.close()
            raise FetchFailure(
                "tls", f"{clock.what}: no encrypted connection ({escape_text(str(error), 120)})"
            ) from None
        clock.halt.watch(sock)
        try:
            sock.settimeout(seconds)
            sock.connect((address, port, 0, 0) if six else (address, port))
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            _shake_hands(sock, host, clock)
        except BaseException as error:
            clock.halt.forget(sock)
            sock.close()
            if isinstance(error, TimeoutError):
                raise clock.expired() from None
            if isinstance(error, OSError):
                clock.left()
                raise _unreachable(clock, error) from None
            raise
        clock.halt.forget(sock)
        return sock

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
                context = ssl.create_default_context(cadata=authority)
                if authority is None:
                    trust_system(context)
                context.set_alpn_protocols(["http/1.1"])
                self._context = context
            return self._context


def trust_system(context: ssl.SSLContext) -> None:
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


def _shake_hands(sock: ssl.SSLSocket, host: str, clock: Clock) -> None:
    """Agree on encryption, and see that the other side is who it should be."""
    import ssl

    sock.settimeout(clock.left())
    try:
        sock.do_handshake()
    except ssl.SSLCertVerificationError as error:
        reason = escape_text(error.verify_message or "it is not trusted", 120)
        message = f"{clock.what}: the certificate of {escape_text(host)} is not good ({reason}); nothing is asked of it"
        raise FetchFailure("tls", message) from None
    except ssl.SSLError as error:
        clock.left()
        raise FetchFailure("tls", f"{clock.what}: no encrypted connection ({escape_text(str(error), 120)})") from None


class Connection:
    """An open connection, and what was agreed on it."""

    def __init__(self, sock: ssl.SSLSocket, host: str, address: str) -> None:
        import h11

        self.host = host
        self.address = address
        self.reusable = False
        self.answered = False
        """Whether a byte of an answer to the last question came."""
        self._sock = sock
        self._protocol = h11.Connection(h11.CLIENT, max_incomplete_event_size=HEADER_BYTES)
        self._since = monotonic()

    def close(self) -> None:
        """Hang up."""
        self._sock.close()

    def fresh(self) -> bool:
        """Whether the other side still seems to be there, and silent as it should be."""
        import select

        poll = select.poll()
        poll.register(self._sock, select.POLLIN | select.POLLERR | select.POLLHUP)
        return monotonic() - self._since < _IDLE and not poll.poll(0) and not self._sock.pending()

    def ask(
        self, target: FetchTarget, headers: tuple[tuple[str, str], ...], clock: Clock, most: int, *, cut: bool = False
    ) -> Exchange:
        """One question and its whole answer; with `cut`, an answer that is too long is cut instead of refused."""
        import ssl

        import h11

        self.reusable = self.answered = False
        clock.halt.watch(self._sock)
        try:
            return self._asked(target, headers, clock, most, cut)
        except TimeoutError:
            raise clock.expired() from None
        except h11.RemoteProtocolError as error:
            clock.left()
            raise self._broken(error, clock) from None
        except ssl.SSLError as error:
            clock.left()
            raise FetchFailure(
                "tls", f"{clock.what}: the encryption broke down ({escape_text(str(error), 120)})"
            ) from None
        except OSError as error:
            clock.left()
            raise _unreachable(clock, error) from None
        finally:
            clock.halt.forget(self._sock)
            self._since = monotonic()

    def _asked(
        self, target: FetchTarget, headers: tuple[tuple[str, str], ...], clock: Clock, most: int, cut: bool
    ) -> Exchange:
        import h11

        if self._protocol.our_state is h11.DONE:
            self._protocol.start_next_cycle()
        request = h11.Request(method="GET", target=target.path, headers=list(headers))
        sent = (self._protocol.send(request) or b"") + (self._protocol.send(h11.EndOfMessage()) or b"")
        self._sock.settimeout(clock.left())
        self._sock.sendall(sent)
        answer = self._head(clock)
        body = self._body(answer, clock, most, cut)
        reason = bytes(answer.reason).decode("latin-1")
        raw = answer.headers.raw_items()
        given = tuple((bytes(name).decode("latin-1"), bytes(value).decode("latin-1")) for name, value in raw)
        return Exchange(target.url, answer.status_code, reason, given, body, headers, self.address)

    def _head(self, clock: Clock) -> h11.Response:
        import h11

        for _ in range(_INTERIM):
            event = self._event(clock)
            if isinstance(event, h11.Response):
                return event
            if not isinstance(event, h11.InformationalResponse):
                break
        raise FetchFailure("protocol", f"{clock.what}: the server never comes to its answer; open it in a browser")

    def _body(self, answer: h11.Response, clock: Clock, most: int, cut: bool) -> bytes:
        import h11

        declared = next((value for name, value in answer.headers if name == b"content-length"), b"0")
        if int(declared) > most and not cut and answer.status_code not in (204, 304):
            raise _too_large(clock, most)
        # Unlike a list that is joined, this needs the room once.
        body = BytesIO()
        while True:
            event = self._event(clock)
            if isinstance(event, h11.Data):
                body.write(event.data)
                if body.tell() > most:
                    if not cut:
                        raise _too_large(clock, most)
                    body.truncate(most)
                    return body.getvalue()
                continue
            if isinstance(event, h11.EndOfMessage):
                # Unrequested bytes after an answer would be taken for the next one.
                done = self._protocol.our_state is h11.DONE and self._protocol.their_state is h11.DONE
                self.reusable = done and not self._protocol.trailing_data[0]
            return body.getvalue()

    def _event(self, clock: Clock) -> object:
        """The next part of the answer; the time left is looked at again for each."""
        import h11

        while True:
            left = clock.left()
            event = self._protocol.next_event()
            if event is not h11.NEED_DATA:
                return event
            self._sock.settimeout(left)
            data = self._sock.recv(_READ)
            self.answered = self.answered or bool(data)
            if not data and not self.answered:
                raise ConnectionResetError("it hung up without an answer")
            self._protocol.receive_data(data)

    def _broken(self, error: h11.RemoteProtocolError, clock: Clock) -> FetchFailure:
        if error.error_status_hint == 431:
            message = f"{clock.what}: the header of the answer is larger than {HEADER_BYTES:,} bytes; refused"
            return FetchFailure("too-large", message)
        reason = escape_text(str(error), 120)
        return FetchFailure("protocol", f"{clock.what}: what the server sent is not HTTP as it should be ({reason})")


def _too_large(clock: Clock, most: int) -> FetchFailure:
    return FetchFailure("too-large", f"{clock.what}: the page has more than {most:,} bytes; raise research.megabytes")


def _unreachable(clock: Clock, error: OSError) -> FetchFailure:
    reason = escape_text(error.strerror or str(error), 120)
    return FetchFailure("unreachable", f"{clock.what}: the server cannot be reached ({reason}); try again later")
