"""Undoing encodings within bounds, and telling what an answer carries."""

from __future__ import annotations

import gzip
import tracemalloc
import zlib
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.core.web import Exchange, FetchFailure
from pincite.pages.body import charset_of, decode_body, media_type

MIB = 1024 * 1024


def answer(body: bytes, kind: str = "", encoding: str = "") -> Exchange:
    headers = [("Content-Type", kind)] if kind else []
    return Exchange("https://a.example.org/", 200, "OK", (*headers, ("content-ENCODING", encoding)), body)


def bare(data: bytes) -> bytes:
    engine = zlib.compressobj(9, zlib.DEFLATED, -15)
    return engine.compress(data) + engine.flush()


def packed(data: bytes) -> bytes:
    """The same bytes at any time: they are part of the names of tests."""
    return gzip.compress(data, mtime=0)


ENCODERS = {
    "": bytes,
    "identity": bytes,
    "gzip": packed,
    "X-GZIP": packed,
    "deflate": zlib.compress,
    " Deflate ": bare,
    "gzip, gzip": lambda data: packed(packed(data)),
    "deflate, gzip": lambda data: packed(zlib.compress(data)),
    "identity, gzip": packed,
}


@pytest.mark.parametrize("encoding", ENCODERS)
@settings(max_examples=30)
@given(data=st.one_of(st.binary(max_size=300), st.integers(0, 200_000).map(lambda n: b"ab" * n)))
def test_what_was_encoded_comes_back(encoding: str, data: bytes) -> None:
    body = ENCODERS[encoding](data)
    assert decode_body(answer(body, encoding=encoding), MIB) == data


def test_members_of_a_gzip_stream_are_joined_and_what_follows_them_is_ignored() -> None:
    body = packed(b"one ") + packed(b"two") + b"\0\0\0 not gzip"
    assert decode_body(answer(body, encoding="gzip"), 100) == b"one two"


def test_several_headers_are_one_list() -> None:
    headers = (("Content-Encoding", "deflate"), ("Content-Encoding", "gzip"))
    body = packed(zlib.compress(b"text"))
    assert decode_body(Exchange("https://a.example.org/", 200, headers=headers, body=body), 100) == b"text"


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("br", b"anything"),
        ("zstd", b"anything"),
        ("gzip;q=1", packed(b"text")),
        ("compress", b"anything"),
        ("gzip", b"plain text"),
        ("gzip", packed(b"text" * 100)[:-9]),
        ("gzip", packed(b"text")[:-5] + b"\0\0\0\0\0"),
        ("gzip", packed(b"text") + packed(b"text")[:12]),
        ("gzip", packed(b"") * 1001),
        ("deflate", b"\xff\xff\xff"),
        ("deflate", zlib.compress(b"text" * 100)[:-3]),
        ("deflate", bare(b"text" * 100)[:-3]),
        ("gzip, gzip", packed(b"not gzip")),
        ("gzip, gzip, gzip", packed(packed(packed(b"text")))),
        ("gzip," * 1000, b"x"),
    ],
)
def test_what_cannot_be_undone_is_said(encoding: str, body: bytes) -> None:
    with pytest.raises(FetchFailure) as caught:
        decode_body(answer(body, encoding=encoding), MIB)
    assert caught.value.kind == "encoding"
    assert "https://a.example.org/" in str(caught.value)


def test_no_body_has_nothing_to_undo() -> None:
    assert decode_body(answer(b"", encoding="gzip"), 10) == b""
    assert decode_body(answer(b"", encoding="deflate"), 10) == b""


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "gzip, gzip"])
def test_a_bomb_goes_off_in_a_small_room(encoding: str) -> None:
    body = ENCODERS[encoding](bytes(20 * MIB))
    tracemalloc.start()
    try:
        with pytest.raises(FetchFailure) as caught:
            decode_body(answer(body, encoding=encoding), 16 * MIB)
        assert tracemalloc.get_traced_memory()[1] < 20 * MIB
    finally:
        tracemalloc.stop()
    assert caught.value.kind == "too-large"


def test_the_cap_is_exact() -> None:
    data = bytes(range(256)) * 40
    assert decode_body(answer(packed(data), encoding="gzip"), len(data)) == data
    for encoding in ("gzip", ""):
        with pytest.raises(FetchFailure) as caught:
            decode_body(answer(ENCODERS[encoding](data), encoding=encoding), len(data) - 1)
        assert caught.value.kind == "too-large"


def test_many_members_do_not_cost_the_square() -> None:
    def spent(members: int) -> float:
        body = packed(b"x" * 40) * members
        begun = process_time()
        decode_body(answer(body, encoding="gzip"), MIB)
        return process_time() - begun

    # The best of three: a busy machine makes a run longer and never shorter.
    long, short = (min(spent(size) for _ in range(3)) for size in (800, 100))
    assert long < 40 * max(short, 0.0005)


HTML, TEXT, PDF = b"<!DOCTYPE html><p>x", b"Some words.\n", b"%PDF-1.7\n\x00"
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"


@pytest.mark.parametrize(
    ("kind", "body", "expected"),
    [
        ("text/html", HTML, "html"),
        ("TEXT/HTML; charset=utf-8", HTML, "html"),
        ("text/html", TEXT, "html"),
        ("text/html", b"", "html"),
        ("application/xhtml+xml", b'<?xml version="1.0"?>\n<html xmlns="x">', "html"),
        ("text/plain", TEXT, "text"),
        ("text/plain", HTML, "text"),
        ("text/markdown", b"# Title", "text"),
        ("application/json", b'{"a": 1}', "text"),
        ("application/ld+json", b'{"a": 1}', "text"),
        ("application/pdf", PDF, "pdf"),
        ("application/pdf", b"\n" + PDF, "pdf"),
        ("", HTML, "html"),
        ("", b"\xef\xbb\xbf <!-- a --><!-- b --> <HTML lang=en>", "html"),
        ("", "<html><p>x".encode("utf-16"), "html"),
        ("", "words".encode("utf-16"), "text"),
        ("", TEXT, "text"),
        ("", PDF, "pdf"),
        ("", PNG, "other"),
        ("", b"", "other"),
        ("application/octet-stream", PDF, "pdf"),
        ("image/png", PNG, "other"),
        ("image/svg+xml", b"<svg xmlns='x'/>", "other"),
        ("font/woff2", b"text after all", "other"),
        ("text/html", b"a\x1b$Btext in ISO-2022-JP", "html"),
        ("text/html", b"<!doctype html><title>T</title><p>Be\x07ll", "html"),
    ],
)
def test_header_and_bytes_agree(kind: str, body: bytes, expected: str) -> None:
    assert media_type(answer(body, kind), body) == expected
    assert media_type(answer(packed(body), kind, "gzip"), body) == expected


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("text/html", PDF),
        ("text/html", PNG),
        ("text/html", b"PK\x03\x04"),
        ("text/plain", PDF),
        ("text/plain", b"a\0b"),
        ("application/pdf", HTML),
        ("application/pdf", TEXT),
        ("application/pdf", PNG),
        ("image/png", HTML),
        ("image/png", PDF),
        ("application/zip", PDF),
        ("application/json", PNG),
    ],
)
def test_header_and_bytes_disagree(kind: str, body: bytes) -> None:
    with pytest.raises(FetchFailure) as caught:
        media_type(answer(body, kind), body)
    assert caught.value.kind == "type"


@pytest.mark.parametrize(
    ("kind", "body", "expected"),
    [
        ("text/html; charset=UTF-8", b"", "utf-8"),
        ('text/html; charset="utf8"', b"", "utf-8"),
        ("text/html; charset=ISO-8859-1", b"", "cp1252"),
        ("text/html; charset=us-ascii", b"", "cp1252"),
        ("text/html;Charset = 'koi8-r'", b"", "koi8-r"),
        ("text/html; charset=utf-8", "x".encode("utf-16"), "utf-16"),
        ("text/html; charset=latin1", b"\xef\xbb\xbfx", "utf-8-sig"),
        ("text/html", b"<meta charset=shift_jis>", "cp932"),
        ("text/html", b'<meta http-equiv=content-type content="text/html; charset=windows-1251">', "cp1251"),
        ("text/html", b'<?xml version="1.0" encoding="big5"?><meta charset=utf-8>', "big5"),
        ("text/html", b"<meta charset=utf-16>", "utf-8"),
        ("text/html; charset=nonsense", b"<meta charset=utf-8>", "utf-8"),
        ("text/html; charset=rot13", b"", ""),
        ("text/html; charset=utf-7", b"", ""),
        ("text/html; charset=unicode_escape", b"", ""),
        ("text/html; charset=zlib", b"", ""),
        ("text/html; charset=idna", b"", ""),
        ("text/html; charset=undefined", b"", ""),
        ("text/html", b" " * 5000 + b"<meta charset=utf-8>", ""),
        ("", b"", ""),
    ],
)
def test_the_charset(kind: str, body: bytes, expected: str) -> None:
    found = charset_of(answer(body, kind), body)
    assert found == expected
    if found:
        assert isinstance(body.decode(found, "replace"), str)


@given(st.binary(max_size=400), st.text(max_size=60), st.sampled_from(["", "gzip", "deflate", "gzip, deflate", "br"]))
def test_nothing_but_trouble_is_raised(body: bytes, kind: str, encoding: str) -> None:
    exchange = answer(body, kind, encoding)
    assert isinstance(charset_of(exchange, body), str)
    for ask in (lambda: decode_body(exchange, 100), lambda: media_type(exchange, body)):
        try:
            assert ask() is not None
        except FetchFailure as trouble:
            assert trouble.kind in FetchFailure.KINDS


@pytest.mark.parametrize("body", [b"<!---->", b"<!--", b"<meta ", b"<meta charset", b" ", b"<?xml ", b"<!-- -->\n"])
def test_patterns_do_not_explode(body: bytes) -> None:
    def spent(size: int) -> float:
        exchange = answer((body * size)[:size], "")
        begun = process_time()
        for _ in range(5):
            media_type(exchange, exchange.body)
            charset_of(exchange, exchange.body)
        return process_time() - begun

    # The best of three: a busy machine makes a run longer and never shorter.
    long, short = (min(spent(size) for _ in range(3)) for size in (4000, 500))
    assert long < 200 * max(short, 0.0005)
