"""On which line an offset stands, without counting from the start.

Where every line ends in LF, the number of lines before each block of the text is worked out once, and a question counts
inside one block. Other texts get the offsets of all their lines. Questions that come in order, once, need no index: to
count on from each to the next takes half the time.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate, repeat

from ..text.lines import line_starts

_SHIFT = 9
"""Blocks of 512 code points: fewer make a question dearer, more make the index so."""
_FEW = 256
"""A passage no longer than this is counted through, which is cheaper than to ask for its end."""
LONG = 2048
"""Who counts line ends in ascending order without an index leaves longer passages to it: there may be many of them."""


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
