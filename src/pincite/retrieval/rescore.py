"""A closer look at the best passages: what the first of them have in common tells what the others are about.

A question of several words has a theme; passages that share the theme's other words move up. A query of two words, a
phrase or a name asks for exactly those, and code has no theme: there the order stays as it is. On collections with
known answers that did not choose its weight (see the benchmarks) this gains, and loses nowhere that can be measured.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from .query import COMMON

if TYPE_CHECKING:
    from .query import Query
    from .search import Candidate

_STEM = 6
"""So many letters stand for a word and its other forms; a stemmer gains nothing here and costs more than the rest."""
_STEMS = re.compile(rf"([^\W\d_]{{3,{_STEM}}})[^\W\d_]*+")
_FIRST = 5
"""The passages that set the theme."""
_THEME = 30
_EVERYWHERE = 0.7
"""Words in a larger share of the passages tell nothing apart."""
_WEIGHT = 0.2
"""Of the best score. More gains more where many passages answer, and loses where one does."""
_LONGEST = 4000
_COMMON_STEMS = frozenset(word[:_STEM] for word in COMMON)


def rescore(query: Query, found: list[Candidate]) -> list[Candidate]:
    """The same passages, the best first."""
    if len(found) <= _FIRST or not _has_theme(query, found):
        return found
    counts = [Counter(_STEMS.findall(each.text[:_LONGEST].lower())) for each in found]
    sizes = [count.total() or 1 for count in counts]
    theme = _theme(found, counts, sizes)
    mean = sum(sizes) / len(sizes)
    extra = []
    for count, size in zip(counts, sizes, strict=True):
        # Often in a long passage says no more than once in a short one.
        slack = 1.2 * (0.25 + 0.75 * size / mean)
        extra.append(sum(share * times / (times + slack) for word, share in theme if (times := count.get(word, 0))))
    most = max(extra) or 1.0
    best = found[0].score
    for each, more in zip(found, extra, strict=True):
        each.score += _WEIGHT * best * more / most
    return sorted(found, key=lambda each: -each.score)


def _has_theme(query: Query, found: list[Candidate]) -> bool:
    plain = not query.phrases and not query.prefixes and query.is_question
    return plain and sum(each.document.kind == "code" for each in found) * 2 < len(found)


def _theme(found: list[Candidate], counts: list[Counter[str]], sizes: list[int]) -> list[tuple[str, float]]:
    """The words that the first passages are made of, each with its share."""
    total = sum(each.score for each in found[:_FIRST]) or 1.0
    shares: dict[str, float] = {}
    for each, count, size in zip(found[:_FIRST], counts, sizes, strict=False):
        share = each.score / total / size
        for word, times in count.items():
            shares[word] = shares.get(word, 0.0) + share * times
    most = _EVERYWHERE * len(found)
    chosen: list[tuple[str, float]] = []
    for word in sorted(shares, key=lambda word: -shares[word])[: _THEME * 3 + len(_COMMON_STEMS)]:
        if word not in _COMMON_STEMS and sum(word in count for count in counts) <= most:
            chosen.append((word, shares[word]))
            if len(chosen) == _THEME:
                break
    return chosen
