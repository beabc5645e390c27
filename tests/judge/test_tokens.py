"""Words, what they are short for, and where sentences end."""

from __future__ import annotations

import pytest

from pincite.judge.tokens import scan, sentences


def words(text: str) -> str:
    return " ".join(token.low for token in scan(text)[0])


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("isn't", "is not"),
        ("won’t", "will not"),
        ("can't", "cannot"),
        ("it's late", "it is late"),
        ("they're", "they are"),
        ("I'm", "I am"),
        ("didnt", "did not"),
        ("near-native", "near native"),
        ("U.S. law", "US law"),
        ("A & B", "A and B"),
        ("approximately", "about"),
        ("co\u00adoperate", "cooperate"),
        ("Cafe\u0301", "café"),
    ],
)
def test_one_spelling(short: str, long: str) -> None:
    assert words(short) == words(long)


@pytest.mark.parametrize(
    ("one", "other"),
    [("John's", "Johns"), ("us", "U.S."), ("C", "C++"), ("C", "C#"), ("he'll", "hell"), ("its", "it's")],
)
def test_not_one_word(one: str, other: str) -> None:
    assert words(one) != words(other)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("It rains. It pours.", 2),
        ("Dr. Smith met Mr. Jones.", 1),
        ("John F. Kennedy was born. He died.", 2),
        ("The U.S. said no.", 1),
        ("It costs 3.5 dollars.", 1),
        ("see python.org for more", 1),
        ("Really? Yes! Good.", 3),
        ("one\n\ntwo", 2),
        ("one\ntwo", 1),
        ("- one\n- two", 2),
        ("这是一。这是二。", 2),
        ("me too! i like it. he does not.", 3),
        ("It takes vitamin C. The body needs it.", 2),
        ("", 0),
        ("...", 0),
    ],
)
def test_where_sentences_end(text: str, count: int) -> None:
    assert len(sentences(text)) == count


def test_a_question_is_known() -> None:
    first, second = sentences("Is it so? It is.")
    assert first.asks
    assert not second.asks
