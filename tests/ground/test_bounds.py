"""What follows from a number without being it."""

from __future__ import annotations

import pytest

from pincite.ground.bounds import dropped_bound, interval, settle
from pincite.ground.tokens import scan


def follows(claim: str, quote: str) -> bool:
    words, sentence = scan(claim)[0], scan(quote)[0]
    given = {token.low for token in sentence if token.kind == "n"}
    return all(token.low in given for token in settle(words, [sentence]) if token.kind == "n")


@pytest.mark.parametrize(
    ("claim", "quote", "expected"),
    [
        ("more than 300 cases", "312 cases", True),
        ("at least 312 cases", "312 cases", True),
        ("more than 320 cases", "312 cases", False),
        ("fewer than 320 cases", "312 cases", True),
        ("up to 320 cases", "312 cases", True),
        ("about 310 cases", "312 cases", True),
        ("about 400 cases", "312 cases", False),
        ("nearly 320 cases", "312 cases", True),
        ("nearly 300 cases", "312 cases", False),
        ("over 250 cases", "more than 300 cases", True),
        ("over 350 cases", "more than 300 cases", False),
        ("310 cases", "312 cases", True),
        ("300 cases", "312 cases", False),
        ("1.2 million people", "1,234,567 people", True),
        ("more than 100 deaths", "312 cases and 15 deaths", False),
        ("more than 10 deaths", "312 cases and 15 deaths", True),
        ("more than 5 kg of cases", "312 cases", False),
        ("300 or more cases", "312 cases", True),
    ],
)
def test_bounds_and_roundings(claim: str, quote: str, expected: bool) -> None:
    assert follows(claim, quote) is expected


def test_an_interval_holds_itself() -> None:
    for text in ("more than 5", "at least 5", "about 5", "less than 5", "5"):
        tokens = scan(text)[0]
        one = interval(tokens, len(tokens) - 1)
        assert one.holds(one)


def test_a_bound_may_not_be_dropped() -> None:
    found = dropped_bound(scan("300 cases")[0], scan("more than 300 cases")[0])
    assert found is not None
    assert "more than 300" in found[1].text
    assert dropped_bound(scan("over 300 cases")[0], scan("more than 300 cases")[0]) is None
