"""Lines that follow one another in a file and not on its page: where text, captions, notes and running heads meet.

A file may draw a caption, a notice or the numbers of a figure right behind a line that stops inside a sentence. Words
from both sides of such a seam stand in the extracted text word for word, and no reader of the page would quote them.
"""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING

from .page_blocks import BODY, CAPTION, SMALL, PageBlock, continues, is_caption
from .page_rows import places_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .searchable_text import PageLine

_SHUT = re.compile(r"[.!?:][)\]”\"’'»*∗†‡¹²³⁴-⁹⁰]{0,4}\s*\Z")
_LEADING = 1.6
"""Sizes of type between two lines, at most, that follow one another without a doubt."""
_SAME_SIZE = 0.04


class LineSeams:
    """Says of lines of a paper whether one goes on with the other."""

    __slots__ = ("_after", "_before", "_blocks", "_known", "_places")

    def __init__(self, blocks: Sequence[PageBlock], kept: Sequence[PageBlock], joined: Mapping[int, int]) -> None:
        """`kept` are the blocks of the running text, `joined` says which block surely goes on in which."""
        self._blocks = blocks
        self._places = {
            (row.page, row.line): (at, number)
            for at, block in enumerate(blocks)
            for number, row in enumerate(block.rows)
        }
        self._known = {row.page for block in blocks for row in block.rows if row.size}
        """Pages of which it is known where their lines stand."""
        numbers = {id(block): at for at, block in enumerate(blocks)}
        order = [numbers[id(block)] for block in kept]
        self._after = dict(itertools.pairwise(order)) | dict(joined)
        self._before = {other: one for one, other in self._after.items()}

    def find(self, lines: Sequence[PageLine]) -> PageLine | None:
        """The first of these lines that does not go on with the one before."""
        for one, other in itertools.pairwise(lines):
            if {one.place[0], other.place[0]} <= self._known and self._is_seam(one, other):
                return other
        return None

    def _is_seam(self, one: PageLine, other: PageLine) -> bool:
        opened, goes_on = _SHUT.search(one.text) is None, continues(other.text)
        before, after = self._places.get(one.place), self._places.get(other.place)
        if before is None or after is None:
            # What is in no block is a running head, a foot or a stamp in the margin.
            return (before is not after) and (goes_on if before is None else opened)
        if before[0] == after[0] or not (opened or goes_on):
            return False
        above, below = self._blocks[before[0]], self._blocks[after[0]]
        if before[1] + 1 < len(above.rows) or after[1]:
            # One of them is interrupted by the other: by what the file draws there, not by what a page shows there.
            return _is_other(above, below) and (opened if above.kind == BODY else goes_on)
        return self._is_turn(before[0], after[0], opened, goes_on)

    def _is_turn(self, one: int, other: int, opened: bool, goes_on: bool) -> bool:
        """Whether the end of a block and the begin of another one do not belong together."""
        above, below = self._blocks[one], self._blocks[other]
        captioned = CAPTION in (above.kind, below.kind)
        odd = captioned or (above.kind == SMALL) != (below.kind == SMALL)
        if opened and goes_on and _is_below(above, below):
            return False
        if self._after.get(one) == other:
            # Both belong to the running text as far as the layout shows: only small print that starts anew is none.
            return odd and (captioned or opened != goes_on)
        if odd:
            return True
        if opened and goes_on and above.kind == below.kind == BODY:
            # What reads on reads on, even where the columns of a page are not what they seem to be.
            return False
        following, preceding = self._after.get(one), self._before.get(other)
        return (opened and following is not None and self._blocks[following].goes_on) or (
            goes_on and preceding is not None and not _SHUT.search(self._blocks[preceding].rows[-1].text)
        )


def _is_below(one: PageBlock, other: PageBlock) -> bool:
    """Whether a block goes on right below another one in type of its size."""
    last, first = one.rows[-1], other.rows[0]
    return (
        one.column == other.column
        and abs(last.size - first.size) <= _SAME_SIZE * last.size
        and 0 < last.foot - first.foot <= _LEADING * last.size
    )


def _is_other(one: PageBlock, other: PageBlock) -> bool:
    """Whether two blocks are of different kinds, one of them text."""
    return one.kind != other.kind and BODY in (one.kind, other.kind)


def may_be_seam(boxes: Sequence[bytes], lines: Sequence[PageLine]) -> bool:
    """Whether of any two of these lines the second stands elsewhere than right below the first; quick to say."""
    last: tuple[int, int, int] | None = None
    for line in lines:
        page = line.place[0]
        place = places_of(boxes, *line.place)
        if place is None:
            return True
        _, _, foot, size = place
        if last is not None and (
            last[0] != page
            or min(size, last[2]) <= 0
            or abs(size - last[2]) > _SAME_SIZE * last[2]
            or not 0 < last[1] - foot <= _LEADING * size
            or is_caption(line.text)
        ):
            return True
        last = page, foot, size
    return False
