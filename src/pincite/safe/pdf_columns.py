"""Finds the two columns of a page whose lines were drawn across both, and puts one behind the other.

The child that reads PDFs imports it by its bare name: it may import nothing of pincite.
"""

from __future__ import annotations

import re
from itertools import pairwise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Gutter = tuple[float, float, float]
    """Where the left column has ended, where the right one begins at the earliest, and how broad a letter is."""
    Box = Callable[[int], tuple[float, float, float] | None]
    """Left, right and foot of the character at a place in the text; None where unknown."""
    Row = tuple[int, int, str]
    """A line of a page: its first character, the one behind its last, and how it ends."""

_EDGE = 4
"""Lines at the edge of a page that show whether the outermost is a running head or foot."""
_BETWEEN_CELLS = 14.0
_MEASURE = 10
"""How broad a column is at least, in heights of its letters: narrower ones are the cells of a table."""
_BREAK = re.compile("\r\n?|\n|\x02\n?|\ufffe\n?")


def find_gutter(pieces: Sequence[tuple[float, float, float, float]]) -> Gutter | None:
    """Where most lines made of these pieces (left, right, low, high) part into two broad columns, or None."""
    gaps: list[list[float]] = []
    """Of each gap: where it begins and ends, where the line begins, and where what follows ends."""
    lines, start, wide, cells = 1, pieces[0][0], False, 0
    for before, piece in pairwise(pieces):
        high = piece[3] - piece[2]
        gap = piece[0] - before[1]
        # A dash is a piece of next to no height; it does not begin a line.
        flat = min(high, before[3] - before[2])
        if piece[0] < before[0] or min(piece[3], before[3]) - max(piece[2], before[2]) < flat / 4:
            lines, start, wide = lines + 1, piece[0], False
        elif gap > max(6.0, high * 0.8):
            cells += gap > _BETWEEN_CELLS
            # In justified text gaps between words may be as wide: of each line the widest counts.
            if not wide or gap > gaps[-1][1] - gaps[-1][0]:
                gaps[len(gaps) - wide :] = [[before[1], piece[0], start, piece[1]]]
            else:
                gaps[-1][3] = piece[1]
            wide = True
        elif wide:
            gaps[-1][3] = piece[1]
    # More gaps than lines are a table, which is read row by row.
    if lines < 5 or len(gaps) * 2 < lines or cells > lines * 5 // 4:
        return None
    edges = sorted([(gap[0], 1) for gap in gaps] + [(gap[1], -1) for gap in gaps])
    best = depth = 0
    place = 0.0
    for (x, step), (beyond, _) in pairwise(edges):
        depth += step
        if depth > best:
            best, place = depth, (x + beyond) / 2
    broad = (max(piece[1] for piece in pieces) - min(piece[0] for piece in pieces)) / 4
    through = [gap for gap in gaps if gap[0] <= place <= gap[1]]
    if len(through) * 2 < lines:
        return None
    narrow = min(sum(gap[0] - gap[2] for gap in through), sum(gap[3] - gap[1] for gap in through)) / len(through)
    tall = sum(abs(piece[3] - piece[2]) for piece in pieces) / len(pieces)
    if not narrow > max(broad, _MEASURE * tall):
        return None
    # The right column begins where most of its lines do, few are indented; the left one may come close to it elsewhere.
    begins = sorted(gap[1] for gap in through)[len(through) // 4]
    return max(place, begins - max(6.0, tall * 0.8)), begins - 2, max(tall / 2, 1.0)


def find_rows(text: str) -> list[Row]:
    """The lines of a text, in its order."""
    rows: list[Row] = []
    start = 0
    for found in _BREAK.finditer(text):
        rows.append((start, found.start(), "\ufffe" if found[0] in ("\ufffe", "\x02") else "\n"))
        start = found.end()
    return [*rows, (start, len(text), "\n")]


def split_columns(text: str, gutter: Gutter, box: Box, least: float = 0.0) -> list[Row] | None:
    """The lines of both columns, one after the other; a line across the gutter ends what stands above it.

    None where less than that share of the lines keep the gutter.
    """
    done: list[Row] = []
    columns: tuple[list[Row], list[Row]] = ([], [])
    usual = 40
    rows = find_rows(text)
    starts = [first for first, stop, _ in rows if not text[first:stop].isspace() and first < stop]
    edge = {*starts[:1]} if stands_off(starts[:_EDGE], box) else set()
    edge |= {*starts[-1:]} if stands_off(starts[: -_EDGE - 1 : -1], box) else set()
    across = 0
    for start, stop, ending in rows:
        cut = part(text, start, stop, gutter, box, start + usual) if start not in edge else None
        if cut is None:
            across += 1
            for column in columns:
                done += column
                column.clear()
            done.append((start, stop, ending))
            continue
        last = _before(text, start, cut)
        if last > start:
            cropped = text[last - 1] == "-" and text[last - 2 : last - 1].isalpha() and cut < stop
            columns[0].append((start, last - 1, "\ufffe") if cropped else (start, last, "\n" if cut < stop else ending))
        if cut < stop:
            columns[1].append((cut, stop, ending))
            # A little to the right of it, from where the way back is known: there, no gap is in between.
            usual = cut - start + 12 if cut > start else usual
    if across > (1 - least) * len(rows):
        return None
    return [*done, *columns[0], *columns[1]]


def stands_off(starts: Sequence[int], box: Box) -> bool:
    """Whether the first of these lines is set off from the next ones: a running head or foot, not text in columns."""
    feet = [edges[2] for at in starts if (edges := box(at)) is not None]
    steps = [abs(before - after) for before, after in pairwise(feet)]
    return len(steps) == _EDGE - 1 and steps[0] > 1.4 * max(steps[1:]) > 0


def part(text: str, start: int, stop: int, gutter: Gutter, box: Box, likely: int) -> int | None:
    """Where the right column begins in a line: its start or end where it is in one only; None where it lies across."""
    ended, begins, broad = gutter
    cut, low, high = stop, start, _before(text, start, stop)
    """What is before `low` is on the left, what is from `cut` on is not; `high` is `cut` without the blanks ahead."""
    while True:
        while low < high and text[low] == " ":
            low += 1
        if low < high:
            at = text.rfind(" ", low, min(max(likely, low), high - 1) + 1) + 1 or low
            edges = box(at)
            if edges is None:
                return None
            # Words stand at even distances, more or less: asking where the right one should be saves most questions.
            letters = abs(edges[0] - begins) / broad
            jump = int(letters) if letters < 1000 else 10
            if edges[0] < begins:
                end = text.find(" ", at, high)
                low, likely = (end + 1 if end >= 0 else high), at + jump
                continue
            cut, high, likely = at, _before(text, start, at), at - 1 - jump * 7 // 8
        edges = box(high - 1) if high > start else (ended, ended, 0.0)
        if edges is None:
            return None
        if edges[1] <= ended + 1:
            return cut
        if edges[0] < begins or low >= high:
            return None


def _before(text: str, start: int, stop: int) -> int:
    """The end of what stands before `stop`, without the blanks between."""
    while stop > start and text[stop - 1] == " ":
        stop -= 1
    return stop
