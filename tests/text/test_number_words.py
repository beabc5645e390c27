"""Numbers in words: what they are worth, and where one ends."""

from __future__ import annotations

import pytest

from pincite.text.number_words import MONTHS, read_number_words


@pytest.mark.parametrize(
    ("text", "value", "words"),
    [
        ("zero", 0, 1),
        ("nineteen tests", 19, 1),
        ("twenty five tests", 25, 2),
        ("two hundred and five tests", 205, 4),
        ("two hundred and tests", 200, 2),
        ("one thousand two hundred", 1200, 4),
        ("two thousand five", 2005, 3),
        ("three million four hundred thousand", 3_400_000, 5),
        ("two thousand million", 2 * 10**9, 3),
        ("twenty fifteen", 20, 1),
        ("ten five", 10, 1),
        ("twenty zero", 20, 1),
        ("two three", 2, 1),
        ("five and six", 5, 1),
        ("two hundred and five six", 205, 4),
    ],
)
def test_a_number_ends_where_another_begins(text: str, value: int, words: int) -> None:
    assert read_number_words(text.split()) == (value, words)


@pytest.mark.parametrize("text", ["", "and five", "hundred", "million people", "tests"])
def test_what_begins_with_no_number_is_none(text: str) -> None:
    assert read_number_words(text.split()) is None


def test_months_have_their_short_forms() -> None:
    assert (MONTHS["march"], MONTHS["mar"], MONTHS["sept"], MONTHS["may"], len(MONTHS)) == (3, 3, 9, 5, 24)
