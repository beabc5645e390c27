"""Decoding, lines and columns: what a line is, the same everywhere.

A line ends at LF, CRLF or CR and at nothing else. A final line end adds no line; an empty text has none.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate, count
from operator import add
from typing import TYPE_CHECKING

from ..core.errors import Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_LONG = 1 << 20
"""Code points from which on the places of lines are packed."""

_BREAK = re.compile(r"\r\n|\r|\n")
BOM = b"\xef\xbb\xbf"
_WIDE_BOMS = (b"\xff\xfe", b"\xfe\xff")
_HEAD = 1024
"""Bytes at the beginning of a text that show whether it is UTF-16."""
_SPARSE = 8


def decode(data: bytes) -> str:
    """The text of UTF-8 bytes without a leading BOM; raises Unreadable naming the offending byte."""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        if data.startswith(_WIDE_BOMS):
            raise Unreadable(f"UTF-16 text, expected UTF-8 (byte 0x{data[0]:02x} at offset 0)") from None
        at = error.start
        raise Unreadable(f"not UTF-8 (byte 0x{data[at]:02x} at offset {at})") from None
    return text[1:] if text.startswith("\ufeff") else text


def can_encode(text: str) -> bool:
    """Whether a text is UTF-8 when written: one with lone surrogates is not."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def find_wide_codec(data: bytes) -> str:
    """The codec of UTF-16 or UTF-32 text, with or without a BOM; empty for anything else.

    Only the first bytes are looked at: UTF-8 text has no NUL, and this is asked of every document.
    """
    if data[:2] in _WIDE_BOMS:
        return "utf-32" if data[:4] == b"\xff\xfe\0\0" else "utf-16"
    return _guess_wide_codec(data[:_HEAD]) if b"\0" in data[:_HEAD] else ""


def _guess_wide_codec(head: bytes) -> str:
    """The same by where the NULs are: the upper bytes of each letter of plain text."""
    head = head[: len(head) // 4 * 4] or head
    empty = [head[at::4].count(0) for at in range(4)]
    quarter = len(head) // 4
    if quarter and quarter in (empty[3], empty[0]):
        if empty[3] == empty[2] == quarter and empty[0] < quarter:
            return "utf-32-le"
        if empty[0] == empty[1] == quarter and empty[3] < quarter:
            return "utf-32-be"
    even, odd = head[::2].count(0), head[1::2].count(0)
    # Of UTF-8 with a stray NUL or two, most letters are not followed by one.
    if (even and odd) or ((even + odd) * _SPARSE < len(head) and _is_utf8(head)):
        return ""
    return "utf-16-le" if odd else "utf-16-be"


def _is_utf8(head: bytes) -> bool:
    """Whether bytes are the beginning of UTF-8 text; the last letter may be cut."""
    from codecs import getincrementaldecoder

    try:
        getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return False
    return True


def encode_like(text: str, old: bytes) -> bytes:
    """The bytes of a text that takes the place of others: UTF-8, with a BOM where those have one."""
    return BOM + text.encode() if old.startswith(BOM) else text.encode()


def split_lines(text: str) -> list[str]:
    """The lines of a text without their ends."""
    lines = text.split("\n") if "\r" not in text else _BREAK.split(text)
    if not lines[-1]:
        lines.pop()
    return lines


def find_starts(lines: Sequence[str]) -> list[int]:
    """Where each line begins, and what follows the last, if each has an end of one code point behind it."""
    return list(map(add, accumulate(map(len, lines), initial=0), count()))


def line_starts(text: str) -> list[int]:
    """The offset at which each line begins; one more than `split_lines` when the text ends a line."""
    if "\r" not in text:
        return find_starts(text.split("\n")[:-1])
    return [0, *(match.end() for match in _BREAK.finditer(text))]


def packed_line_starts(text: str) -> Sequence[int]:
    """The same, in four bytes for each line of a long text: one of nothing but line ends fills memory otherwise."""
    if len(text) <= _LONG:
        return line_starts(text)
    from array import array

    return array("I", (0,)) + array("I", (found.end() for found in _BREAK.finditer(text)))


def position(starts: Sequence[int], offset: int) -> tuple[int, int]:
    """Line and column, both 1-based, column in code points."""
    row = bisect_right(starts, offset) - 1
    return row + 1, offset - starts[row] + 1


def replace_spans(text: str, changes: Iterable[tuple[int, int, str]]) -> str:
    """The text with other words in some places, given in order; what begins inside the last change is passed over."""
    pieces: list[str] = []
    at = 0
    for start, end, new in changes:
        if start >= at:
            pieces += text[at:start], new
            at = end
    return "".join((*pieces, text[at:]))


def shorten(text: str, limit: int) -> str:
    """At most `limit` characters, the cut marked."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def is_put_aside(path: str) -> bool:
    """Whether a file's name says that it is what was kept of another: `app.py.bak`, `app.py~`."""
    return path.endswith((".bak", ".orig", ".old", ".rej", ".save", ".swp", ".tmp", "~"))


def format_count(number: int, noun: str, several: str = "") -> str:
    """`1 citation`, `2 citations`; `several` where that is not the noun with an s: `2 entries`."""
    return f"{number:,} {noun if number == 1 else several or noun + 's'}"


def join(folder: str, path: str) -> str:
    """A path written in a document of that folder, as a path from the root; `..` beyond the root is kept."""
    whole = f"{folder}/{path}" if folder else path
    if "./" not in whole and "//" not in whole and whole[:1] not in ("", "/", ".") and whole[-1] not in "/.":
        return whole
    parts: list[str] = []
    for part in whole.split("/"):
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)
