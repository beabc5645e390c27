"""One word in the place of another, and words that are known to say the same."""

from __future__ import annotations

import pytest

from pincite.judge.comparison import Comparison
from pincite.judge.offline import Offline
from pincite.judge.tokens import scan
from pincite.judge.word_exchanges import find_exchanged_word, says_same

SENTENCE = "The northern harbour was repaired by the navy before the winter storms began."
EXCHANGES = {
    "northern": "southern|eastern|old|larger",
    "harbour": "bridge|airport|road|ship",
    "repaired": "destroyed|visited|sold|closed",
    "navy": "council|army|owner|mayor",
    "winter": "summer|spring|first|monsoon",
    "storms": "games|sales|talks|floods",
}


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
