"""On which line an offset stands, without counting from the start.

Where every line ends in LF, the number of lines before each block of the text is worked out once, and a question counts
inside one block. Other texts get the offsets of all their lines. Questions that come in order need no index: each
counts on from the one before.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from ..text import line_starts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_SHIFT = 10
"""Blocks of 1,024 code points: fewer make a question dearer, more make the index so."""
_FEW = 2048
"""A passage no longer than this is counted through."""


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
        self._before = list(
            accumulate([count("\n", at, at + size) for at in range(0, len(text) + 1 - size, size)], initial=1)
        )

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
        block = start >> _SHIFT
        first = self._before[block] + self._count("\n", block << _SHIFT, start)
        # A long passage must not be counted through: there may be many of them.
        return first, first + self._count("\n", start, end - 1) if end - start <= _FEW else self.line(end - 1)


class Running:
    """The lines of passages of one text that come in ascending order; the others are left to its index."""

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
        if start < at or end - start > _FEW:
            return self._index().span(start, end)
        count = self._count
        first = self._line = self._line + count("\n", at, start)
        self._at = start
        return first, first + count("\n", start, end - 1)
