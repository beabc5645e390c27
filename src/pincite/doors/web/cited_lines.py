"""The lines of a source file that documents rest on: which are shown, and what stands in the margin beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ...core.limits import LIMITS
from .colouring import colour_lines
from .records import Paging
from .rendering import OUTCOMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

LINES_PER_PAGE = 1000
MOST_REFERENCES = 200
"""Citations that are listed in one place; of the others there is the number."""
_MOST_ON_A_PAGE, _FEWEST = 2000, 5
"""Citations that all places of one page share, and those that each has at least."""
_NEIGHBOURS = 3
"""Lines above and below cited ones that are shown with them."""
_SMALLEST_GAP = 2
"""So many lines between two places, or fewer, are shown rather than left out."""
_MOST_LANES = 4
"""Bars side by side in the margin; the last lane holds all that do not fit into the others."""
_MOST_BARS = 400
"""Different ranges of one place that have a bar of their own."""


class SourceReference(Struct, frozen=True):
    """A citation of a file."""

    id: str
    """The id of the citation; empty where its document changed meanwhile."""
    document: str
    line: int
    raw: str
    first: int
    """The first cited line; 0 where no lines are named."""
    last: int
    outcome: str


class MarginBar(Struct, frozen=True):
    """The part of a cited range that stands beside one line."""

    part: str
    """`first`, `middle`, `last` or `only`; empty where the lane is free."""
    outcome: str


class SourceLine(Struct, frozen=True):
    """One line of a file."""

    number: int
    text: str
    is_cut: bool
    """Whether the line goes on behind its text."""
    colours: tuple[tuple[str, int], ...]
    """The classes of its tokens, each with the number of characters that it covers."""
    bars: tuple[MarginBar, ...]

    def pieces(self) -> Iterator[tuple[str, str]]:
        """The text in pieces of one colour."""
        at = 0
        for name, length in self.colours:
            yield name, self.text[at : at + length]
            at += length


class SourceBlock(Struct, frozen=True):
    """Lines that follow one another: cited ones with their citations, or others."""

    first: int
    last: int
    hidden: int
    """How many lines before it are not shown."""
    lines: tuple[SourceLine, ...]
    references: tuple[SourceReference, ...]
    """Who cites lines of it; empty for lines that no document cites."""
    more: int
    """How many citations there are beyond those."""


class _Place:
    """Cited ranges that overlap one another."""

    def __init__(self, first: int) -> None:
        self.first = self.last = first
        self.references: list[SourceReference] = []


def merge_ranges(references: Iterable[SourceReference], total: int) -> list[tuple[int, int]]:
    """The lines to show: cited ones with their neighbours, in order."""
    merged: list[tuple[int, int]] = []
    for one in sorted(references, key=lambda one: one.first):
        first, last = max(1, one.first - _NEIGHBOURS), min(total, one.last + _NEIGHBOURS)
        if merged and first <= merged[-1][1] + _SMALLEST_GAP + 1:
            merged[-1] = merged[-1][0], max(merged[-1][1], last)
        else:
            merged.append((first, last))
    if merged and merged[0][0] <= _SMALLEST_GAP + 1:
        merged[0] = 1, merged[0][1]
    if merged and total - merged[-1][1] <= _SMALLEST_GAP:
        merged[-1] = merged[-1][0], total
    return merged


def cut_ranges(ranges: Sequence[tuple[int, int]], page: int) -> tuple[list[tuple[int, int]], Paging]:
    """The part of some ranges that one page shows; a page beyond the last is the last."""
    total = sum(last - first + 1 for first, last in ranges)
    pages = max(1, -(-total // LINES_PER_PAGE))
    page = min(max(1, page), pages)
    skip, left = (page - 1) * LINES_PER_PAGE, LINES_PER_PAGE
    found = []
    for first, last in ranges:
        length = last - first + 1
        begin = first + min(skip, length)
        skip -= min(skip, length)
        end = min(last, begin + left - 1)
        if begin <= end:
            found.append((begin, end))
            left -= end - begin + 1
    return found, Paging(page, pages, LINES_PER_PAGE, total)


def list_blocks(
    name: str, lines: Sequence[str], ranges: Sequence[tuple[int, int]], references: Sequence[SourceReference]
) -> tuple[SourceBlock, ...]:
    """The shown lines of a file in blocks, each either cited or not."""
    places = [
        one
        for one in _group_places(references)
        if any(one.first <= last and first <= one.last for first, last in ranges)
    ]
    most = min(MOST_REFERENCES, max(_FEWEST, _MOST_ON_A_PAGE // max(1, len(places))))
    rows = _LineRows(name, lines, ranges, most)
    blocks: list[SourceBlock] = []
    shown_until = 0
    for first, last in ranges:
        at = first
        for place in [one for one in places if one.first <= last and first <= one.last]:
            if at < place.first:
                blocks.append(rows.make_block(at, place.first - 1, at - shown_until - 1, None))
                shown_until = place.first - 1
            at, end = max(at, place.first), min(place.last, last)
            blocks.append(rows.make_block(at, end, at - shown_until - 1, place))
            shown_until, at = end, end + 1
        if at <= last:
            blocks.append(rows.make_block(at, last, at - shown_until - 1, None))
            shown_until = last
    return tuple(blocks)


def _group_places(references: Sequence[SourceReference]) -> list[_Place]:
    places: list[_Place] = []
    for one in sorted(references, key=lambda one: (one.first, one.last, one.document, one.line)):
        if not places or one.first > places[-1].last:
            places.append(_Place(one.first))
        places[-1].last = max(places[-1].last, one.last)
        places[-1].references.append(one)
    return places


class _LineRows:
    """Lines as they are shown: cut, coloured, with their bars."""

    def __init__(self, name: str, lines: Sequence[str], ranges: Sequence[tuple[int, int]], most: int) -> None:
        self._lines = lines
        self._most = most
        self._colours: dict[int, list[tuple[str, str]]] = {}
        # A string that began above the shown lines is known only where the whole file is read.
        for first, last in ((1, len(lines)), *ranges):
            if first in self._colours and last in self._colours:
                continue
            text = [_show_line(line) for line in lines[first - 1 : last]]
            coloured = colour_lines(name, text)
            if (first, last) == (1, len(lines)) and all(len(pieces) < 2 for pieces in coloured):
                # It was too large as a whole, or there is nothing to colour: the shown lines are tried for themselves.
                continue
            self._colours.update(enumerate(coloured, first))

    def make_block(self, first: int, last: int, hidden: int, place: _Place | None) -> SourceBlock:
        bars = _list_bars(place, first, last) if place is not None else {}
        free = MarginBar("", "")
        lanes = 1 + max((lane for row in bars.values() for lane in row), default=-1)
        lines = tuple(
            self._make_line(number, tuple(bars.get(number, {}).get(lane, free) for lane in range(lanes)))
            for number in range(first, last + 1)
        )
        references = place.references if place is not None else []
        shown = tuple(references[: self._most])
        return SourceBlock(first, last, hidden, lines, shown, len(references) - len(shown))

    def _make_line(self, number: int, bars: tuple[MarginBar, ...]) -> SourceLine:
        whole = self._lines[number - 1]
        text = _show_line(whole)
        pieces = self._colours.get(number) or ([("", text)] if text else [])
        colours = tuple((name, len(piece)) for name, piece in pieces)
        return SourceLine(number, text, len(whole) > LIMITS.shown_chars, colours, bars)


def _show_line(line: str) -> str:
    return line[: LIMITS.shown_chars].expandtabs(4)


def _list_bars(place: _Place, first: int, last: int) -> dict[int, dict[int, MarginBar]]:
    """The bars beside some lines of a place: by line, then by lane."""
    worst: dict[tuple[int, int], str] = {}
    for one in place.references:
        key = one.first, one.last
        worst[key] = min(worst.get(key, one.outcome), one.outcome, key=OUTCOMES.index)
    ends: list[int] = []
    bars: dict[int, dict[int, MarginBar]] = {}
    for (begin, end), outcome in list(worst.items())[:_MOST_BARS]:
        free = (lane for lane, until in enumerate(ends) if until < begin)
        lane = next(free, min(len(ends), _MOST_LANES - 1))
        ends[lane:] = [end, *ends[lane + 1 :]]
        for number in range(max(begin, first), min(end, last) + 1):
            part = "only" if begin == end else {begin: "first", end: "last"}.get(number, "middle")
            bars.setdefault(number, {})[lane] = MarginBar(part, outcome)
    return bars
