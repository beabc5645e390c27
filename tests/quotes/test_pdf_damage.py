"""Quotes from PDFs whose text has lost ligatures or spaces."""

from __future__ import annotations

import re

import pytest

from pincite.quotes.lookup import QuoteSource
from pincite.quotes.pdf_damage import LOST_LIGATURE, LOST_SPACE, lost_ligatures, shows_damage

PROSE = (
    "We define the effect of a specific filter on the workflow of different staff. The first results confirm that "
    "an efficient configuration suffices, and that offline files are difficult to find. A flat profile is sufficient. "
)
FULL = PROSE * 120
LOST = re.sub("ffi|ffl|fi|fl|ff", "", FULL)
SPACED = re.sub("ffi|ffl|fi|fl|ff", " ", FULL)
MARKER = "Only here we define a different flow of the first kind."


def damaged(text: str, quote: str) -> tuple[str, tuple[str, ...]]:
    look = QuoteSource((text,), may_be_damaged=True).look(quote)
    return look.kind, tuple(name for name in look.folded if name.startswith("lost"))


def test_a_text_that_has_lost_its_ligatures_is_known_by_their_absence() -> None:
    assert lost_ligatures(LOST) == {"fi", "fl", "ff"}
    assert lost_ligatures(FULL) == frozenset()
    assert lost_ligatures("We dene the eect.") == frozenset()


@pytest.mark.parametrize("text", [LOST, SPACED])
def test_words_without_their_ligatures_are_verbatim_and_the_damage_is_named(text: str) -> None:
    text += re.sub("fi|fl|ff", "" if text is LOST else " ", MARKER)
    assert damaged(text, MARKER) == ("verbatim", (LOST_LIGATURE,))


@pytest.mark.parametrize(
    "quote",
    [
        "Only here we define a different flow of the second kind.",
        "Only here we never define a different flow of the first kind.",
        "Only here we refine a different flow of the first kind.",
    ],
)
def test_another_word_in_a_damaged_text_is_altered(quote: str) -> None:
    assert damaged(LOST + re.sub("fi|fl|ff", "", MARKER), quote)[0] == "altered"


def test_a_rest_that_is_a_word_itself_proves_nothing() -> None:
    assert (
        damaged(LOST + "They were paid at rates by the hour.", "They were paid flat rates by the hour.")[0] == "altered"
    )


def test_a_sound_text_gets_no_such_allowance() -> None:
    assert damaged(FULL + "Only here we dene a new term.", "Only here we define a new term.")[0] == "altered"


def test_what_is_no_pdf_gets_none_either() -> None:
    assert (
        QuoteSource((LOST + "Only here we dene a new term.",)).look("Only here we define a new term.").kind == "altered"
    )


def test_glued_words_are_verbatim_where_both_stand_alone_elsewhere() -> None:
    text = "A chunk is freed. Old garbage stays. The collector moves each chunkgarbage pair at once."
    assert damaged(text, "The collector moves each chunk garbage pair at once") == ("verbatim", (LOST_SPACE,))


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("The table is long. There is notable progress in it.", "There is no table progress in it"),
        ("A synchronous call is made. An asynchronous call is not.", "A synchronous call is not"),
        ("It is appropriate in general. This is inappropriate here at all.", "This is in appropriate here at all"),
        ("Its meaning is less clear. That is meaningless here.", "That is meaning less here"),
        ("The collector moves each chunkgarbage pair at once.", "The collector moves each chunk garbage pair at once"),
        ("A chunk, garbage: chunkgarbage. It moves each chunkgarbage once.", "It moves each chunk garbage once"),
    ],
)
def test_words_that_may_be_one_word_are_not_taken_for_glued(text: str, quote: str) -> None:
    assert damaged(text, quote)[0] != "verbatim"


def test_a_page_without_spaces_is_read_without_them() -> None:
    text = "Theresultsofthestudy showthat inthe mean the readings ofthe gauge differ fromthe others byless."
    assert damaged(text, "The results of the study show that in the mean the readings") == ("verbatim", (LOST_SPACE,))
    assert damaged(text, "The results of the study show that in the end the readings")[0] != "verbatim"


def test_damaged_words_are_nothing_to_write() -> None:
    assert shows_damage("We dene it", frozenset({"fi"}))
    assert shows_damage("the mean ofthe gauge", frozenset())
    assert shows_damage("a \ufffd b", frozenset())
    assert not shows_damage("We define the mean of the gauge", frozenset())
