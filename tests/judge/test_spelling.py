"""British and American spellings are one word; words that only look alike are not."""

from __future__ import annotations

import pytest

from pincite.judge.tokens import american


@pytest.mark.parametrize(
    ("british", "expected"),
    [
        ("colour", "color"), ("neighbourhood", "neighborhood"), ("organisation", "organization"),
        ("analyse", "analyze"),
        ("theatre", "theater"), ("defence", "defense"), ("travelled", "traveled"), ("programme", "program"),
        ("haemoglobin", "hemoglobin"), ("fulfil", "fulfill"), ("catalogue", "catalog"),
    ],
)  # fmt: skip
def test_american(british: str, expected: str) -> None:
    assert american(british) == expected


@pytest.mark.parametrize(
    "word", ["hours", "course", "filled", "called", "rolled", "promise", "advised", "surprised", "raising", "phoenix"]
)
def test_other_words_stay(word: str) -> None:
    assert american(word) == ""


def test_a_very_long_word_is_left_alone() -> None:
    assert american("aell" * 10_000 + "ed") == ""
