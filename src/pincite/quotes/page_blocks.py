"""The pages of a paper as blocks of lines in reading order, each with what it is: body, small print, caption, other.

Running heads and feet are left out here: lines at the edge of a page that recur, that count with the pages, or that
stand alone at a height where other pages have such a line, too. So is what does not run level, such as a stamp in the
margin.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from typing import TYPE_CHECKING

from msgspec import Struct

from .furniture import page_number, recurring_pattern
from .page_rows import Column, PageRow, order_columns, read_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_CAPTION = re.compile(
    r"""\s*(?:
        (?:(?:Extended[ ]Data|Supplementa(?:l|ry))[ ])?
        (?:Fig(?:ure|\.)?|Table|Algorithm|Listing|Scheme|Chart|Box|Plate|Program|Exhibit|Map)
        |FIG(?:URE|\.)?|TABLE|ALGORITHM|LISTING|Abb(?:ildung|\.)|Tabelle|Tableau
    )\s?(?:[A-Z]{0,2}[-.]?[0-9]{1,3}|[IVXL]{1,6}\b)  # Figure 3, Table A.2, TABLE IV
    """,
    re.VERBOSE,
)
# Behind its number a caption has a stop, a capital or nothing; a sentence goes on in lower case.
_CAPTION_GOES_ON = re.compile(
    r"[a-z]?[-.]?[0-9]{0,2}[a-z]?(?:\s?\([a-zA-Z0-9, -]{1,8}\))?\s{0,2}(?:[.:|–—-]|[^\W\d_a-zß-öø-ÿ]|[“\"]|\Z)"
)
_WORD = re.compile(r"[^\W\d_]{2,}")
_CONTINUES = re.compile(r"\s*(?!\([a-z]{1,3}\))[(\[“\"‘']?[a-zß-öø-ÿ]")
_SHUT = re.compile(r"[.!?:;][)\]”\"’']{0,2}\Z")
_PART = 0.04
"""How far sizes of type may differ and be the same."""
_GAP = 1.32
"""From how many distances of lines on a new block begins."""
_EDGE_LINES = 3
_LINE = 30
"""Letters of a line that tells how wide the body is set."""
_ISOLATED = 1.35
_PAGES = 3
_LEVEL = 25

BODY, SMALL, CAPTION, OTHER = "body", "small", "caption", "other"


class PageBlock(Struct, gc=False):
    """Lines of one column that belong together."""

    kind: str
    rows: list[PageRow]
    column: int
    """A number for each column of the document, in reading order."""
    left: int
    right: int
    """The edges of its column."""

    @property
    def page(self) -> int:
        """Where it stands, counted from 0."""
        return self.rows[0].page

    @property
    def goes_on(self) -> bool:
        """Whether it begins inside a sentence, as far as letters tell."""
        return continues(self.rows[0].text)


class Measures(Struct, frozen=True):
    """What most lines of a paper have."""

    size: int
    leading: int
    width: int
    """Of its lines."""
    tolerance: float
    """How far the size of the body's own lines may differ from it."""


def find_blocks(pages: Sequence[str], boxes: Sequence[bytes]) -> list[PageBlock]:
    """Every block of a paper in reading order; none where it is not known of most pages where their lines stand."""
    rows = [read_rows(at, text, box) for at, (text, box) in enumerate(zip(pages, boxes, strict=False))]
    known = [one for one in rows if one]
    measures = _measure(known)
    if measures is None or len(known) * 2 < sum(1 for text in pages if text.strip()):
        return []
    kept = _without_edges([one or [] for one in rows], measures)
    blocks: list[PageBlock] = []
    number = 0
    for page, lines in enumerate(kept):
        if rows[page] is None and pages[page].strip():
            # A page of which nothing is known parts what stands before it from what follows.
            blocks.append(PageBlock(OTHER, [PageRow(page, 0, pages[page], 0, 0, 0, 0)], number := number + 1, 0, 0))
        own = _fit(lines, measures)
        for column in order_columns(lines):
            number += 1
            blocks += _cut(column, number, own)
    return blocks


def _measure(pages: Sequence[list[PageRow]]) -> Measures | None:
    sizes: Counter[int] = Counter()
    steps: Counter[int] = Counter()
    for rows in pages:
        for row in rows:
            if row.size > 0:
                sizes[row.size] += len(row.text)
        for before, row in itertools.pairwise(rows):
            if before.size == row.size and 0 < before.foot - row.foot < 4 * row.size:
                steps[(before.foot - row.foot + 1) // 2 * 2] += len(row.text)
    if not sizes or not steps:
        return None
    size = max(sizes, key=lambda one: sum(sizes[near] for near in range(one - 1, one + 2)))
    total = sum(sizes.values())
    near = sum(count for one, count in sizes.items() if abs(one - size) <= _PART * size)
    widths: Counter[int] = Counter()
    for rows in pages:
        for row in rows:
            if abs(row.size - size) <= _PART * size and len(row.text) >= _LINE:
                widths[(row.right - row.left) // 50] += 1
    # Where letters were recognised from a picture, each line has a size of its own.
    return Measures(
        size,
        max(steps, key=lambda step: steps[step]),
        50 * max(widths, key=lambda width: widths[width], default=0),
        _PART if near * 2 > total else 4 * _PART,
    )


def _fit(rows: list[PageRow], measures: Measures) -> Measures:
    """The measures of one page, whose type may be a little larger or smaller where it was scanned."""
    sizes: Counter[int] = Counter()
    for row in rows:
        if row.size > 0:
            sizes[row.size] += len(row.text)
    if not sizes:
        return measures
    size, count = sizes.most_common(1)[0]
    if abs(size - measures.size) * 8 > measures.size or count * 2 < sum(sizes.values()):
        return measures
    return Measures(size, measures.leading, measures.width, measures.tolerance)


def _without_edges(pages: list[list[PageRow]], measures: Measures) -> list[list[PageRow]]:
    """The lines of each page without running heads and feet, and without what does not run level."""
    level = [[row for row in rows if row.size >= 0] for rows in pages]
    for top in (True, False):
        edges = [_edge(rows, top) for rows in level]
        gone = _recurring(edges, measures)
        level = [[row for row in rows if id(row) not in gone[page]] for page, rows in enumerate(level)]
    return level


def _edge(rows: list[PageRow], top: bool) -> list[list[PageRow]]:
    """The outermost lines of a page from the edge inwards, those on one height together; one more than may be heads."""
    found: list[list[PageRow]] = []
    for row in sorted(rows, key=lambda row: row.foot, reverse=top):
        if found and row.size and found[-1][0].size and abs(found[-1][0].foot - row.foot) <= _LEVEL:
            found[-1].append(row)
        elif len(found) <= _EDGE_LINES:
            found.append([row])
        else:
            break
    return found


def _recurring(edges: list[list[list[PageRow]]], measures: Measures) -> list[set[int]]:
    """Of each page the lines at one edge that are no text of their own."""
    patterns: Counter[str] = Counter()
    heights: Counter[tuple[int, int]] = Counter()
    isolated: Counter[tuple[int, int]] = Counter()
    shifts: Counter[int] = Counter()
    for page, lines in enumerate(edges):
        patterns.update({recurring_pattern(row.text) for line in lines[:_EDGE_LINES] for row in line} - {""})
        shifts.update(
            {number - page for line in lines[:2] for row in line if (number := page_number(row.text)) is not None}
        )
        for at, line in enumerate(lines[:2]):
            heights[at, line[0].foot // _LEVEL] += 1
            isolated[at, line[0].foot // _LEVEL] += _is_isolated(lines, at, measures)
    gone: list[set[int]] = []
    for page, lines in enumerate(edges):
        mine: set[int] = set()
        for at, line in enumerate(lines[:_EDGE_LINES]):
            if not all(_is_edge(row, page, patterns, shifts) for row in line) and not (
                at < 2 and _is_isolated(lines, at, measures) and _usual(at, line, heights, isolated)
            ):
                # The number of a page may stand beside the last line of its text.
                mine.update(id(row) for row in line if not at and len(line) > 1 and _counts(row, page, shifts))
                break
            mine.update(map(id, line))
        gone.append(mine)
    return gone


def _is_edge(row: PageRow, page: int, patterns: Counter[str], shifts: Counter[int]) -> bool:
    if _counts(row, page, shifts):
        return True
    return patterns[recurring_pattern(row.text)] > 1


def _counts(row: PageRow, page: int, shifts: Counter[int]) -> bool:
    """Whether a line is a number that counts with the pages."""
    number = page_number(row.text)
    return number is not None and shifts[number - page] > 1


def _is_isolated(lines: list[list[PageRow]], at: int, measures: Measures) -> bool:
    """Whether a line stands farther from the next one inwards than lines of the body do, or is set in another type."""
    if at + 1 >= len(lines):
        return False
    line, inner = lines[at], lines[at + 1]
    if abs(line[0].foot - inner[0].foot) > _ISOLATED * measures.leading:
        return True
    return line[0].size < (1 - 2 * _PART) * inner[0].size


def _usual(at: int, line: list[PageRow], heights: Counter[tuple[int, int]], isolated: Counter[tuple[int, int]]) -> bool:
    """Whether an isolated line is a number alone, or one at whose height other pages have isolated lines."""
    if not at and len(line) == 1 and page_number(line[0].text) is not None:
        return True
    height = line[0].foot // _LEVEL
    near = range(height - 1, height + 2)
    count = sum(isolated[at, one] for one in near)
    return count >= _PAGES and count * 5 >= sum(heights[at, one] for one in near) * 4


def _cut(column: Column, number: int, measures: Measures) -> Iterator[PageBlock]:
    """The blocks of a column."""
    groups: list[list[PageRow]] = []
    for row in column.rows:
        if groups and not _parts(groups[-1], row, column, measures):
            groups[-1].append(row)
        else:
            groups.append([row])
    for rows in groups:
        yield PageBlock(_kind(rows, column, measures), rows, number, column.left, column.right)


def _parts(rows: list[PageRow], row: PageRow, column: Column, measures: Measures) -> bool:
    """Whether a line begins a new block."""
    before = rows[-1]
    step = before.foot - row.foot
    if step > _GAP * measures.leading:
        return True
    if abs(row.size - before.size) > measures.tolerance * before.size and step > measures.leading // 2:
        # One line in another type may be a formula or a name in a paragraph: two are a change.
        return abs(row.size - rows[-2 if len(rows) > 1 else -1].size) > measures.tolerance * before.size
    if step <= measures.leading // 2 or not is_caption(row.text):
        return False
    # “… as shown in / Figure 3. The”: the line before goes on.
    return before.size != row.size or not breaks_off(before, column.left, column.right)


def continues(text: str) -> bool:
    """Whether a line goes on with a sentence, as far as letters tell."""
    return _CONTINUES.match(text) is not None


def is_caption(text: str) -> bool:
    """Whether a line begins the caption of a figure or a table."""
    found = _CAPTION.match(text)
    return found is not None and _CAPTION_GOES_ON.match(text, found.end()) is not None


def _kind(rows: list[PageRow], column: Column, measures: Measures) -> str:
    if is_caption(rows[0].text):
        return CAPTION
    size, tolerance = measures.size, measures.tolerance
    letters = sum(len(row.text) for row in rows)
    small = sum(len(row.text) for row in rows if 0 < row.size < (1 - tolerance) * size)
    if small * 2 > letters:
        return SMALL
    broad = max(column.right - column.left, measures.width * 9 // 10, 1)
    prose = full = 0
    for row in rows:
        words = len(_WORD.findall(row.text))
        if abs(row.size - size) > tolerance * size or words * 8 < len(row.text.split()) * 5:
            continue
        prose += 1
        full += words >= 4 and (row.right - row.left) * 5 >= broad * 3 and reaches(row, column.left, column.right)
        if row is rows[0] and abs(row.left - column.left) < 30 and _CONTINUES.match(row.text):
            full += (column.right - column.left) * 2 > measures.width
    if len(rows) == 1 and not _CONTINUES.match(rows[0].text):
        # A heading, a label or the row of a table may be as long.
        return OTHER
    # Of a paragraph every line but the last is full, unless its right edge is ragged.
    return BODY if full * 4 >= max(1, len(rows) - 1) and prose * 2 >= len(rows) else OTHER


def reaches(row: PageRow, left: int, right: int) -> bool:
    """Whether a line is as long as its column is wide."""
    return (right - row.right) * 100 <= 4 * (right - left)


def breaks_off(row: PageRow, left: int, right: int) -> bool:
    """Whether a line ends inside a sentence: a word is parted, or the line is full and no stop ends it."""
    text = row.text.rstrip()
    return text.endswith(("\u00ad", "-")) or (reaches(row, left, right) and not _SHUT.search(text))
