"""Offsets of a text in the units that a client counts: UTF-8 bytes, UTF-16 units or code points."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from ...text.lines import packed_line_starts, position

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...core.model import Lines, Span

_BOM = "\ufeff"
_LARGEST = 2**31 - 1


class TextIndex:
    """One version of a text. Its offsets are code points, and those of a leading BOM do not count, as in a check."""

    def __init__(self, text: str, encoding: str) -> None:
        self.lead = _BOM if text.startswith(_BOM) else ""
        self.text = text[len(self.lead) :]
        self.encoding = encoding
        self.starts: Sequence[int] = packed_line_starts(self.text)

    @property
    def whole(self) -> str:
        """The text as the client has it."""
        return self.lead + self.text

    def line(self, row: int) -> str:
        """A line without its end; rows count from 0."""
        end = self.starts[row + 1] if row + 1 < len(self.starts) else len(self.text)
        return self.text[self.starts[row] : end].rstrip("\r\n")

    def offset(self, place: types.Position) -> int:
        """The offset of a client's position; what lies beyond a line or the text is its end."""
        row = max(place.line, 0)
        if row >= len(self.starts):
            return len(self.text)
        line = self.line(row)
        units = max(place.character, 0) - (self._count(self.lead) if row == 0 else 0)
        return self.starts[row] + self._find_column(line, max(units, 0))

    def place(self, offset: int) -> types.Position:
        """The client's position of an offset."""
        offset = min(max(offset, 0), len(self.text))
        row = position(self.starts, offset)[0] - 1
        units = self._count(self.text[self.starts[row] : offset])
        return types.Position(row, units + (self._count(self.lead) if row == 0 else 0))

    def range(self, start: int, end: int) -> types.Range:
        """The client's range between two offsets."""
        return types.Range(self.place(start), self.place(end))

    def range_of(self, span: Span) -> types.Range:
        """The client's range of a span."""
        return self.range(span.start, span.end)

    def start_of(self, line: int, column: int) -> int:
        """The offset of a line and column as reports count them, from 1."""
        row = min(max(line, 1), len(self.starts)) - 1
        return min(self.starts[row] + max(column, 1) - 1, len(self.text))

    def replace(self, change: types.Range, text: str) -> TextIndex:
        """The text with another text in the place of a range."""
        whole = self.whole
        start, end = sorted((self._offset_in_whole(change.start), self._offset_in_whole(change.end)))
        return TextIndex(whole[:start] + text + whole[end:], self.encoding)

    def _offset_in_whole(self, place: types.Position) -> int:
        """The offset of a position where a leading BOM counts."""
        if place.line > 0 or not self.lead:
            return len(self.lead) + self.offset(place)
        return self._find_column(self.lead + self.line(0), max(place.character, 0))

    def _count(self, text: str) -> int:
        if self.encoding == types.PositionEncodingKind.Utf32 or text.isascii():
            return len(text)
        if self.encoding == types.PositionEncodingKind.Utf8:
            return len(text.encode("utf-8", "surrogatepass"))
        return len(text) + sum(char > "\uffff" for char in text)

    def _find_column(self, line: str, units: int) -> int:
        """The column at which so many units of a line are passed."""
        if self.encoding == types.PositionEncodingKind.Utf32 or line.isascii():
            return min(units, len(line))
        left = units
        for column, char in enumerate(line):
            if left <= 0:
                return column
            left -= self._count(char)
        return len(line)


def range_of_lines(lines: Lines | None) -> types.Range:
    """Whole lines of a file, whatever a client counts; the beginning of it where there are none."""
    if lines is None:
        return types.Range(types.Position(0, 0), types.Position(0, 0))
    first = min(max(lines.first, 1), _LARGEST)
    last = min(max(lines.last, first), _LARGEST)
    return types.Range(types.Position(first - 1, 0), types.Position(last, 0))
