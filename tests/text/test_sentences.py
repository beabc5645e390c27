"""Where sentences end."""

from __future__ import annotations

from time import process_time

import pytest

from pincite.text.sentences import LONGEST, split_sentences


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("“Is it?” he asked. “It is.” She left.", ["“Is it?” he asked.", "“It is.”", "She left."]),
        ("Dr. A. Smith et al. wrote it. It runs.", ["Dr. A. Smith et al. wrote it.", "It runs."]),
        ("它在运行。它很旧。", ["它在运行。", "它很旧。"]),
        ("Version 3.11.2 runs", ["Version 3.11.2 runs"]),
        ("", []),
    ],
)
def test_sentences(text: str, sentences: list[str]) -> None:
    assert [text[start:end] for start, end in split_sentences(text)] == sentences


def test_a_sentence_is_cut_only_where_it_is_too_long() -> None:
    text = "word " * LONGEST
    assert len(list(split_sentences(text))) > 1
    assert len(list(split_sentences(text, len(text)))) == 1


def test_runs_of_stops_cost_their_length() -> None:
    def seconds(size: int) -> float:
        start = process_time()
        assert len(list(split_sentences("." * size + "x", size + 1))) == 1
        return process_time() - start

    # The best of three: a busy machine makes a run longer and never shorter.
    long, short = (min(seconds(size) for _ in range(3)) for size in (400_000, 40_000))
    assert long < 60 * max(short, 0.001)
