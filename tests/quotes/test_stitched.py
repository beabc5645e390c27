"""Quotes made of two or three places."""

from __future__ import annotations

from pincite.quotes.exact_match import phrase
from pincite.quotes.nearest import find_stitched_pieces
from pincite.quotes.searchable_text import Layer

TEXT = (
    "one two three four five six seven eight. "
    + "filler words in between of no interest. " * 3
    + "alpha beta gamma delta epsilon"
)


def pieces(quote: str) -> list[str]:
    sought = phrase(quote)
    assert sought is not None
    layer = Layer([(0, TEXT)])
    return [layer.text[hit.start : hit.end] for hit in find_stitched_pieces(layer, sought)]


def test_two_places() -> None:
    assert pieces("one two three four alpha beta gamma delta") == ["one two three four", "alpha beta gamma delta"]
    assert pieces("alpha beta gamma delta one two three four") == ["alpha beta gamma delta", "one two three four"]


def test_a_word_that_links_them_may_be_new() -> None:
    assert len(pieces("one two three four and alpha beta gamma delta")) == 2


def test_too_short_a_piece_is_none() -> None:
    assert pieces("one two three four alpha beta gamma") == []
    assert pieces("one two three four five") == []


def test_one_passage_with_a_gap_is_not_stitched() -> None:
    assert pieces("one two three four five six seven eight") == []
    assert pieces("one two three four words in between of") == []
