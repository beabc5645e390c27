"""Draws one page of a PDF with words marked on it. A program of its own, confined as the one that takes text out is.

    python -I -S pdf_picture_child.py FOLDER MEMORY SECONDS PAGES PAGE WIDTH PIXELS < words and file

Standard input is the length of the words in four bytes, the words in UTF-8 with NUL between them, and the file. Answers
with one msgpack array: `["", [png, width, height, pages, marks]]`, or `[kind, reason]`.
"""

from __future__ import annotations

import ctypes
import math
import os
import re
import sys
import unicodedata
import zlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    Mark = tuple[int, int, int, int]
    """Left, top, right and bottom in pixels."""

if TYPE_CHECKING or __package__:
    from .pdf_child import TextOfPage, UnusablePdf, answer, confine, describe_failure, load, open_document, take
else:
    # As a program of its own it has no package, and no folder to import from that it does not name.
    sys.path.append(os.path.dirname(os.path.abspath(__file__)))
    from pdf_child import TextOfPage, UnusablePdf, answer, confine, describe_failure, load, open_document, take

    sys.path.pop()

_NAME_CHARS = 1000
_MOST_MARKS = 400
_MOST_PLACES = 20
"""Places of the same words that are marked on one page."""
_LEAST_LETTERS = 8
"""Letters that the part of words which stands on this page must have, where the rest stands on another."""
_FAR = 3.0
"""A gap of so many heights of the type parts two pieces of a line."""
_RGB = 2
"""The number that the extractor has for three bytes a pixel."""
_WITH_ANNOTATIONS, _REVERSED = 0x01, 0x10
_EDGE_SIGNS = re.compile(r"[\w\s]")
_UNDERLINE = bytes((0xA0, 0x50, 0x00))
# The mark is a marker pen: it takes most of the blue and a little of the green, so that letters stay black.
_LESS_BLUE = bytes(value * 35 // 100 for value in range(256))
_LESS_GREEN = bytes(value * 93 // 100 for value in range(256))


def main(arguments: Sequence[str]) -> int:
    """Answer for the file on standard input; the exit code is 0 even where the answer is a refusal."""
    folder, *numbers = arguments
    memory, seconds, pages, page, width, pixels = map(int, numbers)
    sys.path.append(folder)
    try:
        pdfium = load()
        fold("ﬁ")
        zlib.compress(b"")
    except (ImportError, OSError, AttributeError) as error:
        answer(["no-extractor", f"{type(error).__name__}: {error}"[:_NAME_CHARS]])
        return 0
    confine(memory, seconds)
    try:
        given = take()
        size = 4 + int.from_bytes(given[:4], "big")
        words = [one for one in given[4:size].decode("utf-8", "ignore").split("\0") if one]
        answer(["", draw(pdfium, given[size:], pages, page, width, pixels, words)])
    except Exception as error:
        answer(describe_failure(error))
    return 0


def draw(
    pdfium: Any, data: bytes, most_pages: int, number: int, width: int, pixels: int, words: Sequence[str]
) -> list[object]:
    """A page as PNG with what is known of it; raises UnusablePdf."""
    document, count = open_document(pdfium, data, most_pages)
    if not 0 <= number < count:
        raise UnusablePdf("damaged", f"it has no page {number + 1}")
    page = pdfium.FPDF_LoadPage(document, number)
    if not page:
        raise UnusablePdf("damaged", f"page {number + 1} cannot be read")
    wide, high = _fit(pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page), width, pixels)
    bitmap = pdfium.FPDFBitmap_CreateEx(wide, high, _RGB, None, 0)
    if not bitmap:
        raise UnusablePdf("too-much-memory", "")
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, wide, high, 0xFFFFFFFF)
    pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, wide, high, 0, _WITH_ANNOTATIONS | _REVERSED)
    stride = pdfium.FPDFBitmap_GetStride(bitmap)
    place = ctypes.cast(pdfium.FPDFBitmap_GetBuffer(bitmap), ctypes.c_void_p).value
    if place is None or stride < wide * 3:
        raise UnusablePdf("too-much-memory", "")
    image = bytearray(ctypes.string_at(place, stride * high))
    marks = list(_find_marks(pdfium, page, words, wide, high)) if words else []
    for mark in marks:
        paint(image, stride, mark)
    flat = [edge for mark in marks for edge in mark]
    return [encode_png(image, stride, wide, high), wide, high, count, flat]


def _fit(width: float, height: float, most_wide: int, most_pixels: int) -> tuple[int, int]:
    """The size of the picture in pixels: so wide, unless it then has too many of them."""
    if not (math.isfinite(width) and math.isfinite(height) and width > 0 and height > 0):
        raise UnusablePdf("damaged", "the page has no size")
    scale = min(most_wide / width, math.sqrt(most_pixels / width / height))
    # A page that is a thousand times as high as it is wide still has a pixel across.
    return max(1, int(width * scale)), max(1, min(int(height * scale), most_pixels))


def _find_marks(pdfium: Any, page: Any, words: Sequence[str], wide: int, high: int) -> Iterator[Mark]:
    """Where the words stand in the picture."""
    text = pdfium.FPDFText_LoadPage(page)
    if not text:
        return
    letters = _list_letters(pdfium, text)
    key, owners = fold_letters(letters)
    found = 0
    for one in words:
        for first, last in find_stretches(key, fold(one)):
            stretch = _extend_to_signs(letters, owners[first], owners[last], one)
            for box in _join_boxes(_list_boxes(pdfium, text, [place for _, place in stretch])):
                mark = _to_pixels(pdfium, page, box, wide, high)
                if mark is not None and found < _MOST_MARKS:
                    found += 1
                    yield mark


def _extend_to_signs(
    letters: Sequence[tuple[str, int]], first: int, last: int, words: str
) -> Sequence[tuple[str, int]]:
    """The characters of a stretch with the signs around it that the words begin and end with, such as `%`."""
    lead, tail = _EDGE_SIGNS.split(words.strip(), 1)[0], _EDGE_SIGNS.split(words.strip()[::-1], 1)[0]
    while first > 0 and letters[first - 1][0] in lead:
        first -= 1
    while last + 1 < len(letters) and letters[last + 1][0] in tail:
        last += 1
    return letters[first : last + 1]


def _list_letters(pdfium: Any, text: Any) -> list[tuple[str, int]]:
    """The characters of a page as they are read, each with the number that the extractor has for it."""
    signs, rows, same = TextOfPage(pdfium).order(text)
    found: list[tuple[str, int]] = []
    for start, stop, _ in rows or [(0, len(signs), "")]:
        at = start
        while at < stop:
            # Beyond U+FFFF a character is two units.
            pair = at + 1 < stop and "\ud800" <= signs[at] <= "\udbff" and "\udc00" <= signs[at + 1] <= "\udfff"
            sign = signs[at : at + 2].encode("utf-16-le", "surrogatepass").decode("utf-16-le") if pair else signs[at]
            place = at if same else pdfium.FPDFText_GetCharIndexFromTextIndex(text, at)
            if place >= 0:
                found.append((sign, place))
            at += 2 if pair else 1
    return found


def fold(text: str) -> str:
    """The letters and digits of a text alone, without case, accents and ligatures."""
    return "".join(sign for sign in unicodedata.normalize("NFKD", text).casefold() if sign.isalnum())


def fold_letters(letters: Sequence[tuple[str, int]]) -> tuple[str, list[int]]:
    """The same for the characters of a page, and of each sign of the result which character it comes from."""
    key: list[str] = []
    owners: list[int] = []
    for at, (sign, _) in enumerate(letters):
        folded = fold(sign)
        key.append(folded)
        owners += [at] * len(folded)
    return "".join(key), owners


def find_stretches(key: str, words: str) -> Iterator[tuple[int, int]]:
    """The first and last sign of each place where words stand; where they stand in part, their beginning or end."""
    at, found = key.find(words) if words else -1, 0
    while at >= 0 and found < _MOST_PLACES:
        yield at, at + len(words) - 1
        at, found = key.find(words, at + len(words)), found + 1
    if words and not found:
        head, tail = _measure(key, words, True), _measure(key, words, False)
        if head >= _LEAST_LETTERS:
            start = key.rfind(words[:head])
            yield start, start + head - 1
        if tail >= _LEAST_LETTERS:
            start = key.find(words[-tail:])
            yield start, start + tail - 1


def _measure(key: str, words: str, from_start: bool) -> int:
    """How many signs of words stand in a text, counted from their beginning or from their end."""
    low, high = 0, len(words)
    while low < high:
        middle = (low + high + 1) // 2
        if (words[:middle] if from_start else words[-middle:]) in key:
            low = middle
        else:
            high = middle - 1
    return low


def _list_boxes(pdfium: Any, text: Any, places: Sequence[int]) -> Iterator[tuple[float, float, float, float]]:
    """Left, bottom, right and top of characters, in points; those without a place are left out."""
    edges = (ctypes.c_float * 4)()
    room = ctypes.cast(edges, ctypes.POINTER(pdfium.FS_RECTF))
    for place in places:
        if pdfium.FPDFText_GetLooseCharBox(text, place, room):
            left, top, right, bottom = edges
            if left < right and bottom < top:
                yield left, bottom, right, top


def _join_boxes(
    boxes: Iterator[tuple[float, float, float, float]],
) -> Iterator[tuple[float, float, float, float]]:
    """The boxes of characters as boxes of lines."""
    line: tuple[float, float, float, float] | None = None
    for left, bottom, right, top in boxes:
        if line is not None:
            height = max(line[3] - line[1], top - bottom)
            level = min(line[3], top) - max(line[1], bottom) > height * 0.4
            if level and line[0] - 1 <= left <= line[2] + _FAR * height:
                line = line[0], min(line[1], bottom), max(line[2], right), max(line[3], top)
                continue
            yield line
        line = left, bottom, right, top
    if line is not None:
        yield line


def _to_pixels(pdfium: Any, page: Any, box: tuple[float, float, float, float], wide: int, high: int) -> Mark | None:
    """A box in pixels of the picture, also where the page is turned; None where it lies outside."""
    x, y = ctypes.c_int(), ctypes.c_int()
    corners = []
    for across, up in ((box[0], box[1]), (box[2], box[3])):
        if not pdfium.FPDF_PageToDevice(page, 0, 0, wide, high, 0, across, up, ctypes.byref(x), ctypes.byref(y)):
            return None
        corners.append((x.value, y.value))
    left, right = sorted(min(max(0, one[0]), wide) for one in corners)
    top, bottom = sorted(min(max(0, one[1]), high) for one in corners)
    return (left, top, right, bottom) if left < right and top < bottom else None


def paint(image: bytearray, stride: int, mark: Mark) -> None:
    """Mark a place of a picture: yellow, and underlined for those who do not see it."""
    left, top, right, bottom = mark
    for row in range(top, bottom):
        start, stop = row * stride + left * 3, row * stride + right * 3
        image[start + 1 : stop : 3] = image[start + 1 : stop : 3].translate(_LESS_GREEN)
        image[start + 2 : stop : 3] = image[start + 2 : stop : 3].translate(_LESS_BLUE)
    for row in range(max(top, bottom - 2), bottom):
        image[row * stride + left * 3 : row * stride + right * 3] = _UNDERLINE * (right - left)


def encode_png(image: bytearray, stride: int, wide: int, high: int) -> bytes:
    """A picture of three bytes a pixel as PNG."""
    view = memoryview(image)
    squeeze = zlib.compressobj(3)
    rows = []
    for row in range(high):
        # Each row says how it is coded: as it is.
        rows.append(squeeze.compress(b"\0"))
        rows.append(squeeze.compress(view[row * stride : row * stride + wide * 3]))
    rows.append(squeeze.flush())
    header = wide.to_bytes(4, "big") + high.to_bytes(4, "big") + b"\x08\x02\0\0\0"
    parts = (b"IHDR", header), (b"IDAT", b"".join(rows)), (b"IEND", b"")
    chunks = (
        len(data).to_bytes(4, "big") + name + data + zlib.crc32(name + data).to_bytes(4, "big") for name, data in parts
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


if __name__ == "__main__":
    code = main(sys.argv[1:])
    # Taking everything down in order is wasted time.
    os._exit(code)
