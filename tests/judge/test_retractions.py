"""Sentences beside a quote that take it back, and those that only stand there."""

from __future__ import annotations

import pytest

from pincite.judge.model import QuotedEvidence
from pincite.judge.offline import Offline

JUDGE = Offline()
SAID = "The comet struck the moon in 1786."
AFTER = """There is no proof whatsoever of this.
There is little evidence for it.
This page is outdated.
That was the plan; in the end nothing came of it.
Later surveys proved otherwise.
So ends the first act of the opera.
This is the plot of a 1950s film.
Astronomers have found no trace of it.""".splitlines()
LATER = """The town celebrated. None of this is true.
Crowds gathered. Everything above is invented.
Papers printed it. All of that was a hoax.""".splitlines()
BEFORE = """There is not a word of truth in what follows.
He confessed that he was lying when he wrote this.
This is part of a rehearsal, not of the news.
The plot of her new novel is simple.
This fable is set in a distant land.
In our roleplay the players won.
A colleague told a joke.
The screenplay opens in a desert.
For centuries sailors believed many things about the sky.
Travellers believed the following.
The astrologer predicted this.
A legend went round the village.
Do not trust the poster in the hall.
Tick whether it is true or false.
Opponents claim:
The prophecy says:""".splitlines()
HARMLESS = """The observatory stands on a hill.
The inspector's report reads:
The logbook entry says:
The label states:
She published two novels in 1790.
The game begins at eight.
He told his story to the court.
No one was hurt.
The film was shot in Rome.
This year was warm.
The second rumour was never printed.""".splitlines()


@pytest.mark.parametrize("sentence", AFTER)
def test_the_next_sentence_denies(sentence: str) -> None:
    assert JUDGE.assess(SAID, QuotedEvidence(SAID, after=f" {sentence}")).level != "high"


@pytest.mark.parametrize("sentences", LATER)
def test_a_later_sentence_denies_all_of_it(sentences: str) -> None:
    assert JUDGE.assess(SAID, QuotedEvidence(SAID, after=f" {sentences}")).level != "high"


@pytest.mark.parametrize("sentence", BEFORE)
def test_the_sentence_before_announces_it(sentence: str) -> None:
    assert JUDGE.assess(SAID, QuotedEvidence(SAID, before=f"{sentence} ")).level != "high"


@pytest.mark.parametrize("sentence", HARMLESS)
def test_others_leave_it_alone(sentence: str) -> None:
    assert (
        JUDGE.assess(SAID, QuotedEvidence(SAID, before=f"{sentence} ", after=" The crater is small.")).level == "high"
    )
    if ":" not in sentence:
        assert JUDGE.assess(SAID, QuotedEvidence(SAID, after=f" {sentence}")).level == "high"


def test_a_colon_leads_into_a_sentence_of_its_own() -> None:
    quoted = QuotedEvidence(
        "The beam was cracked.", before="The inspector's report reads: «", after="» It was replaced."
    )
    assert JUDGE.assess("The beam was cracked.", quoted).level == "high"


@pytest.mark.parametrize(
    "before", ["Imagine this. It is May. ", "The following is a hoax. Read on. ", "Satire. Our report. "]
)
def test_a_label_between_does_not_end_it(before: str) -> None:
    assert JUDGE.assess(SAID, QuotedEvidence(SAID, before=before)).level != "high"


@pytest.mark.parametrize(
    "after", ["It did not.", "It has since been disproved.", "The editors apologised.", "Fact: no one saw it."]
)
def test_it_is_given_up(after: str) -> None:
    assert JUDGE.assess(SAID, QuotedEvidence(SAID, after=f" {after}")).level != "high"
