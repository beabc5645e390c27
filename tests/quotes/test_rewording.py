"""Quotes put right word by word: what is written otherwise changes, all else stays."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.quotes.lookup import QuoteSource
from pincite.quotes.rewording import find_written, is_shown, is_whole, reword_text, scalar_wordings, wordings
from pincite.text.frontmatter_edit import apply, quote_scalar
from pincite.text.yaml import FrontmatterError, Mapping, Scalar, load

THERE = "Readers rated the steady drafts 15 points higher"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (THERE.replace("15", "25"), THERE),
        (THERE.replace("the steady ", ""), THERE),
        (THERE.replace("rated", "have rated"), THERE),
        ("Really, " + THERE, THERE),
        (THERE.replace("15", "25") + ".", THERE + "."),
        (
            "Readers rated\n> the steady drafts\n>  25 points higher",
            "Readers rated\n> the steady drafts\n>  15 points higher",
        ),
        (
            "Readers rated\r\nthe steady drafts\r\n\t25 points higher",
            "Readers rated\r\nthe steady drafts\r\n\t15 points higher",
        ),
        (
            "Readers  rated the\xa0steady drafts 25 points higher",
            "Readers  rated the\xa0steady drafts 15 points higher",
        ),
        (THERE, THERE),
    ],
)
def test_only_what_differs_is_written_anew(written: str, expected: str) -> None:
    assert reword_text(written, THERE) == expected


def test_the_nearest_wording_comes_first() -> None:
    assert list(wordings("Readers\nrated the steady drafts 25 points higher", THERE)) == [
        "Readers\nrated the steady drafts 15 points higher",
        THERE,
    ]


@pytest.mark.parametrize(
    ("quote", "there", "whole"),
    [
        (THERE.replace("15", "25"), THERE, True),
        ("The moon raises two tides a day hardest.", "The moon raises two tides a day. It", False),
        ("tides a day are raised", "by tides a day are raised", False),
        ("It rained all day long", "It rained all day.", True),
        ("Sullivan reports the same", "Donovan reports the same", True),
        ("", "a", False),
        ("a", "", False),
    ],
)
def test_how_far_a_passage_reaches_must_be_known(quote: str, there: str, whole: bool) -> None:
    assert is_whole(quote, there) is whole
    assert whole or list(wordings(quote, there)) == []


@pytest.mark.parametrize(
    ("text", "words", "found"),
    [
        ("say “a b c” now", "a b c", "a b c"),
        ("> a\n> b   c\n", "a b c", "a\n> b   c"),
        ("> a\r\n>> b\r\n> c\n", "a b c", "a\r\n>> b\r\n> c"),
        ("a > b c", "a > b c", "a > b c"),
        ("a b c a b c", "a b c", None),
        ("a b", "a b c", None),
        ("a b c", "", None),
    ],
)
def test_words_are_found_where_they_stand_once(text: str, words: str, found: str | None) -> None:
    span = find_written(text, words, 0, len(text))
    assert (None if span is None else text[slice(*span)]) == found


@given(
    words=st.lists(st.sampled_from(("a", "bc", "é", "1", "“x”", ">")), min_size=1, max_size=8),
    gaps=st.lists(st.sampled_from((" ", "\n", "\r\n", "\r", "\n> ", "\n>\n> ", "\t ", "\xa0")), min_size=9, max_size=9),
    around=st.sampled_from(("", "x ", "> ", "\n")),
)
@settings(max_examples=200, deadline=None)
def test_what_is_found_says_the_words(words: list[str], gaps: list[str], around: str) -> None:
    text = around + "".join(word + gap for word, gap in zip(words, gaps, strict=False)) + around
    span = find_written(text, " ".join(words), 0, len(text))
    if span is not None:
        there = text[slice(*span)]
        assert there.startswith(words[0]) and there.endswith(words[-1])
        kept = [sign for sign in there if not sign.isspace() and sign != ">"]
        assert kept == [sign for sign in "".join(words) if sign != ">"]


WORDS = st.lists(st.sampled_from((*THERE.split(), "not", "25", "x:", "#", "'", '"', "—", "-", "é")), max_size=12).map(
    " ".join
)


@given(written=WORDS, there=WORDS)
@settings(max_examples=200, deadline=None)
def test_what_is_written_anew_says_what_is_there_or_is_seen_not_to(written: str, there: str) -> None:
    """It never raises, and its words stand in the source unless a dash or a sign alone was in the way."""
    made = reword_text(written, there)
    assert made is not None
    if there.replace(" ", "").isalnum() and written.replace(" ", "").isalnum():
        assert made.split() == there.split() or QuoteSource((there,)).verbatim(made) is not None


@pytest.mark.parametrize("style", ["", "'", '"', "|", ">", "|-", ">-"])
@given(words=WORDS)
@settings(max_examples=30, deadline=None)
def test_one_of_the_ways_to_write_a_scalar_means_the_words(style: str, words: str) -> None:
    wrong = THERE.replace("15", "25")
    written = f"{style}\n  {wrong}" if style[:1] in ("|", ">") else quote_scalar(wrong, style)
    text = f"q: {written}\nz: 1\n"
    for there in (THERE, " ".join(f"Readers {words} higher".split())):
        tree = load(text)
        assert isinstance(tree, Mapping)
        old = tree.values["q"]
        assert isinstance(old, Scalar)
        said = []
        for change in scalar_wordings(text, old, there):
            try:
                after = load(apply(text, [change]))
            except FrontmatterError:
                continue
            value = after.values["q"] if isinstance(after, Mapping) and list(after.values) == ["q", "z"] else None
            said.append(value.text.strip() if isinstance(value, Scalar) else "")
        assert there in said or not is_whole(wrong, there)


def test_what_would_not_be_seen_is_not_written() -> None:
    assert is_shown("plain, “quoted” — é")
    for odd in ("", "  ", "a\0", "a\x1b[31m", "a\u202eb", "a\u2066b", "a\ud800", "a\nb", "a\u2028b"):
        assert not is_shown(odd)


def test_time_grows_with_the_text(in_proportion: Callable[..., bool]) -> None:
    def look(text: str) -> None:
        find_written(text, "a " * 1000 + "b", 0, len(text))

    assert in_proportion(look, "a " * 2_000, "a " * 20_000, 10)
