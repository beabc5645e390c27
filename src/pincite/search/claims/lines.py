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
from .file_lines import FileLines, TermLines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .claim import Claim, ClaimTerm

WIDEST = 40
"""Lines of one window, at most."""
_MOST_LINES = {"name": 40, "literal": 40, "word": 12}
"""Lines with a term beyond which they are no places to look at: it stands everywhere."""
_MOST_WINDOWS = 600
_REACH = 20
"""Lines from where history points within which the right ones are likely to stand."""
_LONGEST_COMMENT = 60
"""Lines of a comment that may stand above what it describes."""
_BESIDE = 8
"""Lines from a place within which a name may belong to the same statement."""
_PARTLY = 0.7
"""What a window counts that overlaps the place that history points to and is not it."""

AS_CITED, MOVED, EDITED = "cited", "moved", "edited"
"""What is known of the place that is asked about: it is what is cited, or what was cited came there, as it was or
edited."""

FEATURES = (
    "share_clause",
    "share_sentence",
    "clause",
    "sentence",
    "around",
    "literals",
    "defined",
    "enclosed",
    "words",
    "cited",
    "moved",
    "edited",
    "beside",
    "comment",
)
"""What a window is weighed by: the share of all that clause and sentence name which it holds; what it holds of that
which the clause, the sentence and the text around name, each the more the fewer lines have it; literal text; names that
it defines; names whose definition it lies in; plain words; whether the citation or history points there, and how near
that is; how much of it is comment."""
WEIGHTS = (0.98, 1.21, 0.5, 1.15, 0.11, 0.98, 1.43, 2.03, 1.29, 2.02, 1.87, 0.39, 2.62, -2.06)


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


class _Hit(Struct, gc=False):
    """A term of the claim that the file has, and what it is worth there."""

    kind: str
    term: str
    zone: int
    weight: float
    rarity: float
    at: TermLines


def weigh(file: FileLines, claim: Claim, cited: Lines, place: Lines, history: str) -> WeighedLines | None:
    """How likely a place is the one that the claim means, against all other lines; None where it names nothing there.

    `cited` says how many lines are meant, `history` what is known of the place.
    """
    hits = _find_hits(file, claim.terms)
    if not any(hit.zone != AROUND for hit in hits):
        return None
    windows = _find_windows(file, hits, cited, place)
    scores = [sum(map(float.__mul__, WEIGHTS, row)) for row in weigh_windows(file, hits, windows, place, history)]
    top = max(scores)
    chances = [exp(score - top) for score in scores]
    total = sum(chances)
    at = chances.index(max(chances))
    best = windows[at]
    chance = _sum_chances(chances, windows, place) / total
    best_chance = _sum_chances(chances, windows, best) / total
    shown, held = _list_shown(hits, best), _list_shown(hits, place, True)
    near = _overlap(Lines(best.first - 2, best.last + 2), place)
    return WeighedLines(
        chance, best, best_chance, _overlap(best, place), shown, held, near, _stands_beside(file, hits, place)
    )


def _sum_chances(chances: list[float], windows: list[Lines], lines: Lines) -> float:
    """The chances of all windows that overlap some lines."""
    first, last = lines.first, lines.last
    pairs = zip(chances, windows, strict=True)
    return sum([chance for chance, window in pairs if window.first <= last and first <= window.last])


def is_shown(file: FileLines, claim: Claim, place: Lines) -> bool:
    """Whether a place, or what stands next to it, shows something that the claim names, or no line of the file does.

    Then `weigh` could not name other lines either, at ten times the cost.
    """
    hits = _find_hits(file, claim.names)
    return not hits or bool(_list_shown(hits, place, True)) or _stands_beside(file, hits, place)


def _find_hits(file: FileLines, terms: Iterable[ClaimTerm]) -> list[_Hit]:
    """The terms of a claim that the file has; plain words count in the clause alone."""
    hits: list[_Hit] = []
    for term in terms:
        if term.kind == "word" and term.zone != NEAR:
            continue
        found = file.find(term.kind, term.term)
        if found.lines:
            hits.append(_Hit(term.kind, term.term, term.zone, term.weight, len(found.lines) ** -0.5, found))
    return hits


def _find_windows(file: FileLines, hits: list[_Hit], cited: Lines, place: Lines) -> list[Lines]:
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


def weigh_windows(
    file: FileLines, hits: list[_Hit], windows: list[Lines], place: Lines, history: str
) -> list[list[float]]:
    """The features of each window."""
    in_clause = sum(hit.weight * hit.rarity for hit in hits if hit.kind != "word" and hit.zone == NEAR) or 1.0
    in_sentence = sum(hit.weight * hit.rarity for hit in hits if hit.kind != "word" and hit.zone != AROUND) or 1.0
    inside = _Inside(windows)
    for hit in hits:
        inside.add(hit)
    rows: list[list[float]] = []
    comments = file.comments
    known = [float(history == kind) for kind in (AS_CITED, MOVED, EDITED)]
    named = zip(*inside.named, inside.literals, strict=True)
    for at, (window, (clause, sentence, around, literals)) in enumerate(zip(windows, named, strict=True)):
        first, last = window.first, window.last
        points, apart = 0.0, 0
        if first <= place.last and place.first <= last:
            points = 1.0 if window == place else _PARTLY
        else:
            apart = min(abs(first - place.last), abs(last - place.first))
        rows.append(
            [
                (clause + literals) / in_clause,
                (clause + sentence + literals) / in_sentence,
                clause,
                sentence,
                around,
                literals,
                inside.defined[at],
                inside.enclosed[at],
                inside.words[at],
                *[points * is_known for is_known in known],
                exp(-apart / _REACH),
                (comments[last] - comments[first - 1]) / (last - first + 1),
            ]
        )
    return rows


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

    def add(self, hit: _Hit) -> None:
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


def _list_shown(hits: list[_Hit], lines: Lines, with_definition: bool = False) -> tuple[str, ...]:
    """What clause and sentence name that stands in some lines, or whose definition they lie in; best first."""
    found: list[tuple[int, float, str]] = []
    for hit in hits:
        if hit.kind == "word" or hit.zone == AROUND:
            continue
        at = bisect_left(hit.at.lines, lines.first)
        stands = at < len(hit.at.lines) and hit.at.lines[at] <= lines.last
        if not stands and with_definition:
            stands = any(line <= lines.last and lines.first <= end for line, (_, end) in hit.at.bodies.items())
        if stands:
            found.append((hit.zone, -hit.weight * hit.rarity, hit.term))
    return tuple(dict.fromkeys(term for _, _, term in sorted(found)))


def _stands_beside(file: FileLines, hits: list[_Hit], place: Lines) -> bool:
    """Whether something that clause or sentence name stands next to a place.

    A definition next to it is another thing, but for one whose comments or decorators the place is.
    """
    for hit in hits:
        if hit.kind == "word" or hit.zone == AROUND:
            continue
        lines = hit.at.lines
        if any(
            place.last < line <= place.last + _LONGEST_COMMENT and file.leads_to(place.first, line)
            for line in hit.at.bodies
        ):
            return True
        for line in lines[bisect_left(lines, place.first - _BESIDE) : bisect_right(lines, place.last + _BESIDE)]:
            sure, _ = hit.at.bodies.get(line, (0, 0))
            leads = place.last < line and file.leads_to(place.first, line)
            if leads or (sure < STRONG and file.are_in_one_block(place, line)):
                return True
    return False


def _overlap(one: Lines, other: Lines) -> bool:
    return one.first <= other.last and other.first <= one.last
