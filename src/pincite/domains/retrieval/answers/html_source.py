"""From what a reader sees of HTML back to its source."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

from ....quotes.fold import normalize_text

if TYPE_CHECKING:
    from collections.abc import Sequence


class Pieces:
    """The pieces of HTML that a reader sees one behind the other, and where each stands in the source."""

    def __init__(self, pieces: Sequence[tuple[int, int, str]]) -> None:
        self._pieces = pieces
        self._starts: dict[bool, list[int]] = {}

    def find(self, offset: int, folded: bool) -> int:
        """The offset in the source of one in what is seen, or in that with its Unicode composed."""
        if not self._pieces:
            return 0
        starts = self._starts.get(folded)
        if starts is None:
            sizes = (len(normalize_text(words) if folded else words) for *_, words in self._pieces)
            starts = self._starts[folded] = [0, *accumulate(sizes)]
        row = max(0, min(bisect_right(starts, offset) - 1, len(self._pieces) - 1))
        first, last, words = self._pieces[row]
        if last - first != len(words):
            # A reference such as `&amp;` is one place.
            return first
        sought = within = offset - starts[row]
        while folded and within < len(words) and (short := sought - len(normalize_text(words[:within]))) > 0:
            within += short
        return min(first + within, last)
