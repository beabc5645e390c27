"""Places where lines that were seen may stand now, and what speaks for and against each of them."""

from __future__ import annotations

from functools import cached_property
from heapq import nlargest
from math import log2
from typing import TYPE_CHECKING

from msgspec import Struct

from .fragment import carry_fragment
from .likeness import evenness, find_names, likeness, weight
from .line_matching import find_occurrences
from .passage_signs import GONE_WEIGHTS, WEIGHTS, GoneSigns, Signs, weigh
from .step import UNDECIDED, FileStep, FileVersion, TextRegion

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .model import CitedPassage

_TELLING = 3
"""Letters and digits below which a line is not looked for: brackets and `if` stand everywhere."""
_LEAST_LIKENESS = 0.5
"""The least likeness of edited lines that are worth a look."""
_LIKE_NEIGHBOUR = 0.55
"""The least likeness of an edited neighbour."""
_REACH = 5
"""How many lines a neighbour may have been pushed away."""
_FULL_SIDE = 30
"""Letters and digits beyond which a neighbour, or all on one side, say no more."""
_AROUND = 6
"""Lines above and below a place that are read together with it as one change."""
_MOST_GROWN = 5
"""How many times as long as before a range may be."""
_MOST_COMPARED = 8
"""Places of one file that are compared in full: the best at first sight."""
_MOST_ALIKE = 12
_MOST_VOTES = 60
"""Lines of a passage that name places."""
_RARE = 20
"""How often a line may stand in a file to name places."""
_COMMON = 200
_PLENTY = 1_000_000
"""Lines to compare, beyond which edited ones are not looked for."""
_LONGEST = 4000
"""Characters of a passage or a line that are compared."""
_SHORT, _SHORTISH = 4, 12
"""Letters and digits below which words say nothing by themselves, or little: `}` and `return None`."""
_BESIDE_SHORT = 0.65
"""The least share of its neighbours for the very words where these are few and the nearest line is another one."""
_BESIDE_COPY, _BESIDE_EDITED_COPY = 0.7, 0.9
"""The same for the very words and for edited ones in a file that has neither the place nor the name of the old one."""
_LARGEST = 1000
"""Letters and digits beyond which more of them do not make a passage rarer."""


class PassageMatch(Struct, frozen=True, gc=False):
    """A place where a passage may stand."""

    path: str
    region: TextRegion
    exact: bool
    signs: Signs
    words_lost: bool = False
    """Whether a part of a line was cited, and is not there."""

    @property
    def score(self) -> float:
        """The logarithm of how likely it is, compared with other places of the same passage."""
        return weigh(WEIGHTS, self.signs)


class SearchedFile(Struct, frozen=True, gc=False):
    """A file in which a passage is looked for."""

    path: str
    text: FileVersion
    at_home: bool = True
    leaves_home: bool = False
    """Whether the passage's own file is another one, which still has some of the lines that were seen."""
    spread: int = 0
    """How many files have the rarest line of the passage."""
    namesake: bool = False


class SearchedPassage:
    """A passage with what it is compared by."""

    def __init__(self, passage: CitedPassage) -> None:
        self.passage = passage
        self.keys = FileVersion.of(passage.text).soft
        self.before = FileVersion.of(passage.before).soft[::-1]
        self.after = FileVersion.of(passage.after).soft

    @cached_property
    def lines(self) -> list[str]:
        """All lines that were seen, those that say something."""
        return [key for key in (*self.keys, *self.before, *self.after) if weight(key) >= _TELLING]

    @cached_property
    def _joined(self) -> str:
        return "".join(self.keys)[:_LONGEST]

    @cached_property
    def _weight(self) -> int:
        return sum(map(weight, self.keys))

    @cached_property
    def _sides(self) -> tuple[list[tuple[str, float]], list[tuple[str, float]]]:
        """The lines above and below, the nearest first, each with what it counts."""
        above, below = (
            [(key, min(weight(key), _FULL_SIDE) / (1 + 0.3 * away)) for away, key in enumerate(side)]
            for side in (self.before, self.after)
        )
        return above, below

    @cached_property
    def _seen(self) -> tuple[float, float]:
        """How much was seen above and below, from 0 to 1."""
        above, below = (min(1.0, sum(value for _, value in side) / _FULL_SIDE) for side in self._sides)
        return above, below

    @cached_property
    def _then(self) -> FileVersion:
        """All that was seen, as one text."""
        return FileVersion.of([*self.passage.before, *self.passage.text, *self.passage.after])

    def rate_gone(self, home: FileVersion | None) -> float:
        """The logarithm of how likely the passage is gone, compared with its places."""
        signs = GoneSigns(1.0, float(home is not None and self._is_closed(home)), sum(self._seen))
        return weigh(GONE_WEIGHTS, signs)

    def _is_closed(self, home: FileVersion) -> bool:
        """Whether the nearest lines above and below that say something follow each other now."""
        above, below = ([key for key, value in side if value >= 2][:1] for side in self._sides)
        if not above or not below:
            return False
        for at in home.where.get(above[0], ())[:_COMMON]:
            for key in home.soft[at + 1 : at + 1 + _REACH]:
                if key == below[0]:
                    return True
                if weight(key) >= 2:
                    break
        return False

    def find_matches(self, file: SearchedFile) -> list[PassageMatch]:
        """The places of one file that are worth a look, each once."""
        text = file.text
        exact = find_occurrences(self.keys, text.soft)
        sure = self._find_unmoved(text, exact)
        places = [sure] if sure is not None else self._find_places(text, exact)
        found: dict[tuple[int, int], PassageMatch] = {}
        for first in places:
            match = self._compare(file, first, len(exact))
            if match is not None:
                region = match.region.first, match.region.last
                if region not in found or match.exact:
                    found[region] = match
        return list(found.values())

    def _find_unmoved(self, now: FileVersion, exact: list[int]) -> int | None:
        """The one place of the very words between all the lines that were seen, if these say enough."""
        if sum(self._seen) < 1:
            return None
        size, above = len(self.keys), self.before[::-1]
        keys = now.soft
        whole = [
            at
            for at in exact[:_COMMON]
            if keys[max(0, at - len(above)) : at] == above
            and keys[at + size : at + size + len(self.after)] == self.after
        ]
        return whole[0] if len(whole) == 1 and len(exact) <= _COMMON else None

    def _find_places(self, now: FileVersion, exact: list[int]) -> list[int]:
        """Where the first line may stand: by what is the same or like it there, the best at first sight."""
        keys, size = now.soft, len(self.keys)
        home = self.passage.lines.first - 1
        exact = nlargest(_COMMON, exact, key=lambda at: -abs(at - home)) if len(exact) > _COMMON else exact
        places = {*exact, *self._find_alike(now), *self._find_by_lines(now)}
        inside = [at for at in places if 0 <= at < len(keys)]
        if len(inside) * size > _PLENTY:
            # So much that repeats itself: only the very words can tell.
            inside = exact
        if len(inside) <= _MOST_COMPARED:
            return inside
        return nlargest(_MOST_COMPARED, inside, key=lambda at: (self._glance(keys, at), -abs(at - home)))

    def _find_alike(self, now: FileVersion) -> Iterable[int]:
        """The lines most like the first one."""
        if weight(self.keys[0]) < _TELLING or not now.soft:
            return ()
        from rapidfuzz import process
        from rapidfuzz.distance import Indel

        # A line of a megabyte is known by its beginning.
        keys = now.soft if max(map(len, now.soft)) <= _LONGEST else [key[:_LONGEST] for key in now.soft]
        found = process.extract(
            self.keys[0][:_LONGEST],
            keys,
            scorer=Indel.normalized_similarity,
            score_cutoff=_LEAST_LIKENESS,
            limit=_MOST_ALIKE,
        )
        return [at for _, _, at in found]

    def _find_by_lines(self, now: FileVersion) -> Iterable[int]:
        """Where the first line would stand beside lines that are the same, of the passage and of its neighbours."""
        size = len(self.keys)
        for shift, key in (
            *((-offset, key) for offset, key in enumerate(self.keys[:_MOST_VOTES])),
            *((away, key) for away, key in enumerate(self.before, 1)),
            *((1 - size - away, key) for away, key in enumerate(self.after, 1)),
        ):
            there = now.where.get(key, ())
            if len(there) <= _RARE and weight(key) >= _TELLING:
                yield from (at + shift for at in there)

    def _glance(self, keys: list[str], first: int) -> float:
        """How good a place is at first sight: likeness, and lines next to it that are the same."""
        end = first + len(self.keys)
        there = keys[first:end]
        score = 4.0 if there == self.keys else 4 * likeness(self._joined, "".join(there)[:_LONGEST]) - 1
        for side, lines in ((self._sides[0], keys[max(0, first - 3) : first]), (self._sides[1], keys[end : end + 3])):
            score += sum(value for key, value in side if key in lines) / _FULL_SIDE
        return score

    def _compare(self, file: SearchedFile, first: int, copies: int) -> PassageMatch | None:
        """One place with all that speaks for and against it; None where it is too unlike."""
        now = file.text
        region = TextRegion(first, min(first + len(self.keys), len(now.soft)) - 1)
        exact = now.soft[first : region.last + 1] == self.keys
        not_carried = 0.0
        if not exact:
            if self._is_neighbour(now, region):
                return None
            region, not_carried = self._carry(now, region)
            exact = now.soft[region.first : region.last + 1] == self.keys
        there = "".join(now.soft[region.first : region.last + 1])[:_LONGEST]
        unlike = 0.0 if exact else 1 - likeness(self._joined, there)
        if 1 - unlike < _LEAST_LIKENESS:
            return None
        region, words_lost = self._place_words(now, region)
        beside, apart, touching = self._compare_neighbours(now.soft, region)
        signs = Signs(
            exact=float(exact),
            exact_size=log2(1 + min(self._weight, _LARGEST)) if exact else 0.0,
            copies=log2(max(1, copies)) if exact else 0.0,
            unlike=unlike,
            lost_names=0.0 if exact else self._share_of_lost_names(now.lines[region.first : region.last + 1]),
            not_carried=0.0 if exact else not_carried,
            beside=beside,
            apart=apart,
            apart_edited=0.0 if exact else apart,
            touching=touching,
            distance=log2(1 + abs(region.first + 1 - self.passage.lines.first)) if file.at_home else 0.0,
            indent=float(_indent(now.lines[region.first]) != _indent(self.passage.text[0])),
            elsewhere=float(not file.at_home),
            leaves_home=float(file.leaves_home),
            spread=0.0 if file.at_home else log2(1 + file.spread),
            namesake=float(file.namesake and not file.at_home),
        )
        return PassageMatch(file.path, region, exact, signs, words_lost) if self._is_believable(file, signs) else None

    def _is_believable(self, file: SearchedFile, signs: Signs) -> bool:
        """Whether enough neighbours came along, whatever else speaks for a place."""
        total = signs.beside + signs.apart
        if signs.exact and self._weight < _SHORTISH and not signs.touching and signs.beside < _BESIDE_SHORT * total:
            return False
        if self._weight < _SHORT and not (signs.exact and total):
            return False
        if file.at_home or (file.namesake and not file.leaves_home):
            return True
        return signs.beside >= (_BESIDE_COPY if signs.exact else _BESIDE_EDITED_COPY) * total

    def _is_neighbour(self, now: FileVersion, region: TextRegion) -> bool:
        """Whether a line is one that stood next to the passage, and so is not the passage."""
        key = now.soft[region.first]
        return len(self.keys) == 1 and len(key) > 3 and (key in self.before or key in self.after)

    def _carry(self, now: FileVersion, region: TextRegion) -> tuple[TextRegion, float]:
        """What the passage became, if a place and its neighbours are what all that was seen became in one change.

        With it, from 0 to 1, how little that is so; then the place is left as it is.
        """
        size, above = len(self.keys), len(self.passage.before)
        start = max(0, region.first - _AROUND)
        around = FileVersion.of(now.lines[start : region.last + _AROUND + size // 2 + 4])
        left, right = self.passage.columns or (-1, -1)
        carried = FileStep(self._then, around).carry(TextRegion(above, above + size - 1, left, right))
        if carried is UNDECIDED:
            return region, 0.5
        if carried is None or (size > 1 and carried.last - carried.first >= _MOST_GROWN * size):
            return region, 1.0
        first, last = carried.first + start, carried.last + start
        if first > region.last or last < region.first:
            return region, 1.0
        return TextRegion(first, last, carried.left, carried.right), 0.0

    def _place_words(self, now: FileVersion, region: TextRegion) -> tuple[TextRegion, bool]:
        """The region with the columns of the words that were cited, and whether these are lost."""
        columns, text = self.passage.columns, self.passage.text
        if columns is None:
            return TextRegion(region.first, region.last), False
        if region.left >= 0:
            return region, False
        then = TextRegion(0, len(text) - 1, *columns)
        placed = carry_fragment(list(text), now.lines, then, region.first, region.last)
        return (region, True) if placed is None else (placed, False)

    def _share_of_lost_names(self, lines: Sequence[str]) -> float:
        """How much of what the passage names is no longer named."""
        old, new = find_names("\n".join(self.passage.text)), find_names("\n".join(lines))
        total = sum(map(len, old))
        return sum(map(len, old - new)) / total if total else 0.5

    def _compare_neighbours(self, keys: list[str], region: TextRegion) -> tuple[float, float, float]:
        """How much of the lines above and below is there, how much is not, and on how many sides the nearest is."""
        beside = apart = touching = 0.0
        for side, seen, sign, start in zip(
            self._sides, self._seen, (-1, 1), (region.first - 1, region.last + 1), strict=True
        ):
            total = got = 0.0
            at = start
            for line, value in side:
                likest, place = _find_likest(line, keys, at, sign, _REACH if value else 1)
                if likest == 1 and value and not total:
                    touching += 1
                total += value
                got += value * likest
                at = place + sign if likest else at
            share = got / total if total else 0.0
            beside += share * seen
            apart += (1 - share) * seen
        return beside, apart, touching


def _find_likest(line: str, keys: list[str], at: int, sign: int, reach: int) -> tuple[float, int]:
    """The line most like one, of those from a place on in one direction, and how like it is; the nearer the better."""
    best, place = 0.0, at
    for further in range(reach):
        there = at + sign * further
        if not 0 <= there < len(keys):
            break
        if line == keys[there]:
            alike = 1.0
        elif line and keys[there]:
            alike = evenness(line[:_LONGEST], keys[there][:_LONGEST])
        else:
            continue
        score = alike * (1 - 0.07 * further) if alike >= _LIKE_NEIGHBOUR else 0.0
        if score > best:
            best, place = score, there
        if best == 1:
            break
    return best, place


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
