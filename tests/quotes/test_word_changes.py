"""What was changed, and how it is told."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.quotes.word_changes import WordChange, align, compare, describe, mark_changes, tokens


def changes(quoted: str, there: str) -> list[tuple[str, str, str]]:
    return [(edit.kind, edit.quoted, edit.there) for edit in compare(tokens(quoted), tokens(there))[0]]


@pytest.mark.parametrize(
    ("quoted", "there", "kind"),
    [
        ("about 16 runs", "about 15 runs", "number"),
        ("about 5 runs", "about −5 runs", "number"),
        ("about 1,000 runs", "about 1.000 runs", "number"),
        ("about 5% of it", "about 5‰ of it", "number"),
        ("took 5 s in all", "took 5 ms in all", "number"),
        ("used 5 mW in all", "used 5 MW in all", "number"),
        ("about ten runs", "about two runs", "number"),
        ("it is good", "it is not good", "negation"),
        ("it is never good", "it is good", "negation"),
        ("it does work", "it doesn't work", "negation"),
        ("it is able to", "it is unable to", "negation"),
        ("it is harmless to", "it is harmful to", "negation"),
        ("so says Smyth here", "so says Smith here", "name"),
        ("so says he here", "so says she here", "word"),
        ("The end is near", "This end is near", "word"),
        ("so It says", "so it says", "case"),
        ("so, it says", "so it says", "punctuation"),
        ("so it clearly says", "so it says", "added"),
        ("so it says", "so it clearly says", "omitted"),
    ],
)
def test_kinds(quoted: str, there: str, kind: str) -> None:
    assert [change[0] for change in changes(quoted, there)] == [kind]


def test_words_left_out_together_are_one_change() -> None:
    assert changes("a b c", "a x y z b c") == [("omitted", "", "x y z")]


def test_the_signs_around_a_quote_are_no_change() -> None:
    assert changes("so it is.", "(so it is),") == []
    assert changes("so it is", "“so it is”,") == []


def test_describing() -> None:
    edits = (
        WordChange("number", "25%", "15%"),
        WordChange("negation", "", "not"),
        WordChange("name", "Smyth,", "Smith,"),
        WordChange("word", "a", "b"),
    )
    assert describe(edits) == (
        "the number 25% is 15% there; the negation “not” is left out; the name Smyth is Smith there; “a” is “b” there"
    )
    assert describe(()) == ""


def test_marking() -> None:
    quote, passage = "it is 16 —\nor more", "it is not 15 — or more"
    edits, _ = compare(tokens(quote), tokens(passage))
    assert mark_changes(quote, passage, edits) == ("it is {+16+} — or more", "it is [-not 15-] — or more")


WORDS = st.lists(st.sampled_from("a b c not 15 Smith".split()), max_size=12).map(" ".join)


@given(WORDS, WORDS)
def test_alignment_keeps_every_word_in_order(quoted: str, there: str) -> None:
    pairs = align(tokens(quoted), tokens(there))
    assert [one.text for one, _ in pairs if one] == quoted.split()
    assert [other.text for _, other in pairs if other] == there.split()


@given(WORDS, WORDS)
def test_no_change_means_the_same(quoted: str, there: str) -> None:
    edits, similarity = compare(tokens(quoted), tokens(there))
    assert (edits == ()) == (quoted == there)
    assert 0 <= similarity <= 1


@given(st.text(), st.text())
def test_marking_takes_any_text(quote: str, passage: str) -> None:
    edits, _ = compare(tokens(quote), tokens(passage))
    ours, theirs = mark_changes(quote, passage, edits)
    assert "\n" not in ours + theirs
