"""Which lines of a file show what the words of a citation name, and how likely they are to be the ones that are meant.

Every window of as many lines as are cited is weighed by a few features; the chances are those of a softmax over all of
them. The weights were fitted to citations that people had held against their sentences, with whole documents left out:
see docs/benchmarks.md.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from math import exp
from typing import TYPE_CHECKING

from msgspec import Struct

from ...core.model import Lines
from .claim import AROUND, NEAR
from .definitions import STRONG
from .hits import Hit, find_hits, list_shown, stands_beside

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .claim import Claim
    from .file_lines import FileLines

WIDEST = 40
"""Lines of one window, at most."""
_MOST_LINES = {"name": 40, "literal": 40, "word": 12}
"""Lines with a term beyond which they are no places to look at: it stands everywhere."""
_MOST_WINDOWS = 600
REACH = 20
"""Lines from where history points within which the right ones are likely to stand."""
_PARTLY = 0.7
"""What a window counts that overlaps the place that history points to and is not it."""

AS_CITED, MOVED, EDITED = "cited", "moved", "edited"
"""What is known of the place that is asked about: it is what is cited, or what was cited came there, as it was or
edited."""

WEIGHTS = {
    "share_clause": 0.98,
    "share_sentence": 1.21,
    "clause": 0.5,
    "sentence": 1.15,
    "around": 0.11,
    "literals": 0.98,
    "defined": 1.43,
    "enclosed": 2.03,
    "words": 1.29,
    "cited": 2.02,
    "moved": 1.87,
    "edited": 0.39,
    "beside": 2.62,
    "comment": -2.06,
}
"""What a window is weighed by: the share of all that clause and sentence name which it holds; what it holds of that
which the clause, the sentence and the text around name, each the more the fewer lines have it; literal text; names that
it defines; names whose definition it lies in; plain words; whether the citation or history points there, and how near
that is; how much of it is comment."""


class WeighedLines(Struct, frozen=True):
    """What the words of a citation say of a place, and the lines that they speak of most."""

    chance: float
    """How likely the place that was asked about is the one that is meant, from 0 to 1."""
    best: Lines
    """The lines that most of it stands in."""
    best_chance: float
    agrees: bool
    """Whether those are, or overlap, the place that was asked about."""
    shown: tuple[str, ...]
    """What clause and sentence name that the best lines hold or define, the most telling first."""
    held: tuple[str, ...]
    """The same of the place that was asked about, and of the definition around it."""
    is_next: bool = False
    """Whether the best lines are a line or two from that place."""
    beside: bool = False
    """Whether something that is named stands a few lines from that place, as part of what the place belongs to."""


def weigh(file: FileLines, claim: Claim, cited: Lines, place: Lines, history: str) -> WeighedLines | None:
    """How likely a place is the one that the claim means, against all other lines; None where it names nothing there.

    `cited` says how many lines are meant, `history` what is known of the place.
    """
    hits = find_hits(file, claim.terms)
    if not any(hit.zone != AROUND for hit in hits):
        return None
    windows = _find_windows(file, hits, cited, place)
    scores = _score_windows(file, hits, windows, place, history)
    top = max(scores)
    chances = [exp(score - top) for score in scores]
    total = sum(chances)
    at = chances.index(max(chances))
    best = windows[at]
    chance = _sum_chances(chances, windows, place) / total
    best_chance = _sum_chances(chances, windows, best) / total
    shown, held = list_shown(hits, best), list_shown(hits, place, True)
    near = _overlap(Lines(best.first - 2, best.last + 2), place)
    return WeighedLines(
        chance, best, best_chance, _overlap(best, place), shown, held, near, stands_beside(file, hits, place)
    )


def _sum_chances(chances: list[float], windows: list[Lines], lines: Lines) -> float:
    """The chances of all windows that overlap some lines."""
    first, last = lines.first, lines.last
    pairs = zip(chances, windows, strict=True)
    return sum([chance for chance, window in pairs if window.first <= last and first <= window.last])


def _find_windows(file: FileLines, hits: list[Hit], cited: Lines, place: Lines) -> list[Lines]:
    """The windows that are weighed: one from every line that has something, the place itself, and what is cited."""
    size = min(WIDEST, cited.last - cited.first + 1)
    starts: dict[int, None] = {}
    for hit in sorted(hits, key=lambda hit: len(hit.at.lines)):
        if hit.zone == AROUND and hit.kind != "name":
            continue
        if len(hit.at.lines) <= _MOST_LINES[hit.kind]:
            starts.update(dict.fromkeys(hit.at.lines))
        starts.update(dict.fromkeys(hit.at.bodies))
        if len(starts) > _MOST_WINDOWS:
            break
    end = len(file.lines)
    windows = {Lines(first, min(end, first + size - 1)): None for first in starts}
    windows[place] = None
    if cited.first <= end:
        windows[Lines(cited.first, min(end, cited.last))] = None
    return list(windows)


def _score_windows(file: FileLines, hits: list[Hit], windows: list[Lines], place: Lines, history: str) -> list[float]:
    """What each window weighs: its features, each by its weight."""
    in_clause = sum(hit.weight * hit.rarity for hit in hits if hit.kind != "word" and hit.zone == NEAR) or 1.0
    in_sentence = sum(hit.weight * hit.rarity for hit in hits if hit.kind != "word" and hit.zone != AROUND) or 1.0
    inside = _Inside(windows)
    for hit in hits:
        inside.add(hit)
    share, whole, by_clause, by_sentence, by_around, by_literals, by_defined, by_enclosed, by_words = list(
        WEIGHTS.values()
    )[:9]
    pointed, by_beside, by_comment = WEIGHTS[history], WEIGHTS["beside"], WEIGHTS["comment"]
    scores: list[float] = []
    comments = file.comments
    begin, end = place.first, place.last
    columns = (*inside.named, inside.literals, inside.defined, inside.enclosed, inside.words)
    for window, clause, sentence, around, literals, defined, enclosed, words in zip(windows, *columns, strict=True):
        first, last = window.first, window.last
        points, apart = 0.0, 0
        if first <= end and begin <= last:
            points = 1.0 if window == place else _PARTLY
        else:
            apart = min(abs(first - end), abs(last - begin))
        scores.append(
            share * ((clause + literals) / in_clause)
            + whole * ((clause + sentence + literals) / in_sentence)
            + by_clause * clause
            + by_sentence * sentence
            + by_around * around
            + by_literals * literals
            + by_defined * defined
            + by_enclosed * enclosed
            + by_words * words
            + pointed * points
            + by_beside * exp(-apart / REACH)
            + by_comment * ((comments[last] - comments[first - 1]) / (last - first + 1))
        )
    return scores


class _Inside:
    """What windows hold of a claim. Terms are few and stand on few lines: each is put into the windows around it."""

    def __init__(self, windows: list[Lines]) -> None:
        number = len(windows)
        self._windows = windows
        self._order = sorted(range(number), key=lambda at: windows[at].first)
        self._firsts = [windows[at].first for at in self._order]
        self._widest = max([window.last - window.first for window in windows])
        self._masks = [(2 << window.last) - (1 << window.first) for window in windows]
        self.named = [0.0] * number, [0.0] * number, [0.0] * number
        self.literals = [0.0] * number
        self.defined = [0.0] * number
        self.enclosed = [0.0] * number
        self.words = [0.0] * number

    def add(self, hit: Hit) -> None:
        """Put a term where it stands, where it is defined, and into what its definition encloses."""
        worth = hit.rarity if hit.kind == "word" else hit.weight * hit.rarity
        into = self.named[hit.zone]
        if hit.kind == "word":
            into = self.words
        elif hit.kind == "literal" and hit.zone == NEAR:
            into = self.literals
        mask = hit.at.mask
        for at, window in enumerate(self._masks):
            if window & mask:
                into[at] += worth
        if hit.zone != NEAR or not hit.at.bodies:
            return
        sure = {at: 0 for line in hit.at.bodies for at in self._around(line)}
        for line, (how, _) in hit.at.bodies.items():
            sure.update((at, max(sure[at], how)) for at in self._around(line))
        for at, how in sure.items():
            self.defined[at] += hit.weight * how / STRONG
        bodies = [
            (bisect_right(self._firsts, line), bisect_right(self._firsts, end))
            for line, (_, end) in hit.at.bodies.items()
        ]
        for at in {at for first, last in bodies for at in range(first, last)}:
            self.enclosed[self._order[at]] += hit.weight

    def _around(self, line: int) -> Iterator[int]:
        """The windows that hold a line."""
        for at in range(bisect_left(self._firsts, line - self._widest), bisect_right(self._firsts, line)):
            if self._windows[self._order[at]].last >= line:
                yield self._order[at]


def _overlap(one: Lines, other: Lines) -> bool:
    return one.first <= other.last and other.first <= one.last
