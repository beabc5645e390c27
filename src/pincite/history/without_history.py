"""Where lines that were seen stand now, found by their words and the words around them alone: no history.

First in the file they were seen in, or in the one that bears its name now; then, for exact copies and hardly anything
else, in the others. A place counts by how like it is to what was seen, and by how like its neighbours are to those that
were seen. The best one must be good enough, and ahead of the next.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from ..core.model import Lines, Place
from .likeness import evenness, likeness, weight
from .line_matching import find_occurrences
from .model import FollowedText, TraceResult
from .step import UNDECIDED, FileStep, FileVersion, TextRegion

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .model import CitedPassage
    from .tree_files import TreeFiles

_SHARE = 0.5
"""How much the lines themselves count; the rest is their neighbours."""
_EXACT = 0.3
"""What the very words are worth beyond being alike."""
_FLOOR = 0.7
"""The least likeness of an edited line, and of it together with its neighbours, at home and in other files."""
_TOGETHER, _TOGETHER_ELSEWHERE = 0.55, 0.85
_BESIDE, _BESIDE_ELSEWHERE = 0.3, 0.9
"""The least likeness of the neighbours of an edited line."""
_COPY_ELSEWHERE = 0.7
"""The least likeness of the neighbours of the very words in another file."""
_SHORT, _SHORTISH = 4, 12
_BESIDE_SHORT, _BESIDE_SHORTISH = 0.5, 0.3
"""The same where the words are few: `}` and `return None` stand everywhere."""
_AHEAD, _AHEAD_EDITED = 0.005, 0.01
_RIVAL = 0.4
"""How far a place elsewhere must be ahead of what stands at home."""
_MOST_PLACES = 12
_MOST_FILES = 5
_COMMON = 200
"""Places beyond which a line says nothing about where it belongs."""
_REACH = 5
"""How many lines a neighbour may have been pushed away."""
_LONGEST = 4000
_PLENTY = 1_000_000
"""Lines to compare, beyond which edited ones are not looked for."""
_NO_WORD = re.compile(r"[\W_]+")


class PassageMatch(Struct, frozen=True, gc=False, order=True):
    """A place where a passage may stand."""

    score: float
    exact: bool
    likely: bool
    """Whether it is good enough by itself."""
    path: str
    first: int
    beside: float


class SearchedPassage:
    """A passage with what it is compared by."""

    def __init__(self, passage: CitedPassage) -> None:
        self.passage = passage
        self.keys = FileVersion.of(passage.text).soft
        self.joined = "".join(self.keys)[:_LONGEST]
        self.before = FileVersion.of(passage.before).soft[::-1]
        self.after = FileVersion.of(passage.after).soft
        self.weight = sum(map(weight, self.keys))

    def lines(self) -> list[str]:
        """All lines that were seen, those that say something."""
        return [key for key in (*self.keys, *self.before, *self.after) if weight(key) > 2]

    def hits(self, path: str, now: FileVersion, home: bool) -> list[PassageMatch]:
        """The places of one file that are worth a look, best first."""
        found = [self._hit(path, now.soft, first, home) for first in self._places(now)]
        return sorted((hit for hit in found if hit is not None), reverse=True)

    def _places(self, now: FileVersion) -> Iterable[int]:
        """Lines that are like the first one, and those that stand as it stood beside lines that are the same."""
        keys = now.soft
        places = set(now.where.get(self.keys[0], ()))
        if weight(self.keys[0]) > 2:
            from rapidfuzz import process
            from rapidfuzz.distance import Indel

            # A line of a megabyte is known by its beginning.
            like = process.extract(
                self.keys[0][:_LONGEST],
                keys if len(now.whole) <= _LONGEST else [key[:_LONGEST] for key in keys],
                scorer=Indel.normalized_similarity,
                score_cutoff=0.5,
                limit=_MOST_PLACES,
            )
            places.update(at for _, _, at in like)
        size = len(self.keys)
        for shift, key in [
            *((away, key) for away, key in enumerate(self.before, 1)),
            *((1 - size - away, key) for away, key in enumerate(self.after, 1)),
        ]:
            if weight(key) > 5:
                places.update(at + shift for at in now.where.get(key, ()))
        if len(places) * size > _PLENTY:
            # So much that repeats itself: only the very words can tell.
            places = set(find_occurrences(self.keys, keys)[:_COMMON])
        return [at for at in places if 0 <= at < len(keys)]

    def _hit(self, path: str, keys: list[str], first: int, home: bool) -> PassageMatch | None:
        there = keys[first : first + len(self.keys)]
        exact = there == self.keys
        alike = 1.0 if exact else likeness(self.joined, "".join(there)[:_LONGEST])
        if alike < 0.5:
            return None
        beside = self._beside(keys, first)
        together = _SHARE * alike + (1 - _SHARE) * beside
        if exact:
            least = 0.0 if home else _COPY_ELSEWHERE
            if self.weight < _SHORT:
                least = max(least, _BESIDE_SHORT)
            elif self.weight < _SHORTISH:
                least = max(least, _BESIDE_SHORTISH)
            likely = beside >= least
        else:
            likely = (
                self.weight >= _SHORT
                and alike >= _FLOOR
                and beside >= (_BESIDE if home else _BESIDE_ELSEWHERE)
                and together >= (_TOGETHER if home else _TOGETHER_ELSEWHERE)
            )
        return PassageMatch(together + _EXACT * exact, exact, likely, path, first, beside)

    def _beside(self, keys: list[str], first: int) -> float:
        """How like the neighbours are to those that were seen, the nearest first; lines may have come between."""
        total = got = 0.0
        for lines, sign, start in ((self.before, -1, first - 1), (self.after, 1, first + len(self.keys))):
            at = start
            for away, line in enumerate(lines):
                if weight(line) < 2:
                    continue
                value = (min(weight(line), 30) + 1) / (1 + 0.3 * away)
                total += value
                best, place = 0.0, at
                for further in range(_REACH):
                    there = at + sign * further
                    if 0 <= there < len(keys):
                        score = evenness(line, keys[there])
                        score = score * (1 - 0.07 * further) if score >= 0.55 else 0.0
                        if score > best:
                            best, place = score, there
                got += value * best
                at = place + sign
        if total < 6:
            # Too little was seen around it to say much for or against.
            return 0.15 + 0.5 * (got / total if total else 0.3)
        return got / total


def find(passage: CitedPassage, files: TreeFiles) -> FollowedText:
    """Where a passage stands now."""
    if not passage.text or not any(map(str.strip, passage.text)):
        return FollowedText(TraceResult.AMBIGUOUS, why="blank lines can be anywhere")
    sought = SearchedPassage(passage)
    own = files.text(passage.path)
    homes = [passage.path] if own is not None else list(files.find_by_stem(stem(passage.path)))[:_MOST_FILES]
    at_home = _hits(sought, homes, files, True)
    best, rivals = _ahead(at_home)
    if best is None and not rivals:
        best, rivals = _ahead(_hits(sought, _others(sought, homes, files), files, False))
        if best is not None and at_home and at_home[0].score > best.score - _RIVAL:
            rivals = [best, at_home[0]]
    if rivals:
        places = tuple(_place(sought, hit) for hit in rivals[:_MOST_PLACES])
        return FollowedText(TraceResult.AMBIGUOUS, candidates=places, why="several places are as likely")
    if best is None:
        return FollowedText(TraceResult.GONE, why="neither its words nor its neighbours stand together anywhere")
    return _answer(sought, best, files)


def stem(path: str) -> str:
    """The name of a file without folder and ending, letters and digits alone: `a/thread-list.js` is `threadlist`."""
    return _NO_WORD.sub("", path.rpartition("/")[2].partition(".")[0]).lower()


def _hits(sought: SearchedPassage, paths: Iterable[str], files: TreeFiles, home: bool) -> list[PassageMatch]:
    found: list[PassageMatch] = []
    for path in paths:
        text = files.text(path)
        if text is not None:
            found += sought.hits(path, text, home)
    return sorted(found, reverse=True)


def _ahead(hits: list[PassageMatch]) -> tuple[PassageMatch | None, list[PassageMatch]]:
    """The one good hit that is ahead of the others; else those that are as good."""
    good = [hit for hit in hits if hit.likely]
    if not good:
        return None, []
    least = good[0].score - (_AHEAD if good[0].exact else _AHEAD_EDITED)
    rivals = [hit for hit in good[1:] if hit.score > least]
    return (None, [good[0], *rivals]) if rivals else (good[0], [])


def _others(sought: SearchedPassage, homes: Sequence[str], files: TreeFiles) -> list[str]:
    """Other files in which lines that were seen stand, those with most and rarest first."""
    scores: dict[str, float] = {}
    for line in sought.lines() if not files.known.issubset(homes) else ():
        places = files.holding(line)
        holders = {path for path, _ in places if path not in homes}
        if len(places) <= _COMMON:
            for path in holders:
                scores[path] = scores.get(path, 0.0) + (min(weight(line), 30) + 1) / (1 + len(holders)) ** 0.5
    return sorted(scores, key=lambda path: (-scores[path], path))[:_MOST_FILES]


def _place(sought: SearchedPassage, hit: PassageMatch) -> Place:
    return Place(hit.path, Lines(hit.first + 1, hit.first + len(sought.keys)))


def _answer(sought: SearchedPassage, hit: PassageMatch, files: TreeFiles) -> FollowedText:
    """What the chosen place means; of edited lines, first and last are found each for itself."""
    passage = sought.passage
    now = files.text(hit.path) or FileVersion("")
    size = len(passage.text)
    first, last = hit.first, hit.first + size - 1
    columns = passage.columns
    if (not hit.exact and size > 1) or columns is not None:
        around = 3 + len(passage.before)
        start = max(0, hit.first - around)
        then = FileVersion.of([*passage.before, *passage.text, *passage.after])
        left, right = columns or (-1, -1)
        region = TextRegion(len(passage.before), len(passage.before) + size - 1, left, right)
        carried = FileStep(then, FileVersion.of(now.lines[start : last + around + 10])).carry(region)
        if carried is None and columns is not None:
            return FollowedText(TraceResult.GONE, why="its line is there, the words are not")
        if carried is not None and carried is not UNDECIDED:
            first, last = carried.first + start, carried.last + start
            columns = (carried.left, carried.right) if columns is not None else None
    lines = Lines(first + 1, min(last, len(now.lines) - 1) + 1)
    same = tuple(now.lines[first : last + 1]) == passage.text
    if not same:
        return FollowedText(TraceResult.CHANGED, Place(hit.path, lines), why="the place most like it", columns=columns)
    became = TraceResult.SAME if lines == passage.lines and hit.path == passage.path else TraceResult.MOVED
    return FollowedText(became, Place(hit.path, lines), why="the same words between the same lines", columns=columns)
