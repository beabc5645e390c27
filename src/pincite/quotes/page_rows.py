"""The lines of a page with where they stand on it, and the order in which its columns are read."""

from __future__ import annotations

import itertools
from array import array
from bisect import bisect_left, bisect_right
from collections import Counter
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_LONG = 12
"""Letters of a line that tells where columns stand."""
_FEWEST = 4
_NARROWEST = 600
"""A column is at least so wide, in tenths of a point."""
_BROAD = 1500
_LONGEST_SIDE = 8
"""Lines that columns beside a wide table must have, each at least so broad."""
_DEEPEST = 2
_MOST_ROWS = 1500


class PageRow(Struct, gc=False):
    """A line of a page: the text, and its edges in tenths of a point; heights are counted from below."""

    page: int
    line: int
    """Its number on the page, counted from 0."""
    text: str
    left: int
    right: int
    foot: int
    size: int
    """Of the type; 0 where nothing is known, -1 where the line does not run level."""


class Column(Struct, gc=False):
    """Lines that stand below one another, from top to bottom, and the edges that most of them keep."""

    rows: list[PageRow]
    left: int
    right: int


def read_rows(page: int, text: str, boxes: bytes) -> list[PageRow] | None:
    """The lines of a page that show anything; None where it is not known where they stand."""
    lines = text.split("\n")
    if len(boxes) != 8 * len(lines) or len(lines) > _MOST_ROWS:
        return None
    numbers = array("h", boxes)
    rows: list[PageRow] = []
    for at, line in enumerate(lines):
        if line and not line.isspace():
            left, right, foot, size = numbers[4 * at : 4 * at + 4]
            if size == 0:
                # Nothing is known of it: it stays behind the line that it follows.
                left, right, foot = (rows[-1].left, rows[-1].right, rows[-1].foot - 1) if rows else (0, 0, 32767)
            rows.append(PageRow(page, at, line, left, right, foot, size))
    return rows


def places_of(boxes: Sequence[bytes], page: int, line: int) -> tuple[int, int, int, int] | None:
    """Left, right, foot and size of a line; None where nothing is known of it."""
    data = boxes[page][8 * line : 8 * (line + 1)] if page < len(boxes) else b""
    if len(data) < 8:
        return None
    left, right, foot, size = array("h", data)
    return left, right, foot, size


def order_columns(rows: list[PageRow], depth: int = 0) -> Iterator[Column]:
    """The lines of a page in columns, as they are read: down one column, then the next; what lies across ends both."""
    gutter = (_gutter(rows) or _gutter_beside(rows)) if depth < _DEEPEST else None
    if gutter is None:
        if rows:
            yield _column(_sort_rows(rows))
        return
    left: list[PageRow] = []
    right: list[PageRow] = []
    across: list[PageRow] = []
    for row in rows:
        (left if row.right <= gutter + 20 else right if row.left >= gutter - 20 else across).append(row)
    across, over = _separators(across, left, right)
    left += over
    wide: list[PageRow] = []
    for row in _sort_rows(across):
        above = [one for one in left if one.foot > row.foot], [one for one in right if one.foot > row.foot]
        if above[0] or above[1]:
            yield from _across(wide)
            wide = []
            yield from order_columns(above[0], depth + 1)
            yield from order_columns(above[1], depth + 1)
            left = [one for one in left if one.foot <= row.foot]
            right = [one for one in right if one.foot <= row.foot]
        wide.append(row)
        if (last := _last_line(wide, left, right)) is not None:
            left.remove(last)
            wide.append(last)
    yield from _across(wide)
    yield from order_columns(left, depth + 1)
    yield from order_columns(right, depth + 1)


def _last_line(wide: list[PageRow], left: list[PageRow], right: list[PageRow]) -> PageRow | None:
    """The line that ends a paragraph across the page: no longer than a column, and nothing stands beside it."""
    row = wide[-1]
    below = sorted((one for one in left if one.foot < row.foot), key=lambda one: -one.foot)[:2]
    if not below or below[0].size != row.size or abs(below[0].left - row.left) > 20:
        return None
    last, reach = below[0], row.size * 3 // 2
    if row.foot - last.foot > reach or (len(below) > 1 and last.foot - below[1].foot <= reach):
        return None
    return None if any(abs(one.foot - last.foot) < reach for one in right) else last


def _across(rows: list[PageRow]) -> Iterator[Column]:
    if rows:
        yield _column(rows)


def _gutter(rows: list[PageRow]) -> int | None:
    """Where the right one of two columns begins; None where there are not two."""
    long = [row for row in rows if len(row.text) >= _LONG]
    lefts, rights = sorted(row.left for row in long), sorted(row.right for row in long)
    best, place = 0, None
    for left, count in Counter(left // 10 for left in lefts).items():
        if count < 2:
            continue
        edge = left * 10
        before, after = bisect_right(rights, edge + 20), len(lefts) - bisect_left(lefts, edge - 20)
        fewer = min(before, after)
        if fewer > best and fewer >= _FEWEST and len(long) - before - after <= fewer:
            best, place = fewer, edge
    if place is None:
        return None
    beside = [row for row in long if row.left >= place - 20]
    others = [row for row in long if row.right <= place + 20]
    if min(_breadth(beside), _breadth(others)) < _NARROWEST:
        return None
    high, low = max(row.foot for row in others), min(row.foot for row in others)
    level = sum(1 for row in beside if low <= row.foot <= high)
    return place if level * 2 >= len(beside) or level >= _FEWEST else None


def _gutter_beside(rows: list[PageRow]) -> int | None:
    """The same where a wide table or figure stands above or below the columns: between two lines across it."""
    long = [row for row in rows if len(row.text) >= _LONG]
    ordered = sorted(long, key=lambda row: -row.foot)
    best, place = _LONGEST_SIDE - 1, None
    for left, count in Counter(row.left // 10 for row in long).items():
        if count < _LONGEST_SIDE:
            continue
        edge = left * 10
        for one, other in _bands(ordered, edge):
            fewer = min(len(one), len(other))
            if fewer > best and min(_breadth(one), _breadth(other)) >= _BROAD:
                best, place = fewer, edge
    return place


def _bands(ordered: list[PageRow], edge: int) -> Iterator[tuple[list[PageRow], list[PageRow]]]:
    """The lines on both sides of an edge, from one line across it to the next."""
    one: list[PageRow] = []
    other: list[PageRow] = []
    for row in ordered:
        if row.right <= edge + 20:
            one.append(row)
        elif row.left >= edge - 20:
            other.append(row)
        else:
            yield one, other
            one, other = [], []
    yield one, other


def _breadth(rows: list[PageRow]) -> int:
    """How wide most of these lines are."""
    return sorted(row.right - row.left for row in rows)[len(rows) * 3 // 4]


def _separators(
    across: list[PageRow], left: list[PageRow], right: list[PageRow]
) -> tuple[list[PageRow], list[PageRow]]:
    """Of lines across the gutter, those that end both columns, and those that only stick out of the left one."""
    feet = sorted(row.foot for row in right)
    ends: list[PageRow] = []
    over: list[PageRow] = []
    for row in across:
        reach = max(row.size, 40) * 6 // 10
        beside = bisect_left(feet, row.foot - reach) < bisect_right(feet, row.foot + reach)
        (over if beside else ends).append(row)
    return ends, over


def _sort_rows(rows: list[PageRow]) -> list[PageRow]:
    """Lines from top to bottom; those on one height from left to right."""
    rows = sorted(rows, key=lambda row: -row.foot)
    at = 0
    while at < len(rows):
        end = at + 1
        reach = max(rows[at].size, 40) * 4 // 10
        while end < len(rows) and rows[at].foot - rows[end].foot < reach:
            end += 1
        if end - at > 1 and _disjoint(rows[at:end]):
            rows[at:end] = sorted(rows[at:end], key=lambda row: row.left)
        at = end
    return rows


def _disjoint(rows: Sequence[PageRow]) -> bool:
    ordered = sorted(rows, key=lambda row: row.left)
    return all(before.right <= after.left + 20 for before, after in itertools.pairwise(ordered))


def _column(rows: list[PageRow]) -> Column:
    """Lines with the edges that most of the long ones keep."""
    long = [row for row in rows if len(row.text) >= _LONG] or rows
    lefts = Counter(row.left // 20 for row in long)
    common = max(lefts.values())
    left = min(edge for edge, count in lefts.items() if count * 3 >= common) * 20
    rights = sorted(row.right for row in long)
    return Column(rows, left, rights[len(rights) * 3 // 4])
