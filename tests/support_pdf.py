"""Writes small PDFs for tests: lines of text, page labels, an outline, a title; the same bytes every time."""

from __future__ import annotations

from collections.abc import Sequence

_OWN = {"\ufb01": 1, "\ufb02": 2, "\ufb00": 3, "\ufb03": 4, "\ufb04": 5}
"""Ligatures, at codes where the usual encoding has nothing."""
_FONT = (
    b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</Type/Encoding/BaseEncoding/WinAnsiEncoding"
    b"/Differences[1/fi/fl/ff/ffi/ffl]>>>>"
)

_WIDE = (
    b"/F2<</Type/Font/Subtype/Type0/BaseFont/Wide/Encoding/Identity-H/ToUnicode %d 0 R/DescendantFonts[<</Type/Font"
    b"/Subtype/CIDFontType2/BaseFont/Wide/DW 1000/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>"
    b"/FontDescriptor<</Type/FontDescriptor/FontName/Wide/Flags 4/FontBBox[0 -200 1000 900]/ItalicAngle 0/Ascent 900"
    b"/Descent -200/CapHeight 700/StemV 80>>>>]>>"
)
"""A font for all other scripts, by the numbers of their characters."""
_NUMBERS = (
    b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /W def /CMapType 2 def\n"
    b"1 begincodespacerange <0000> <FFFF> endcodespacerange\n%b\nendcmap end end"
)


def make_pdf(
    pages: Sequence[str],
    labels: Sequence[str] = (),
    outline: Sequence[Sequence[object]] = (),
    title: str = "",
    encrypted: bool = False,
) -> bytes:
    """A PDF with a text for each page, its lines as given; an empty text is a page without any.

    `outline` holds level (from 0), title and page (from 1); one that is encrypted opens with no password we know.
    """
    count = len(pages)
    first = 5 + 2 * count
    """The number of the outline's first entry; 1 catalog, 2 pages, 3 font, 4 outline, then each page and its text."""
    catalog = b"<</Type/Catalog/Pages 2 0 R"
    if labels:
        names = b" ".join(b"%d<</P%b>>" % (at, _string(label)) for at, label in enumerate(labels))
        catalog += b"/PageLabels<</Nums[%b]>>" % names
    catalog += b"/Outlines 4 0 R>>" if outline else b">>"
    kids = b" ".join(b"%d 0 R" % (5 + 2 * at) for at in range(count))
    objects = [catalog, b"<</Type/Pages/Kids[%b]/Count %d>>" % (kids, count), _FONT, _outlines(outline, first)]
    entries = _entries(outline, first)
    wide = b"" if all(map(_is_latin, pages)) else _WIDE % (first + len(entries))
    for at, text in enumerate(pages):
        objects.append(
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R%b>>>>/Contents %d 0 R>>"
            % (wide, 6 + 2 * at)
        )
        content = _content(text)
        objects.append(b"<</Length %d>>\nstream\n%b\nendstream" % (len(content), content))
    objects += entries
    if wide:
        ranges = [b"<%02X00> <%02XFF> <%02X00>" % (row, row, row) for row in range(0x100)]
        # A list holds at most a hundred of them.
        rows = [b"64 beginbfrange\n%b\nendbfrange" % b"\n".join(ranges[at : at + 64]) for at in range(0, 0x100, 64)]
        numbers = _NUMBERS % b"\n".join(rows)
        objects.append(b"<</Length %d>>\nstream\n%b\nendstream" % (len(numbers), numbers))
    trailer = b"/Root 1 0 R"
    if title:
        objects.append(b"<</Title%b>>" % _string(title))
        trailer += b"/Info %d 0 R" % len(objects)
    if encrypted:
        filler = b"<" + b"5a" * 32 + b">"
        objects.append(b"<</Filter/Standard/V 1/R 2/Length 40/P -4/O%b/U%b>>" % (filler, filler))
        trailer += b"/Encrypt %d 0 R/ID[<00><00>]" % len(objects)
    return _written(objects, trailer)


def _content(text: str) -> bytes:
    """The drawing of a page: one line below the other, from the top."""
    rows = [b"BT /F1 11 Tf 14 TL 72 740 Td"]
    rows += [_drawn(line) for line in text.split("\n")] if text else []
    return b"\n".join([*rows, b"ET"])


def _drawn(line: str) -> bytes:
    if _is_latin(line):
        return b"(%b) '" % _escaped(_encoded(line))
    return b"/F2 11 Tf <%b> ' /F1 11 Tf" % line.encode("utf-16-be").hex().encode()


def _is_latin(text: str) -> bool:
    try:
        _encoded(text)
    except UnicodeEncodeError:
        return False
    return True


def _encoded(line: str) -> bytes:
    return b"".join(bytes([_OWN[sign]]) if sign in _OWN else sign.encode("cp1252") for sign in line)


def _escaped(data: bytes) -> bytes:
    return data.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")


def _string(text: str) -> bytes:
    return b"<" + ("\ufeff" + text).encode("utf-16-be").hex().encode() + b">"


def _outlines(outline: Sequence[Sequence[object]], first: int) -> bytes:
    if not outline:
        return b"null"
    tops = [at for at, entry in enumerate(outline) if entry[0] == 0]
    return b"<</Type/Outlines/First %d 0 R/Last %d 0 R/Count %d>>" % (first + tops[0], first + tops[-1], len(outline))


def _entries(outline: Sequence[Sequence[object]], first: int) -> list[bytes]:
    """The headings, each linked with its neighbours, its parent and its children."""
    made: list[bytes] = []
    levels = [int(str(entry[0])) for entry in outline]
    for at, (level, (_, title, page)) in enumerate(zip(levels, outline, strict=True)):
        above = next((n for n in range(at - 1, -1, -1) if levels[n] < level), None)
        begin = above + 1 if above is not None else 0
        end = next((n for n in range(at + 1, len(levels)) if levels[n] < level), len(levels))
        beside = [n for n in range(begin, end) if levels[n] == level]
        inner_end = next((n for n in range(at + 1, len(levels)) if levels[n] <= level), len(levels))
        below = [n for n in range(at + 1, inner_end) if levels[n] == level + 1]
        links = {"Parent": first + above if above is not None else 4}
        place = beside.index(at)
        links |= {"Prev": first + beside[place - 1]} if place else {}
        links |= {"Next": first + beside[place + 1]} if place + 1 < len(beside) else {}
        links |= {"First": first + below[0], "Last": first + below[-1]} if below else {}
        row = b"".join(b"/%b %d 0 R" % (name.encode(), number) for name, number in links.items())
        target = 5 + 2 * (int(str(page)) - 1)
        made.append(b"<</Title%b%b/Dest[%d 0 R/Fit]>>" % (_string(str(title)), row, target))
    return made


def _written(objects: Sequence[bytes], trailer: bytes) -> bytes:
    """A file of these objects, numbered from 1, with its table of contents."""
    out = b"%PDF-1.7\n"
    places: list[int] = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    rows = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    table = b"xref\n0 %d\n0000000000 65535 f \n%b" % (size, rows)
    return out + table + b"trailer\n<</Size %d%b>>\nstartxref\n%d\n%%%%EOF\n" % (size, trailer, len(out))


def typeset_pdf(lines: Sequence[tuple[float, float, float, str]], origin: float = 0.0, box: float = 792.0) -> bytes:
    """A PDF of one page with lines of (size, left, distance from the top, text); `origin` moves the shown part up."""
    rows = [b"BT"]
    for size, left, top, text in lines:
        rows.append(
            b"/F1 %.1f Tf 1 0 0 1 %.1f %.1f Tm (%b) Tj" % (size, left, origin + box - top, _escaped(_encoded(text)))
        )
    content = b"\n".join([*rows, b"ET"])
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[5 0 R]/Count 1>>",
        _FONT,
        b"null",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 %.1f 612 %.1f]/Resources<</Font<</F1 3 0 R>>>>/Contents 6 0 R>>"
        % (origin, origin + box),
        b"<</Length %d>>\nstream\n%b\nendstream" % (len(content), content),
    ]
    return _written(objects, b"/Root 1 0 R")


def typeset_pages(pages: Sequence[Sequence[tuple[float, float, float, str]]]) -> bytes:
    """A PDF whose pages have lines of (size, left, distance from the top, text)."""
    count = len(pages)
    kids = b" ".join(b"%d 0 R" % (4 + 2 * at) for at in range(count))
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[%b]/Count %d>>" % (kids, count), _FONT]
    for at, lines in enumerate(pages):
        rows = [b"BT"]
        for size, left, top, text in lines:
            rows.append(b"/F1 %.1f Tf 1 0 0 1 %.1f %.1f Tm (%b) Tj" % (size, left, 792 - top, _escaped(_encoded(text))))
        content = b"\n".join([*rows, b"ET"])
        objects.append(
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R>>>>/Contents %d 0 R>>"
            % (5 + 2 * at)
        )
        objects.append(b"<</Length %d>>\nstream\n%b\nendstream" % (len(content), content))
    return _written(objects, b"/Root 1 0 R")


_FILLER = (
    "We report on what was seen in the plants that took part, and on",
    "what their operators told us about the gauges that they had used",
    "before the change. None of them had been asked about it earlier,",
    "and none had kept more than the daily sheets of the last season.",
    "Readings were taken by hand, at noon and at night, and copied to",
    "the ledger of the plant, where they stayed until the next visit.",
)
BROKEN_QUOTE = "seen in every plant in which the gauge had been mounted upside down"
"""Words that `broken_pdf` has across a page break, behind a footnote, a running head and a figure."""


def broken_pdf() -> bytes:
    """A paper of two pages; only where its lines stand tells that a sentence goes on behind what lies between."""
    first = [*_FILLER, *_FILLER[::-1], "The lossy resets were seen in every plant in which the gauge had"]
    second = ["been mounted upside down, and in no other. They stopped when all", *_FILLER]
    one = [(11.0, 72.0, 100 + 14.0 * at, line) for at, line in enumerate(first)]
    one += [(8.0, 72.0, 700.0, "1 The ledger of the third plant was lost, and is not counted here.")]
    two = [(8.0, 72.0, 40.0, "Of gauges"), (7.0, 100.0, 90.0, "noon"), (7.0, 200.0, 110.0, "night")]
    two += [(9.0, 72.0, 130.0, "Figure 2: Readings of three gauges over one day, and their mean.")]
    two += [(11.0, 72.0, 180 + 14.0 * at, line) for at, line in enumerate(second)]
    return typeset_pages([one, two])
