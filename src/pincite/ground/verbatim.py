"""The claim as a run of the quote's own words, and whether English rules apply to them at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .words import FUNCTION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .numbers import Token
    from .tokens import Sentence

_ENDS = frozenset(".!?;。！？…")
_ENGLISH = FUNCTION - frozenset(
    "a an in on at as so me he do was am am will war men not no per via over under i".split()
)
_SHORT = 7


def repeated(said: list[Sentence], quote: list[Sentence]) -> list[Token] | None:
    """The words of the quote that are the claim's, from where a sentence begins to where one ends; None without."""
    claim = [token.low for part in said for token in part.tokens]
    flat = [token for sentence in quote for token in sentence.tokens]
    starts, ends, asked = set(), {len(flat)}, set()
    at = 0
    for sentence in quote:
        starts.add(at)
        at += len(sentence.tokens)
        ends.add(at)
        if sentence.asks:
            asked.add(at)
    words = [token.low for token in flat]
    size = len(claim)
    for first in range(len(words) - size + 1):
        if words[first] != claim[0] or words[first : first + size] != claim:
            continue
        last = first + size
        if first not in starts and not _ENDS & set(flat[first].lead):
            continue
        if last not in ends and not _ENDS & set(flat[last].lead):
            continue
        if any(first < end <= last for end in asked):
            continue
        return flat[first:last]
    return None


def english(tokens: Sequence[Token]) -> bool:
    """Whether the words look like English: some of its grammar, or too few words to tell and plain letters."""
    if any(token.low in _ENGLISH for token in tokens):
        return True
    return len(tokens) <= _SHORT and all(token.text.isascii() for token in tokens)
