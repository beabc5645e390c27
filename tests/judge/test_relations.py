"""The same words in another relation, and restatements that keep it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.judge.comparison import Comparison
from pincite.judge.relations import RELATIONS
from pincite.judge.tokens import scan


def rule(claim: str, quote: str) -> str:
    pair = Comparison(scan(claim)[0], scan(quote)[0])
    return next((found[1].rule for find in RELATIONS if (found := find(pair))), "")


@pytest.mark.parametrize(
    ("claim", "quote", "expected"),
    [
        ("It closed in 2003", "It closed after 2003", "relation-conflict"),
        ("It closed before 2003", "It closed until 2003", ""),
        ("It closed in 2003", "It closed after the 2003 flood", ""),
        ("It fell by 5%", "It fell to 5%", "relation-conflict"),
        ("They won 3-1", "They won 1-3", "number-conflict"),
        ("They won 3-1", "They won 3 to 1", ""),
        ("It took 1 to 3 days", "It took 1 to 3 days", ""),
        ("It doubled", "It tripled", "number-conflict"),
        ("Half of them left", "50% or half of them left, a third of them late", ""),
        ("Rex is the biggest dog", "Rex is the third biggest dog", "rank-conflict"),
        ("Rex is among the biggest dogs", "Rex is one of the biggest dogs", ""),
        ("It weighs 2.5 tonnes", "It weighs between 2.5 and 3.1 tonnes", "range-conflict"),
        ("It ran in 1990", "It ran from 1990 to 1995", ""),
        ("Most dogs bark", "Some dogs bark", "stronger-quantifier"),
        ("Some dogs bark", "Most dogs bark", ""),
        ("Release 1.20 is out", "Release 1.2 is out", "number-conflict"),
        ("Wolves hunt foxes", "Foxes hunt wolves", "roles-exchanged"),
        ("Ann met Bo", "Bo met Ann", ""),
        ("Iron and tin melt", "Tin and iron melt", ""),
        ("Paris is the capital", "The capital is Paris", ""),
        ("Ann sued Bo", "Ann was sued by Bo", "roles-exchanged"),
        ("Bo sued Ann", "Ann was sued by Bo", ""),
        ("Ann was hired by Bo", "Bo hired Ann", ""),
        ("The label was founded by Bo", "a label founded in 1971 by Bo", ""),
    ],
)
def test_relation(claim: str, quote: str, expected: str) -> None:
    assert rule(claim, quote) == expected


@given(st.lists(st.sampled_from("the 4 to by in before 2003 half first largest all some was sued Ann Bo than".split())))
def test_law_a_sentence_agrees_with_itself(words: list[str]) -> None:
    text = " ".join(words)
    assert rule(text, text) == ""
