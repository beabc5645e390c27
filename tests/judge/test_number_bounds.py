"""What follows from a number without being it."""

from __future__ import annotations

import pytest

from pincite.judge.comparison import Comparison
from pincite.judge.number_bounds import find_dropped_bound, interval, replace_bounded_numbers
from pincite.judge.offline import Offline
from pincite.judge.tokens import scan


def follows(claim: str, quote: str) -> bool:
    words, sentence = scan(claim)[0], scan(quote)[0]
    given = {token.low for token in sentence if token.kind == "n"}
    return all(token.low in given for token in replace_bounded_numbers(words, [sentence]) if token.kind == "n")


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
    found = find_dropped_bound(Comparison(scan("300 cases")[0], scan("more than 300 cases")[0]))
    assert found is not None
    assert "more than 300" in found[1].text
    assert find_dropped_bound(Comparison(scan("over 300 cases")[0], scan("more than 300 cases")[0])) is None


@pytest.mark.parametrize(
    ("claim", "quote", "level"),
    [
        ("The rate rose above 3 percent in June.", "The rate rose to 3.2 percent in June from 2.5 percent.", "medium"),
        ("The rate rose above 4 percent in June.", "The rate rose to 3.2 percent in June from 2.5 percent.", "low"),
        ("No more than 25 pupils join each class.", "Up to 25 pupils join each class.", "medium"),
        ("The swim took under 1 hour 15 minutes.", "The swim took 1 hour 12 minutes.", "medium"),
        ("The swim took under 1 hour 10 minutes.", "The swim took 1 hour 12 minutes.", "low"),
        ("More than 80 of the 150 boats returned.", "Of 150 boats, 91 returned.", "medium"),
        ("At least 30 trees were felled.", "Between 30 and 45 trees were felled.", "medium"),
        ("Fewer than 50 trees were felled.", "Between 30 and 45 trees were felled.", "medium"),
        ("More than 45 trees were felled.", "Between 30 and 45 trees were felled.", "low"),
        ("At least 70 trucks were damaged.", "More than 70 trucks were damaged.", "medium"),
    ],
)
def test_a_bound_is_weighed_against_its_number(claim: str, quote: str, level: str) -> None:
    found = Offline().assess(claim, quote)
    assert found.level == level
    assert level == "low" or found.verdict != "contradicted"


def test_what_a_bound_leaves_open_is_not_contradicted() -> None:
    found = Offline().assess("At least 90 trucks were damaged.", "More than 70 trucks were damaged.")
    assert (found.level, found.verdict) == ("low", "not shown")


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("Mt Kenya is in Africa.", "Mount Kenya is in Africa."),
        ("Saint Olaf died at Stiklestad.", "St. Olaf died at Stiklestad."),
        ("Professor Lund teaches law.", "Prof. Lund teaches law."),
        ("The shop opens on Thursday at nine.", "The shop opens on Thu. at nine."),
        ("Nobody saw the fox.", "No one saw the fox."),
        ("The tower is 55 metres tall.", "The tower is 55 m tall."),
        ("The crowd counted 15 000 fans.", "The crowd counted 15,000 fans."),
        ("The road is 11,000 km long.", "The road is 11'000 km long."),
        ("Ceres is a dwarf planet.", "Ceres, which is a large body, is a dwarf planet."),
    ],
)
def test_the_same_written_otherwise(claim: str, quote: str) -> None:
    assert Offline().assess(claim, quote).level == "high"


def test_a_remark_with_a_not_of_its_own_contradicts_nothing() -> None:
    found = Offline().assess("Ceres orbits the Sun.", "Ceres, which has no moon, orbits the Sun.")
    assert found.verdict != "contradicted"


def test_a_grouped_number_keeps_its_unit() -> None:
    assert Offline().assess("The road is 11'000 km long.", "The road is 11'000 m long.").level == "low"


def test_almost_zero_does_not_exclude_almost_zero() -> None:
    found = Offline().assess("The growth was almost zero.", "In that year, the growth was almost zero.")
    assert found.verdict != "contradicted"
