"""Takes the lines of a PDF's first page with the size and place of their type, by which a title is recognised, and
reads the date that a PDF gives.

The child that reads PDFs imports it by its bare name: it may import nothing of pincite.
"""

from __future__ import annotations

import ctypes
import math
import re
import unicodedata

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_FIRST, _LAST = 4000, 2000
"""Characters that are looked at: a title is drawn before them, or after the text of its page."""
_LINES = 120
_LINE_CHARACTERS = 400
_WIDE = 0.8
"""A gap that is wider than one between words: two spaces."""
_WIDEST_GAP = 1.3
"""A wider gap, in sizes of the type, parts two pieces of a line: names in columns, columns of text."""
_RAISED = 0.15
_SMALLER = 0.85
_MARK = "\x1f"
"""Stands for a raised sign or several: marks of footnotes and affiliations."""
_SPACES = frozenset((0x20, 0xA0, 0x0D, 0x0A, 0x09))
_SOFT_HYPHEN = 0xAD
_UNKNOWN = "\ufffd"
_FONT_NAME = 128
_SMALLEST = 2.0
_DATE = re.compile(r"D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:(Z)|([+-])(\d\d)'?(\d\d)?)?", re.ASCII)
_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_ACCENTS = dict(
    zip(
        "`´¨ˆ^˜~¯˘˙˚¸˝ˇ˛",
        "\u0300\u0301\u0308\u0302\u0302\u0303\u0303\u0304\u0306\u0307\u030a\u0327\u030b\u030c\u0328",
        strict=True,
    )
)


class LinePiece:
    """Characters of one line that follow each other closely."""

    def __init__(self, left: float, foot: float, font: int) -> None:
        self.left = self.right = self.lasting = left
        self.foot = foot
        self.text: list[str] = []
        self.middles: list[float] = []
        """Where the middle of each character is."""
        self.sizes: dict[float, int] = {}
        self.size = 0.0
        """That of most of its letters."""
        self.font = font

    def put(self, char: str, middle: float) -> None:
        """Add a character."""
        self.text.append(char)
        self.middles.append(middle)

    def count(self, size: float, number: int = 1) -> None:
        """Take note of the size of a letter."""
        self.sizes[size] = self.sizes.get(size, 0) + number
        if self.sizes[size] > self.sizes.get(self.size, 0):
            self.size = size


def head_lines(pdfium: Any, page: Any, height: float) -> list[object]:
    """Of each piece of a line: size, left, top, right (tenths of a point), 1 where it is bold, and its text.

    Pieces are ordered from top to bottom, then from left to right. Text that does not run straight is left out.
    """
    pieces = _pieces(pdfium, page, pdfium.FPDFText_CountChars(page))
    pieces = _join_pieces([piece for piece in pieces if piece.text])
    # The part of a page that is shown may begin anywhere: then lines stand above its height.
    upper = max([height, *(piece.foot + piece.size for piece in pieces)])
    found: list[object] = []
    for piece in pieces[:_LINES]:
        text = "".join(piece.text).strip(" ")[:_LINE_CHARACTERS]
        if text.strip(" " + _MARK):
            numbers = (piece.size, piece.left, upper - piece.foot, piece.right)
            found.append([*(_tenths(one) for one in numbers), _bold(pdfium, page, piece.font), text])
    return found


def _tenths(value: float) -> int:
    return min(max(0, round(value * 10)), 1_000_000) if math.isfinite(value) else 0


def _pieces(pdfium: Any, page: Any, count: int) -> list[LinePiece]:
    """The characters gathered into pieces, in the order in which they were drawn."""
    edges = (ctypes.c_double * 4)()
    left, right, bottom, top = (ctypes.byref(ctypes.c_double.from_buffer(edges, 8 * side)) for side in range(4))
    origin = (ctypes.c_double * 2)()
    x, y = (ctypes.byref(ctypes.c_double.from_buffer(origin, 8 * side)) for side in range(2))
    matrix = pdfium.FS_MATRIX()
    turned = ctypes.byref(matrix)
    done: list[LinePiece] = []
    piece: LinePiece | None = None
    space = False
    # Most of the time is spent in these calls.
    unicode_at, matrix_at, size_at = pdfium.FPDFText_GetUnicode, pdfium.FPDFText_GetMatrix, pdfium.FPDFText_GetFontSize
    box_at, origin_at = pdfium.FPDFText_GetCharBox, pdfium.FPDFText_GetCharOrigin
    for at in (*range(min(count, _FIRST)), *range(max(_FIRST, count - _LAST), count)):
        code = unicode_at(page, at)
        if code in _SPACES:
            space = True
            continue
        if code < 0x20 or 0xD800 <= code < 0xE000 or code >= 0xFFFE:
            # A sign for a hyphen, half of a letter beyond the first plane, or one that the font does not name.
            char = "-" if code in (0x02, 0xFFFE) else _UNKNOWN
        else:
            char = chr(code) if code != _SOFT_HYPHEN else "-"
        if not matrix_at(page, at, turned):
            continue
        along = matrix.a
        if along <= 0 or abs(matrix.b) > along / 8:
            space = True
            continue
        box_at(page, at, left, right, bottom, top)
        origin_at(page, at, x, y)
        size = size_at(page, at) * math.hypot(matrix.c, matrix.d)
        if size < _SMALLEST:
            # A font of bitmaps has its own measure: how tall its letters are tells its size.
            size = _drawn_size(char, edges[3] - edges[2]) or (piece.size if piece is not None else 0.0)
        begin, end, foot = min(edges[0], origin[0]), max(edges[1], origin[0]), origin[1]
        if not 0.5 < size < 2000 or not math.isfinite(begin + end + foot):
            continue
        if piece is None or not _follows(piece, begin, foot, size):
            piece = LinePiece(begin, foot, at)
            done.append(piece)
            space = False
        blanks = 2 if begin - piece.right > _WIDE * size else int(space)
        _put(piece, char, size, foot, (begin + end) / 2, blanks)
        piece.left, piece.right, piece.lasting = min(piece.left, begin), max(piece.right, end), begin
        space = False
    return done


def _drawn_size(char: str, tall: float) -> float:
    """The size of type whose letter is that tall, to a fifth; 0 for signs, which may have any height."""
    share = 0.45 if char in "acemnorsuvwxz" else 0.68 if char.isalnum() else 0.0
    return round(tall / share, 0) if share and tall > 0 else 0.0


def _follows(piece: LinePiece, begin: float, foot: float, size: float) -> bool:
    """Whether a character goes on with a piece: on its line, and close behind it or, in a ligature, in one place."""
    tall = max(piece.size, size)
    near = -0.6 * tall < begin - piece.right < _WIDEST_GAP * tall or abs(begin - piece.lasting) < 0.05 * tall
    return near and abs(foot - piece.foot) < 0.6 * tall


def _put(piece: LinePiece, char: str, size: float, foot: float, middle: float, blanks: int) -> None:
    """Add a character with the blanks before it; a raised one is a mark."""
    for _ in range(blanks):
        piece.put(" ", middle)
    usual = piece.size
    if usual and size < _SMALLER * usual and foot - piece.foot > _RAISED * usual:
        if piece.text[-1] != _MARK:
            piece.put(_MARK, middle)
        return
    if usual and usual < _SMALLER * size and piece.foot - foot > _RAISED * size:
        # What came before was the raised sign.
        piece.text, piece.middles, piece.sizes, piece.size = [_MARK], [middle], {}, 0.0
    accent = _ACCENTS.get(piece.text[-1]) if piece.text and char.isalpha() else None
    if accent is not None and abs(middle - piece.middles[-1]) < 0.35 * size:
        # TeX draws the accent first, then the letter below it.
        piece.text.pop()
        piece.middles.pop()
        char = unicodedata.normalize("NFC", char.replace("ı", "i") + accent)
    piece.put(char, middle)
    if not piece.sizes:
        piece.foot = foot
    piece.count(round(size, 1))


def _join_pieces(pieces: list[LinePiece]) -> list[LinePiece]:
    """The pieces from top to bottom; those that stand close beside each other on a line become one."""
    rows: list[list[LinePiece]] = []
    for piece in sorted(pieces, key=lambda one: -one.foot):
        near = rows[-1][0] if rows else None
        if near is not None and near.foot - piece.foot < 0.3 * max(near.size, piece.size):
            rows[-1].append(piece)
        else:
            rows.append([piece])
    done: list[LinePiece] = []
    for row in rows:
        row.sort(key=lambda one: one.left)
        first = len(done)
        for piece in row:
            before = done[-1] if len(done) > first else None
            if before is None or not (_set_accent(before, piece) or _append(before, piece)):
                done.append(piece)
    return done


def _append(before: LinePiece, piece: LinePiece) -> bool:
    """Put a piece behind another one where it stands close enough."""
    tall = max(piece.size, before.size)
    gap = piece.left - before.right
    if not -0.3 * tall < gap < _WIDEST_GAP * tall:
        return False
    if piece.size < _SMALLER * before.size and piece.foot - before.foot > _RAISED * before.size:
        before.put(_MARK, piece.left)
    else:
        for _ in range((gap > 0.15 * tall) + (gap > _WIDE * tall)):
            before.put(" ", piece.left)
        before.text += piece.text
        before.middles += piece.middles
        for size, number in piece.sizes.items():
            before.count(size, number)
    before.right = max(before.right, piece.right)
    return True


def _set_accent(before: LinePiece, piece: LinePiece) -> bool:
    """Put an accent that was drawn by itself on the letter that it stands above."""
    sign = _ACCENTS.get("".join(piece.text))
    if sign is None or not before.left <= piece.middles[0] <= before.right:
        return False
    at = min(range(len(before.middles)), key=lambda place: abs(before.middles[place] - piece.middles[0]))
    before.text[at] = unicodedata.normalize("NFC", before.text[at].replace("ı", "i") + sign)
    return True


def _bold(pdfium: Any, page: Any, at: int) -> int:
    """Whether the font of a character calls itself bold."""
    room = ctypes.create_string_buffer(_FONT_NAME)
    size = pdfium.FPDFText_GetFontInfo(page, at, room, len(room), None)
    name = room.raw[: min(size, len(room))].lower()
    return int(b"bold" in name or b"black" in name or b"cmbx" in name or b"heavy" in name or name[:4] == b"sfbx")


def iso(date: str) -> str:
    """`D:20240131120000+01'00'` as `2024-01-31T12:00:00+01:00`, as far as it goes; empty for anything else."""
    found = _DATE.match(date)
    if not found:
        return ""
    year, month, day, hour, minute, second, zulu, sign, hours, minutes = found.groups()
    month, day = month or "01", day or "01"
    if year == "0000" or not 1 <= int(month) <= 12 or not 1 <= int(day) <= _DAYS[int(month) - 1]:
        return ""
    if month == "02" and day == "29" and (int(year) % 4 or (int(year) % 100 == 0 and int(year) % 400)):
        return ""
    if hour is None or minute is None:
        return f"{year}-{month}-{day}"
    if int(hour) > 23 or int(minute) > 59 or int(second or 0) > 59:
        return f"{year}-{month}-{day}"
    zone = "Z" if zulu else f"{sign}{hours}:{minutes or '00'}" if sign and int(hours) < 24 else ""
    return f"{year}-{month}-{day}T{hour}:{minute}:{second or '00'}{zone}"
