"""The same words put together otherwise, and those that may be."""

from __future__ import annotations

import pytest

from pincite.judge.comparison import Comparison
from pincite.judge.exchanges import find_exchanged_word, says_same
from pincite.judge.offline import Offline
from pincite.judge.tokens import scan

JUDGE = Offline()
SENTENCE = "The northern harbour was repaired by the navy before the winter storms began."
EXCHANGES = {
    "northern": "southern|eastern|old|larger",
    "harbour": "bridge|airport|road|ship",
    "repaired": "destroyed|visited|sold|closed",
    "navy": "council|army|owner|mayor",
    "winter": "summer|spring|first|monsoon",
    "storms": "games|sales|talks|floods",
}


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


@pytest.mark.parametrize(("word", "other"), [(w, o) for w, many in EXCHANGES.items() for o in many.split("|")])
def test_an_exchanged_word_is_not_implied(word: str, other: str) -> None:
    assert Offline().assess(SENTENCE.replace(word, other), SENTENCE).level == "low"


def test_the_slot_names_both_words() -> None:
    claim, sentence = scan("The mayor sold the harbour.")[0], scan("The mayor bought the harbour.")[0]
    pair = Comparison(claim, sentence)
    assert [([t.text for t in s.said], [t.text for t in s.seen]) for s in pair.slots] == [(["sold"], ["bought"])]
    found = find_exchanged_word(pair)
    assert found is not None
    assert found[1].text == "the claim says “sold” where the quote says “bought”"


@pytest.mark.parametrize(
    ("said", "seen", "same"),
    [
        ("movie", "film", True),
        ("animal", "dog", True),
        ("dog", "animal", False),
        ("Noel", "Noël", True),
        ("adopts", "adoption", True),
        ("guitar", "piano", False),
        ("kWh", "MWh", False),
    ],
)
def test_words_that_say_the_same(said: str, seen: str, same: bool) -> None:
    assert says_same(scan(said)[0][0], scan(seen)[0][0]) is same


def test_a_word_that_only_moved_is_not_exchanged() -> None:
    claim, sentence = scan("By the navy the harbour was repaired.")[0], scan("The harbour was repaired by the navy.")[0]
    assert find_exchanged_word(Comparison(claim, sentence)) is None


def test_a_word_of_another_sentence_does_not_stand_in_this_one() -> None:
    assert Offline().assess("Ada wrote the memo.", "Ada wrote the report. Ben read the memo.").level == "low"


def test_a_number_of_a_name_is_no_amount() -> None:
    reasons = Offline().assess("COVID-19 spreads fast.", "The virus spreads fast.").reasons
    assert not any(reason.rule == "number-missing" for reason in reasons)
    assert Offline().assess("The F-15 is fast.", "The F-16 is fast.").level == "low"
