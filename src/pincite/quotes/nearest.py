"""The passage nearest to a quote that stands nowhere word for word; and the places that a quote was put together from.

Short stretches of the quote's key vote for places; in a window around the best ones the stretch of words with the
fewest changes is found exactly. Everything is bounded, so that a text of one letter costs no more than a novel.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec import Struct

from ..text.unspaced_scripts import count_letters, count_words
from .exact_match import Phrase, PhraseMatch, matches, phrase
from .word_changes import QuoteToken, WordChange, compare, tokens, words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .searchable_text import Layer

_SEEDS = ((24, 8), (12, 9), (8, 10))
_SHORT = 48
_HITS = 12
_TRIED = 5
_GOOD = 0.7
_SURE = 0.9
_HOPELESS = 0.4
_MOST_WORDS = 6000
_LEAST = 4
_LEAST_LETTERS = 8
"""The same for letters of scripts without spaces."""
_MOST_PIECES = 3
_LINKS = frozenset((b"and", b"but", b"or", b"while", b"so", b"because", b"that", b"which", b"whereas", b"thus"))
_ADJACENT = 12
_MOST_STITCHED = 2000


class NearestPassage(Struct, frozen=True):
    """A passage and what the quote changed in it."""

    start: int
    end: int
    edits: tuple[WordChange, ...]
    similarity: float
    crossing: bool = False
    """Whether this, or another place that has much of the quote, is close to the edge of a page."""


def nearest(layer: Layer, sought: Phrase) -> NearestPassage | None:
    """The stretch of the text that the phrase is closest to, as far as one can be found at all."""
    quoted = tokens(sought.text)[:_MOST_WORDS]
    votes: dict[int, float] = dict.fromkeys(layer.places(sought.key, limit=3), 1000.0)
    best: NearestPassage | None = None
    crossing = False
    done: set[int] = set()
    for size, seeds in _SEEDS if len(sought.key) > _SHORT else (*_SEEDS, (5, 8)):
        _vote(layer, sought.key, size, seeds, votes)
        for place in _winners(votes):
            if any(abs(place - other) < 64 for other in done):
                continue
            done.add(place)
            found = _inspect(layer, sought, quoted, place)
            if found is None:
                continue
            crossing = crossing or found.crossing
            if best is None or found.similarity > best.similarity:
                best = found
                if best.similarity >= _SURE:
                    return best
        if best is not None and best.similarity >= _GOOD:
            break
    if best is None or best.crossing == crossing:
        return best
    return NearestPassage(best.start, best.end, best.edits, best.similarity, crossing)


def _vote(layer: Layer, key: bytes, size: int, seeds: int, votes: dict[int, float]) -> None:
    """Let stretches of the key say where the whole would begin; the rarer the stretch, the more its word counts."""
    room = len(key) - size
    if room < 0:
        return
    count = min(seeds, room * 2 // size + 1)
    for at in {room * step // max(1, count - 1) for step in range(count)}:
        found = list(layer.places(key[at : at + size], limit=_HITS))
        for place in found:
            votes[place - at] = votes.get(place - at, 0.0) + size / len(found)


def _winners(votes: dict[int, float]) -> list[int]:
    """The places with most votes; votes for places close by are for the same."""
    pooled: dict[int, list[float]] = {}
    for place, weight in votes.items():
        slot = pooled.setdefault(place // 128, [0.0, 0.0, float(place)])
        slot[0] += weight
        if weight > slot[1]:
            slot[1:] = [weight, float(place)]
    ranked = sorted(pooled, key=lambda at: -(pooled[at][0] + max(pooled.get(at + step, (0.0,))[0] for step in (-1, 1))))
    return [int(pooled[at][2]) for at in ranked[:_TRIED]]


def _inspect(layer: Layer, sought: Phrase, quoted: list[QuoteToken], place: int) -> NearestPassage | None:
    """The best stretch of words in a window around a place of the key."""
    slack = len(sought.key) // 3 + 80
    start = max(0, min(place - slack, len(layer.key)))
    stop = min(len(layer.key), place + len(sought.key) + slack)
    if stop <= start:
        return None
    begin, end = layer.span(start, stop - start)
    window = layer.text[begin : end + 40]
    spans, names = words(window)
    if spans and begin and not spans[0][0] and not layer.text[begin - 1].isspace():
        # The window has cut this word.
        del spans[0], names[0]
    if not spans or not quoted:
        return None
    own = [token.id for token in quoted]
    last, changes = _best_end(own, names)
    back, _ = _best_end(own[::-1], names[last::-1])
    first = max(0, last - back)
    similarity = 1 - changes / len(quoted)
    edits: tuple[WordChange, ...] = ()
    if similarity > _HOPELESS:
        edits, similarity = compare(quoted, tokens(window[spans[first][0] : spans[last][1]]))
        wide = _extend_to_quote_ends(own, names, first, last)
        if wide != (first, last):
            # Replacing words takes fewer changes than leaving many out; and yet the words may all be there.
            others, likeness = compare(quoted, tokens(window[spans[wide[0]][0] : spans[wide[1]][1]]))
            if likeness >= _GOOD and _count_quoted_changes(others) < _count_quoted_changes(edits):
                (first, last), edits, similarity = wide, others, likeness
    crossing = similarity >= _HOPELESS and layer.page_at(begin) != layer.page_at(end)
    return NearestPassage(begin + spans[first][0], begin + spans[last][1], edits, max(0.0, similarity), crossing)


def _count_quoted_changes(edits: Sequence[WordChange]) -> int:
    return sum(1 for edit in edits if edit.quoted)


def _extend_to_quote_ends(own: list[bytes], names: list[bytes], first: int, last: int) -> tuple[int, int]:
    """The stretch made longer to where the first and the last words of the quote stand, if they do close by."""
    if names[first : first + 2] != own[:2]:
        first = next((at for at in range(first - 1, -1, -1) if names[at : at + 2] == own[:2]), first)
    if names[max(0, last - 1) : last + 1] != own[-2:]:
        ends = range(last + 1, len(names))
        last = next((at for at in ends if names[at - 1 : at + 1] == own[-2:]), last)
    return first, last


def _best_end(quoted: Sequence[bytes], there: Sequence[bytes]) -> tuple[int, int]:
    """Where the stretch ends that takes the fewest changes of words to become the quote, and how many it takes."""
    size = len(quoted)
    full = (1 << size) - 1
    top = 1 << (size - 1)
    masks: dict[bytes, int] = {}
    for at, word in enumerate(quoted):
        masks[word] = masks.get(word, 0) | 1 << at
    plus, minus, score = full, 0, size
    scores: list[int] = []
    for word in there:
        equal = masks.get(word, 0)
        across = ((equal & plus) + plus ^ plus | equal) & full
        up = minus | ~(across | plus) & full
        down = plus & across
        score += bool(up & top) - bool(down & top)
        scores.append(score)
        up, down = up << 1 & full, down << 1 & full
        turned = equal | minus
        plus = down | ~(turned | up) & full
        minus = up & turned
    best = min(scores)
    first = at = scores.index(best)
    # A last word that was replaced costs as much as one left out: take the word that stands there.
    while at + 1 < len(scores) and scores[at + 1] == best and at - first < size:
        at += 1
    return at, best


def find_stitched_pieces(layer: Layer, sought: Phrase) -> tuple[PhraseMatch, ...]:
    """The pieces that the quote was made of, in its order; empty where it is none of two or three places."""
    words = tokens(sought.text)[:_MOST_STITCHED]
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
