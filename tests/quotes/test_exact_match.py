"""Phrases, and where they may begin and end."""

from __future__ import annotations

import pytest

from pincite.quotes.exact_match import is_cut, matches, phrase
from pincite.quotes.lookup import QuoteSource
from pincite.quotes.searchable_text import Layer


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


@pytest.mark.parametrize(
    ("text", "cut", "is_cut_there"),
    [
        *(
            (text, cut, True)
            for text, cut in (("3.5 million", "5 million"), ("1,017 boats", "17 boats"), ("2017", "17"))
        ),
        *(
            (text, cut, True)
            for text, cut in (("-5", "5"), ("5%", "5"), ("10k", "10"), ("1.2.3", "1.2"), ("unable", "able"))
        ),
        *((text, cut, True) for text, cut in (("5 %", "5"), ("3.5 million", "3.5"), ("1 017 boats", "017 boats"))),
        *((text, cut, True) for text, cut in (("minus 5", "5"), ("3–5 boats", "5 boats"), ("三百万", "百万"))),
        *((text, cut, False) for text, cut in (("so 5 boats", "5 boats"), ("end. The gate", ". The gate"))),
        *(
            (text, cut, False)
            for text, cut in (("门九点关闭。", "九点关闭"), ("(a boat)", "a boat"), ("1.2.3.", "1.2.3"))
        ),
    ],
)
def test_a_stretch_that_cuts_a_word_or_number(text: str, cut: str, is_cut_there: bool) -> None:
    start = text.index(cut)
    assert is_cut(text, start, start + len(cut)) is is_cut_there


def test_a_name_parted_at_the_end_of_a_line_may_be_one_word_where_the_text_has_it_so() -> None:
    text = "the reference Bit\u00ad\nTorrent client"
    assert QuoteSource((text,)).look("the reference BitTorrent client").kind == "altered"
    assert QuoteSource((text, "All of BitTorrent is")).look("the reference BitTorrent client").kind == "verbatim"
    assert QuoteSource(("from 1\u00ad\n5 plants on", "in 15 plants")).look("from 15 plants on").kind != "verbatim"
