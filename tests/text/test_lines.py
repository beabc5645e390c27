"""Decoding, lines and columns, and joining paths."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.errors import Unreadable
from pincite.text.lines import (
    BOM,
    decode,
    encode_like,
    find_wide_codec,
    join,
    line_starts,
    position,
    shorten,
    split_lines,
)


@given(st.text(st.characters(codec="utf-8"), max_size=20), st.text("aé", max_size=5), st.booleans())
def test_new_bytes_have_the_mark_that_the_old_ones_had(text: str, old: str, marked: bool) -> None:
    before = BOM * marked + old.encode()
    after = encode_like(text, before)
    assert after == BOM * marked + text.encode()
    assert encode_like(decode(before), before) == before


TEXTS = st.text(st.sampled_from("ab\n\r\u2028\x0c\x85é"), max_size=40)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        ("a", ["a"]),
        ("a\n", ["a"]),
        ("\n", [""]),
        ("a\n\n", ["a", ""]),
        ("a\r\nb\rc\n", ["a", "b", "c"]),
        ("a\n\rb", ["a", "", "b"]),
        ("a\x0bb\x0cc\x1cd\x85e\u2028f\u2029g", ["a\x0bb\x0cc\x1cd\x85e\u2028f\u2029g"]),
    ],
)
def test_lines_end_at_lf_crlf_and_cr_only(text: str, lines: list[str]) -> None:
    assert split_lines(text) == lines


@given(text=TEXTS)
def test_lines_and_their_starts_belong_together(text: str) -> None:
    lines, starts = split_lines(text), line_starts(text)
    assert [text[start : start + len(line)] for start, line in zip(starts, lines, strict=False)] == lines
    assert len(starts) - len(lines) == (not text or text[-1] in "\r\n")
    assert "\n".join(lines) == re.sub(r"\r\n|\r|\n", "\n", text)[: len("\n".join(lines))]


@given(text=TEXTS, data=st.data())
def test_positions_lead_back(text: str, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, len(text)))
    starts = line_starts(text)
    line, column = position(starts, offset)
    assert starts[line - 1] + column - 1 == offset
    assert line == len(starts) or offset < starts[line]


@given(text=st.text(max_size=40))
def test_utf8_is_decoded_without_its_mark(text: str) -> None:
    assert decode(b"\xef\xbb\xbf" + text.encode()) == text


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"caf\xe9", "not UTF-8 (byte 0xe9 at offset 3)"),
        (b"\xff\xfea\0", "UTF-16 text, expected UTF-8 (byte 0xff at offset 0)"),
        (b"\xfe\xff\0a", "UTF-16 text, expected UTF-8 (byte 0xfe at offset 0)"),
        (b"a\xed\xa0\x80", "not UTF-8 (byte 0xed at offset 1)"),
        (b"\xc0\xaf", "not UTF-8 (byte 0xc0 at offset 0)"),
    ],
)
def test_what_is_not_utf8_is_named(data: bytes, reason: str) -> None:
    with pytest.raises(Unreadable, match=re.escape(reason)):
        decode(data)


WIDE = "see [x](src/gone.py#L99)\n"


@pytest.mark.parametrize(
    ("data", "codec"),
    [
        (WIDE.encode("utf-16"), "utf-16"),
        (WIDE.encode("utf-16-le"), "utf-16-le"),
        (WIDE.encode("utf-16-be"), "utf-16-be"),
        (WIDE.encode("utf-32"), "utf-32"),
        (WIDE.encode("utf-32-le"), "utf-32-le"),
        (WIDE.encode("utf-32-be"), "utf-32-be"),
        ("論文論文論文論文論文\n論文論文".encode("utf-16-le"), "utf-16-le"),
        ("é".encode("utf-16-le"), "utf-16-le"),
        ("\ufefföä".encode("utf-16-be"), "utf-16"),
        (WIDE.encode(), ""),
        (b"", ""),
        (b"one stray\0 NUL in a text of this length", ""),
        (b"two stray\0 NULs in a text that is still UTF-8,\0 of this length", ""),
        (bytes(64), ""),
        ("é".encode() * 511 + b"\0" + "漢".encode() * 10, ""),
    ],
)
def test_utf16_is_told_from_utf8_by_its_first_bytes(data: bytes, codec: str) -> None:
    assert find_wide_codec(data) == codec


@pytest.mark.parametrize(
    ("folder", "path", "expected"),
    [
        ("", "a/b", "a/b"),
        ("d", "a", "d/a"),
        ("d/e", "../a", "d/a"),
        ("d", "../../a", "../a"),
        ("", "../../a", "../../a"),
        ("d", "./a//b/.", "d/a/b"),
        ("", ".", ""),
        ("d", "..", ""),
        ("../d", "../a", "../a"),
    ],
)
def test_join(folder: str, path: str, expected: str) -> None:
    assert join(folder, path) == expected


@given(text=st.text(max_size=30), limit=st.integers(1, 30))
def test_shorten_marks_the_cut(text: str, limit: int) -> None:
    short = shorten(text, limit)
    assert len(short) <= limit
    assert short == text or (short.endswith("…") and text.startswith(short[:-1]))
