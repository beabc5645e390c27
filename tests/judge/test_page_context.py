"""What stands around a quote: read with it, and able to take it back."""

from __future__ import annotations

import pytest

from pincite.judge.model import QuotedEvidence
from pincite.judge.offline import Offline
from pincite.judge.page_context import explain_retraction, read_around

JUDGE = Offline()
SAID = "Firefox leaks memory."
AFTER = """None of this is true.
That is false.
This was later retracted.
The claim has been debunked.
Nothing could be further from the truth.
Just kidding.
Not really.
This turned out to be wrong.
The opposite is true.
Everyone knew it was a lie.
The author later admitted he made it up.
However, this could not be replicated.
Experts dispute this.
No one has been able to confirm this.
The statement was withdrawn in 2020.
In reality, it does nothing of the sort.
Do not believe it.
It is a myth.
This is no longer the case.
These results were fabricated.
This is satire.
If only that were true.
The company denied it.
There is no evidence for this.
So the legend goes.""".splitlines()
BEFORE = """The following claims are false:
Placeholder text
In the game, companies compete.
Common myths about browsers:
Imagine the following.
Fake news example:
Satire:
Do not believe the following:
Suppose this:
Lorem ipsum dolor sit amet.""".splitlines()
HARMLESS = """It was fixed in 2020.
The developers published a patch.
Chrome does so as well.
This affects version 90.
Nobody leaves after that.
None of the other browsers were tested.""".splitlines()


@pytest.mark.parametrize("sentence", AFTER)
def test_the_sentence_after_takes_it_back(sentence: str) -> None:
    assert JUDGE.assess(SAID, QuotedEvidence(SAID, after=f" {sentence}")).level == "low"
    assert JUDGE.assess(SAID, f"{SAID} {sentence}").level != "high"
    assert explain_retraction("", SAID, f" {sentence}")


@pytest.mark.parametrize("sentence", BEFORE)
def test_the_words_before_take_it_back(sentence: str) -> None:
    assert JUDGE.assess(SAID, QuotedEvidence(SAID, before=f"{sentence}\n")).level == "low"
    assert explain_retraction(f"{sentence}\n", SAID, "")


@pytest.mark.parametrize("sentence", HARMLESS)
def test_other_neighbours_change_nothing(sentence: str) -> None:
    assert JUDGE.assess(SAID, QuotedEvidence(SAID, before=f"{sentence} ", after=f" {sentence}")).level == "high"
    assert explain_retraction(f"{sentence} ", SAID, f" {sentence}") is None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("We found no evidence that ", "."),
        ("It is a myth that ", "."),
        ("Critics claim that ", "."),
        ("If the cache is off, ", "."),
        ("", ", which turned out to be false."),
        ("", " unless it is restarted."),
        ("Is it true that ", "?"),
        ("In the game, ", "."),
    ],
)
def test_a_part_of_a_sentence_is_read_in_it(before: str, after: str) -> None:
    assert (
        JUDGE.assess("Firefox leaks memory", QuotedEvidence("Firefox leaks memory", before=before, after=after)).level
        == "low"
    )


def test_a_finding_is_said_to_be_so() -> None:
    assert explain_retraction("The tests showed that ", "Firefox leaks memory", ".") is None


def test_the_whole_sentence_is_known_and_where_the_quote_begins() -> None:
    around = read_around(
        QuotedEvidence("leaks memory", before="First. On Linux, Firefox ", after=" at night. Then more.")
    )
    assert around.text == "On Linux, Firefox leaks memory at night."
    assert around.text[around.shift :].startswith("leaks memory")
    assert [token.text for token in around.before[0].tokens] == ["First"]
    assert [token.text for token in around.after[0].tokens] == ["Then", "more"]


def test_an_offset_inside_a_number_is_read_with_the_rest_of_it() -> None:
    assert (
        read_around(QuotedEvidence("5 million people", before="It has 3.", after=".")).text
        == "It has 3.5 million people."
    )


def test_spans_are_those_of_the_quote() -> None:
    quote = "Firefox leaks memory"
    found = JUDGE.assess(quote, QuotedEvidence(quote, before="We found no evidence that ", after="."))
    spans = [span for reason in found.reasons for span in reason.spans]
    assert spans
    assert all(0 <= start < end <= len(quote) for start, end in spans)
