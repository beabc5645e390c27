"""A server of a few addresses: it answers those, and no client can keep it from the others."""

from __future__ import annotations

from collections.abc import Iterator
from socket import create_connection, socket

import httpx
import pytest

from pincite.core.errors import UsageError
from pincite.safe.status_server import StatusServer


def fail() -> tuple[int, str, bytes]:
    raise RuntimeError("of the function")


@pytest.fixture
def server() -> Iterator[StatusServer]:
    """A server with an address that answers, and one that fails."""
    with StatusServer("127.0.0.1", 0, {"/a": lambda: (200, "text/plain", b"yes\n"), "/b": fail}) as opened:
        yield opened


def ask(server: StatusServer, path: str, method: str = "GET") -> httpx.Response:
    return httpx.request(method, f"http://127.0.0.1:{server.port}{path}")


def test_it_answers_its_addresses_and_no_others(server: StatusServer) -> None:
    assert (ask(server, "/a").status_code, ask(server, "/a?x=1").text) == (200, "yes\n")
    assert ask(server, "/a", "HEAD").headers["content-length"] == "4"
    assert ask(server, "/c").status_code == ask(server, "/a/../../etc/passwd").status_code == 404
    assert ask(server, "/a", "POST").status_code == 501
    assert ask(server, "/a").headers["x-content-type-options"] == "nosniff"
    assert "Python" not in ask(server, "/a").headers["server"]


def test_a_function_that_fails_tells_nothing(server: StatusServer) -> None:
    answer = ask(server, "/b")
    assert (answer.status_code, answer.text) == (500, "failed\n")
    assert ask(server, "/a").status_code == 200


def test_clients_that_say_nothing_do_not_pile_up(server: StatusServer) -> None:
    silent: list[socket] = []
    try:
        for _ in range(40):
            silent.append(create_connection(("127.0.0.1", server.port), 10))
        # Those beyond the limit are sent away at once.
        for one in silent[8:]:
            one.settimeout(60)
            try:
                assert one.recv(1) == b""
            except ConnectionResetError:
                continue
    finally:
        for one in silent:
            one.close()


def test_garbage_is_answered_or_dropped_and_the_next_client_served(
    server: StatusServer, capfd: pytest.CaptureFixture[str]
) -> None:
    for sent in (b"\x00\xff\r\n\r\n", b"GET " + b"/" * 70_000 + b" HTTP/1.1\r\n\r\n", b"GET /a HTTP/9.9\r\n\r\n"):
        with create_connection(("127.0.0.1", server.port), 10) as one:
            one.settimeout(60)
            one.sendall(sent)
            try:
                assert b" 200 " not in one.recv(4096)
            except ConnectionResetError:
                continue
    assert ask(server, "/a").status_code == 200
    assert capfd.readouterr() == ("", "")


def test_a_server_that_was_closed_answers_no_more() -> None:
    with StatusServer("127.0.0.1", 0, {}) as opened:
        port = opened.port
    with pytest.raises(OSError):
        create_connection(("127.0.0.1", port), 10)


def test_a_port_that_is_taken_is_refused(server: StatusServer) -> None:
    with pytest.raises(UsageError, match=f"port {server.port}"):
        StatusServer("127.0.0.1", server.port, {})
