"""Filters that tell which texts may hold a quote."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.quotes.letter_filter import make_filter, may_hold, sought_runs
from pincite.quotes.lookup import QuoteSource

TEXT = (
    "Each plant ran one gauge for ninety days. The larger ones were reset half as often as the others,\n"
    "although nobody had asked for it. We see no reason to build a gauge without it; the readings of the\n"
    "steady plants differ by less than three per cent."
)
CHINESE = "研究表明，三分之一的引文在一年之后已经不再指向原来的位置。另外三分之一只是移动了。"


def holds(text: str, quote: str) -> bool:
    return may_hold(make_filter(layer.key for layer in QuoteSource((text,)).layers), sought_runs(quote))


@pytest.mark.parametrize(
    "quote",
    [
        "We see no reason to build a gauge without it",
        "The larger ones were reset half as often as the others, although nobody had asked",
        "Each plant ran one gauge ... although nobody had asked for it",
        "We see no reason to build [an instrument like] a gauge without it",
        "we SEE no reason",
    ],
)
def test_what_a_text_holds_gets_through(quote: str) -> None:
    assert holds(TEXT, quote)


@pytest.mark.parametrize(
    "quote",
    [
        "Purple elephants dance over the moon and never come home again",
        "Every plant had several sensors during the whole of that winter",
    ],
)
def test_what_shares_hardly_a_run_does_not(quote: str) -> None:
    assert not holds(TEXT, quote)


def test_a_script_without_spaces() -> None:
    assert holds(CHINESE, "三分之一的引文在一年之后已经不再指向原来的位置")
    assert not holds(CHINESE, "所有的大象都在月亮上跳舞而且永远不会回家")


def test_a_quote_without_any_run_may_stand_anywhere() -> None:
    assert sought_runs("a b c").runs == ()
    assert holds("nothing of the kind", "a b c")


def test_an_empty_text_holds_nothing_that_has_runs() -> None:
    assert not may_hold(make_filter(()), sought_runs("We see no reason to build a gauge"))


@given(st.text(min_size=1, max_size=400), st.data())
def test_a_part_of_a_text_always_gets_through(text: str, data: st.DataObject) -> None:
    first = data.draw(st.integers(0, len(text) - 1))
    last = data.draw(st.integers(first + 1, len(text)))
    quote = text[first:last]
    if QuoteSource((text,)).verbatim(quote) is not None:
        assert holds(text, quote)
