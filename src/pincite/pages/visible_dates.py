"""Days that the visible text of a page names where readers look for its date: near the title, or after a label."""

from __future__ import annotations

import re
import sys
from itertools import islice
from typing import TYPE_CHECKING

from msgspec import Struct

from .dates import has_date, lines_with_date
from .labels import CHANGED, MAY_LABEL, NAMES_NO_DAY, OTHER, PUBLISHED, SAYS_CHANGED, SAYS_PUBLISHED, named_days
from .short_text import bare
from .tag_scan import ALIEN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_NUMBERS = re.compile(r"\d[/.-] ?\d\d?[/.-]")
BESIDE_TITLE = "beside the title"
_BEFORE, _AFTER = 8, 25
_CLOSE, _NEXT = 4, 2
_FEW = 1
_LONGEST_LINE = 240
_LONGEST_TITLE = 400
_LONGEST_DATED = 2000
_SHORTEST_TITLE = 4
_MOST_TITLES = 12
_REPEATED = 6
_ROOM = 90
_SHORT = 40
_LABEL, _LABELLING = 24, 30
_START = 3
_BEGINNING = 50
_MOST_LINES = 4000
_MARGIN = 40
_NONE = (sys.maxsize, sys.maxsize, "")
"""A span behind every text."""


class VisibleDate(Struct, frozen=True):
    """A day in the text."""

    day: str
    place: str
    clear: bool
    """Whether its line has hardly anything else, or says that something was published then."""
    close: bool = False
    """Whether it stands in one of the first lines below the title."""
    far: bool = False
    """Whether several lines are between it and the title."""
    said: bool = False
    """Whether a word before it says that it is a day of publication."""


def _read_lines(text: str, separate: Sequence[tuple[int, int, str]]) -> Iterator[tuple[str, bool]]:
    """The lines that no alien span holds, and whether each stands where other texts are named."""
    alien = [*(one for one in separate if one[2] == ALIEN), _NONE]
    others = [*(one for one in separate if one[2] != ALIEN), _NONE]
    at = first = second = 0
    for line in text.split("\n"):
        start, end, at = at, at + len(line), at + len(line) + 1
        while alien[first][1] <= start:
            first += 1
        while others[second][1] <= start:
            second += 1
        near, other = alien[first], others[second]
        if near[0] >= end and other[0] >= end:
            yield line, False
            continue
        # The sign of an item may stand before the span that it belongs to.
        content = start + min(len(line) - len(line.lstrip(" -*•")), _MARGIN)
        if near[0] > content or near[1] < end:
            yield line, near[0] >= end and other[0] <= content and other[1] >= end


class TextLines:
    """The lines of a text that have anything in them, and which of them is its title.

    Those that readers of the page wrote, or do not see, are left out.
    """

    __slots__ = ("_at", "_dated", "_others", "all")

    def __init__(self, text: str, titles: Sequence[str], separate: Sequence[tuple[int, int, str]] = ()) -> None:
        self._others: frozenset[int] = frozenset()
        """The lines by number that stand where other texts are named."""
        if separate:
            named = [one for one in islice(_read_lines(text, separate), _MOST_LINES) if one[0].strip()]
            self.all = [line for line, _ in named]
            self._others = frozenset(number for number, (_, other) in enumerate(named) if other)
        else:
            self.all = [line for line in text.split("\n", _MOST_LINES)[:_MOST_LINES] if line.strip()]
        self._at = _title_at(self.all, titles)
        self._dated: list[str] | None = None

    @property
    def main(self) -> list[str]:
        """The lines without those that stand where other texts are named."""
        if not self._others:
            return self.all
        return [line for number, line in enumerate(self.all) if number not in self._others]

    @property
    def dated(self) -> list[str]:
        """The lines that may have a date."""
        if self._dated is None:
            self._dated = list(lines_with_date("\n".join(self.all)))
        return self._dated

    @property
    def title_number(self) -> list[int]:
        """The number of the line that is the title, if any."""
        return [self._at] if self._at is not None else []

    def numbers(self, below: int, above: int) -> tuple[range, range]:
        """The lines below the title and those above it by number, the nearest first; none without a title."""
        at = self._at
        if at is None:
            return range(0), range(0)
        return range(at + 1, min(at + 1 + below, len(self.all))), range(at - 1, max(-1, at - 1 - above), -1)

    def lines_around(self, below: int, above: int) -> tuple[list[str], list[str]]:
        """The same lines themselves, without those that stand where other texts are named."""
        after, before = self.numbers(below, above)
        kept = self._others
        return [self.all[n] for n in after if n not in kept], [self.all[n] for n in before if n not in kept]

    def nearness(self, number: int) -> tuple[bool, bool]:
        """Whether a line is one of the first below the title, and whether several lines are between the two."""
        steps = number - self._at if self._at is not None else _MOST_LINES
        return 0 < steps <= _CLOSE and number not in self._others, not -_CLOSE <= steps <= 2 * _CLOSE

    def label_above(self, number: int) -> str:
        """The line above, where it is short enough to be the label of this one."""
        above = self.all[number - 1] if number else ""
        return above if len(above) <= _LABEL and not has_date(above) else ""


def find_day_beside_title(lines: TextLines, order: str, last: str = "") -> VisibleDate | None:
    """The day that stands beside the title, the nearest first, below it sooner than above; none after `last`."""
    below, above = lines.numbers(_AFTER, _BEFORE)
    for part, rest in (
        (below[:_CLOSE], range(0)),
        (above[:_NEXT], range(0)),
        (above[_NEXT:_CLOSE], above[_CLOSE:]),
        (below[_CLOSE : 2 * _CLOSE], below[2 * _CLOSE :]),
        (above[_CLOSE:], range(0)),
        (below[2 * _CLOSE :], range(0)),
        (lines.title_number, range(0)),
    ):
        found = next(_find_short_line_dates(lines, part, order, last), None)
        if found is not None:
            # Several days there are those of a list of other texts, unless one is said to be of publication.
            days = {one.day for one in _find_short_line_dates(lines, [*part, *rest], order, last)} if rest else ()
            return None if len(days) > _FEW and not found.said else found
    return None


def has_numbers(lines: TextLines) -> bool:
    """Whether a line beside the title has a date in numbers, whose order has to be known."""
    below, above = lines.lines_around(_AFTER, _BEFORE)
    return any(
        _NUMBERS.search(line[: _LONGEST_LINE if len(line) <= 2 * _ROOM else _BEGINNING]) for line in (*below, *above)
    )


def find_day_elsewhere(lines: TextLines, order: str, last: str = "") -> VisibleDate | None:
    """A day after a word that says that something was published then; else the only one that the text names."""
    dated = lines.dated
    labelled = _find_labelled_date(dated, order, last)
    if labelled is not None:
        return labelled
    named: dict[str, str] = {}
    for line in dated:
        found = named_days(line[:_LONGEST_DATED], order)
        if found and not named:
            # Only of the first line is the one above looked up.
            found = named_days(line[:_LONGEST_DATED], order, lines.label_above(lines.all.index(line)))
        for one in found:
            named[one.day] = named.get(one.day) or one.meaning
            if len(named) > 1:
                return None
    if len(named) != 1:
        return None
    [(day, meaning)] = named.items()
    return None if meaning == OTHER or (last and day > last) else VisibleDate(day, "text", clear=False)


def _title_at(lines: list[str], titles: Iterable[str]) -> int | None:
    """The number of the line that is the title; of a longer one, that of the line that begins it."""
    given = list(dict.fromkeys(title for title in titles if len(title) >= _SHORTEST_TITLE))[:_MOST_TITLES]
    for title in given:
        # Most stand there letter by letter; comparing bare letters takes longer.
        if title in lines:
            return _not_path(lines, title, lines.index(title))
    sought = list(dict.fromkeys(one for title in given if len(one := bare(title[:_LONGEST_TITLE])) >= _SHORTEST_TITLE))
    if not sought:
        return None
    longest = 2 * max(map(len, sought)) + 20
    shortest = max(min(map(len, sought)) // 2, _SHORTEST_TITLE)
    bares = [(number, bare(line)) for number, line in enumerate(lines) if shortest <= len(line) <= longest]
    known: dict[str, int] = {}
    for number, line in bares:
        known.setdefault(line, number)
    found = next((known[one] for one in sought if one in known), None)
    if found is not None:
        return found
    for one in sought:
        for number, line in bares:
            if len(line) >= _SHORTEST_TITLE * 3 and 2 * len(line) > len(one) and one.startswith(line):
                return number
    return None


def _not_path(lines: list[str], title: str, at: int) -> int:
    """The number of the next line that is the title, where the first is the end of a path above it."""
    after = lines[at + 1 : at + 1 + _REPEATED]
    return at + 1 + after.index(title) if title in after else at


def find_change_date(lines: TextLines, order: str, last: str = "") -> str:
    """The day of the last change, where a short line says that it is one; empty where none does."""
    for line in lines.dated:
        low = line.lower()
        if len(line) <= _ROOM and SAYS_CHANGED.search(low) and not NAMES_NO_DAY.search(low):
            for one in named_days(line, order):
                if one.meaning == CHANGED and not (last and one.day > last):
                    return one.day
    return ""


def _find_short_line_dates(lines: TextLines, numbers: Iterable[int], order: str, last: str) -> Iterator[VisibleDate]:
    """The days in lines that have little else, or begin with it, or label it; of each line the first."""
    for number in numbers:
        line = lines.all[number]
        if len(line) > _LONGEST_LINE * 4:
            continue
        # Of a paragraph only what it begins with.
        short = line[: _LONGEST_LINE if len(line) <= 2 * _ROOM else _BEGINNING]
        if not has_date(short) or NAMES_NO_DAY.search(short.lower()):
            continue
        for one in named_days(short, order, lines.label_above(number)):
            if one.meaning in (CHANGED, OTHER) or (last and one.day > last):
                continue
            if len(line) <= _ROOM or one.start < _START or MAY_LABEL.search(one.before[-_LABELLING:]):
                said = one.meaning == PUBLISHED
                clear = said or len(line) <= (_ROOM if one.timed else _SHORT)
                yield VisibleDate(one.day, BESIDE_TITLE, clear, *lines.nearness(number), said)
                break


def _find_labelled_date(lines: list[str], order: str, last: str) -> VisibleDate | None:
    """The first day after a word that says that something was published then; in a short line."""
    for line in lines:
        low = line.lower()
        if len(line) > _LONGEST_LINE or not SAYS_PUBLISHED.search(low) or NAMES_NO_DAY.search(low):
            continue
        for one in named_days(line, order):
            if one.meaning == PUBLISHED and not (last and one.day > last):
                return VisibleDate(one.day, "labelled in the text", clear=True)
    return None
