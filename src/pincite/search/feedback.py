"""A closer look at the best passages: long ones are held back less, and those that are like the best ones move up.

FTS5 has one measure of how much a passage's length counts against it, and it is too strict for prose. A question of
several words has a theme, which passages like the best ones share. A query of two words, a phrase or a name asks for
exactly those, and code has no theme. Both weights were chosen leaving out one collection with known answers after the
other (see the benchmarks).
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain, repeat
from math import log, sqrt
from typing import TYPE_CHECKING

from .query import COMMON

if TYPE_CHECKING:
    from .query import Query
    from .search import PassageCandidate

_SATURATION = 1.2
_LENGTH_THERE = 0.75
"""What FTS5 ranks with: *k1* and *b* of BM25."""
_LENGTH_WANTED = 0.7
"""The *b* to rank with."""
_STEM = 6
"""So many letters stand for a word and its other forms; a stemmer gains nothing here and costs more than the rest."""
_STEMS = re.compile(rf"([^\W\d_]{{3,{_STEM}}})[^\W\d_]*+")
_FEWEST = 6
"""Fewer passages have no theme."""
_FIRST = 10
"""The passages that the others are compared with."""
_COMPARED = 25
"""So many of the best are compared; the others are too far behind."""
_EVERYWHERE = 0.7
"""Words in a larger share of the passages distinguish nothing."""
_WEIGHT = 0.3
"""Of the best score: what the passage gains that is most like the best ones."""
_LONGEST = 4000
_COMMON_STEMS = frozenset(word[:_STEM] for word in COMMON)
_TIMES = (0.0, *(1 + log(times) for times in range(1, _LONGEST // 3 + 2)))
"""What a word of three letters or more counts that stands so often in a passage."""


def rescore(query: Query, found: list[PassageCandidate], by_meaning: bool = False) -> list[PassageCandidate]:
    """The same passages, the best first; scores that come from meaning do not depend on length."""
    if sum(each.document.kind == "code" for each in found) * 2 >= len(found):
        return found
    if not by_meaning:
        _correct_length(found)
    if len(found) >= _FEWEST and query.is_question and not query.phrases and not query.prefixes:
        found.sort(key=lambda each: -each.score)
        best = found[0].score
        likeness = _compare(found[:_COMPARED])
        most = max(likeness) or 1.0
        for each, like in zip(found, likeness, strict=False):
            each.score += _WEIGHT * best * like / most
    return sorted(found, key=lambda each: -each.score)


def _correct_length(found: list[PassageCandidate]) -> None:
    """Change each score to about what another *b* would give: exact where every word stands once in a passage."""
    mean = sum(len(each.text) for each in found) / len(found) or 1.0
    for each in found:
        length = len(each.text) / mean
        there = 1 + _SATURATION * (1 - _LENGTH_THERE + _LENGTH_THERE * length)
        wanted = 1 + _SATURATION * (1 - _LENGTH_WANTED + _LENGTH_WANTED * length)
        each.score *= there / wanted


def _compare(found: list[PassageCandidate]) -> list[float]:
    """How much each passage is like the first of the others, by the cosine of their words; better ones count more."""
    counts = [Counter(_STEMS.findall(each.text[:_LONGEST].lower())) for each in found]
    rarity = _weigh_words(counts)
    shares = [each.score * each.score for each in found[:_FIRST]]
    vectors = [
        {word: _TIMES[times] * rarity[word] for word, times in count.items() if word in rarity} for count in counts
    ]
    sizes = [sqrt(sum([weight * weight for weight in vector.values()])) or 1.0 for vector in vectors]
    shared: dict[str, float] = {}
    for share, size, vector in zip(shares, sizes, vectors, strict=False):
        for word, weight in vector.items():
            shared[word] = shared.get(word, 0.0) + share / size * weight
    total = sum(shares)
    likeness = []
    for share, size, vector in zip(chain(shares, repeat(0.0)), sizes, vectors, strict=False):
        # No passage is compared with itself.
        alike = sum([weight * shared.get(word, 0.0) for word, weight in vector.items()]) / size - share
        likeness.append(alike / (total - share) if vector and total > share else 0.0)
    return likeness


def _weigh_words(counts: list[Counter[str]]) -> dict[str, float]:
    """What each word counts: more the fewer of the passages have it, and nothing where most have it."""
    spread: Counter[str] = Counter()
    for count in counts:
        spread.update(count.keys())
    weights = [0.0, *(log(1 + len(counts) / times) for times in range(1, len(counts) + 1))]
    most = _EVERYWHERE * len(counts)
    return {word: weights[times] for word, times in spread.items() if times <= most and word not in _COMMON_STEMS}
