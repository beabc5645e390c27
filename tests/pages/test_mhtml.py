"""MHTML as browsers write it, and as nobody should: the page of a message, or a reason."""

from __future__ import annotations

import time
from contextlib import suppress

import pytest

from pincite.core.errors import Unreadable
from pincite.pages import mhtml
from pincite.pages.mhtml import is_mhtml, read_mhtml

HEAD = (
    b"From: <Saved by Blink>\r\nSnapshot-Content-Location: https://tides.example/moon#top\r\n"
    b"Subject: =?utf-8?Q?On=20tides?=\r\nDate: Fri, 1 May 2026 08:00:00 -0000\r\nMIME-Version: 1.0\r\n"
    b'Content-Type: multipart/related;\r\n\ttype="text/html";\r\n\tboundary="----M--x----"\r\n\r\n\r\n'
)


def part(body: bytes, kind: str = "text/html", how: str = "quoted-printable", **more: str) -> bytes:
    lines = {"Content-Type": kind, "Content-Transfer-Encoding": how}
    lines |= {name.replace("_", "-"): value for name, value in more.items()}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return b"------M--x----\r\n" + head.encode() + b"\r\n" + body + b"\r\n"


END = b"------M--x------\r\n"


def test_the_page_of_a_message_is_its_part_at_the_address() -> None:
    frame = part(b"<p>an advertisement", Content_Location="https://ads.example/")
    page = part(b"<p>The moon raises =\r\ntwo tides =C3=A0 day.", Content_Location="https://tides.example/moon")
    found = read_mhtml(HEAD + frame + page + part(b"aGk=", "image/png", "base64") + END)
    assert found.url == "https://tides.example/moon"
    assert found.date == "Fri, 1 May 2026 08:00:00 -0000"
    assert (found.content_type, found.body) == ("text/html", "<p>The moon raises two tides à day.".encode())


def test_without_an_address_the_first_page_counts() -> None:
    head = HEAD.replace(b"Snapshot-Content-Location: https://tides.example/moon#top\r\n", b"")
    picture = part(b"aGk=", "image/png", "base64")
    found = read_mhtml(head + picture + part(b"PHA+aGk=", how="base64", Content_Location="https://a.example/x") + END)
    assert (found.url, found.body) == ("https://a.example/x", b"<p>hi")
    found = read_mhtml(head + part(b"<p>hi", how="8bit", Content_Location="file:///home/a.html") + END)
    assert (found.url, found.body) == ("", b"<p>hi")


def test_the_part_that_is_named_as_the_start_counts() -> None:
    head = HEAD.replace(b'type="text/html"', b'start="<2@x>"').replace(b"Snapshot-", b"X-")
    pages = part(b"<p>one", how="7bit", Content_ID="<1@x>") + part(b"<p>two", how="7bit", Content_ID="<2@x>")
    assert read_mhtml(head + pages + END).body == b"<p>two"


def test_a_message_inside_a_message_is_looked_into() -> None:
    inner = b"--in\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>inner\r\n--in--"
    found = read_mhtml(HEAD + part(inner, "multipart/alternative; boundary=in", "8bit") + END)
    assert (found.content_type, found.body) == ("text/html; charset=utf-8", b"<p>inner")


def test_a_message_of_one_part_is_its_own_page() -> None:
    data = b"MIME-Version: 1.0\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n<p>a=3Db\n"
    assert is_mhtml(data) and read_mhtml(data).body == b"<p>a=b\n"


def test_line_ends_do_not_matter() -> None:
    page = part(b"<p>words", how="8bit", Content_Location="https://tides.example/moon")
    data = (HEAD + page + END).replace(b"\r\n", b"\n")
    assert is_mhtml(data) and read_mhtml(data).body == b"<p>words"


@pytest.mark.parametrize(
    "data",
    [
        *(b"", b"<html><p>Content-Type: multipart/related", b"Title: a text\n\nMIME-Version: 1.0\n"),
        *(b"MIME-Version: 1.0\n\nwords", b"%PDF-1.7\nMIME-Version: 1.0\nContent-Type: multipart/related\n"),
    ],
)
def test_other_files_are_no_messages(data: bytes) -> None:
    assert not is_mhtml(data)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (HEAD + END, "no page stands in it"),
        (HEAD, "no page stands in it"),
        (HEAD + part(b"aGk=", "image/png", "base64") + END, "no page stands in it"),
        (HEAD + part(b"a", how="base64") + END, "base64 is broken"),
        (HEAD + part(b"x", how="uuencode") + END, "'uuencode' is unknown"),
        (HEAD.replace(b'boundary="----M--x----"', b"charset=utf-8") + part(b"x") + END, "says where its parts end"),
        (HEAD.replace(b"----M--x----", b"x" * 400) + END, "says where its parts end"),
    ],
)
def test_broken_messages_are_refused(data: bytes, why: str) -> None:
    with pytest.raises(Unreadable, match=why):
        read_mhtml(data)


def test_deep_messages_are_refused() -> None:
    inner = b"<p>deep"
    kind = "text/html"
    for level in range(mhtml.MOST_DEPTH):
        mark = f"in{level}".encode()
        inner = b"--" + mark + f"\r\nContent-Type: {kind}\r\n\r\n".encode() + inner + b"\r\n--" + mark + b"--"
        kind = f"multipart/mixed; boundary=in{level}"
    with pytest.raises(Unreadable, match="nested deeper than 4"):
        read_mhtml(HEAD + part(inner, kind, "8bit") + END)


def test_too_many_parts_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mhtml, "MOST_PARTS", 10)
    with pytest.raises(Unreadable, match="more than 10 parts"):
        read_mhtml(HEAD + part(b"x", "image/png") * 11 + END)


def _seconds(data: bytes) -> float:
    best = 9.0
    for _ in range(3):
        start = time.process_time()
        with suppress(Unreadable):
            read_mhtml(data)
        best = min(best, time.process_time() - start)
    return best


@pytest.mark.parametrize(
    "unit",
    [b"\n------M--x---", b"------M--x----\r\n\r\n", b"\n \n\t", b"Content-Type: a;" + b" " * 20, b"=", b"--"],
)
def test_reading_takes_linear_time(unit: bytes) -> None:
    small, large = (_seconds(HEAD + unit * (size // len(unit)) + END) for size in (100_000, 800_000))
    assert large < 8 * 4 * max(small, 0.001)
