"""Says where the lines of a page stand and how large their type is, and which spaces the extractor missed.

The child that reads PDFs imports it by its bare name: it may import nothing of pincite.
"""

from __future__ import annotations

import ctypes
import math
import re
from array import array

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from .pdf_columns import Row

    Place = tuple[int, int, int, int]
    """Left, right, foot and size of type of a line, in tenths of a point."""

_SIZES = 4000
_LARGEST_TYPE = 1000.0
_LARGEST_PAGE = 1e6
_MOST_JUMPS = 60
_NARROWEST_SPACE = 0.1
"""The least gap between letters of two words, in heights of their type."""
_SMALLER = 0.85
_BROADEST = 0.45
"""From which average breadth of letters on, in sizes of their type, a line may have a gap in it."""
_NOWHERE = (0, 0, 0, 0)
_ASKEW = (0, 0, 0, -1)
_BLANKS = " \u00a0\u00ad\ufeff\uffff" + "".join(map(chr, (*range(32), *range(127, 160))))
_BLANK = frozenset(_BLANKS)
_LETTERS = re.compile(r"[^\W\d_]{2,40}")
_STOP = re.compile(r"[.,;:!?)\]”’](?=[^\W\d_])")
_MOST_WORDS = 200_000
_MOST_PLACES = 2000


def split_pairs(data: bytes) -> str:
    """UTF-16 as text with one character for each unit, as the extractor counts: 𝑥 beyond U+FFFF is two of them."""
    text = data.decode("utf-16-le", "ignore")
    return text if len(text) * 2 == len(data) else "".join(map(chr, array("H", data)))


def join_pairs(text: str) -> str:
    """The text with such characters whole again."""
    return text if text.isascii() else text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")


def as_bytes(places: Sequence[int], lines: int) -> bytes:
    """Places as 16-bit numbers; lines behind the last one stand nowhere."""
    numbers = [*places, *_NOWHERE * (lines - len(places) // 4)]
    try:
        return array("h", numbers).tobytes()
    except OverflowError:
        return array("h", [max(-32768, min(32767, number)) for number in numbers]).tobytes()


class LineBoxes:
    """Asks the extractor for the boxes of few letters of each line."""

    def __init__(self, pdfium: Any, ems: Any, room: Any) -> None:
        """`room` points to the four numbers `ems`: left, top, right and bottom of a letter's type."""
        self._pdfium, self._ems, self._room = pdfium, ems, room
        self._matrix = pdfium.FS_MATRIX()
        self._turned = ctypes.byref(self._matrix)
        self._vocabulary = Vocabulary()
        self._sizes: dict[float, float] = {}
        """The size of the type whose boxes have a certain height."""

    def find(self, text: str, rows: list[Row], page: Any, same: bool) -> tuple[list[Row], list[int]]:
        """The lines, and the place of each: its size is 0 where nothing is known, and -1 where the line is not level.

        What the extractor has put behind a line and what stands elsewhere, such as a page number, is a line of its own.
        """
        found: list[int] = []
        done: list[Row] = []
        get, ems, room, sizes = self._pdfium.FPDFText_GetLooseCharBox, self._ems, self._room, self._sizes
        for row in rows:
            start, stop, ending = row
            # Most lines begin and end with letters of one size on one height: these are asked for without a detour.
            if same and start < stop and text[start] not in _BLANK and text[stop - 1] not in _BLANK:
                known = get(page, start, room)
                left, top, _, low = ems
                known = known and get(page, stop - 1, room)
                _, high, right, foot = ems
                size = sizes.get(top - low, 0.0) if known and foot == low and high == top else 0.0
                if 0 < size < _LARGEST_TYPE and left < right < _LARGEST_PAGE and 0 < foot < _LARGEST_PAGE:
                    found += (round(left * 10), round(right * 10), round(foot * 10), round(size * 10))
                    done.append(row)
                    continue
            place = self._place(text, start, stop, page, same)
            cut = self._jump(text, start, stop, page, same) if place is None else 0
            if cut:
                done += ((start, cut, "\n"), (cut + 1, stop, ending))
                found += self._place(text, start, cut, page, same) or _NOWHERE
                found += self._place(text, cut + 1, stop, page, same) or _NOWHERE
            else:
                done.append(row)
                found += place or self._place(text, start, stop, page, same, whole=True) or _NOWHERE
        return done if len(done) > len(rows) else rows, found

    def _jump(self, text: str, start: int, stop: int, page: Any, same: bool) -> int:
        """The space of a line behind which the next word stands to the left, or far to the right; 0 for none."""
        get, ems, room = self._pdfium.FPDFText_GetLooseCharBox, self._ems, self._room
        at = stop
        for _ in range(_MOST_JUMPS):
            at = text.rfind(" ", start + 1, at)
            if at < 0 or not same or at + 1 >= stop:
                break
            if not get(page, at + 1, room):
                continue
            left, high, _, low = ems
            if get(page, at - 1, room) and (left < ems[0] - 1 or left > ems[2] + 2 * (high - low)):
                return at
        return 0

    def _place(self, text: str, start: int, stop: int, page: Any, same: bool, whole: bool = False) -> Place | None:
        """Left, right, foot and size of a line; None where its last signs may stand elsewhere, unless it is whole."""
        get, ems, room, sizes = self._pdfium.FPDFText_GetLooseCharBox, self._ems, self._room, self._sizes
        first, last = start, stop - 1
        if start == stop or text[first] in _BLANKS or text[last] in _BLANKS:
            line = text[start:stop]
            first, last = start + len(line) - len(line.lstrip(_BLANKS)), start + len(line.rstrip(_BLANKS)) - 1
        if not same and last >= first:
            first, last = (self._pdfium.FPDFText_GetCharIndexFromTextIndex(page, at) for at in (first, last))
        if last < first or first < 0 or not get(page, first, room):
            return _NOWHERE
        left, top, _, low = ems
        if not get(page, last, room):
            return _NOWHERE
        _, high, right, foot = ems
        size = sizes.get(top - low) or self._size(page, first, top - low)
        if high - foot != top - low or foot != low:
            # A raised sign, a capital or a formula at one end: what stands between is asked, too.
            other = sizes.get(high - foot) or self._size(page, last, high - foot)
            middle = (first + last) // 2
            third, level = other, low
            for at in (middle, middle + 1):
                # A space has no height of its own; the letter behind it has.
                if get(page, at, room) and ems[1] > ems[3]:
                    third, level = self._size(page, at, ems[1] - ems[3]), ems[3]
                    break
            size = sorted((size, other, third))[1]
            far = other < _SMALLER * size and right - left > (stop - start) * size * _BROADEST
            if not whole and (far or right < ems[0]):
                return None
            if max(abs(level - low), abs(level - foot)) > size > 0:
                if min(abs(level - low), abs(level - foot)) > size:
                    return _ASKEW
                # A line of which one end alone is off is level: the sign of a footnote may stand elsewhere.
                low = foot = level
                left, right = min(left, ems[0]), max(right, ems[2])
        if not (0 < size < _LARGEST_TYPE and abs(left) + abs(right) + abs(foot) < _LARGEST_PAGE):
            return _NOWHERE
        return round(left * 10), round(right * 10), round(min(foot, low) * 10), round(size * 10)

    def find_missed_spaces(self, text: str, page: Any) -> list[int]:
        """The letters behind which a space was drawn that the extractor does not have."""
        get, ems, room = self._pdfium.FPDFText_GetLooseCharBox, self._ems, self._room

        def is_apart(at: int) -> bool:
            if not get(page, at, room):
                return False
            _, high, right, low = ems
            return bool(get(page, at + 1, room)) and _NARROWEST_SPACE < (ems[0] - right) / max(high - low, 1.0) < 1

        return self._vocabulary.find_missed(text, is_apart)

    def _size(self, page: Any, at: int, high: float) -> float:
        """The size of the type of a character; fonts whose boxes are as high are taken to be as large."""
        matrix = self._matrix
        size = 0.0
        if self._pdfium.FPDFText_GetMatrix(page, at, self._turned):
            size = self._pdfium.FPDFText_GetFontSize(page, at) * math.hypot(matrix.c, matrix.d)
        if not math.isfinite(size):
            size = 0.0
        if len(self._sizes) < _SIZES:
            self._sizes[high] = size
        return size


class Vocabulary:
    """The words of the pages that were read so far, which tell where the extractor may have missed a space: in words
    that no other place has, made of two that others have. How far the letters are separated decides.
    """

    def __init__(self) -> None:
        self._known: set[str] = set()
        self._single: set[str] = set()
        """Those that were looked at already and are not made of two."""
        self._tokens: set[str] = set()
        """What stands between spaces on pages on which nothing was missed."""

    def find_missed(self, text: str, is_apart: Callable[[int], bool]) -> list[int]:
        """The letters behind which a space is missing, as `is_apart` says; few are asked for."""
        tokens = set(text.split()) - self._tokens
        if not tokens:
            return []
        new = " ".join(tokens)
        words = set(_LETTERS.findall(new))
        if len(self._known) < _MOST_WORDS:
            self._known |= words
        places = self._within(text, words - self._single)
        if _STOP.search(new) is not None:
            stops = (found.start() for found in _STOP.finditer(text))
            places += [(at, "") for at in stops if text[max(0, at - 1) : at].isalpha()]
        missed: list[int] = []
        parted: set[str] = set()
        for at, word in places[:_MOST_PLACES]:
            if is_apart(at):
                missed.append(at)
                parted.add(word)
        if len(self._single) < _MOST_WORDS and len(places) <= _MOST_PLACES:
            self._single |= words - parted
        if not missed and len(self._tokens) < _MOST_WORDS and len(places) <= _MOST_PLACES:
            self._tokens |= tokens
        return missed

    def _within(self, text: str, words: set[str]) -> list[tuple[int, str]]:
        """The letters of a text at which one of these words may be two."""
        joints = {word: places for word in words if (places := self._joints(word))}
        if not joints:
            return []
        return [
            (found.start() + at - 1, found[0])
            for found in _LETTERS.finditer(text)
            if found[0] in joints
            for at in joints[found[0]]
        ]

    def _joints(self, word: str) -> list[int]:
        """Where a word may be two: both are known, or one that is not short is."""
        known, size = self._known, len(word)
        return [
            at
            for at in range(2, size - 1)
            if (word[:at] in known and (at > 2 or word[at:] in known)) or (size - at > 2 and word[at:] in known)
        ]
