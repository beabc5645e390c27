"""What replaced lines became: looked for inside the hunk that replaced them, and remembered for the next citation."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

from .edited_in_place import ALIKE as FLOOR
from .likeness import LONGEST, count_common, evenness, keeps_names, likeness
from .line_matching import count_open

if TYPE_CHECKING:
    from .step import FileVersion

Span = tuple[int, int]
"""First and last line."""
Hunk = tuple[int, int, int, int]
"""First and end of the old lines that were replaced, first and end of the new ones in their place."""

MARGIN = 0.04
"""How far the best place must be ahead of the next."""
_LARGEST_HUNK = 800
"""New lines of a hunk, beyond which looking through it would be guessing."""
_LONGEST_HUNK = 400_000
"""The same in characters that are compared, so that a hunk of very long lines costs no more than others."""
_FAR = 400
_LONGEST_RUN = 8
_MOST_STARTS = 40
_LONGEST_JOINED = 4
"""How many times as long as a text the lines may be that it was broken up into."""
_SURELY = 0.75
"""The likeness from which a line may have lost all its names: a function that was renamed."""
_TOGETHER = 0.78
"""How even a line and the several new ones must be that it was broken up into."""
_NEARLY = 0.95
_AHEAD = 0.1
_MORE = 0.08
"""By how much these must be more like it than any one of them."""
_ALL_TOGETHER = 0.75
"""The same where they are all that took its place."""
_MOST_OF_IT = 0.6
"""How much of a line one new line must have to be all that it became."""
_INSIDE = 0.6
"""How much of a new line must be in the old one to be a part of it."""
_REWRAPPED = 0.92
_WRAPPED = 0.85
"""How even the texts of a hunk must be that was only wrapped anew."""
_SMALLEST_WRAP, _LARGEST_WRAP = 12, 4_000
"""Characters of a hunk that may have been wrapped anew."""


class ChangedLines:
    """The hunks of one change, and what each replaced line became."""

    def __init__(self, then: FileVersion, now: FileVersion, matches: Sequence[int]) -> None:
        self._then = then
        self._now = now
        self._matches = matches
        self._hunk: Hunk = (0, 0, 0, 0)
        self._known: dict[tuple[int, bool], Span | None] = {}
        self._rivals: dict[int, float] = {}
        self._floods: dict[int, bool] = {}

    def hunk(self, at: int) -> Hunk:
        """The old lines that were replaced around one of them, and the new ones in their place."""
        if self._hunk[0] <= at < self._hunk[1]:
            return self._hunk
        matches = self._matches
        low, high = at, at + 1
        while low > 0 and matches[low - 1] < 0:
            low -= 1
        while high < len(matches) and matches[high] < 0:
            high += 1
        start = matches[low - 1] + 1 if low else 0
        end = matches[high] if high < len(matches) else len(self._now.lines)
        self._hunk = low, high, start, end
        return self._hunk

    def is_flood(self, at: int) -> bool:
        """Whether so much was put in around a replaced line that looking through it would be guessing."""
        low, _, start, end = self.hunk(at)
        if low not in self._floods:
            size = sum(min(len(line), LONGEST) for line in self._now.keys[start:end])
            self._floods[low] = end - start > _LARGEST_HUNK or size > _LONGEST_HUNK
        return self._floods[low]

    def find_line(self, at: int, part: bool = False) -> Span | None:
        """The new lines that one old line became: mostly one, several where it was broken up.

        Where a part of the line is meant, all lines into which it was broken up are of interest.
        """
        if self._matches[at] >= 0:
            return self._matches[at], self._matches[at]
        if (at, part) not in self._known:
            self._known[at, part] = None if self.is_flood(at) else self._find_line(at, part)
        return self._known[at, part]

    def _find_line(self, at: int, part: bool) -> Span | None:
        hunk = low, high, start, end = self.hunk(at)
        old, news = self._then.keys[at], self._now.keys[start:end]
        if not old or not news:
            return None
        common = count_common(old, news)
        scores = [_rate(shared, len(old), len(new)) for shared, new in zip(common, news, strict=True)]
        best = max(scores)
        here = at - low
        place = min((new for new, score in enumerate(scores) if score == best), key=lambda new: abs(new - here))
        if part:
            run = self._find_run(old, hunk, common, max(best, FLOOR) + _AHEAD, likeness)
            if run is not None:
                return run
        if part or max(common) < _MOST_OF_IT * len(old):
            run = self._find_broken_up(old, hunk, common, evenness(old, news[place]))
            if run is not None:
                return run
        if best < FLOOR:
            return self._find_wrapped(at, at)
        even = high - low == end - start
        rivals = [new for new, score in enumerate(scores) if score > best - MARGIN]
        if any(news[new] != news[place] for new in rivals):
            # Lines that are nearly alike keep their order: as many before it as there were.
            if not even or here not in rivals:
                # Parts of one line that was broken up are all like it: only together are they nearly it.
                return self._find_run(old, hunk, common, _NEARLY, likeness)
            place = here
        elif even and scores.count(best) > 1 and news[here] == news[place]:
            place = here
        if best < _SURELY and not keeps_names(self._then.lines[at], self._now.lines[start + place]):
            return None
        if self._is_another(at, start + place, best):
            return None
        return start + place, start + place

    def _is_another(self, at: int, place: int, best: float) -> bool:
        """Whether another old line of the hunk is more like a new one."""
        low, high, _, _ = self.hunk(at)
        whole = high - low <= _FAR
        first, end = (low, high) if whole else (max(low, at - _FAR), min(high, at + _FAR))
        top = self._rivals.get(place) if whole else None
        if top is None:
            new, olds = self._now.keys[place], self._then.keys[first:end]
            common = count_common(new, olds)
            top = max(_rate(shared, len(old), len(new)) for shared, old in zip(common, olds, strict=True))
            if whole:
                self._rivals[place] = top
        return top > best

    def _find_broken_up(self, old: str, hunk: Hunk, common: Sequence[int], single: float) -> Span | None:
        """The lines into which one was broken up: all that took its place, or a run that is more like it than one."""
        low, high, start, end = hunk
        telling = [at for at in range(start, end) if self._now.keys[at]]
        alone = high - low == 1 and 1 < len(telling) <= _LONGEST_RUN
        if alone and evenness(old, "".join(self._now.keys[start:end])) >= _ALL_TOGETHER:
            return telling[0], telling[-1]
        if max(common) * 2 >= len(old):
            return None
        run = self._find_run(old, hunk, common, max(_TOGETHER, single + _MORE), evenness)
        return None if run is None else self._balance(old, run, hunk)

    def _find_run(
        self, old: str, hunk: Hunk, common: Sequence[int], least: float, rate: Callable[[str, str], float]
    ) -> Span | None:
        """The run of new lines that together are an old text, where it is rated at least so high."""
        _, _, start, end = hunk
        news = self._now.keys[start:end]
        parts = [new for new, line in enumerate(news) if line and common[new] >= _INSIDE * len(line)]
        if len(parts) > _MOST_STARTS:
            parts = sorted(sorted(parts, key=lambda new: -common[new])[:_MOST_STARTS])
        best, found = least, None
        for first in parts:
            joined = news[first]
            for last in range(first + 1, min(len(news), first + _LONGEST_RUN)):
                joined += news[last]
                if len(joined) > _LONGEST_JOINED * len(old):
                    break
                score = rate(old, joined) if news[last] else 0.0
                if score > best:
                    best, found = score, (start + first, start + last)
        return found

    def _balance(self, old: str, run: Span, hunk: Hunk) -> Span:
        """A run of new lines with those next to it that open and close its brackets, if the old line did so."""
        first, last = run
        if count_open([old]):
            return run
        _, _, start, end = hunk
        keys = self._now.keys
        depth = count_open(keys[first : last + 1])
        while depth > 0 and last + 1 < end and last - first < _LONGEST_RUN:
            last += 1
            depth += count_open(keys[last : last + 1])
        while depth < 0 and first > start and last - first < _LONGEST_RUN:
            first -= 1
            depth += count_open(keys[first : first + 1])
        return run if depth else (first, last)

    def find_rewrapped(self, first: int, last: int) -> Span | None:
        """The run of new lines with nearly all the words of several old ones, which only end elsewhere."""
        lines = range(first, last + 1)
        if not 1 < len(lines) <= _LONGEST_RUN or any(self._matches[at] >= 0 for at in lines):
            return None
        hunk = self.hunk(first)
        old, news = "".join(self._then.keys[first : last + 1]), self._now.keys[hunk[2] : hunk[3]]
        if not old or not news:
            return None
        common = count_common(old, news)
        scores = [_rate(shared, len(old), len(new)) for shared, new in zip(common, news, strict=True)]
        best = max(range(len(news)), key=scores.__getitem__)
        alone = len(news[best]) * 2 > len(old) and scores[best] > _REWRAPPED
        run = self._find_run(old, hunk, common, max(_REWRAPPED, scores[best] if alone else 0.0), likeness)
        if run is None and alone:
            return hunk[2] + best, hunk[2] + best
        return run or self._find_wrapped(first, last)

    def _find_wrapped(self, first: int, last: int) -> Span | None:
        """Where lines went in a hunk whose text is nearly the same and only ends its lines elsewhere."""
        low, high, start, end = self.hunk(first)
        if last >= high:
            return None
        olds, news = self._then.keys[low:high], self._now.keys[start:end]
        sizes = sum(map(len, olds)), sum(map(len, news))
        if min(sizes) < _SMALLEST_WRAP or max(sizes) > _LARGEST_WRAP:
            return None
        old, new = "".join(olds), "".join(news)
        if evenness(old, new) < _WRAPPED:
            return None
        from rapidfuzz.distance import LCSseq

        left = sum(map(len, olds[: first - low]))
        right = left + sum(map(len, olds[first - low : last - low + 1]))
        kept: list[int] = []
        for step in LCSseq.opcodes(old, new):
            if step.tag == "equal":
                shift = step.dest_start - step.src_start
                kept += range(max(left, step.src_start) + shift, min(right, step.src_end) + shift)
        if len(kept) < _WRAPPED * (right - left) or not kept:
            # These very lines were dropped, while the others were wrapped anew.
            return None
        ends = list(accumulate(map(len, news)))
        return start + bisect_right(ends, min(kept)), start + bisect_right(ends, max(kept))


def _rate(common: int, old: int, new: int) -> float:
    """The likeness of two lines of which it is known how many characters they share."""
    return common / (old + new) + 0.5 * common / min(old, new) if old and new else 0.0
