"""A quote put together from words that stand at different places."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from ..text.unspaced_scripts import count_letters, count_words
from .exact_match import Phrase, PhraseMatch, matches, phrase
from .word_changes import QuoteToken, tokens

if TYPE_CHECKING:
    from .searchable_text import Layer

_LEAST = 4
_LEAST_LETTERS = 8
"""The same for letters of scripts without spaces."""
_MOST_PIECES = 3
_LINKS = frozenset((b"and", b"but", b"or", b"while", b"so", b"because", b"that", b"which", b"whereas", b"thus"))
_ADJACENT = 12
_MOST_WORDS = 2000


def find_stitched_pieces(layer: Layer, sought: Phrase) -> tuple[PhraseMatch, ...]:
    """The pieces that the quote was made of, in its order; empty where it is none of two or three places."""
    words = tokens(sought.text)[:_MOST_WORDS]
    least = _LEAST_LETTERS if count_letters(sought.text) * 2 > len(words) else _LEAST
    hits: list[PhraseMatch] = []
    at = 0
    while at < len(words):
        if len(hits) == _MOST_PIECES:
            return ()
        found = _find_longest_run(layer, sought.text, words, at, hits, least)
        if found is None and hits and words[at].id in _LINKS:
            at += 1
            found = _find_longest_run(layer, sought.text, words, at, hits, least)
        if found is None:
            return ()
        hits.append(found[0])
        at = found[1]
    return tuple(hits) if len(hits) > 1 and _are_pieces_separate(layer, hits) else ()


def _find_longest_run(
    layer: Layer, text: str, words: list[QuoteToken], at: int, hits: list[PhraseMatch], least: int
) -> tuple[PhraseMatch, int] | None:
    """The longest run of words from here on that stands somewhere, and the word after it.

    A run that would leave fewer words than a piece needs gives some of its own back.
    """
    low, high = least, len(words) - at
    if high < low or not _has(layer, text, words, at, low):
        return None
    while low < high:
        middle = (low + high + 1) // 2
        if _has(layer, text, words, at, middle):
            low = middle
        else:
            high = middle - 1
    rest = len(words) - at - low
    sizes = [low] if not 0 < rest < least else []
    # A few words less: the key says that they stand there, the words themselves may not.
    sizes += [size for size in range(low - 1, max(least, low - least) - 1, -1) if len(words) - at - size >= least]
    for size in sizes:
        run = phrase(text[words[at].start : words[at + size - 1].end])
        found = [hit for hit, _ in zip(matches(layer, run), range(20), strict=False)] if run else []
        if found:
            after = [hit for hit in found if hits and hit.start >= hits[-1].end]
            return (after or found)[0], at + size
    return None


def _has(layer: Layer, text: str, words: list[QuoteToken], at: int, size: int) -> bool:
    run = phrase(text[words[at].start : words[at + size - 1].end])
    return run is not None and run.key in layer.key


def _are_pieces_separate(layer: Layer, hits: list[PhraseMatch]) -> bool:
    """Whether two pieces at least are not the same passage with a few words left out."""
    return any(
        after.start < before.end or count_words(layer.text[before.end : after.start][:2000]) > _ADJACENT
        for before, after in pairwise(hits)
    )
