"""The same words put together otherwise, and those that may be."""

from __future__ import annotations

import pytest

from pincite.judge.offline import Offline

JUDGE = Offline()


def level(claim: str, quote: str) -> str:
    return JUDGE.assess(claim, quote).level


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("The senate voted for the treaty.", "The senate voted against the treaty."),
        ("The pipe leads from the tank.", "The pipe leads to the tank."),
        ("Drink the tea before the meal.", "Drink the tea after the meal."),
        ("The car was parked behind the bank.", "The car was parked in front of the bank."),
        ("The clinic opens at 7 pm daily.", "The clinic opens at 7 am daily."),
        ("The hikers left without a guide.", "The hikers left with a guide."),
        ("The cable runs over the road.", "The cable runs under the road."),
        ("Refunds are paid after 14 days.", "Refunds are paid within 14 days."),
        ("Phones are banned after the exam.", "Phones are banned during the exam."),
    ],
)
def test_another_preposition_is_not_shown(claim: str, quote: str) -> None:
    assert level(claim, quote) == "low"


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("The universe opened in 1455.", "The university opened in 1455."),
        ("The police was revised in June.", "The policy was revised in June."),
        ("The experience lasted two weeks.", "The experiment lasted two weeks."),
        ("The organisation was repaired by a monk.", "The organ was repaired by a monk."),
        ("The agreement is void.", "The agreement is voidable."),
        ("The general version is cheaper.", "The generic version is cheaper."),
    ],
)
def test_a_word_that_looks_alike_is_another(claim: str, quote: str) -> None:
    assert level(claim, quote) == "low"


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("The policies were revised in June.", "The policy was revised in June."),
        ("The organization was founded by monks.", "The organisation was founded by monks."),
    ],
)
def test_a_form_of_a_word_is_the_word(claim: str, quote: str) -> None:
    assert level(claim, quote) != "low"


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        (
            "The mine was reopened after the flood in 1920.",
            "The mine was closed after the flood in 1920 but reopened by a cooperative in 1931.",
        ),
        ("Venus has a stronger wind.", "Mars has a thinner atmosphere, while Venus has a stronger magnetic shield."),
        ("Copper conducts more ore than zinc.", "Peru mines more ore than Chile, whereas copper conducts heat better."),
        ("The crew slept in Oslo.", "The crew slept during the storm, yet the captain docked safely in Oslo."),
        ("Anna Holm wrote the libretto.", "Anna Holm hired the poet who wrote the libretto."),
    ],
)
def test_two_clauses_made_one_are_not_shown(claim: str, quote: str) -> None:
    assert level(claim, quote) == "low"


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("The mine was reopened in 1931.", "The mine was closed in 1920 but reopened in 1931."),
        ("Oats need less water.", "Wheat needs more sun, but oats need less water."),
        ("The Elbe flows through Dresden.", "The Danube flows through Linz, and the Elbe through Dresden."),
    ],
)
def test_one_of_two_clauses_may_be_taken(claim: str, quote: str) -> None:
    assert level(claim, quote) != "low"


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("The tank is full.", "The tank is nearly full."),
        ("The manager left.", "The acting manager left."),
        ("The canal joins the two seas.", "The proposed canal joins the two seas."),
        ("The stamp was sold in Bern.", "The fake stamp was sold in Bern."),
        ("The roof is finished.", "The roof is partially finished."),
        ("The consul signed the pact.", "The deputy consul signed the pact."),
        ("The thief confessed.", "The alleged thief confessed."),
        ("The bridge is strong.", "On paper, the bridge is strong."),
    ],
)
def test_what_limits_may_not_be_dropped(claim: str, quote: str) -> None:
    assert level(claim, quote) == "low"


def test_what_was_is_former() -> None:
    assert level("The judge was a pilot.", "The judge, a former pilot, opened the fair.") == "medium"
