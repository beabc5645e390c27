"""On which line an offset stands, without counting from the start.

Where every line ends in LF, the number of lines before each block of the text is worked out once, and a question counts
inside one block. Other texts get the offsets of all their lines. Questions that come in order need no index: each
counts on from the one before, which takes half the time.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate, repeat

from ..text.lines import line_starts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_SHIFT = 9
"""Blocks of 512 code points: fewer make a question dearer, more make the index so."""
_FEW = 256
"""A passage no longer than this is counted through, which is cheaper than to ask for its end."""
_LONG = 2048
"""A passage longer than this is never counted through: there may be many of them."""


class LineIndex:
    """The lines of one text, counted from 1; equal to `text.position` for every offset from 0 to its length."""

    __slots__ = ("_before", "_count", "_starts")

    def __init__(self, text: str) -> None:
        self._starts: list[int] | None = None
        if "\r" in text:
            self._starts = line_starts(text)
            return
        count = self._count = text.count
        size = 1 << _SHIFT
        whole = len(text) - len(text) % size
        counts = map(count, repeat("\n"), range(0, whole, size), range(size, whole + 1, size))
        self._before = list(accumulate(counts, initial=1))

    def line(self, offset: int) -> int:
        """The line that holds the code point at `offset`, which lies in the text or at its end."""
        if self._starts is not None:
            return bisect_right(self._starts, offset)
        block = offset >> _SHIFT
        return self._before[block] + self._count("\n", block << _SHIFT, offset)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The first and the last line of the code points from `start` up to `end`, at least one of them."""
        if self._starts is not None:
            return bisect_right(self._starts, start), bisect_right(self._starts, end - 1)
        count = self._count
        block = start >> _SHIFT
        first = self._before[block] + count("\n", block << _SHIFT, start)
        if end - start <= _FEW:
            return first, first + count("\n", start, end - 1)
        block = (end - 1) >> _SHIFT
        return first, self._before[block] + count("\n", block << _SHIFT, end - 1)


class RunningLines:
    """The lines of passages of one text, fastest in ascending order; what is out of order is left to the index."""

    __slots__ = ("_at", "_count", "_index", "_line")

    def __init__(self, text: str, index: Callable[[], LineIndex]) -> None:
        """The text holds no CR; `index` is asked for when it is needed."""
        self._count = text.count
        self._index = index
        self._at = 0
        self._line = 1

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The first and the last line of the code points from `start` up to `end`, at least one of them."""
        at = self._at
        if start < at or end - start > _LONG:
            return self._index().span(start, end)
        count = self._count
        first = self._line = self._line + count("\n", at, start)
        self._at = start
        return first, first + count("\n", start, end - 1)
