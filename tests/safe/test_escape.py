"""Untrusted text: nothing invisible survives, nothing visible changes."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.safe.escape import escape_text, json_safe, whole

ANY_TEXT = st.text(st.characters(exclude_categories=()))
HOSTILE = (
    "\x00\x07\x1b\n\r\t\x7f\x85\x9b\xad\u061c\u200b\u200d\u200e\u200f\u2028\u2029\u202a\u202e\u2060\u2066\u2069\ufeff"
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", "plain"),
        ("", ""),
        ("【F:café.md†L1】 ✓ 漢字 👍️", "【F:café.md†L1】 ✓ 漢字 👍️"),
        ("a\x1b[31mb", "a\\u{1b}[31mb"),
        ("a\nb\tc", "a\\u{a}b\\u{9}c"),
        ("\u202egnp.exe", "\\u{202e}gnp.exe"),
        ("bad\udcff.md", "bad\\u{dcff}.md"),
        ("a\U000e0041b", "a\\u{e0041}b"),
        ("C:\\u{1b}", "C:\\u{1b}"),
    ],
)
def test_shown(text: str, expected: str) -> None:
    assert escape_text(text) == expected


@pytest.mark.parametrize("char", HOSTILE)
def test_every_named_character_is_shown_as_its_number(char: str) -> None:
    assert escape_text(f"a{char}b") == f"a\\u{{{ord(char):x}}}b"


@given(ANY_TEXT)
def test_shown_leaves_no_control_format_or_surrogate(text: str) -> None:
    out = escape_text(text)
    # Some format characters are visible signs (Arabic number marks and the like); those may stay.
    assert {unicodedata.category(char) for char in out}.isdisjoint({"Cc", "Cs", "Zl", "Zp"})
    assert not set(out) & set(HOSTILE)
    out.encode()


@given(ANY_TEXT)
def test_shown_is_idempotent(text: str) -> None:
    assert escape_text(escape_text(text)) == escape_text(text)


@given(ANY_TEXT, st.integers(1, 30))
def test_shown_keeps_its_limit_and_marks_the_cut(text: str, limit: int) -> None:
    out = escape_text(text, limit)
    assert len(out) <= limit
    assert (out == escape_text(text)) or out.endswith("…")


def test_a_cut_never_leaves_half_an_escape() -> None:
    assert [escape_text("ab\x1bcd", limit) for limit in range(1, 11)] == [
        "…",
        "a…",
        "ab…",
        "ab…",
        "ab…",
        "ab…",
        "ab…",
        "ab…",
        "ab\\u{1b}…",
        "ab\\u{1b}cd",
    ]


@given(st.recursive(st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_json_safe_is_the_same_data(data: object) -> None:
    for indent in (None, 2):
        text = json_safe(json.dumps(data, ensure_ascii=False, indent=indent))
        assert json.loads(text) == data
        assert not set(text) & (set(HOSTILE) - {"\n"})


def test_json_safe_escapes_beyond_the_basic_plane_as_a_pair() -> None:
    assert json_safe('"\U000e0041\u202e"') == '"\\udb40\\udc41\\u202e"'
    assert json_safe('"\udcff"') == '"\\udcff"'


@given(ANY_TEXT)
def test_whole_text_can_be_encoded_and_only_surrogates_change(text: str) -> None:
    out = whole(text)
    out.encode()
    if not any("\ud800" <= char <= "\udfff" for char in text):
        assert out == text
