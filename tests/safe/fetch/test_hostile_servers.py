"""Servers that are slow, endless, lying or broken: a named reason within the deadline, and memory stays flat."""

from __future__ import annotations

import contextlib
import gzip
import socket
import struct
import threading
import tracemalloc
from collections.abc import Callable, Iterator
from itertools import count
from time import monotonic
from typing import Any

import pytest

from pincite.core.web import FetchFailure
from pincite.pages.body import decode_body
from pincite.safe.fetch import Fetcher, FetchPolicy, TestOnly, hosts

URL = "https://n0.site.example/"
SECONDS = 0.4
PATIENT = 10.0
"""Where another reason than time is expected, however busy the machine is."""
MOST = 1024 * 1024
OK = b"HTTP/1.1 200 OK\r\n"
BLOCK = b"x" * 65536
CHUNK = b"10000\r\n" + BLOCK + b"\r\n"
TINY = b"1\r\nx\r\n" * 10_000
HEADER = b"X-A: " + b"y" * 1000 + b"\r\n"


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosts, "BACK_OFF", 0.02)


def patient(site: Any, seconds: float = PATIENT) -> Fetcher:
    policy = FetchPolicy(seconds=seconds, most_bytes=MOST, robots=False, retries=1)
    return Fetcher(policy, test_only=TestOnly(site.hosts, site.ca_pem))


@pytest.fixture
def fetcher(site: Any) -> Iterator[Fetcher]:
    with patient(site, SECONDS) as one:
        yield one


def silent(sock: socket.socket) -> None:
    """Takes everything and says nothing, until the other side gives up."""
    sock.settimeout(5)
    with contextlib.suppress(OSError):
        while sock.recv(65536):
            pass


def reset(sock: socket.socket) -> None:
    """Breaks the connection off the hard way."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    sock.close()


def says(*parts: bytes, then: Callable[[socket.socket], None] | None = None) -> Callable[[socket.socket], bool]:
    """Sends these, and what comes then."""

    def answer(sock: socket.socket) -> bool:
        for part in parts:
            sock.sendall(part)
        if then is not None:
            then(sock)
        return False

    return answer


def forever(part: bytes, pause: float = 0.0) -> Callable[[socket.socket], None]:
    """The same again and again, until the other side hangs up."""

    def send(sock: socket.socket) -> None:
        with contextlib.suppress(OSError):
            for number in count():
                sock.sendall(part[number % len(part) :][:1] if pause else part)
                if pause:
                    threading.Event().wait(pause)

    return send


DRIP = 0.05
AFTER_TLS: dict[str, tuple[Callable[[socket.socket], bool], str]] = {
    "silent": (says(then=silent), "timeout"),
    "status line that never ends": (says(b"HTTP/1.1 200 ", then=silent), "timeout"),
    "headers that never end": (says(OK, b"X-A: b\r\n", then=silent), "timeout"),
    "headers in drops": (says(OK, then=forever(b"X-A: bcdefgh\r\n", DRIP)), "timeout"),
    "body in drops": (says(OK, b"Content-Length: 1000\r\n\r\n", then=forever(b"abc", DRIP)), "timeout"),
    "chunks in drops": (says(OK, b"Transfer-Encoding: chunked\r\n\r\n", then=forever(b"1\r\nx\r\n", DRIP)), "timeout"),
    "body that stops": (says(OK, b"Content-Length: 1000\r\n\r\nabc", then=silent), "timeout"),
    "endless body": (says(OK, b"\r\n", then=forever(BLOCK)), "too-large"),
    "endless chunks": (says(OK, b"Transfer-Encoding: chunked\r\n\r\n", then=forever(CHUNK)), "too-large"),
    "endless trailers": (says(OK, b"Transfer-Encoding: chunked\r\n\r\n0\r\n", then=forever(HEADER)), "too-large"),
    "endless headers": (says(OK, then=forever(HEADER)), "too-large"),
    "endless line": (says(OK, b"X-A: ", then=forever(BLOCK)), "too-large"),
    "endless status": (says(b"HTTP/1.1 200 ", then=forever(BLOCK)), "too-large"),
    "endless chunk header": (says(OK, b"Transfer-Encoding: chunked\r\n\r\n1;", then=forever(BLOCK)), "too-large"),
    "length beyond the bound": (says(OK, b"Content-Length: 99999999999\r\n\r\n", then=silent), "too-large"),
    "length that is a lie": (says(OK, b"Content-Length: 1000\r\n\r\nabc"), "protocol"),
    "length below zero": (says(OK, b"Content-Length: -1\r\n\r\n"), "protocol"),
    "length in words": (says(OK, b"Content-Length: five\r\n\r\nabcde"), "protocol"),
    "length of a thousand digits": (says(OK, b"Content-Length: " + b"9" * 1000 + b"\r\n\r\n"), "protocol"),
    "two lengths": (says(OK, b"Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd"), "protocol"),
    "chunk of no size": (says(OK, b"Transfer-Encoding: chunked\r\n\r\nzz\r\n"), "protocol"),
    "chunk below zero": (says(OK, b"Transfer-Encoding: chunked\r\n\r\n-5\r\n"), "protocol"),
    "chunk of any size": (says(OK, b"Transfer-Encoding: chunked\r\n\r\n" + b"f" * 30 + b"\r\n"), "protocol"),
    "chunks cut off": (says(OK, b"Transfer-Encoding: chunked\r\n\r\n5\r\nab"), "protocol"),
    "unknown transfer": (says(OK, b"Transfer-Encoding: gzip\r\n\r\nabc"), "protocol"),
    "no status line": (says(b"<html>the old way, without a header</html>"), "protocol"),
    "garbage": (says(bytes(range(256)) * 40), "protocol"),
    "header without a name": (says(OK, b": x\r\n\r\n"), "protocol"),
    "header with a zero": (says(OK, b"X: a\0b\r\nContent-Length: 0\r\n\r\n"), "protocol"),
    "status of two digits": (says(b"HTTP/1.1 20 OK\r\n\r\n"), "protocol"),
    "status from nowhere": (says(b"HTTP/1.1 099 X\r\n\r\n"), "protocol"),
    "another protocol": (says(b"HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"), "protocol"),
    "SSH": (says(b"SSH-2.0-OpenSSH_9.6\r\n", then=silent), "timeout"),
    "never more than interim": (says(then=forever(b"HTTP/1.1 100 Continue\r\n\r\n")), "protocol"),
    "hangs up": (says(), "unreachable"),
    "resets": (says(then=reset), "unreachable"),
}
INSTEAD_OF_TLS: dict[str, tuple[Callable[[socket.socket], object], tuple[str, ...]]] = {
    "silent": (silent, ("timeout",)),
    "plain HTTP": (says(OK, b"Content-Length: 0\r\n\r\n", then=silent), ("tls",)),
    "garbage": (says(b"\0" * 1000, then=silent), ("tls",)),
    "a record in drops": (says(b"\x16\x03\x03\x40\x00", then=forever(b"\x02", DRIP)), ("timeout",)),
    "an alert": (says(b"\x15\x03\x03\x00\x02\x02\x28"), ("tls",)),
    "hangs up": (says(), ("tls", "unreachable")),
    "resets": (reset, ("tls", "unreachable")),
}


def refused(fetcher: Fetcher) -> FetchFailure:
    begun = monotonic()
    with pytest.raises(FetchFailure) as caught:
        fetcher.fetch(URL)
    # The deadline with room for a machine that has much else to do.
    assert monotonic() - begun < 10 * SECONDS
    assert str(caught.value).startswith(URL)
    return caught.value


@pytest.mark.parametrize("case", AFTER_TLS)
def test_bad_answers(site: Any, case: str) -> None:
    site.default, kind = AFTER_TLS[case]
    with patient(site, SECONDS if kind == "timeout" else PATIENT) as fetcher:
        assert refused(fetcher).kind == kind


@pytest.mark.parametrize("case", INSTEAD_OF_TLS)
def test_bad_encryption(site: Any, case: str) -> None:
    site.raw, kinds = INSTEAD_OF_TLS[case]
    with patient(site, SECONDS if kinds == ("timeout",) else PATIENT) as fetcher:
        assert refused(fetcher).kind in kinds
    assert site.asked == []


def test_many_tiny_chunks_end_in_time(site: Any, fetcher: Fetcher) -> None:
    site.default = says(OK, b"Transfer-Encoding: chunked\r\n\r\n", then=forever(TINY))
    assert refused(fetcher).kind in ("timeout", "too-large")


@pytest.mark.parametrize("case", ["endless body", "endless chunks", "endless headers", "endless line"])
def test_memory_stays_flat(site: Any, case: str) -> None:
    site.default, _ = AFTER_TLS[case]
    with patient(site) as fetcher:
        with contextlib.suppress(FetchFailure):
            fetcher.fetch("https://n1.site.example/")
        tracemalloc.start()
        try:
            assert refused(fetcher).kind == "too-large"
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert peak < MOST + 1024 * 1024


def test_a_bomb_is_kept_as_it_came_and_goes_off_nowhere(site: Any, loopback: Any) -> None:
    fetcher = patient(site)
    site.default = loopback.page(gzip.compress(bytes(8 * MOST)), content_encoding="gzip")
    answer = fetcher.fetch(URL).answer
    fetcher.close()
    assert len(answer.body) < MOST
    with pytest.raises(FetchFailure) as caught:
        decode_body(answer, MOST)
    assert caught.value.kind == "too-large"


def test_the_bound_is_exact(site: Any, loopback: Any) -> None:
    fetcher = patient(site)
    site.answers["/1"] = loopback.page(bytes(MOST))
    site.answers["/2"] = loopback.page(bytes(MOST + 1))
    site.answers["/3"] = OK + b"Connection: close\r\n\r\n" + bytes(MOST + 1)
    assert len(fetcher.fetch(URL + "1").answer.body) == MOST
    for path in ("2", "3"):
        with pytest.raises(FetchFailure) as caught:
            fetcher.fetch(URL + path)
        assert caught.value.kind == "too-large"
    fetcher.close()


def test_redirects_share_one_deadline(site: Any, fetcher: Fetcher) -> None:
    def slowly(sock: socket.socket) -> bool:
        threading.Event().wait(SECONDS / 3)
        number = len(site.asked)
        sock.sendall(b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: /%d\r\n\r\n" % number)
        return True

    site.default = slowly
    assert refused(fetcher).kind == "timeout"
    assert len(site.asked) <= 4


def test_a_host_that_others_hold(site: Any, loopback: Any, fetcher: Fetcher) -> None:
    def slowly(sock: socket.socket) -> bool:
        threading.Event().wait(3 * SECONDS)
        return False

    site.answers["/slow"] = slowly
    assert {one.kind for _, one in fetcher.fetch_all([URL + "slow"]) if isinstance(one, FetchFailure)} == {"timeout"}
    held = threading.Thread(target=lambda: list(fetcher.fetch_all([URL + "slow?"])))
    site.answers["/slow?"] = slowly
    held.start()
    while len(site.asked) < 2:
        threading.Event().wait(0.01)
    with contextlib.suppress(FetchFailure):
        assert fetcher.fetch(URL + "quick").status == 200
    held.join(10)
    assert not held.is_alive()


@pytest.mark.parametrize("certified", ["other.site.example", "*.example"])
def test_a_certificate_for_another_name(loopback: Any, certified: str) -> None:
    site = loopback.Site(("a.site.example",), certified=certified)
    policy = FetchPolicy(seconds=5, robots=False)
    try:
        with (
            Fetcher(policy, test_only=TestOnly(site.hosts, site.ca_pem)) as one,
            pytest.raises(FetchFailure) as caught,
        ):
            one.fetch("https://a.site.example/")
        assert caught.value.kind == "tls"
        assert "certificate" in str(caught.value)
        assert site.asked == []
    finally:
        site.close()


def test_an_authority_nobody_knows(site: Any, loopback: Any) -> None:
    stranger = loopback.trustme.CA().cert_pem.bytes().decode()
    with Fetcher(FetchPolicy(seconds=5), test_only=TestOnly(site.hosts, stranger)) as one:
        assert {got.kind for _, got in one.fetch_all([URL, URL + "x"]) if isinstance(got, FetchFailure)} == {"tls"}
    assert site.asked == []


def test_nothing_listens(site: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    allowed = TestOnly({"n0.site.example": ("127.0.0.1", port)}, site.ca_pem)
    with Fetcher(FetchPolicy(seconds=PATIENT, retries=1, robots=False), test_only=allowed) as one:
        assert refused(one).kind == "unreachable"


@pytest.mark.parametrize("address", ["10.0.0.1", "93.184.216.34", "0.0.0.0", "127.0.0.2", "localhost"])
def test_the_allowance_of_tests_reaches_loopback_alone(site: Any, address: str) -> None:
    allowed = TestOnly({"n0.site.example": (address, site.port)}, site.ca_pem)
    with Fetcher(FetchPolicy(seconds=SECONDS, robots=False), test_only=allowed) as one:
        assert refused(one).kind == "forbidden-address"
