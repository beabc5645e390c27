"""Offsets of others: UTF-16 units as .NET, JavaScript and editors count them, and UTF-8 bytes, to code points and back.

A leading byte order mark is not part of the text and is not counted in any unit.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from ...search.model import CODE_POINTS, UTF8, UTF16

_ENCODINGS = {UTF16: ("utf-16-le", 2), UTF8: ("utf-8", 1)}
"""How a text is encoded to be counted, and how many bytes make a unit."""
UNITS = (CODE_POINTS, *_ENCODINGS)
_BLOCK = 4096


class Offsets:
    """Conversions for one text; what they need is worked out once, when it is first asked for."""

    __slots__ = ("_before", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._before: dict[str, list[int]] = {}

    def to_code_points(self, offset: int, unit: str) -> int | None:
        """The offset in code points; None where it lies outside the text or inside a character."""
        before = self._units_before(unit)
        if before is None:
            return offset if 0 <= offset <= len(self._text) else None
        if not 0 <= offset <= before[-1]:
            return None
        block = min(bisect_right(before, offset), len(before) - 1) - 1
        held = self._text[block * _BLOCK : (block + 1) * _BLOCK]
        encoding, width = _ENCODINGS[unit]
        try:
            found = _encode(held, unit)[: (offset - before[block]) * width].decode(encoding, "surrogatepass")
        except UnicodeDecodeError:
            return None
        # Half of a pair of surrogates is no character of the text.
        return block * _BLOCK + len(found) if held.startswith(found) else None

    def from_code_points(self, offset: int, unit: str) -> int | None:
        """The offset in another unit; None where it lies outside the text."""
        before = self._units_before(unit)
        if not 0 <= offset <= len(self._text):
            return None
        if before is None:
            return offset
        block = offset // _BLOCK
        return before[block] + len(_encode(self._text[block * _BLOCK : offset], unit)) // _ENCODINGS[unit][1]

    def _units_before(self, unit: str) -> list[int] | None:
        """How many units stand before each block; None where every unit is a code point."""
        if unit not in UNITS:
            raise ValueError(f"unit: {unit!r} is none that offsets are counted in; expected {', '.join(UNITS)}")
        text = self._text
        if unit == CODE_POINTS or text.isascii():
            return None
        if unit not in self._before:
            blocks = (_encode(text[at : at + _BLOCK], unit) for at in range(0, len(text), _BLOCK))
            width = _ENCODINGS[unit][1]
            self._before[unit] = list(accumulate((len(block) // width for block in blocks), initial=0))
        return self._before[unit]


def _encode(text: str, unit: str) -> bytes:
    return text.encode(_ENCODINGS[unit][0], "surrogatepass")
