"""A text made searchable: its key, and the way back from a place in the key to the page and the characters."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from .fold import key_lines, key_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_LONGEST_LINE = 600


class PageLine(NamedTuple):
    """A line of a page."""

    place: tuple[int, int]
    """Its page and its number there, both counted from 0."""
    text: str
    start: int
    """Where it begins in the text of the layer."""


class Layer:
    """One running text over all pages, folded once."""

    def __init__(
        self,
        pieces: Sequence[tuple[int, str]],
        gaps: Sequence[tuple[int, int, str]] = (),
        known: Mapping[str, bytes] | None = None,
        firsts: Sequence[int] = (),
    ) -> None:
        """Pieces are page and text, in order; gaps say where in which piece something of what kind was left out.

        Keys of lines that are known already are not made again. `firsts` says with which line of its page each begins.
        """
        self._pages = [page for page, _ in pieces] or [0]
        self._firsts = firsts
        self.text = "\n".join(piece for _, piece in pieces)
        self._page_starts = [0, *accumulate(len(piece) + 1 for _, piece in pieces)][: len(self._pages)]
        self.gaps = [(self._page_starts[at] + offset, kind) for at, offset, kind in gaps]
        """Offset in the text, and what was left out there."""
        lines = self.text.split("\n")
        if known is None:
            keys = key_lines(self.text)
        else:
            keys = [key_of(line) if (key := known.get(line)) is None else key for line in lines]
        self.line_keys = dict(zip(lines, keys, strict=True)) if known is None else {}
        """The key of each line, for a layer that is made of the same lines."""
        lengths = [len(line) for line in lines]
        if max(lengths) > _LONGEST_LINE:
            lengths, keys = _cut(lines, keys)
        else:
            lengths = [length + 1 for length in lengths]
        self.key = b"".join(keys)
        self._starts = [0, *accumulate(lengths)]
        self._key_starts = [0, *accumulate(map(len, keys))]
        self._sizes: dict[str, int] = {}

    def page_at(self, offset: int) -> int:
        """The page that holds this character."""
        return self._pages[max(0, bisect_right(self._page_starts, offset) - 1)]

    def lines(self, start: int, end: int) -> list[PageLine]:
        """The lines that hold these characters and show anything."""
        found: list[PageLine] = []
        at = max(0, bisect_right(self._page_starts, start) - 1)
        while at < len(self._pages) and self._page_starts[at] < end:
            first = self._page_starts[at]
            stop = self._page_starts[at + 1] - 1 if at + 1 < len(self._page_starts) else len(self.text)
            begin = self.text.rfind("\n", first, max(first, start)) + 1 or first
            line = self.text.count("\n", first, begin) + (self._firsts[at] if self._firsts else 0)
            while begin < min(end, stop):
                last = self.text.find("\n", begin, stop)
                last = stop if last < 0 else last
                if text := self.text[begin:last].strip():
                    found.append(PageLine((self._pages[at], line), text, begin))
                begin, line = last + 1, line + 1
            at += 1
        return found

    def page_end(self, offset: int) -> int:
        """Where the page after that of this character ends."""
        at = bisect_right(self._page_starts, offset) - 1
        page = self._pages[at]
        while at < len(self._pages) and self._pages[at] <= page + 1:
            at += 1
        return self._page_starts[at] if at < len(self._page_starts) else len(self.text)

    def offset(self, place: int) -> int:
        """The character whose key stands at this place of the whole key."""
        row = min(bisect_right(self._key_starts, place) - 1, len(self._starts) - 2)
        at, left = self._starts[row], place - self._key_starts[row]
        text, sizes = self.text, self._sizes
        stop = min(self._starts[row + 1], len(text))
        while at < stop:
            sign = text[at]
            size = sizes.get(sign)
            if size is None:
                size = sizes[sign] = len(key_of(sign))
            if left < size:
                return at
            left -= size
            at += 1
        return at

    def span(self, place: int, size: int) -> tuple[int, int]:
        """The characters from the first to the last of a stretch of the key, which must not be empty."""
        return self.offset(place), self.offset(place + size - 1) + 1

    def place(self, offset: int) -> int:
        """Where the key of the text from this character on begins."""
        row = min(bisect_right(self._starts, offset) - 1, len(self._starts) - 2)
        return self._key_starts[row] + len(key_of(self.text[self._starts[row] : offset]))

    def places(self, key: bytes, start: int = 0, stop: int | None = None, limit: int = 400) -> Iterator[int]:
        """Where a key stands in the whole key, in order, at most so often."""
        end = len(self.key) if stop is None else stop
        while limit and key and (at := self.key.find(key, start, end)) >= 0:
            yield at
            start, limit = at + 1, limit - 1

    def left_out(self, start: int, end: int) -> tuple[str, ...]:
        """What was left out behind one character and up to another."""
        first = bisect_right(self.gaps, (start, "\U0010ffff"))
        last = bisect_right(self.gaps, (end, "\U0010ffff"))
        return tuple(dict.fromkeys(kind for _, kind in self.gaps[first:last]))


def _cut(lines: list[str], keys: list[bytes]) -> tuple[list[int], list[bytes]]:
    """Lengths and keys of the lines, the long ones in several pieces, so that the way back stays short."""
    lengths: list[int] = []
    pieces: list[bytes] = []
    for line, key in zip(lines, keys, strict=True):
        if len(line) <= _LONGEST_LINE:
            lengths.append(len(line) + 1)
            pieces.append(key)
            continue
        parts = [line[at : at + _LONGEST_LINE] for at in range(0, len(line), _LONGEST_LINE)]
        lengths += map(len, parts)
        lengths[-1] += 1
        pieces += map(key_of, parts)
    return lengths, pieces
