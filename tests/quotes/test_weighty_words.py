"""Words that weigh more than others."""

from __future__ import annotations

import pytest

from pincite.quotes.weighty_words import NEGATION, classify_word_change, has_negation_change, has_number, is_name


@pytest.mark.parametrize("text", ["is not", "isn't", "isn’t", "NO", "without", "non-trivial", "cannot", "neither"])
def test_negations(text: str) -> None:
    assert NEGATION.search(text)


@pytest.mark.parametrize("text", ["note", "nothings", "know", "canon", "noon"])
def test_no_negations(text: str) -> None:
    assert not NEGATION.search(text)


def test_numbers_and_names() -> None:
    assert has_number("a dozen")
    assert has_number("x²")
    assert not has_number("a do zen")
    assert is_name("(Smith)")
    assert is_name("iPhone")
    assert not is_name("smith")


@pytest.mark.parametrize(
    ("one", "other"), [("able", "unable"), ("harmful", "harmless"), ("do", "don't"), ("trivial", "non-trivial")]
)
def test_turning_round(one: str, other: str) -> None:
    assert has_negation_change(one, other)
    assert has_negation_change(other, one)
    assert classify_word_change(one, other) == "negation"


def test_other_words_do_not_turn() -> None:
    assert not has_negation_change("under", "der")
    assert not has_negation_change("red", "blue")
