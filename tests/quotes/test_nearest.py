"""The nearest passage, found in bounded time."""

from __future__ import annotations

import time
from random import Random

import pytest

from pincite.quotes.exact_match import phrase
from pincite.quotes.lookup import QuoteSource
from pincite.quotes.nearest import _best_end, nearest
from pincite.quotes.searchable_text import Layer

VOCABULARY = "model accuracy result shows that under several conditions the of in by was were found".split()


def prose(random: Random, words: int) -> str:
    return " ".join(
        random.choice(VOCABULARY) + ("" if random.random() < 0.9 else str(random.randint(1, 999))) for _ in range(words)
    )


def slow_best(quoted: list[bytes], there: list[bytes]) -> int:
    """The least number of changes, the plain way."""
    row = [0] * (len(there) + 1)
    for i, word in enumerate(quoted, 1):
        before, row[0] = row[0], i
        for j, other in enumerate(there, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (word != other))
    return min(row[1:])


def test_the_fewest_changes_are_found() -> None:
    random = Random(3)
    for _ in range(200):
        quoted, there = ([random.choice([b"a", b"b", b"c"]) for _ in range(random.randint(1, 9))] for _ in range(2))
        at, changes = _best_end(quoted, there)
        assert changes == min(slow_best(quoted, there), len(quoted))
        assert 0 <= at < len(there)


def test_one_changed_word_leads_to_its_passage() -> None:
    random = Random(7)
    text = prose(random, 20_000)
    layer = Layer([(0, text)])
    words = text.split()
    for _ in range(60):
        start = random.randrange(len(words) - 30)
        quote = words[start : start + 25]
        quote[random.randrange(3, 22)] = "zebra"
        sought = phrase(" ".join(quote))
        assert sought is not None
        found = nearest(layer, sought)
        assert found is not None
        assert layer.text[found.start : found.end] == " ".join(words[start : start + 25])
        assert [edit.quoted for edit in found.edits] == ["zebra"]


@pytest.mark.parametrize(
    "piece",
    ["a", "a ", "aa-\n", "1. ", "the same sentence again and again. ", "[x] ", "… ", "1 Note.\nword1\n", "\n", "é’"],
)
def test_time_grows_with_the_text_and_no_faster(piece: str) -> None:
    quotes = [
        "a a a a b a a a",
        "aaaaaaaaaaaaaaaa",
        "the same sentence again and once more",
        "word … word word [x] a a a",
    ]

    def took(size: int) -> float:
        pages = [piece * (size // len(piece) // 4)] * 4
        best = 60.0
        for _ in range(2):
            started = time.process_time()
            source = QuoteSource(pages)
            for quote in [*quotes, piece * 300]:
                source.look(quote)
            best = min(best, time.process_time() - started)
        return best

    assert took(400_000) < 12 * took(50_000) + 0.3
