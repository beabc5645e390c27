from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from pincite.doors.lsp.positions import TextIndex

ENCODINGS = ["utf-8", "utf-16", "utf-32"]
PIECES = ["a", "é", "【", "😀", "\n", "\r\n", "\r", "\x0c", "\u2028", "\ufeff"]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)


def count(text: str, encoding: str) -> int:
    width = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding]
    return len(text.encode(encoding if width == 1 else f"{encoding}-le")) // width


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 8), ("utf-16", 4), ("utf-32", 3)])
def test_columns_are_counted_in_the_units_of_the_client(encoding: str, column: int) -> None:
    index = TextIndex("x\n😀é 【F】", encoding)
    assert index.place(2 + 3) == types.Position(1, column - (encoding == "utf-8"))
    assert index.offset(index.place(5)) == 5


@given(TEXTS, st.sampled_from(ENCODINGS))
def test_every_offset_has_a_place_and_leads_back(text: str, encoding: str) -> None:
    index = TextIndex(text, encoding)
    for offset in range(len(index.text) + 1):
        if index.text[offset - 1 : offset + 1] == "\r\n" or (offset and index.text[offset - 1] == "\r"):
            continue
        assert index.offset(index.place(offset)) == offset


@given(TEXTS, TEXTS, st.data(), st.sampled_from(ENCODINGS))
def test_edits_do_what_the_client_did(text: str, new: str, data: st.DataObject, encoding: str) -> None:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    ends = []
    for _ in range(2):
        row = data.draw(st.integers(0, len(lines) - 1))
        column = data.draw(st.integers(0, len(lines[row])))
        ends.append((row, column))
    ends.sort()
    places = [types.Position(row, count(lines[row][:column], encoding)) for row, column in ends]
    starts = TextIndex("x" + text, encoding).starts if text.startswith("\ufeff") else TextIndex(text, encoding).starts
    shift = 1 if text.startswith("\ufeff") else 0
    first, last = (starts[row] - (shift if row else 0) + column for row, column in ends)
    changed = TextIndex(text, encoding).replace(types.Range(*places), new)
    assert changed.whole == text[:first] + new + text[last:]


def test_places_beyond_the_text_are_its_end() -> None:
    index = TextIndex("ab\ncd", "utf-16")
    assert index.offset(types.Position(0, 99)) == 2
    assert index.offset(types.Position(9, 9)) == 5
    assert index.replace(types.Range(types.Position(1, 9), types.Position(0, 1)), "X").text == "aX"


def test_a_form_feed_ends_no_line() -> None:
    index = TextIndex("a\x0cb\u2028c\nd", "utf-16")
    assert index.replace(types.Range(types.Position(1, 0), types.Position(1, 1)), "X").text == "a\x0cb\u2028c\nX"


def test_a_leading_bom_is_part_of_what_the_client_counts() -> None:
    index = TextIndex("\ufeffab", "utf-8")
    assert index.text == "ab"
    assert index.place(1) == types.Position(0, 4)
    assert index.replace(types.Range(types.Position(0, 0), types.Position(0, 0)), "x").whole == "x\ufeffab"
