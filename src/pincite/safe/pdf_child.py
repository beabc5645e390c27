"""Takes the text out of a PDF. A program of its own: it gives up what it does not need, then reads hostile bytes.

    python -I -S pdf_child.py FOLDER MEMORY SECONDS PAGES TEXT < file.pdf

FOLDER holds `pypdfium2_raw`. Answers with one msgpack array: `["", result]`, or `[kind, reason]`. It imports nothing of
pincite and nothing after its limits have fallen: from then on no file, no socket and no process can be opened.
"""

from __future__ import annotations

import ctypes
import gc
import os
import re
import resource
import sys
from itertools import pairwise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    Gutter = tuple[float, float, float]
    """Where the left column has ended, where the right one begins at the earliest, and how broad a letter is."""
    Box = Callable[[int], tuple[float, float, float] | None]
    """Left, right and foot of the character at a place in the text; None where unknown."""

_HEADINGS = 10_000
_DEPTH = 64
_NAME_CHARS = 1000
_RECTANGLES = 4000
_SAMPLE = 64
_SAMPLE_LINES = 10
_EDGE = 4
"""Lines at the edge of a page that show whether the outermost is a running head or foot."""
_MOST_LINES = 0.6
_ASKED_WHOLE = 4
"""Pages that are looked at whole before samples have to do."""
_GO_TO = 1
_BETWEEN_CELLS = 14.0
_MEASURE = 10
"""How broad a column is at least, in heights of its letters: narrower ones are the cells of a table."""
_UNWANTED = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\ufdd0-\ufdef\uffff]")
_BREAK = re.compile("\r\n?|\n|\x02\n?|\ufffe\n?")
_SPACE = re.compile(r"\s+")
_DATE = re.compile(r"D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:(Z)|([+-])(\d\d)'?(\d\d)?)?", re.ASCII)
_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


class Unfit(Exception):
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
    except Unfit as error:
        answer(list(error.args))
    except MemoryError:
        answer(["too-much-memory", ""])
    except Exception as error:
        answer(["crashed", f"{type(error).__name__}: {error}"[:_NAME_CHARS]])
    return 0


def load() -> Any:
    """The extractor, ready; everything it and Python load late is loaded now."""
    from importlib import import_module

    # What is made here lives to the end or goes at once: looking for rings in it would be a tenth of the time.
    gc.disable()
    pdfium = import_module("pypdfium2_raw")
    pdfium.FPDF_InitLibrary()
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


def read(pdfium: Any, data: bytes, most_pages: int, most_text: int) -> list[object]:
    """What a PdfText holds, field by field; raises Unfit."""
    document = pdfium.FPDF_LoadMemDocument64(data, len(data), None)
    if not document:
        if pdfium.FPDF_GetLastError() in (4, 5):
            raise Unfit("encrypted", "")
        raise Unfit("damaged", "its structure cannot be read")
    count = pdfium.FPDF_GetPageCount(document)
    if count <= 0:
        raise Unfit("damaged", "it has no pages")
    if count > most_pages:
        raise Unfit("too-large", f"it claims {count} pages, the limit is {most_pages}")
    pages: list[str] = []
    size = lost = 0
    one = TextOfPage(pdfium)
    for number in range(count):
        text = one.read(document, number)
        lost += text is None
        size += len((text or "").encode("utf-8", "ignore"))
        if size > most_text:
            raise Unfit("too-large", f"its text exceeds the limit of {most_text} bytes")
        pages.append(text or "")
    if lost * 2 > count:
        # Then the number of pages is nothing but a claim.
        raise Unfit("damaged", f"{lost} of its {count} pages cannot be read")
    labels = [named(pdfium.FPDF_GetPageLabel, document, number) for number in range(count)]
    title, authors, created = (
        named(pdfium.FPDF_GetMetaText, document, tag) for tag in (b"Title", b"Author", b"CreationDate")
    )
    return [pages, labels if any(labels) else [], list(headings(pdfium, document, count)), title, authors, iso(created)]


class TextOfPage:
    """Reads the text of one page after the other into the same memory."""

    def __init__(self, pdfium: Any) -> None:
        self._pdfium = pdfium
        self._asked = 0
        self._last: Gutter | None = None
        self._room = 0
        self._grow(1 << 14)
        self._edges = (ctypes.c_double * 4)()
        self._sides = [ctypes.byref(ctypes.c_double.from_buffer(self._edges, 8 * side)) for side in range(4)]

    def read(self, document: Any, number: int) -> str | None:
        """The text of a page in reading order; None where the page cannot be had."""
        pdfium = self._pdfium
        page = pdfium.FPDF_LoadPage(document, number)
        if not page:
            return None
        try:
            text = pdfium.FPDFText_LoadPage(page)
            if not text:
                return None
            try:
                return self._text(text)
            finally:
                pdfium.FPDFText_ClosePage(text)
        finally:
            pdfium.FPDF_ClosePage(page)

    def _text(self, page: Any) -> str:
        pdfium = self._pdfium
        count = pdfium.FPDFText_CountChars(page)
        if count <= 0:
            return ""
        if count >= self._room:
            self._grow(count * 2)
        held = pdfium.FPDFText_GetText(page, 0, count, self._pointer)
        text = ctypes.string_at(self._memory, max(0, held - 1) * 2).decode("utf-16-le", "ignore")
        breaks = text.count("\n") + text.count("\ufffe") + text.count("\x02")
        rectangles = pdfium.FPDFText_CountRects(page, 0, -1)
        # Where columns were drawn line by line, a line holds two pieces or more.
        if breaks + 1 + breaks // 4 < rectangles <= _RECTANGLES and breaks > 4:
            text = self._parted(text, page, rectangles, breaks + 1, self._boxes(page, len(text) == count))
        return clean(text)

    def _parted(self, text: str, page: Any, rectangles: int, lines: int, box: Box) -> str:
        """The text with its columns one after the other, where it has two."""
        last = self._last
        if last is not None:
            # Pages of one file are laid out alike: the gutter of the one before, if most lines keep it.
            parted = apart(text, last, box, _MOST_LINES)
            if parted is not text:
                return parted
        gutter = self._gutter(page, rectangles, lines)
        return apart(text, gutter, box) if gutter is not None else text

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

    def _grow(self, room: int) -> None:
        self._room = room
        self._memory = ctypes.create_string_buffer(room * 2)
        self._pointer = ctypes.cast(self._memory, ctypes.POINTER(ctypes.c_ushort))


def find_gutter(pieces: Sequence[tuple[float, float, float, float]]) -> Gutter | None:
    """Where most lines made of these pieces (left, right, low, high) part into two broad columns, or None."""
    gaps: list[list[float]] = []
    """Of each gap: where it begins and ends, where the line begins, and where what follows ends."""
    lines, start, wide, cells = 1, pieces[0][0], False, 0
    for before, piece in pairwise(pieces):
        high = piece[3] - piece[2]
        gap = piece[0] - before[1]
        # A dash is a piece of next to no height; it does not begin a line.
        flat = min(high, before[3] - before[2])
        if piece[0] < before[0] or min(piece[3], before[3]) - max(piece[2], before[2]) < flat / 4:
            lines, start, wide = lines + 1, piece[0], False
        elif gap > max(6.0, high * 0.8):
            cells += gap > _BETWEEN_CELLS
            # In justified text words may be as far apart: of each line the widest gap is asked.
            if not wide or gap > gaps[-1][1] - gaps[-1][0]:
                gaps[len(gaps) - wide :] = [[before[1], piece[0], start, piece[1]]]
            else:
                gaps[-1][3] = piece[1]
            wide = True
        elif wide:
            gaps[-1][3] = piece[1]
    # More gaps than lines are a table, which is read row by row.
    if lines < 5 or len(gaps) * 2 < lines or cells > lines * 5 // 4:
        return None
    edges = sorted([(gap[0], 1) for gap in gaps] + [(gap[1], -1) for gap in gaps])
    best = depth = 0
    place = 0.0
    for (x, step), (beyond, _) in pairwise(edges):
        depth += step
        if depth > best:
            best, place = depth, (x + beyond) / 2
    broad = (max(piece[1] for piece in pieces) - min(piece[0] for piece in pieces)) / 4
    through = [gap for gap in gaps if gap[0] <= place <= gap[1]]
    if len(through) * 2 < lines:
        return None
    narrow = min(sum(gap[0] - gap[2] for gap in through), sum(gap[3] - gap[1] for gap in through)) / len(through)
    tall = sum(abs(piece[3] - piece[2]) for piece in pieces) / len(pieces)
    if not narrow > max(broad, _MEASURE * tall):
        return None
    # The right column begins where most of its lines do, few are indented; the left one may come close to it elsewhere.
    begins = sorted(gap[1] for gap in through)[len(through) // 4]
    return max(place, begins - max(6.0, tall * 0.8)), begins - 2, max(tall / 2, 1.0)


def apart(text: str, gutter: Gutter, box: Box, least: float = 0.0) -> str:
    """The text with both columns one after the other; a line across the gutter ends what stands above it.

    Where less than that share of the lines keep the gutter, the text stays as it is.
    """
    done: list[str] = []
    columns: tuple[list[str], list[str]] = ([], [])
    usual = 40
    start = 0
    ends = [(found.start(), found.end()) for found in _BREAK.finditer(text)] + [(len(text), len(text))]
    begun = zip([0, *(end for _, end in ends)], ends, strict=False)
    starts = [first for first, (stop, _) in begun if not text[first:stop].isspace() and first < stop]
    edge = {*starts[:1]} if stands_off(starts[:_EDGE], box) else set()
    edge |= {*starts[-1:]} if stands_off(starts[: -_EDGE - 1 : -1], box) else set()
    across = 0
    for stop, end in ends:
        ending = "\ufffe" if text[stop:end] in ("\ufffe", "\x02") else "\n"
        cut = part(text, start, stop, gutter, box, start + usual) if start not in edge else None
        if cut is None:
            across += 1
            for column in columns:
                done += column
                column.clear()
            done.append(text[start:stop] + ending)
        else:
            before, after = text[start:cut].rstrip(), text[cut:stop]
            if before:
                cropped = before.endswith("-") and before[-2:-1].isalpha() and cut < stop
                columns[0].append(before[:-1] + "\ufffe" if cropped else before + ("\n" if cut < stop else ending))
            if after:
                columns[1].append(after + ending)
                # A little to the right of it, from where the way back is known: there, no gap is in between.
                usual = cut - start + 12 if cut > start else usual
        start = end
    if across > (1 - least) * len(ends):
        return text
    return "".join([*done, *columns[0], *columns[1]]).removesuffix("\n")


def stands_off(starts: Sequence[int], box: Box) -> bool:
    """Whether the first of these lines is set apart from the next ones: a running head or foot, not text in columns."""
    feet = [edges[2] for at in starts if (edges := box(at)) is not None]
    steps = [abs(before - after) for before, after in pairwise(feet)]
    return len(steps) == _EDGE - 1 and steps[0] > 1.4 * max(steps[1:]) > 0


def part(text: str, start: int, stop: int, gutter: Gutter, box: Box, likely: int) -> int | None:
    """Where the right column begins in a line: its start or end where it is in one only; None where it lies across."""
    ended, begins, broad = gutter
    cut, low, high = stop, start, _before(text, start, stop)
    """What is before `low` is on the left, what is from `cut` on is not; `high` is `cut` without the blanks ahead."""
    while True:
        while low < high and text[low] == " ":
            low += 1
        if low < high:
            at = text.rfind(" ", low, min(max(likely, low), high - 1) + 1) + 1 or low
            edges = box(at)
            if edges is None:
                return None
            # Words stand at even distances, more or less: asking where the right one should be saves most questions.
            letters = abs(edges[0] - begins) / broad
            jump = int(letters) if letters < 1000 else 10
            if edges[0] < begins:
                end = text.find(" ", at, high)
                low, likely = (end + 1 if end >= 0 else high), at + jump
                continue
            cut, high, likely = at, _before(text, start, at), at - 1 - jump * 7 // 8
        edges = box(high - 1) if high > start else (ended, ended, 0.0)
        if edges is None:
            return None
        if edges[1] <= ended + 1:
            return cut
        if edges[0] < begins or low >= high:
            return None


def _before(text: str, start: int, stop: int) -> int:
    """The end of what stands before `stop`, without the blanks between."""
    while stop > start and text[stop - 1] == " ":
        stop -= 1
    return stop


def clean(text: str) -> str:
    """Lines end in LF, a hyphen at their end is U+00AD, and no other control character is left."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\ufffe" in text or "\x02" in text:
        text = text.replace("\x02", "\ufffe").replace("\ufffe\n", "\ufffe").replace("\ufffe", "\u00ad\n")
    return _UNWANTED.sub("", text) if _UNWANTED.search(text) else text


def named(ask: Callable[..., int], document: Any, what: object) -> str:
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
        title = named(lambda held, _, room, size: pdfium.FPDFBookmark_GetTitle(held, room, size), mark, None)
        if 0 <= page < pages and title:
            yield [level, title, page]


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


def packed(value: object) -> Iterator[bytes]:
    """Lists, texts and small numbers as msgpack, without the library: loading it takes longer than many a page."""
    if isinstance(value, str):
        data = value.encode("utf-8", "ignore")
        yield b"\xdb" + len(data).to_bytes(4, "big")
        yield data
    elif isinstance(value, list):
        yield b"\xdd" + len(value).to_bytes(4, "big")
        for item in value:
            yield from packed(item)
    elif isinstance(value, int):
        yield b"\xce" + value.to_bytes(4, "big")


def answer(value: list[object]) -> None:
    """Send the answer whole."""
    view = memoryview(b"".join(packed(value)))
    while view:
        view = view[os.write(1, view) :]


if __name__ == "__main__":
    code = main(sys.argv[1:])
    # Taking everything down in order is time that nobody gains from.
    os._exit(code)
