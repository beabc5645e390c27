"""Whether any other lines of a file can outweigh a place that shows nothing of what is named.

An upper bound, from what a few lines can hold at most: it ends many claims, before all windows of the file are
weighed.
"""

from __future__ import annotations

from bisect import bisect_left
from math import exp, log
from typing import TYPE_CHECKING

from .claim import AROUND, NEAR
from .hits import find_hits, list_shown, stands_beside
from .lines import REACH, WEIGHTS, WIDEST

if TYPE_CHECKING:
    from ...core.model import Lines
    from .claim import Claim
    from .file_lines import FileLines
    from .hits import Hit

_MOST_LINES = 60
"""Lines with what is named beyond which all windows are weighed instead."""
_ROUNDING = 1e-6


def is_shown(file: FileLines, claim: Claim, place: Lines, times: float) -> bool:
    """Whether a place, or what stands next to it, shows something that the claim names, or no other lines can have
    `times` its chance. Then `weigh` could not name other lines either, at ten times the cost."""
    hits = find_hits(file, claim.names)
    if not hits or list_shown(hits, place, True) or stands_beside(file, hits, place):
        return True
    lines = sorted({line for hit in hits for line in hit.at.lines})
    return len(lines) <= _MOST_LINES and not _Bound(file, claim, hits, place, times).is_reached(lines)


class _Bound:
    """What a window has to score, and what one can score at most that holds a line with something named."""

    def __init__(self, file: FileLines, claim: Claim, hits: list[Hit], place: Lines, times: float) -> None:
        self._file = file
        self._hits = hits
        self._place = place
        self._size = size = min(WIDEST, place.last - place.first + 1)
        self._in_clause = sum(hit.weight * hit.rarity for hit in hits if hit.zone == NEAR) or 1.0
        self._in_sentence = sum(hit.weight * hit.rarity for hit in hits)
        here = file.cut(place.first, place.last)
        self._shared: list[str] = []
        """Plain words that the place has: they count for it as much as for a window."""
        self._words: list[str] = []
        around = 0.0
        for term in claim.terms:
            if term.kind != "word":
                around += term.weight if term.zone == AROUND else 0.0
            elif term.zone == NEAR:
                (self._shared if term.term in here else self._words).append(term.term)
        # The chance of a window is that of all that overlap it, none of which scores more than the best.
        self._least = (
            WEIGHTS["cited"]
            + WEIGHTS["beside"]
            + WEIGHTS["comment"] * file.share_of_comments(place.first, place.last)
            + log(times / (2 * size - 1))
            - WEIGHTS["around"] * around
            - _ROUNDING
        )

    def is_reached(self, lines: list[int]) -> bool:
        """Whether a window with one of these lines may score enough."""
        file, each = self._file, WEIGHTS["words"]
        for line in lines:
            first, last = max(1, line - self._size + 1), min(len(file.lines), line + self._size - 1)
            lacking = self._least - self._weigh_names(first, last)
            if lacking > each * len(self._words):
                continue
            text = file.cut(first, last)
            words = [word for word in self._words if word in text]
            if lacking > each * len(words):
                continue
            lacking += each * sum(file.find_rarity(word) for word in self._shared if word not in text)
            if lacking <= each * sum(map(file.find_rarity, words)):
                return True
        return False

    def _weigh_names(self, first: int, last: int) -> float:
        """What the names in some lines can bring a window there, and how near it is to the place."""
        place = self._place
        apart = max(0, first - place.last, place.first - last)
        most = WEIGHTS["beside"] * exp(-apart / REACH)
        for hit in self._hits:
            near = hit.zone == NEAR
            at = bisect_left(hit.at.lines, first)
            if at < len(hit.at.lines) and hit.at.lines[at] <= last:
                worth = hit.weight * hit.rarity
                most += WEIGHTS["share_sentence"] * worth / self._in_sentence
                if near:
                    kind = "literals" if hit.kind == "literal" else "clause"
                    most += (WEIGHTS["share_clause"] / self._in_clause + WEIGHTS[kind]) * worth
                else:
                    most += WEIGHTS["sentence"] * worth
            if near:
                bodies = hit.at.bodies.items()
                if any(first <= line <= last for line, _ in bodies):
                    most += WEIGHTS["defined"] * hit.weight
                if any(line < last and first <= end for line, (_, end) in bodies):
                    most += WEIGHTS["enclosed"] * hit.weight
        return most
