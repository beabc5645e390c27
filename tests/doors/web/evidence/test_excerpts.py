"""Excerpts are bounded, comparisons are paired, and quotes are marked where they stand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.model import Lines
from pincite.doors.web.evidence.excerpts import (
    compare_lines,
    cut_quote,
    make_excerpt,
    make_line,
    mark_quotes,
    pair_changes,
)

LINES = st.lists(st.sampled_from(["a", "b", "c", ""]), max_size=12)


@given(LINES, LINES)
def test_a_comparison_has_every_line_once(then: list[str], now: list[str]) -> None:
    changes = compare_lines(then, 1, now, 1)
    assert [line.text for line in changes if line.kind != "added"] == then
    assert [line.text for line in changes if line.kind != "removed"] == now
    assert [line.then for line in changes if line.then] == list(range(1, len(then) + 1))
    assert [line.now for line in changes if line.now] == list(range(1, len(now) + 1))


@given(LINES, LINES)
def test_side_by_side_nothing_is_lost(then: list[str], now: list[str]) -> None:
    pairs = pair_changes(compare_lines(then, 1, now, 1))
    assert [left.text for left, _ in pairs if left is not None] == then
    assert [right.text for _, right in pairs if right is not None] == now


@pytest.mark.parametrize("cited", [Lines(1, 10**9), Lines(0, 3), Lines(5, 2), Lines(10**6, 10**6 + 1)])
def test_any_range_gives_few_lines(cited: Lines) -> None:
    assert len(make_excerpt(["x"] * 1000, cited, "title").lines) <= 200


@pytest.mark.parametrize("text", ["\x1b[31m", "\u202e", "\x00", "\ud800", "a" * 100_000, "\t" * 100_000])
def test_a_line_is_short_and_has_nothing_invisible(text: str) -> None:
    line = make_line(1, text)
    assert len(line.text) <= 400 and not any(sign in line.text for sign in "\x1b\u202e\x00\ud800\t")
    assert line.is_cut == (len(text) > 400)


def test_a_quote_is_marked_across_hyphens_and_lines() -> None:
    pieces = mark_quotes("Before it. The result im\xad\nproves quality. After.", ["The result improves quality"])
    assert [piece.text for piece in pieces if piece.is_quoted] == ["The result im-\nproves quality"]


@pytest.mark.parametrize("quotes", [[], [""], ["not there at all"], ["…"]])
def test_what_is_not_there_is_not_marked(quotes: list[str]) -> None:
    pieces = mark_quotes("Some text of a page.", quotes)
    assert "".join(piece.text for piece in pieces) == "Some text of a page."
    assert not any(piece.is_quoted for piece in pieces)


def test_two_quotes_that_overlap_are_marked_once() -> None:
    pieces = mark_quotes("The moon raises two tides a day.", ["moon raises two tides", "two tides a day"])
    assert "".join(piece.text for piece in pieces) == "The moon raises two tides a day."


def test_an_empty_page_has_no_pieces() -> None:
    assert mark_quotes("", ["words"]) == ()


@pytest.mark.parametrize(
    ("text", "from_start", "part"),
    [
        ("Gauges lost the same share of their counts,", True, "lost the same share of their counts,"),
        (
            "although the larger ones were re\xad\nset half as often. 4 Discussion",
            False,
            "although the larger ones were reset",
        ),
        ("Nothing of it.", True, ""),
        ("", False, ""),
    ],
)
def test_a_quote_that_goes_over_a_page_is_cut_to_the_page(text: str, from_start: bool, part: str) -> None:
    quote = "lost the same share of their counts, although the larger ones were reset"
    assert cut_quote(text, quote, from_start) == part
    assert cut_quote(text, "", from_start) == ""
