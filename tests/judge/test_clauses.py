"""The parts of a claim, and whether the quote has something of each."""

from __future__ import annotations

import pytest

from pincite.judge.clauses import parts, unheld
from pincite.judge.containment import cover
from pincite.judge.tokens import scan, sentences


def test_parts_begin_at_marks_and_joining_words() -> None:
    tokens = scan("Ann, a nurse, left; Bo stayed and slept")[0]
    texts = [" ".join(token.text for token in tokens[first:end]) for first, end in parts(tokens)]
    assert texts == ["Ann", "a nurse", "left", "Bo stayed", "and slept"]
    assert not list(parts([]))


@pytest.mark.parametrize(
    ("claim", "lacks"),
    [
        ("The dam holds water and floods distant villages.", "and floods distant villages"),
        ("The dam, an expensive ruin, holds water.", "an expensive ruin"),
        ("The dam holds water and floods.", ""),
        ("The dam holds water and the dam holds water.", ""),
        ("The dam holds cold water.", ""),
        ("", ""),
    ],
)
def test_a_part_the_quote_has_nothing_of(claim: str, lacks: str) -> None:
    tokens = scan(claim)[0]
    found = unheld(tokens, cover(tokens, sentences("The dam holds water.")))
    assert (found.text if found else "") == (f"the quote has nothing of “{lacks}”" if lacks else "")
