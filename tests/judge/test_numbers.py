"""Numbers, amounts and dates as values."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.judge.numbers import covers
from pincite.judge.tokens import scan


def keys(text: str) -> list[str]:
    return [token.low for token in scan(text)[0]]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("4", "four"),
        ("25", "twenty-five"),
        ("105", "one hundred and five"),
        ("2,300", "two thousand three hundred"),
        ("1.5 million", "1,500,000"),
        ("1.5 million", "1.5e6"),
        ("10 %", "10 percent"),
        ("10%", "ten per cent"),
        ("5 percentage points", "5 percent points"),
        ("$5 million", "5 million dollars"),
        ("$5m", "$5,000,000"),
        ("€7", "7 euros"),
        ("5 km", "5,000 metres"),
        ("5kg", "5 kilograms"),
        ("90 minutes", "1.5 hours"),
        ("20 °C", "20 degrees Celsius"),
        ("3rd", "third"),
        ("3 March 2017", "March 3, 2017"),
        ("3rd of March 2017", "2017-03-03"),
        ("Mar. 2017", "March 2017"),
        ("10–20 %", "10% to 20%"),
        ("-5", "−5"),
    ],
)
def test_the_same_value_has_the_same_key(one: str, other: str) -> None:
    assert keys(one) == keys(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("4", "40"),
        ("1.5 million", "1.5 billion"),
        ("10 %", "10"),
        ("10 %", "10 percentage points"),
        ("$5", "€5"),
        ("$5", "A$5"),
        ("5 km", "5 miles"),
        ("5 kg", "5 g"),
        ("5 MB", "5 Mb"),
        ("5 MW", "5 mW"),
        ("5 hours", "5 days"),
        ("20 °C", "20 °F"),
        ("3", "3rd"),
        ("March 3", "March 4"),
        ("March 2017", "May 2017"),
        ("1990", "1990s"),
        ("1.2.3", "1.2"),
        ("5", "-5"),
        ("10:30", "10 30"),
        ("x < 5", "x > 5"),
        ("five six", "eleven"),
    ],
)
def test_another_value_has_another_key(one: str, other: str) -> None:
    assert keys(one) != keys(other)


@pytest.mark.parametrize(
    ("claim", "quote", "stated"),
    [
        ("2017", "March 2017", True),
        ("2017", "3 March 2017", True),
        ("March 2017", "3 March 2017", True),
        ("March 3", "3 March 2017", True),
        ("March 2017", "2017", False),
        ("3 March 2017", "March 2017", False),
        ("4 March 2017", "3 March 2017", False),
        ("2016", "March 2017", False),
        ("March 3", "March 2017", False),
    ],
)
def test_a_finer_date_states_a_coarser_one_never_the_reverse(claim: str, quote: str, stated: bool) -> None:
    (one,), (other,) = scan(claim)[0], scan(quote)[0]
    assert covers(one, other) is stated


@pytest.mark.parametrize("text", ["may", "It may rain", "They march on", "a second", "May I", "an april fool"])
def test_words_that_only_look_like_dates_stay_words(text: str) -> None:
    assert all(token.kind != "d" for token in scan(text)[0])


@given(st.integers(0, 10**12))
def test_law_grouping_changes_nothing(number: int) -> None:
    assert keys(f"{number:,}") == keys(str(number))


@given(st.text(st.sampled_from("0123456789.,-–%$€ eEMay kgth°/:"), max_size=40))
def test_law_spans_stand_in_order_inside_the_text(text: str) -> None:
    tokens, tail = scan(text)
    assert text.endswith(tail)
    last = 0
    for token in tokens:
        assert last <= token.start < token.end <= len(text)
        last = token.end
