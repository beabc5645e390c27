"""Asking a service: a deadline for all of it, a size, no way elsewhere, and nothing secret in the clear."""

from __future__ import annotations

import contextlib
import json
import ssl
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import monotonic, sleep

import pytest
import trustme
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.errors import UsageError
from pincite.safe.endpoint import Endpoint, NoAnswer, parse_endpoint, post_json

PATIENCE = 8.0
"""How long the servers go on for: far longer than any deadline given here."""


class Handler(BaseHTTPRequestHandler):
    """Behaves as its path says."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with contextlib.suppress(OSError):
            getattr(self, "on_" + self.path.strip("/").replace("-", "_"))(body)
        self.close_connection = True

    def send(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in ({"Content_Length": str(len(body))} | headers).items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def drip(self, piece: bytes) -> None:
        end = monotonic() + PATIENCE
        while monotonic() < end:
            self.wfile.write(piece)
            sleep(0.02)

    def on_echo(self, body: bytes) -> None:
        self.send(200, json.dumps([dict(self.headers.items()), body.decode()]).encode())

    def on_busy(self, _: bytes) -> None:
        self.send(429, b"{}", Retry_After="7")

    def on_redirect(self, _: bytes) -> None:
        self.send(307, b"", Location="/echo")

    def on_packed(self, _: bytes) -> None:
        self.send(200, b"\x1f\x8b", Content_Encoding="gzip")

    def on_short(self, _: bytes) -> None:
        self.send(200, b"half", Content_Length="4000")

    def on_garbage(self, _: bytes) -> None:
        self.wfile.write(b"SSH-2.0-OpenSSH\r\n\r\n" * 3)

    def on_many_headers(self, _: bytes) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 50_000 + b"\r\n")

    def on_silent(self, _: bytes) -> None:
        sleep(0.5)

    def on_slow_head(self, _: bytes) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\nX: ")
        self.drip(b"y")

    def on_slow_body(self, _: bytes) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 200000\r\n\r\n")
        self.drip(b"y")

    def on_continue(self, _: bytes) -> None:
        self.drip(b"HTTP/1.1 100 Continue\r\n\r\n")

    def on_endless(self, _: bytes) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        end = monotonic() + PATIENCE
        while monotonic() < end:
            self.wfile.write(b"10000\r\n" + b"x" * 0x10000 + b"\r\n")

    def on_trailers(self, _: bytes) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n")
        self.drip(b"X: y\r\n")


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        server.block_on_close = False
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


def at(port: int, path: str) -> Endpoint:
    return parse_endpoint(f"http://127.0.0.1:{port}/{path}")


def test_a_document_goes_there_and_an_answer_comes_back(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    answer = post_json(at(port, "echo"), b'{"a": 1}', {"Authorization": "Bearer k"})
    headers, body = json.loads(answer.body)
    assert (answer.status, body) == (200, '{"a": 1}')
    assert headers["Authorization"] == "Bearer k"
    assert headers["Accept-Encoding"] == "identity"
    assert headers["Host"] == f"127.0.0.1:{port}"


def test_status_and_advice_are_the_callers_to_judge(port: int) -> None:
    assert post_json(at(port, "busy"), b"{}", {}).header("retry-after") == "7"
    answer = post_json(at(port, "redirect"), b"{}", {})
    assert (answer.status, answer.body) == (307, b"")


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("packed", "protocol"),
        ("short", "connection"),
        ("garbage", "protocol"),
        ("many-headers", "protocol"),
        ("endless", "too-large"),
        ("slow-head", "timeout"),
        ("slow-body", "timeout"),
        ("continue", "protocol"),
        ("trailers", "timeout"),
    ],
)
def test_what_cannot_be_read_has_a_name(port: int, path: str, kind: str) -> None:
    with pytest.raises(NoAnswer) as caught:
        post_json(at(port, path), b"{}", {}, seconds=0.3 if kind == "timeout" else 5.0, most=300_000)
    assert caught.value.kind == kind
    assert caught.value.reason.startswith(f"127.0.0.1:{port}: ")


def test_a_missing_library_is_named(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "h11", None)
    with pytest.raises(UsageError, match="pip install --force-reinstall h11"):
        post_json(at(port, "echo"), b"{}", {})


@pytest.mark.parametrize("value", [" key ", "", " ", "a  b"])
def test_spaces_around_a_value_do_no_harm(port: int, value: str) -> None:
    answer = post_json(at(port, "echo"), b"{}", {"x-api-key": value})
    assert json.loads(answer.body)[0]["x-api-key"] == value.strip()


def test_a_large_document_is_sent_whole(port: int) -> None:
    sent = json.dumps("x" * 1_000_000).encode()
    assert json.loads(post_json(at(port, "echo"), sent, {}).body)[1] == sent.decode()


def test_silence_ends_the_conversation(port: int) -> None:
    with pytest.raises(NoAnswer) as caught:
        post_json(at(port, "silent"), b"{}", {}, seconds=5.0)
    assert caught.value.kind in ("connection", "protocol")


def test_nobody_there(port: int) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        free = server.server_address[1]
    with pytest.raises(NoAnswer) as caught:
        post_json(at(free, "echo"), b"{}", {})
    assert caught.value.kind == "connection"


@pytest.mark.parametrize("value", ["sk-\n", "sk-\x00", "schlüssel", "a\r\nHost: b"])
def test_a_value_that_cannot_be_sent_is_not_repeated(port: int, value: str) -> None:
    with pytest.raises(UsageError) as caught:
        post_json(at(port, "echo"), b"{}", {"x-api-key": value})
    assert value not in str(caught.value)
    assert "x-api-key" in str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "api.example.org/v1",
        "ftp://example.org/",
        "file:///etc/passwd",
        "http://example.org/v1",
        "http://192.168.0.1/v1",
        "http://10.0.0.1/",
        "http://localhost.example.org/",
        "http://127.0.0.1.example.org/",
        "http://0.0.0.0/",
        "http://[::ffff:8.8.8.8]/",
        "https://user:key@example.org/",
        "http://127.0.0.1@example.org/",
        "https://example.org/v1?key=abc",
        "https://example.org/#x",
        "https://example.org:0/",
        "https://example.org:99999/",
        "https://example.org:x/",
        "https://[::1/",
        "https://exa mple.org/",
        "https://example.org/\r\nX: y",
        "https://exämple.org/",
        "https:///v1",
        f"https://{'a' * 64}.example.org/",
        "https://example..org/",
    ],
)
def test_addresses_that_are_not_asked(url: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_endpoint(url)
    assert "key" not in url or "abc" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://api.example.org/v1", Endpoint(True, "api.example.org", 443, "/v1")),
        ("https://192.168.0.1:8443/v1", Endpoint(True, "192.168.0.1", 8443, "/v1")),
        ("http://localhost:11434/v1", Endpoint(False, "localhost", 11434, "/v1")),
        ("http://[::1]:8000/v1", Endpoint(False, "::1", 8000, "/v1")),
        ("http://127.9.9.9/", Endpoint(False, "127.9.9.9", 80, "/")),
    ],
)
def test_addresses_that_are_asked(url: str, expected: Endpoint) -> None:
    found = parse_endpoint(url)
    assert found == expected
    assert "/v1" not in found.shown


@given(st.text(max_size=60))
def test_any_text_is_an_address_or_refused(text: str) -> None:
    for url in (text, f"https://{text}", f"http://{text}/"):
        try:
            found = parse_endpoint(url)
        except UsageError:
            continue
        assert found.host
        assert found.secure or found.host == "localhost" or found.host.startswith("127.") or ":" in found.host


def test_a_name_that_leads_elsewhere_is_not_asked_in_the_clear(monkeypatch: pytest.MonkeyPatch) -> None:
    import socket

    answer = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("203.0.113.5", 80))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_: answer)
    with pytest.raises(NoAnswer) as caught:
        post_json(parse_endpoint("http://localhost/v1"), b"{}", {}, seconds=2.0)
    assert "this machine alone" in caught.value.reason


def test_certificates_are_looked_at(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    authority = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(context)
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        server.block_on_close = False
        server.handle_error = lambda *_: None  # type: ignore[method-assign]
        server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        port = server.server_address[1]
        with pytest.raises(NoAnswer) as caught:
            post_json(parse_endpoint(f"https://localhost:{port}/echo"), b"{}", {})
        assert caught.value.kind == "connection"
        authority.cert_pem.write_to_path(f"{tmp_path}/ca.pem")
        monkeypatch.setenv("SSL_CERT_FILE", f"{tmp_path}/ca.pem")
        assert post_json(parse_endpoint(f"https://localhost:{port}/echo"), b"{}", {}).status == 200
        with pytest.raises(NoAnswer) as caught:
            post_json(parse_endpoint(f"https://127.0.0.1:{port}/echo"), b"{}", {})
        assert "127.0.0.1" in caught.value.reason
        server.shutdown()
