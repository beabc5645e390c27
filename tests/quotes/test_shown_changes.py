"""A message about a changed quote shows the change, and says what a reader cannot see."""

from __future__ import annotations

import pytest

from pincite.quotes.lookup import QuoteSource, describe, mark_changes
from pincite.quotes.word_changes import name_hidden, show_first_change, show_marked_change

LONG = " ".join(f"word{number}" for number in range(2000))


@pytest.mark.parametrize(
    ("there", "change"),
    [
        (LONG.replace("word1500 ", "cat "), "{+word1500+}"),
        (LONG.replace("word1500 ", ""), "{+word1500+}"),
        (LONG.replace("word1500 ", "word1500 not "), "word1500"),
    ],
)
def test_a_long_quote_is_shown_from_its_first_change_on(there: str, change: str) -> None:
    look = QuoteSource((there,)).look(LONG)
    assert look.kind == "altered"
    quoted, passage = show_marked_change(*mark_changes(LONG, look.passages[0].text, look.edits), 2000)
    assert change in quoted[:60] and "word1499" in passage[:60]
    assert quoted[0] == passage[0] == "…"
    assert len(quoted) <= 2000 and len(passage) <= 2000


def test_a_short_quote_is_shown_whole() -> None:
    rows = "We see {+every+} reason to build it", "We see [-no-] reason to build it."
    assert show_marked_change(*rows, 2000) == rows


def test_what_differs_only_far_behind_is_shown_there() -> None:
    quoted, there = show_first_change(f"{LONG} a-b", f"{LONG} a b", 200)
    assert quoted.endswith("a-b") and there.endswith("a b") and quoted != there


@pytest.mark.parametrize(
    ("quote", "paper", "said"),
    [
        (
            "the GuttmanKaiser rule is a bad one",
            "the Guttman-\nKaiser rule is a bad one",
            "“GuttmanKaiser” is “Guttman-Kaiser” there",
        ),
        (
            "the \u0441at sat on the mat again",
            "the cat sat on the mat again",
            "“\u0441at” is “cat” there (U+0441 CYRILLIC SMALL LETTER ES for U+0063 LATIN SMALL LETTER C)",
        ),
        (
            "the cat sat on the mat again",
            "the cat sat on the mat\u0301 again",
            "“mat” is “mat\u0301” there (U+0301 COMBINING ACUTE ACCENT there)",
        ),
    ],
)
def test_no_message_says_the_same_twice(quote: str, paper: str, said: str) -> None:
    look = QuoteSource((paper,)).look(quote)
    assert look.kind == "altered"
    assert describe(look.edits) == said


@pytest.mark.parametrize(("quoted", "there"), [("cat", "dog"), ("cat", "cats"), ("5", "6"), ("a-b", "a b")])
def test_what_a_reader_sees_is_not_named(quoted: str, there: str) -> None:
    assert name_hidden(quoted, there) == ""


@pytest.mark.parametrize("sign", ["\u00a0", "\u200e", "\u2060"])
def test_what_a_reader_does_not_see_is_named(sign: str) -> None:
    assert f"U+{ord(sign):04X}" in name_hidden(f"a{sign}b", "ab")
