"""Pages as they are printed: numbers, roman numerals, numbers behind letters (`S12`, `e203`), and ranges of them."""

from __future__ import annotations

import re
from functools import lru_cache

from msgspec import Struct

LOWER_ROMAN, UPPER_ROMAN = "~i", "~I"
CITED = r"(?:[0-9]{1,9}|[ivxlcdm]{1,12}|[IVXLCDM]{1,12}|[A-Za-z][0-9]{1,8})"
"""A page as citations write it: of all that are printed, those that are never anything else."""
_LONGEST, _LONGEST_LIST, _MOST = 60, 400, 32
_PAGE = re.compile(r"([A-Za-z]{0,8})\.?([0-9]{1,12})")
_ROMAN = re.compile(r"m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})")
_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
_STEPS = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl")),
    *((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)
_WORD = re.compile(r"(?:pp?\.\s*|[Pp]ages?\s+|pp?\s+|pp?(?=[0-9]))")
_DASHES = re.compile(r"\s*[-\u2010-\u2015\u2212]{1,3}\s*")
_PARTS = re.compile(r"\s*[,;]\s*")


class PageRange(Struct, frozen=True, gc=False):
    """Pages of one series, both ends included."""

    style: str
    """Empty for numbers, LOWER_ROMAN or UPPER_ROMAN, else the letters before the number."""
    first: int
    last: int

    @property
    def series(self) -> str:
        """What pages must share to be compared: `iv` and `IV` do, `4` and `S4` do not."""
        return "~" if self.style[:1] == "~" else self.style.lower()

    @property
    def size(self) -> int:
        """How many pages it spans."""
        return self.last - self.first + 1

    def holds(self, series: str, number: int) -> bool:
        """Whether a page of that series lies in it."""
        return self.first <= number <= self.last and series == self.series

    def within(self, other: PageRange) -> bool:
        """Whether all of it lies in the other."""
        return other.first <= self.first and self.last <= other.last and self.series == other.series

    def meets(self, other: PageRange) -> bool:
        """Whether both have a page in common."""
        return other.first <= self.last and self.first <= other.last and self.series == other.series

    def name(self, number: int) -> str:
        """How a page of this range is printed."""
        if self.style[:1] != "~":
            return f"{self.style}{number}"
        text = _roman(number)
        return text.upper() if self.style == UPPER_ROMAN else text

    def __str__(self) -> str:
        first, last = self.name(self.first), self.name(self.last)
        return first if self.first == self.last else f"{first}-{last}"


def parse_page(text: str) -> PageRange | None:
    """One page as a range of one: `7`, `iv`, `S12`; None where it is no page."""
    found = parse_range(text)
    return found if found is not None and found.first == found.last and not _DASHES.search(text.strip()) else None


def parse_range(text: str) -> PageRange | None:
    """A range or a single page: `81-97`, `81–97`, `123-7`, `7`, `iv-x`, `S1-S9`; None where it is neither."""
    parts = _ends(text)
    if parts is None:
        return None
    first, last = _single(parts[0]), _single(parts[1])
    if first is None or last is None or first.series != last.series or first.first > last.first:
        return None
    return PageRange(first.style, first.first, last.first)


def parse_ranges(text: str) -> tuple[PageRange, ...]:
    """Ranges parted by commas: `i-xii, 1-300`; empty where any of them is none."""
    return _parse_range_list(text) if len(text) <= _LONGEST_LIST else ()


@lru_cache(maxsize=1024)
def _parse_range_list(text: str) -> tuple[PageRange, ...]:
    parts = _PARTS.split(text.strip())
    if len(parts) > _MOST:
        return ()
    found = [parse_range(part) for part in parts]
    return tuple(item for item in found if item is not None) if None not in found else ()


def normal_ranges(text: str) -> str:
    """Ranges in one spelling: `81–97` and `81--97` are `81-97`, `123-7` is `123-127`; empty where they are none."""
    if not parse_ranges(text):
        return ""
    ends = [_ends(part) for part in _PARTS.split(text.strip())]
    return ", ".join(pair[0] if pair[0] == pair[1] else f"{pair[0]}-{pair[1]}" for pair in ends if pair)


def expand_last(first: str, last: str) -> str:
    """The last page in full where only its final digits are given: `123`, `7` give `127`; `S12`, `5` give `S15`."""
    begin, end = _PAGE.fullmatch(first), _PAGE.fullmatch(last)
    if begin is None or end is None or (end[1] and end[1].lower() != begin[1].lower()):
        return last
    missing = len(begin[2]) - len(end[2])
    if missing > 0 and not end[1]:
        return begin[1] + begin[2][:missing] + end[2]
    return last if end[1] else begin[1] + end[2]


def _ends(text: str) -> tuple[str, str] | None:
    """First and last page as written, the last one in full."""
    text = text.strip()
    if not text or len(text) > _LONGEST:
        return None
    word = _WORD.match(text)
    parts = _DASHES.split(text[word.end() :] if word else text)
    if len(parts) == 1:
        return parts[0], parts[0]
    return (parts[0], expand_last(parts[0], parts[1])) if len(parts) == 2 else None


def _single(text: str) -> PageRange | None:
    found = _PAGE.fullmatch(text)
    if found is not None:
        number = int(found[2])
        return PageRange(found[1], number, number)
    small = text.lower()
    if not text or text not in (small, small.upper()) or _ROMAN.fullmatch(small) is None:
        return None
    number = _roman_value(small)
    return PageRange(UPPER_ROMAN if text.isupper() else LOWER_ROMAN, number, number)


def _roman_value(text: str) -> int:
    values = [_VALUES[letter] for letter in text]
    return sum(-a if a < b else a for a, b in zip(values, [*values[1:], 0], strict=True))


def _roman(number: int) -> str:
    """A number as a roman numeral; one that has none as digits."""
    if not 0 < number < 4000:
        return str(number)
    text = ""
    for value, letters in _STEPS:
        while number >= value:
            text += letters
            number -= value
    return text
