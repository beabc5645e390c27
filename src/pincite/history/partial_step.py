"""One change of a file, looked at only near what it changed: of a long file most is the same before and after."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING

from .edited_in_place import stays_alike
from .likeness import evenness, weight
from .line_matching import NEIGHBOURS
from .step import UNDECIDED, FileStep, FileVersion, TextRegion

if TYPE_CHECKING:
    from .hunks import Hunks
    from .line_matching import Window

_REACH = 24
"""Lines above and below a region that are looked at."""
_RADII = ((NEIGHBOURS, 12), (1, 24))
"""How many lines around a region must stand with it to know it by them, and how much all of them must say."""
_NEARLY = 0.8
"""The evenness from which a line is taken for an old one although git's hunks, or names, show otherwise."""
_BESIDE = NEIGHBOURS + 1
"""The same for changes elsewhere in the file: they may have put in what was taken out of the region."""


class PartialStep:
    """The parts of two versions around their hunks and around a region, put together and compared."""

    def __init__(self, then: FileVersion, now: FileVersion, hunks: Hunks | None, region: TextRegion) -> None:
        """Without hunks, or with such as do not fit the two texts, all lines are compared."""
        olds, news = then.size, now.size
        pieces = [(0, olds, 0, news)]
        fitting = hunks is not None and hunks.fit(olds, news)
        if hunks is not None and fitting:
            around = max(0, region.first - _REACH), region.last + 1 + _REACH
            pieces = list(hunks.pieces(around, _BESIDE, olds))
        self._then, self._now = then, now
        self._olds = [piece[0] for piece in pieces]
        self._news = [piece[2] for piece in pieces]
        self._high = [piece[1] for piece in pieces]
        self._from, self._to = [0], [0]
        """Where each piece begins among the lines that are compared."""
        for low, high, start, end in pieces[:-1]:
            self._from.append(self._from[-1] + high - low)
            self._to.append(self._to[-1] + end - start)
        changed = None
        if hunks is not None and fitting:
            then = FileVersion(then.cut((low, high) for low, high, _, _ in pieces))
            now = FileVersion(now.cut((start, end) for _, _, start, end in pieces))
            changed = [self._put_together(*window) for window in hunks.windows()]
        self._step = FileStep(then, now, changed)
        self._changed = changed

    def _put_together(self, low: int, high: int, start: int, end: int) -> Window:
        """What was changed, among the lines that are compared."""
        at = max(0, bisect_right(self._olds, low) - 1)
        old, new = self._from[at] - self._olds[at], self._to[at] - self._news[at]
        return low + old, high + old, start + new, end + new

    def covers(self, region: TextRegion) -> bool:
        """Whether a region and what is around it are among the lines that are compared."""
        at = bisect_right(self._olds, region.first) - 1
        if at < 0 or region.last >= self._high[at]:
            return False
        above = region.first - self._olds[at] >= _REACH or not self._olds[at]
        return above and (self._high[at] - region.last > _REACH or self._high[at] == self._then.size)

    def carry(self, region: TextRegion) -> TextRegion | None:
        """Where a region stands after the change; None where it is gone, UNDECIDED where two places are as likely."""
        inward = self._inward(region)
        moved = self._carry(inward)
        if (
            moved is UNDECIDED
            and self._step.keeps(inward)
            and (plain := self._find_plainly(region, inward)) is not None
        ):
            return plain
        if moved is None or moved is UNDECIDED:
            return moved
        return TextRegion(self._outward(moved.first), self._outward(moved.last), moved.left, moved.right)

    def _find_plainly(self, region: TextRegion, inward: TextRegion) -> TextRegion | None:
        """A region that stands with its neighbours once in both versions, and nothing like it where it stood."""
        for radius, least in _RADII:
            window = self._then.window(region, radius)
            at = self._now.whole.find(window)
            if (
                at < 0
                or weight(window) < least
                or not (_is_unique(window, self._then) and _is_unique(window, self._now))
            ):
                continue
            if stays_alike(self._step.then.keys, inward.first, inward.last, self._step.now.keys) is not None:
                return None
            shift = self._now.whole.count("\n", 0, at + 1) - 1 + min(radius, region.first) - region.first
            return TextRegion(region.first + shift, region.last + shift, region.left, region.right)
        return None

    def _carry(self, region: TextRegion) -> TextRegion | None:
        """Where a region stands among the lines that are compared."""
        if self._changed is None or self._step.keeps(region):
            return self._step.carry(region)
        found = self._whole_step.carry(region)
        if region.first != region.last:
            # The ends of a range are found by names.
            return found
        shown = self._step.carry(region)
        if shown == found:
            return found
        # An edited line is the one that is most like it; where only one way finds any, it must be nearly the same.
        best, place = max(
            ((self._rate(region, moved), at, moved) for at, moved in enumerate((found, shown))), key=lambda one: one[:2]
        )[::2]
        alone = min(self._rate(region, moved) for moved in (found, shown)) < 0
        return place if best >= (_NEARLY if alone else 0.0) else UNDECIDED if UNDECIDED in (found, shown) else None

    def _rate(self, region: TextRegion, moved: TextRegion | None) -> float:
        """How like a line is to what it is said to have become; less than nothing where that is nothing."""
        if moved is None or moved is UNDECIDED:
            return -1.0
        return evenness(self._step.then.keys[region.first], "".join(self._step.now.keys[moved.first : moved.last + 1]))

    @cached_property
    def _whole_step(self) -> FileStep:
        """The same by lines that stand once in both: of text that was rewritten, git pairs brackets and blank lines."""
        return FileStep(self._step.then, self._step.now)

    def is_touched(self, region: TextRegion, moved: TextRegion) -> bool:
        """Whether the words of a region are others after the change."""
        return self._then.cut([(region.first, region.last + 1)]) != self._now.cut([(moved.first, moved.last + 1)])

    def is_replaced(self, region: TextRegion) -> bool:
        """Whether other lines, blank ones aside, stand where the first one of a region stood."""
        return self._step.is_replaced(self._inward(region))

    def _inward(self, region: TextRegion) -> TextRegion:
        at = bisect_right(self._olds, region.first) - 1
        shift = self._from[at] - self._olds[at]
        return TextRegion(region.first + shift, region.last + shift, region.left, region.right)

    def _outward(self, line: int) -> int:
        at = bisect_right(self._to, line) - 1
        return line + self._news[at] - self._to[at]


def _is_unique(window: str, text: FileVersion) -> bool:
    """Whether a text has these lines once."""
    return text.whole.find(window, text.whole.find(window) + 1) < 0
