"""Offsets of others: UTF-16 units as .NET, JavaScript and editors count them, and UTF-8 bytes, to code points and back.

A leading byte order mark is not part of the text and is not counted in any unit.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from itertools import accumulate

from ...search.model import CODE_POINTS, UTF8, UTF16

UNITS = (CODE_POINTS, UTF16, UTF8)
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")
_BLOCK = 4096


class Offsets:
    """Conversions for one text; what they need is worked out once, when it is first asked for."""

    __slots__ = ("_astral", "_bytes", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._astral: list[int] | None = None
        self._bytes: list[int] | None = None

    def to_code_points(self, offset: int, unit: str) -> int | None:
        """The offset in code points; None where it lies outside the text or inside a character."""
        if unit == CODE_POINTS or (unit in UNITS and self._text.isascii()):
            return offset if 0 <= offset <= len(self._text) else None
        if offset < 0:
            return None
        if unit == UTF16:
            return self._from_utf16(offset)
        if unit == UTF8:
            return self._from_utf8(offset)
        raise _unknown(unit)

    def from_code_points(self, offset: int, unit: str) -> int | None:
        """The offset in another unit; None where it lies outside the text."""
        if unit not in UNITS:
            raise _unknown(unit)
        if not 0 <= offset <= len(self._text):
            return None
        if unit == CODE_POINTS or self._text.isascii():
            return offset
        if unit == UTF16:
            return offset + bisect_left(self._wide(), offset)
        block = offset // _BLOCK
        return self._sizes()[block] + len(_encode_text(self._text[block * _BLOCK : offset]))

    def _wide(self) -> list[int]:
        """The places of all characters that take two units."""
        if self._astral is None:
            self._astral = [match.start() for match in _ASTRAL.finditer(self._text)]
        return self._astral

    def _sizes(self) -> list[int]:
        """How many bytes stand before each block."""
        if self._bytes is None:
            text = self._text
            sizes = [len(_encode_text(text[at : at + _BLOCK])) for at in range(0, len(text), _BLOCK)]
            self._bytes = list(accumulate(sizes, initial=0))
        return self._bytes

    def _from_utf16(self, offset: int) -> int | None:
        # The n-th wide character begins at its place plus the n units that those before it took in addition.
        wide = self._wide()
        before = bisect_left(range(len(wide)), offset, key=lambda nth: wide[nth] + nth + 1)
        if before < len(wide) and wide[before] + before + 1 == offset:
            return None
        found = offset - before
        return found if found <= len(self._text) else None

    def _from_utf8(self, offset: int) -> int | None:
        sizes = self._sizes()
        if offset > sizes[-1]:
            return None
        block = min(bisect_right(sizes, offset) - 1, max(len(sizes) - 2, 0))
        start = block * _BLOCK
        held = _encode_text(self._text[start : start + _BLOCK])
        within = offset - sizes[block]
        if within < len(held) and 0x80 <= held[within] < 0xC0:
            return None
        return start + len(held[:within].decode("utf-8", "surrogatepass"))


def _encode_text(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _unknown(unit: str) -> ValueError:
    return ValueError(f"unit: {unit!r} is none that offsets are counted in; expected {', '.join(UNITS)}")
