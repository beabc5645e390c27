"""Judgements as data, what every judgement promises, and the laws no input breaks."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pincite.judge.model import CONTRADICTED, LEVELS, QuotedEvidence
from pincite.judge.offline import MOST_CLAIM, MOST_QUOTE, Offline

CASES = [
    tuple(part.strip() for part in line.split(" | "))
    for line in (Path(__file__).parent / "judgements.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]
JUDGE = Offline()


def answer(claim: str, quote: str | QuotedEvidence) -> str:
    found = JUDGE.assess(claim, quote)
    return f"{found.level} {found.verdict} {found.reasons[0].rule}"


def test_most_cases_are_to_refuse() -> None:
    assert len(CASES) >= 120
    assert sum(not case[0].startswith("high") for case in CASES) >= 0.6 * len(CASES)


@pytest.mark.parametrize(("expected", "claim", "quote"), CASES)
def test_judgement(expected: str, claim: str, quote: str) -> None:
    assert answer(claim, quote) == expected


@pytest.mark.parametrize(("expected", "claim", "quote"), CASES)
def test_reasons_point_into_the_quote(expected: str, claim: str, quote: str) -> None:
    found = JUDGE.assess(claim, quote)
    assert found.judge == "offline"
    assert found.level in LEVELS
    assert 0.0 <= found.score <= 1.0
    assert all(0 <= start < end <= len(quote) for reason in found.reasons for start, end in reason.spans)
    assert all(reason.text for reason in found.reasons)


@pytest.mark.parametrize("quote", [case[2] for case in CASES if case[0] == "high stated aligned"])
def test_one_change_closes_the_gate(quote: str) -> None:
    for change in (
        quote.replace(" the ", " only the ", 1),
        quote.replace(" the ", " not the ", 1),
        quote.replace(" the ", " every ", 1),
        quote.replace(".", " in 1999.", 1),
        quote.replace(".", " of Marlowe.", 1),
    ):
        if change != quote:
            assert JUDGE.assess(change, quote).level != "high", change


def test_the_aligned_words_are_shown() -> None:
    quote = "The mayor, a former teacher, opened the 4 schools."
    found = JUDGE.assess("The mayor opened the four schools.", quote)
    reasons = {reason.rule: reason for reason in found.reasons}
    assert [quote[start:end] for start, end in reasons["aligned"].spans] == ["The mayor", "opened the 4 schools"]
    assert [quote[start:end] for start, end in reasons["numbers"].spans] == ["4"]
    assert [quote[start:end] for start, end in reasons["dropped"].spans] == ["a former teacher"]


def test_conflicting_numbers_are_both_named() -> None:
    found = JUDGE.assess("The plant employs 230 people.", "The plant employs 320 people.")
    assert found.verdict == CONTRADICTED
    assert "230" in found.reasons[0].text
    assert "320" in found.reasons[0].text


def test_what_is_missing_is_named() -> None:
    found = JUDGE.assess("WebAssembly will replace JavaScript", "WebAssembly provides near-native performance")
    missing = next(reason.text for reason in found.reasons if reason.rule == "missing")
    assert "“replace”" in missing
    assert "“JavaScript”" in missing


def test_reported_speech_says_so() -> None:
    found = JUDGE.assess("Exports fell sharply.", "The ministry said that exports fell sharply.")
    assert found.level == "low"
    assert found.reasons[0].rule == "voice-dropped"
    found = JUDGE.assess("Exports fell sharply.", "Exports fell sharply, the ministry said.")
    assert found.level == "medium"
    assert any(reason.rule == "reported" for reason in found.reasons)


@pytest.mark.parametrize(
    ("claim", "quoted", "level"),
    [
        ("WebAssembly supports Rust.", QuotedEvidence("It supports Rust.", title="WebAssembly - a guide"), "high"),
        ("WebAssembly supports Rust.", QuotedEvidence("It supports Rust.", before="WebAssembly is a format."), "high"),
        (
            "The Elbe floods the town.",
            QuotedEvidence("It floods the town.", before="The Elbe is a river in Saxony."),
            "high",
        ),
        ("JavaScript supports Rust.", QuotedEvidence("It supports Rust.", title="WebAssembly"), "low"),
        ("WebAssembly does not support Rust.", QuotedEvidence("It supports Rust.", title="WebAssembly"), "low"),
        (
            "Saxony floods the town.",
            QuotedEvidence("It floods the town.", before="The Elbe is a river in Saxony."),
            "medium",
        ),
        ("WebAssembly runs.", QuotedEvidence("It runs.", title="WebAssembly", before="Java came from Sun."), "low"),
        ("Ann left.", QuotedEvidence("She left.", before="Ann met Eve."), "low"),
        ("Ann left.", QuotedEvidence("She left.", before="Ann is the sister of Eve."), "low"),
        ("Ann left.", QuotedEvidence("She left.", before="Ann is a nurse."), "high"),
        (
            "Lanternfish was sold.",
            QuotedEvidence("This was sold.", "Lanternfish", "Lanternfish bought Anglerfish."),
            "medium",
        ),
        (
            "Gauge keeps a log.",
            QuotedEvidence("It keeps a log.", before="Gauge is a server, unlike Lanternfish."),
            "medium",
        ),
        ("Gauge is known that data is lost.", QuotedEvidence("It is known that data is lost.", "Gauge"), "low"),
        ("Gauge is raining.", QuotedEvidence("It is raining.", "Gauge"), "low"),
    ],
)
def test_who_a_pronoun_is(claim: str, quoted: QuotedEvidence, level: str) -> None:
    found = JUDGE.assess(claim, quoted)
    taken = [reason.rule for reason in found.reasons if reason.rule == "subject-taken"]
    assert (found.level == "high") == (level == "high")
    assert bool(taken) == (level == "high")


@pytest.mark.parametrize(
    ("title", "before", "level"),
    [
        ("MySQL performance", "MySQL is a database.", "low"),
        ("MySQL performance", "", "low"),
        ("", "MySQL is a database.", "low"),
        ("", "", "low"),
        ("Tuning Postgres for speed", "", "medium"),
        ("", "Operators run Postgres beside MySQL.", "medium"),
    ],
)
def test_a_name_nobody_gave_is_not_what_a_pronoun_means(title: str, before: str, level: str) -> None:
    found = JUDGE.assess("Postgres is fast on every disk.", QuotedEvidence("It is fast on every disk.", title, before))
    assert found.level == level
    assert any(reason.rule == "subject-unknown" for reason in found.reasons) == (level == "low")


def test_a_pronoun_inside_the_quote_is_taken_from_the_sentence_before() -> None:
    quote = "The Elbe is a river. It floods the town."
    assert JUDGE.assess("The Elbe floods the town.", quote).level == "high"
    assert JUDGE.assess("The town floods the Elbe.", quote).level != "high"


def test_too_long_is_refused_with_that_reason() -> None:
    assert answer("word " * (MOST_CLAIM + 1), "word") == "low not shown too-long"
    assert answer("word", "word " * (MOST_QUOTE + 1)) == "low not shown too-long"
    assert answer("x" * 1_000_000, "x" * 1_000_000) == "low not shown too-long"


@pytest.mark.parametrize("text", ["", " ", "\0", "😀", "\ud800", "((((", "'’'’", "%$€", "1,,2..3", "‮abc", "²½٣"])
def test_odd_text_is_answered(text: str) -> None:
    for claim, quote in ((text, text), (text, "The bridge is safe."), ("The bridge is safe.", text)):
        assert JUDGE.assess(claim, quote).level in LEVELS


def test_many_are_answered_in_order() -> None:
    pairs = [(case[1], QuotedEvidence(case[2])) for case in CASES[:20]]
    assert JUDGE.assess_all(pairs) == [JUDGE.assess(*pair) for pair in pairs]


NOUNS = "bridge river mayor school engine council treaty museum library harbour".split()
VERBS = "opened reached crossed joined replaced funded measured described".split()
PLACES = ("in Lisbon", "near Oslo", "after the war", "with four towers", "on 3 May 1999", "for 10 % of guests")
sentences = st.builds(
    lambda first, verb, second, place: f"The {first} {verb} the {second} {place}.",
    st.sampled_from(NOUNS),
    st.sampled_from(VERBS),
    st.sampled_from(NOUNS),
    st.sampled_from(PLACES),
)


@given(st.lists(sentences, min_size=1, max_size=4), st.data())
@settings(max_examples=60, deadline=None)
def test_law_a_sentence_of_the_quote_is_high(parts: list[str], data: st.DataObject) -> None:
    claim = data.draw(st.sampled_from(parts))
    assert JUDGE.assess(claim, " ".join(parts)).level == "high"


@given(st.lists(sentences, min_size=1, max_size=3), st.integers(11, 9999), st.data())
@settings(max_examples=60, deadline=None)
def test_law_a_fresh_number_is_never_high(parts: list[str], number: int, data: st.DataObject) -> None:
    assume(number != 1999)
    words = data.draw(st.sampled_from(parts)).split()
    words.insert(data.draw(st.integers(0, len(words))), str(number))
    assert JUDGE.assess(" ".join(words), " ".join(parts)).level != "high"


@given(st.lists(sentences, min_size=1, max_size=3), st.sampled_from("not never only all few rarely".split()), st.data())
@settings(max_examples=60, deadline=None)
def test_law_a_fresh_operator_is_never_high(parts: list[str], word: str, data: st.DataObject) -> None:
    words = data.draw(st.sampled_from(parts)).split()
    words.insert(data.draw(st.integers(0, len(words) - 1)), word)
    assert JUDGE.assess(" ".join(words), " ".join(parts)).level != "high"


@given(sentences)
@settings(max_examples=60, deadline=None)
def test_law_exchanged_roles_are_never_high(sentence: str) -> None:
    _, first, verb, the, second, *rest = sentence.split()
    assume(first != second)
    assert JUDGE.assess(" ".join(["The", second, verb, the, first, *rest]), sentence).level != "high"


@given(st.text(max_size=80), st.text(max_size=160))
@settings(max_examples=100, deadline=None)
def test_law_it_never_raises(claim: str, quote: str) -> None:
    found = JUDGE.assess(claim, quote)
    assert found.level in LEVELS
    assert found == JUDGE.assess(claim, quote)


@pytest.mark.parametrize(
    "piece",
    [
        "the dog ",
        "the ",
        "1-",
        "May ",
        "hundred ",
        "(a, b) ",
        "a, ",
        "don't ",
        "It was not. ",
        "intera interb ",
        "3 km ",
        "x. False. ",
        "is false and unlikely ",
        "one of all dogs ",
        "4 to 8, ",
    ],
)
def test_time_grows_with_the_text(piece: str) -> None:
    def spent(times: int) -> float:
        best = 1e9
        for _ in range(2):
            began = time.process_time()
            JUDGE.assess(piece * 20, piece * times)
            best = min(best, time.process_time() - began)
        return best

    small, large = spent(100), spent(1000)
    assert large <= 40 * small + 0.05
