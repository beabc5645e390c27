"""Where a range of lines begins and ends after a change that replaced some of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .bare_lines import strip_lines
from .likeness import evenness, weight
from .line_matching import match_lines

if TYPE_CHECKING:
    from .changed_lines import ChangedLines, Span
    from .step import FileVersion

_MOST_LOST = 60
"""Lines gone from an end of a range, beyond which the range is gone."""
_HEAVIEST = 40
"""Letters and digits of one line that count: an address is not worth more than a statement."""
_SOMEWHAT = 0.42
"""The evenness from which lines at an end of a range were edited there, though none of them is recognised."""
_SAME_TEXT = 0.75
"""The evenness from which two texts are the same with other line ends."""
_FARTHEST_CLOSE = 40
_BRACKETS = ("()", "[]", "{}")
_OTHERS = {kind: re.compile(f"[^{re.escape(kind)}]+").sub for kind in _BRACKETS}
"""Takes all that is no bracket of a kind out of a text."""
_TELLING = 8
"""Letters and digits of a line that is recognised by itself."""
_BROKEN_UP = 5
"""Lines that one line may become."""
_ON_END = 2
"""How many of these together are a part of a text that is left."""
_APART = 4
"""How many lines further the next one of them may stand."""


def count_most_lines(lines: int) -> int:
    """How many lines a range may grow to. One that grew more was edited beyond recognition."""
    return max(_BROKEN_UP, 5 * lines - 1)


def has_outgrown(then: Sequence[str], now: Sequence[str]) -> bool:
    """Whether a range grew to more lines than it may. One whose text was only broken into more lines did not grow."""
    if len(now) <= count_most_lines(len(then)):
        return False
    old, new = ("".join("".join(lines).split()) for lines in (then, now))
    return len(new) > 2 * len(old) or evenness(old, new) < _SAME_TEXT


class RangeEnds:
    """Looks for the ends of ranges in one change."""

    def __init__(self, then: FileVersion, now: FileVersion, matches: Sequence[int], changed: ChangedLines) -> None:
        self._then = then
        self._now = now
        self._matches = matches
        self._changed = changed

    def find(self, first: int, last: int) -> Span | None:
        """First and last line each for itself; where one is gone, the nearest one inside that is not.

        None where more than half of the text is gone.
        """
        # A blank line says nothing about where the text around it went.
        telling = [at for at in range(first, last + 1) if self._then.keys[at]] or list(range(first, last + 1))
        top = self._find_nearest(telling[:_MOST_LOST])
        bottom = self._find_nearest(telling[: -_MOST_LOST - 1 : -1]) if top is not None else None
        if top is None or bottom is None:
            return None
        begin, above = self._extend_top(first, last, telling[0], *top)
        end, below = self._extend_bottom(first, last, telling[-1], *bottom)
        if begin > end:
            return None
        lost = above + below
        if lost and lost * 2 > sum(self._weigh(at) for at in telling):
            return None
        return self._add_blank(begin, end, telling[0] - first, last - telling[-1])

    def _add_blank(self, begin: int, end: int, above: int, below: int) -> Span:
        """A range with the blank lines at its ends, as many as there were and still are."""
        keys = self._now.keys
        while above and begin and not keys[begin - 1]:
            begin, above = begin - 1, above - 1
        while below and end + 1 < len(keys) and not keys[end + 1]:
            end, below = end + 1, below - 1
        return begin, end

    def _find_nearest(self, lines: Sequence[int]) -> tuple[int, Span] | None:
        """The first of some lines that is still there, and what it became."""
        for at in lines:
            found = self._changed.find_line(at)
            if found is not None:
                return at, found
        return None

    def _extend_top(self, first: int, last: int, outer: int, at: int, found: Span) -> tuple[int, float]:
        """Where a range begins, and how much of it is lost above its first line that is left.

        `outer` is its first line that is not blank.
        """
        lost = self._count_lost(range(first, at))
        if self._matches[outer] < 0 and lost:
            low, high, start, end = self._changed.hunk(outer)
            if low >= first and high <= last and self._is_rewritten(low, high, start, end):
                return self._skip_blank(range(start, end)), lost / 2
        return found[0], lost

    def _extend_bottom(self, first: int, last: int, outer: int, at: int, found: Span) -> tuple[int, float]:
        """The same for its end."""
        lost = self._count_lost(range(at + 1, last + 1))
        if self._matches[outer] < 0 and lost:
            low, high, start, end = self._changed.hunk(outer)
            if high <= last + 1 and low > first and self._is_rewritten(low, high, start, end):
                return self._skip_blank(range(end - 1, start - 1, -1)), lost / 2
        return found[1], lost

    def _is_rewritten(self, low: int, high: int, start: int, end: int) -> bool:
        """Whether lines that are inside a range gave way to about as many that are somewhat like them."""
        if not 0 < end - start <= 2 * (high - low) + 2:
            return False
        return evenness("".join(self._then.keys[low:high]), "".join(self._now.keys[start:end])) >= _SOMEWHAT

    def _skip_blank(self, lines: Sequence[int]) -> int:
        return next(at for at in lines if self._now.keys[at])

    def _count_lost(self, lines: Sequence[int]) -> float:
        return sum(self._weigh(at) for at in lines if self._then.keys[at])

    def _weigh(self, at: int) -> int:
        return 1 + min(weight(self._then.lines[at]), _HEAVIEST)


def find_remains(then: Sequence[str], now: Sequence[str], first: int = 0, end: int | None = None) -> list[Span]:
    """The stretches of a text that still have some lines on end of a part of an old one, in order; lines from 0.

    Lines that stood elsewhere in the old text and still do are not taken for lines of the part that read the same.
    None where these are less than a fifth of it.
    """
    whole, news = strip_lines(then), strip_lines(now)
    end = len(whole) if end is None else min(end, len(whole))
    olds = whole[first:end]
    telling = [at for at, line in enumerate(olds) if weight(line) >= _TELLING]
    places = match_lines(olds, news)
    others: set[int] = set()
    if len(olds) < len(whole) and max(places, default=-1) >= 0:
        stayed = match_lines(whole, news)
        others = {*stayed[:first], *stayed[end:]}
    stretches: list[list[int]] = []
    for at in telling:
        if places[at] < 0 or places[at] in others:
            continue
        if not stretches or places[at] - stretches[-1][-1] > _APART:
            stretches.append([])
        stretches[-1].append(places[at])
    left = [stretch for stretch in stretches if len(stretch) >= _ON_END]
    if sum(map(len, left)) * 5 < len(telling):
        return []
    return [(stretch[0], stretch[-1]) for stretch in left]


def find_closing_line(then: Sequence[str], now: Sequence[str], first: int, last: int) -> int:
    """The last line, moved on to where a bracket that is opened inside is closed, if all of its kind once were.

    `then` are the old lines; the new ones go from `first` to `last` of `now`.
    """
    kinds = [kind for kind in _BRACKETS if _is_closed(then, kind)]
    farthest = min(len(now), first + count_most_lines(len(then)), last + 1 + _FARTHEST_CLOSE)
    inside = "".join(now[first : last + 1])
    depths = [_count(inside, kind) for kind in kinds]
    for at in range(last, farthest):
        if at > last:
            depths = [depth + _count(now[at], kind) for depth, kind in zip(depths, kinds, strict=True)]
        if all(depth <= 0 for depth in depths):
            return at
    return last


def _is_closed(lines: Sequence[str], kind: str) -> bool:
    """Whether lines open brackets of a kind, and close these and no others."""
    text = "".join(lines)
    if kind[0] not in text or text.count(kind[0]) != text.count(kind[1]):
        return False
    depth = 0
    for sign in _OTHERS[kind]("", text):
        depth += 1 if sign == kind[0] else -1
        if depth < 0:
            return False
    return True


def _count(line: str, kind: str) -> int:
    return line.count(kind[0]) - line.count(kind[1])
