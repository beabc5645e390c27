"""Addresses made to lead astray: none of them connects to anything, asked for directly or by a redirect."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.web import FetchFailure
from pincite.safe.escape import escape_text
from pincite.safe.fetch import Fetcher, FetchPolicy, TestOnly
from pincite.safe.fetch.target import resolve_redirect, target_of

ROWS = [json.loads(line) for line in Path(__file__).with_name("hostile_urls.jsonl").read_text().splitlines()]
ANSWERS = {target_of(row[1]).host: row[2] for row in ROWS if len(row) > 2}


class Seen:
    """Every look-up and every connection of a test."""

    def __init__(self) -> None:
        self.looked_up: list[str] = []
        self.connected: list[Any] = []


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Iterator[Seen]:
    one = Seen()
    really = socket.socket.connect

    def resolve(host: Any, port: int, **_: Any) -> list[Any]:
        name = host.decode() if isinstance(host, bytes) else host
        one.looked_up.append(name)
        # Whatever else is looked up would lead home, as a hostile name server says.
        rows = [(address.partition("%")[0], address.partition("%")[2]) for address in ANSWERS.get(name, ["127.0.0.1"])]
        return [
            (0, socket.SOCK_STREAM, 6, "", (bare, port, 0, int(zone or 0)) if ":" in bare else (bare, port))
            for bare, zone in rows
        ]

    def connect(sock: socket.socket, where: Any) -> None:
        one.connected.append(where)
        if where[0] != "127.0.0.1" or where[1] in (443, 80):
            raise ConnectionRefusedError(111, "refused")
        really(sock, where)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    monkeypatch.setattr(socket.socket, "connect", connect)
    yield one


def test_there_are_enough_of_them() -> None:
    assert len({row[1] for row in ROWS}) == len(ROWS) >= 250


def test_none_connects(seen: Seen) -> None:
    with Fetcher(FetchPolicy(seconds=20)) as fetcher:
        for kind, url, *_ in ROWS:
            with pytest.raises(FetchFailure) as caught:
                fetcher.fetch(url)
            assert caught.value.kind == kind, url
            assert escape_text(str(caught.value)) == str(caught.value), url
    assert seen.connected == []
    assert sorted(seen.looked_up) == sorted(ANSWERS)


def test_none_connects_when_fetched_together(seen: Seen) -> None:
    with Fetcher(FetchPolicy(seconds=20)) as fetcher:
        got = list(fetcher.fetch_all(row[1] for row in ROWS))
    assert {url: one.kind for url, one in got if isinstance(one, FetchFailure)} == {row[1]: row[0] for row in ROWS}
    assert len(got) == len(ROWS)
    assert seen.connected == []


def test_none_connects_after_a_redirect(seen: Seen, site: Any) -> None:
    start = "https://n0.site.example/"
    for number, (_, url, *_) in enumerate(ROWS):
        location = url.encode("utf-8", "surrogatepass")
        head = b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: "
        site.answers[f"/{number}"] = head + location + b"\r\n\r\n"
    allowed = TestOnly(site.hosts, site.ca_pem)
    relative = kinds = 0
    with Fetcher(FetchPolicy(seconds=20, robots=False, retries=0), test_only=allowed) as fetcher:
        for number, (kind, url, *_) in enumerate(ROWS):
            try:
                # What is no address by itself can be the rest of one: then it stays on the same host.
                final = fetcher.fetch(f"{start}{number}").final_url
                assert final.startswith(start), url
                relative += 1
            except FetchFailure as trouble:
                kinds += trouble.kind == kind
    assert {where[:2] for where in seen.connected} == {("127.0.0.1", site.port)}
    assert relative < 60 and kinds > 300


@pytest.mark.parametrize(
    ("url", "normal"),
    [
        ("https://example.org", "https://example.org/"),
        ("HTTPS://EXAMPLE.org:443/", "https://example.org/"),
        ("https://example.org:/", None),
        ("https://example.org?q", "https://example.org/?q"),
        ("https://example.org#f", "https://example.org/"),
        ("https://example.org/a/b?c=d#e", "https://example.org/a/b?c=d"),
        ("https://example.org/ä?ö", "https://example.org/%C3%A4?%C3%B6"),
        ("https://example.org/a%2Fb%zz", "https://example.org/a%2Fb%zz"),
        ("https://example.org/a/../b/./c", "https://example.org/b/c"),
        ("https://example.org/../../x", "https://example.org/x"),
        ("https://example.org/a/%2e%2E/b", "https://example.org/b"),
        ("https://example.org/a/..", "https://example.org/"),
        ("https://example.org/a/b/.", "https://example.org/a/b/"),
        ("https://example.org/a.b/...", "https://example.org/a.b/..."),
        ("https://example.org//a//b.c", "https://example.org//a//b.c"),
        ('https://example.org/<"x">|', "https://example.org/%3C%22x%22%3E%7C"),
        ("https://bücher.example/", "https://xn--bcher-kva.example/"),
        ("https://Straße.example/", "https://xn--strae-oqa.example/"),
        ("https://日本語.example/", "https://xn--wgv71a119e.example/"),
        ("https://a_b.example.org/", "https://a_b.example.org/"),
        ("https://1.1.1.1/", "https://1.1.1.1/"),
        ("https://[2606:4700:0:0::1111]/x", "https://[2606:4700::1111]/x"),
        ("https://1.example.org/", "https://1.example.org/"),
        ("https://0x7f.example.org/", "https://0x7f.example.org/"),
        (
            "https://en.wikipedia.org/wiki/C_(x)?a[0]=1&b=c,d;e:f@g!",
            "https://en.wikipedia.org/wiki/C_(x)?a[0]=1&b=c,d;e:f@g!",
        ),
    ],
)
def test_good_addresses_have_one_form(url: str, normal: str | None) -> None:
    if normal is None:
        with pytest.raises(FetchFailure):
            target_of(url)
        return
    assert target_of(url).url == normal
    assert target_of(normal).url == normal


PARTS = st.sampled_from(
    "https :// example org . / ? # @ : [ ] % \\ 127 0x7f ::1 .. 443 xn-- é \t 。 １ %2e -".split(" ")
)


@given(st.one_of(st.text(max_size=60), st.lists(PARTS, max_size=12).map(lambda parts: "https://" + "".join(parts))))
def test_whatever_is_read_is_read_the_same_again(url: str) -> None:
    try:
        target = target_of(url)
    except FetchFailure as trouble:
        assert trouble.kind in ("bad-url", "not-https")
        return
    assert target_of(target.url) == target
    assert target.url.isascii() and target.url.isprintable() and " " not in target.url
    assert target.host == target.host.lower() and not set(target.host) & set("@/\\?#%[] ")


@given(st.text(max_size=80))
def test_any_location_is_an_address_or_trouble(location: str) -> None:
    source = target_of("https://example.org/a/b?c")
    try:
        assert resolve_redirect(source, location).url.startswith("https://")
    except FetchFailure as trouble:
        assert trouble.kind in ("bad-url", "not-https")
        assert "example.org/a/b" in str(trouble)
