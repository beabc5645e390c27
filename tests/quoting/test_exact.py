"""Phrases, and where they may begin and end."""

from __future__ import annotations

import pytest

from pincite.quoting.exact import matches, phrase
from pincite.quoting.layer import Layer


def found(quote: str, text: str) -> list[str]:
    sought = phrase(quote)
    assert sought is not None
    layer = Layer([(0, text)])
    return [layer.text[hit.start : hit.end] for hit in matches(layer, sought)]


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("b", "a—b—c"),
        ("b", "a (b) c"),
        ("b", "a “b”, c"),
        ("b", "a - b - c"),
        ("(b", "a (b) c"),
        ("b),", "a (b) c"),
        ("5", "about 5."),
        ("5", "about 5, or"),
        ("5", "“5”"),
        ("b:", "a b: c"),
    ],
)
def test_clean_edges(quote: str, text: str) -> None:
    assert len(found(quote, text)) == 1


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("b", "ab"),
        ("b", "bc"),
        ("b", "a-b"),
        ("b", "b-c"),
        ("b", "b'c"),
        ("b", "¬b"),
        ("b", "!b"),
        ("b", "x_b"),
        ("b?", "b"),
        ("b", "b\u0301"),
        ("(b", "b"),
        ("5", "0.5"),
        ("5", "5.1"),
        ("5", "5,1"),
        ("5", "−5"),
        ("5", "− 5"),
        ("5", "±5"),
        ("5", "± 5"),
        ("5", "< 5"),
        ("5", "$5"),
        ("5", "5%"),
        ("5", "5²"),
        ("5", "5^2"),
        ("5", "1/5"),
        ("5", "5/6"),
        ("5", "4-5"),
        ("-5", "4-5"),
        (".5", "0.5"),
    ],
)
def test_cut_edges(quote: str, text: str) -> None:
    assert found(quote, text) == []


def test_short_words_are_found_among_many_longer_ones() -> None:
    assert found("it", "bitten " * 3000 + "so it is") == ["it"]


def test_a_phrase_has_words() -> None:
    assert phrase(" …! ") is None
    sought = phrase("(two words)")
    assert sought is not None
    assert (sought.lead, sought.core, sought.trail, sought.words) == ("(", "two words", ")", 2)
