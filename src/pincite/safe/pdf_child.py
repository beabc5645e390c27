"""Takes the text out of a PDF. A program of its own: it gives up what it does not need, then reads hostile bytes.

    python -I -S pdf_child.py FOLDER MEMORY SECONDS PAGES TEXT < file.pdf

FOLDER holds `pypdfium2_raw`. Answers with one msgpack array: `["", result]`, or `[kind, reason]`. Of pincite it imports
only the modules `pdf_*` beside it, and nothing after its limits have fallen: from then on no file, no socket and no
process can be opened.
"""

from __future__ import annotations

import ctypes
import gc
import math
import os
import re
import resource
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from .pdf_columns import Box, Gutter, Row

if TYPE_CHECKING or __package__:
    from .pdf_boxes import LineBoxes, as_bytes, join_pairs, split_pairs
    from .pdf_columns import find_gutter, find_rows, split_columns
    from .pdf_head import head_lines, iso
    from .pdf_superscripts import mark_raised_digits, may_be_raised
else:
    # As a program of its own it has no package, and no folder to import from that it does not name.
    sys.path.append(os.path.dirname(os.path.abspath(__file__)))
    from pdf_boxes import LineBoxes, as_bytes, join_pairs, split_pairs
    from pdf_columns import find_gutter, find_rows, split_columns
    from pdf_head import head_lines, iso
    from pdf_superscripts import mark_raised_digits, may_be_raised

    sys.path.pop()

_HEADINGS = 10_000
_DEPTH = 64
_NAME_CHARS = 1000
_RECTANGLES = 4000
_SAMPLE, _SAMPLE_LINES = 64, 10
_MOST_LINES = 0.6
_ASKED_WHOLE = 4
"""Pages that are looked at whole before samples have to do."""
_ROWS = 4000
"""Lines of a page up to which is said where they stand."""
_ASKED_OFTEN = (
    *("FPDFText_GetCharBox", "FPDFText_GetCharIndexFromTextIndex", "FPDFText_GetCharOrigin", "FPDFText_GetFontSize"),
    *("FPDFText_GetLooseCharBox", "FPDFText_GetMatrix", "FPDFText_GetRect", "FPDFText_GetUnicode"),
)
_GO_TO = 1
_UNWANTED = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\ufdd0-\ufdef\uffff]")


class UnusablePdf(Exception):
    """The file cannot be used: its kind, and why."""


def main(arguments: Sequence[str]) -> int:
    """Answer for the file on standard input; the exit code is 0 even where the answer is a refusal."""
    folder, *numbers = arguments
    memory, seconds, pages, text = map(int, numbers)
    sys.path.append(folder)
    try:
        pdfium = load()
    except (ImportError, OSError, AttributeError) as error:
        answer(["no-extractor", f"{type(error).__name__}: {error}"[:_NAME_CHARS]])
        return 0
    confine(memory, seconds)
    try:
        answer(["", read(pdfium, take(), pages, text)])
    except Exception as error:
        answer(describe_failure(error))
    return 0


def describe_failure(error: Exception) -> list[object]:
    """The answer where a file cannot be used: a kind, and the reason."""
    if isinstance(error, UnusablePdf):
        return list(error.args)
    if isinstance(error, MemoryError):
        return ["too-much-memory", ""]
    return ["crashed", f"{type(error).__name__}: {error}"[:_NAME_CHARS]]


def load() -> Any:
    """The extractor, ready; everything it and Python load late is loaded now."""
    from importlib import import_module

    # What is made here lives to the end or goes at once: looking for rings in it would be a tenth of the time.
    gc.disable()
    pdfium = import_module("pypdfium2_raw")
    pdfium.FPDF_InitLibrary()
    for ask in filter(None, (getattr(pdfium, name, None) for name in _ASKED_OFTEN)):
        # Comparing each argument with its declared type takes longer than the answer. They are numbers of letters that
        # the page has, a page, and places that `byref` or a pointer names.
        ask.argtypes = None
    "a".encode("utf-8", "ignore").decode("utf-8", "ignore")
    b"a\0".decode("utf-16-le", "ignore")
    return pdfium


def confine(memory: int, seconds: int) -> None:
    """Give up for good what reading needs no more. Descriptors that are open stay open; no other can be opened."""
    wanted = {
        "RLIMIT_CORE": (0, 0),
        "RLIMIT_FSIZE": (0, 0),
        "RLIMIT_CPU": (seconds, seconds + 1),
        "RLIMIT_AS": (memory, memory),
        "RLIMIT_NPROC": (0, 0),
        "RLIMIT_NOFILE": (0, 0),
    }
    for name, pair in wanted.items():
        try:
            resource.setrlimit(getattr(resource, name), pair)
        except (AttributeError, OSError, ValueError):
            # Not every system knows each of them; what must hold is proven by the tests on those that we name.
            continue


def take() -> bytes:
    """All of standard input."""
    data = os.read(0, os.fstat(0).st_size + 1)
    while more := os.read(0, 1 << 20):
        data += more
    return data


def open_document(pdfium: Any, data: bytes, most_pages: int) -> tuple[Any, int]:
    """The document, and how many pages it has; raises UnusablePdf."""
    document = pdfium.FPDF_LoadMemDocument64(data, len(data), None)
    if not document:
        if pdfium.FPDF_GetLastError() in (4, 5):
            raise UnusablePdf("encrypted", "")
        raise UnusablePdf("damaged", "its structure cannot be read")
    count = pdfium.FPDF_GetPageCount(document)
    if count <= 0:
        raise UnusablePdf("damaged", "it has no pages")
    if count > most_pages:
        raise UnusablePdf("too-large", f"it claims {count} pages, the limit is {most_pages}")
    return document, count


def read(pdfium: Any, data: bytes, most_pages: int, most_text: int) -> list[object]:
    """What a PdfText holds, field by field; raises UnusablePdf."""
    document, count = open_document(pdfium, data, most_pages)
    pages, boxes = list[str](), list[bytes]()
    size = lost = 0
    one = TextOfPage(pdfium)
    for number in range(count):
        read = one.read(document, number)
        lost += read is None
        text, places = read or ("", b"")
        size += len(text.encode("utf-8", "ignore"))
        if size > most_text:
            raise UnusablePdf("too-large", f"its text exceeds the limit of {most_text} bytes")
        pages.append(text)
        boxes.append(places)
    if lost * 2 > count:
        # Then the number of pages is nothing but a claim.
        raise UnusablePdf("damaged", f"{lost} of its {count} pages cannot be read")
    labels = [read_short_text(pdfium.FPDF_GetPageLabel, document, number) for number in range(count)]
    title, authors, created = (
        read_short_text(pdfium.FPDF_GetMetaText, document, tag) for tag in (b"Title", b"Author", b"CreationDate")
    )
    outline = list(headings(pdfium, document, count))
    return [pages, labels if any(labels) else [], outline, title, authors, iso(created), one.head, boxes]


class TextOfPage:
    """Reads the text of one page after the other into the same memory."""

    def __init__(self, pdfium: Any) -> None:
        self._pdfium = pdfium
        self._asked = 0
        self._last: Gutter | None = None
        self.head: list[object] = []
        """The lines of the first page with their type."""
        self._room = 0
        self._grow(1 << 14)
        self._edges = (ctypes.c_double * 4)()
        self._sides = [ctypes.byref(ctypes.c_double.from_buffer(self._edges, 8 * side)) for side in range(4)]
        self._ems = (ctypes.c_float * 4)()
        self._em = ctypes.cast(self._ems, ctypes.POINTER(pdfium.FS_RECTF))
        self._lines = LineBoxes(pdfium, self._ems, self._em)

    def read(self, document: Any, number: int) -> tuple[str, bytes] | None:
        """The text of a page in reading order, and where its lines stand; None where the page cannot be had."""
        pdfium = self._pdfium
        page = pdfium.FPDF_LoadPage(document, number)
        if not page:
            return None
        try:
            text = pdfium.FPDFText_LoadPage(page)
            if not text:
                return None
            try:
                if number == 0:
                    self.head = head_lines(pdfium, text, pdfium.FPDF_GetPageHeightF(page))
                return self._text(text)
            finally:
                pdfium.FPDFText_ClosePage(text)
        finally:
            pdfium.FPDF_ClosePage(page)

    def _text(self, page: Any) -> tuple[str, bytes]:
        text, rows, same = self.order(page)
        breaks = _count_breaks(text)
        if not text or breaks > _ROWS:
            return join_pairs(_assemble_page_text(text, rows)), b""
        seen = rows or find_rows(text)
        whole, places = self._lines.find(text, seen, page, same)
        spaces = self._lines.find_missed_spaces(text, page) if same else []
        done = _assemble_page_text(
            text, whole if rows is not None or spaces or len(whole) > len(seen) else None, spaces
        )
        return join_pairs(done), as_bytes(places, done.count("\n") + 1)

    def order(self, page: Any) -> tuple[str, list[Row] | None, bool]:
        """The characters of a page, its lines where they are read in another order, and whether each character has the
        number that the extractor gives it."""
        pdfium = self._pdfium
        count = pdfium.FPDFText_CountChars(page)
        if count <= 0:
            return "", None, True
        if count >= self._room:
            self._grow(count * 2)
        held = pdfium.FPDFText_GetText(page, 0, count, self._pointer)
        text = split_pairs(ctypes.string_at(self._memory, max(0, held - 1) * 2))
        rectangles = pdfium.FPDFText_CountRects(page, 0, -1)
        breaks = _count_breaks(text)
        same = len(text) == count
        if may_be_raised(text, breaks + 1, rectangles):
            text = self._mark_raised_digits(text, page, same)
            breaks = _count_breaks(text)
        # Where columns were drawn line by line, a line holds two pieces or more.
        if breaks + 1 + breaks // 4 < rectangles <= _RECTANGLES and breaks > 4:
            return text, self._part_columns(text, page, rectangles, breaks + 1, self._boxes(page, same)), same
        return text, None, same

    def _part_columns(self, text: str, page: Any, rectangles: int, lines: int, box: Box) -> list[Row] | None:
        """The lines with the columns one after the other, where there are two."""
        last = self._last
        if last is not None:
            # Pages of one file are laid out alike: the gutter of the one before, if most lines keep it.
            parted = split_columns(text, last, box, _MOST_LINES)
            if parted is not None:
                return parted
        gutter = self._gutter(page, rectangles, lines)
        return split_columns(text, gutter, box) if gutter is not None else None

    def _gutter(self, page: Any, count: int, lines: int) -> Gutter | None:
        """Where two columns part, if pieces of the page alternate between them; those in its middle are asked first."""
        self._asked += 1
        # After a page with columns none is left to a sample.
        if self._asked > _ASKED_WHOLE and self._last is None:
            # In justified text each word is a piece: the sample has to be of lines all the same.
            sample = max(_SAMPLE, _SAMPLE_LINES * count // lines)
            first = max(0, (count - sample) // 2)
            found = find_gutter(self._rectangles(page, first, min(count, first + sample)))
            if found is None or count < sample * 3:
                self._last = found
                return found
        found = find_gutter(self._rectangles(page, 0, count))
        self._last = found or self._last
        return found

    def _rectangles(self, page: Any, first: int, stop: int) -> list[tuple[float, float, float, float]]:
        """Left, right, low and high of these pieces of text."""
        get, edges = self._pdfium.FPDFText_GetRect, self._edges
        left, top, right, bottom = self._sides
        pieces = []
        for at in range(first, stop):
            get(page, at, left, top, right, bottom)
            x, high, end, low = edges
            pieces.append((x, end, low, high))
        return pieces

    def _boxes(self, page: Any, same: bool) -> Box:
        """Asks for the box of a character of the text, whose number among all that were drawn may be another."""
        pdfium, edges = self._pdfium, self._edges
        left, right, bottom, top = self._sides

        def box(at: int) -> tuple[float, float, float] | None:
            place = at if same else pdfium.FPDFText_GetCharIndexFromTextIndex(page, at)
            if place < 0 or not pdfium.FPDFText_GetCharBox(page, place, left, right, bottom, top):
                return None
            return edges[0], edges[1], edges[2]

        return box

    def _mark_raised_digits(self, text: str, page: Any, same: bool) -> str:
        """The text with its raised digits written as such. Asked for is not the drawn box of a character, which for a
        comma is no larger than for a raised digit, nor the size of its font, which many programs leave at 1 and scale.
        """
        pdfium, ems, edges = self._pdfium, self._ems, self._edges
        get, origin, room = pdfium.FPDFText_GetLooseCharBox, pdfium.FPDFText_GetCharOrigin, self._em
        x, y = self._sides[:2]

        def place(at: int) -> int:
            return at if same else int(pdfium.FPDFText_GetCharIndexFromTextIndex(page, at))

        def seat(at: int) -> tuple[float, float, float, float] | None:
            held = at if same else place(at)
            if held < 0 or not get(page, held, room):
                return None
            left, top, right, bottom = ems
            return top - bottom, left, right, bottom

        def foot(at: int) -> float:
            held = place(at)
            return edges[1] if held >= 0 and origin(page, held, x, y) else math.nan

        return mark_raised_digits(text, seat, foot)

    def _grow(self, room: int) -> None:
        self._room = room
        self._memory = ctypes.create_string_buffer(room * 2)
        self._pointer = ctypes.cast(self._memory, ctypes.POINTER(ctypes.c_ushort))


def _count_breaks(text: str) -> int:
    return text.count("\n") + text.count("\ufffe") + text.count("\x02")


def _assemble_page_text(text: str, rows: Sequence[Row] | None, spaces: Sequence[int] = ()) -> str:
    """The text of a page, its lines in this order, with spaces behind some letters."""
    if rows is None:
        return clean(text)
    pieces = [text[start:stop] + ending for start, stop, ending in rows]
    if spaces:
        signs = list(text)
        for at in set(spaces):
            signs[at] += " "
        pieces = ["".join(signs[start:stop]) + ending for start, stop, ending in rows]
    return clean("".join(pieces).removesuffix("\n"))


def clean(text: str) -> str:
    """Lines end in LF, a hyphen at their end is U+00AD, and no other control character is left."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\ufffe" in text or "\x02" in text:
        text = text.replace("\x02", "\ufffe").replace("\ufffe\n", "\ufffe").replace("\ufffe", "\u00ad\n")
    return _UNWANTED.sub("", text) if _UNWANTED.search(text) else text


def read_short_text(ask: Callable[..., int], document: Any, what: object) -> str:
    """A short text that the extractor gives, on one line; what is absurdly long is cut."""
    room = ctypes.create_string_buffer(256)
    size = ask(document, what, room, len(room))
    if size > len(room):
        room = ctypes.create_string_buffer(min(size, 1 << 16))
        if ask(document, what, room, len(room)) > len(room):
            return ""
    text = room.raw[: max(0, size - 2)].decode("utf-16-le", "ignore") if size > 2 else ""
    return " ".join(_UNWANTED.sub(" ", clean(text)).split())[:_NAME_CHARS]


def headings(pdfium: Any, document: Any, pages: int) -> Iterator[list[object]]:
    """The outline, top first; entries that lead to no page of this file are left out, and so is the rest of a loop."""
    seen: set[int] = set()
    waiting = [(0, pdfium.FPDFBookmark_GetFirstChild(document, None))]
    while waiting and len(seen) < _HEADINGS:
        level, mark = waiting.pop()
        place = ctypes.cast(mark, ctypes.c_void_p).value
        if place is None or place in seen:
            continue
        seen.add(place)
        waiting.append((level, pdfium.FPDFBookmark_GetNextSibling(document, mark)))
        if level < _DEPTH:
            waiting.append((level + 1, pdfium.FPDFBookmark_GetFirstChild(document, mark)))
        action = pdfium.FPDFBookmark_GetAction(mark)
        # Only a place in this very file counts; a web address, a program or another file has no page here.
        elsewhere = action and pdfium.FPDFAction_GetType(action) != _GO_TO
        target = None if elsewhere else pdfium.FPDFBookmark_GetDest(document, mark)
        if action and not target and not elsewhere:
            target = pdfium.FPDFAction_GetDest(document, action)
        page = pdfium.FPDFDest_GetDestPageIndex(document, target) if target else -1
        title = read_short_text(lambda held, _, room, size: pdfium.FPDFBookmark_GetTitle(held, room, size), mark, None)
        if 0 <= page < pages and title:
            yield [level, title, page]


def pack_msgpack(value: object) -> Iterator[bytes]:
    """Lists, texts, bytes and small numbers as msgpack; loading the library takes longer than many a page."""
    if isinstance(value, str):
        data = value.encode("utf-8", "ignore")
        yield b"\xdb" + len(data).to_bytes(4, "big")
        yield data
    elif isinstance(value, bytes):
        yield b"\xc6" + len(value).to_bytes(4, "big")
        yield value
    elif isinstance(value, list):
        yield b"\xdd" + len(value).to_bytes(4, "big")
        for item in value:
            yield from pack_msgpack(item)
    elif isinstance(value, int):
        yield b"\xce" + value.to_bytes(4, "big")


def answer(value: list[object]) -> None:
    """Send the answer whole."""
    view = memoryview(b"".join(pack_msgpack(value)))
    while view:
        view = view[os.write(1, view) :]


if __name__ == "__main__":
    code = main(sys.argv[1:])
    # Taking everything down in order is wasted time.
    os._exit(code)
