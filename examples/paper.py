"""Writes the paper that the examples cite, as a PDF: four pages of a journal, numbered from 81; the same bytes always.

python examples/paper.py FILE
"""

from __future__ import annotations

import sys
from pathlib import Path

TITLE = "Resetting Gauges Without Losing Counts"
AUTHOR = "Nora Lindgren"
HEAD = "Journal of Made-up Instruments 7 (2024)"
FIRST = 81
PAGES = {
    "1 Introduction": """
A gauge that is read by many is reset by many, and every reset
throws a count away. We ask how often that happens, and whether
it can be avoided without a second store.

Earlier work held that resets are rare. In the logs of the 240
plants that took part, they were not.""",
    "2 Methods": """
Each plant ran one gauge for 90 days. Every reset was recorded
with the value before it, the time, and who asked for it. Read-
ings were taken once a second and kept for the whole period.

A reset counts as lossy when the value before it was not written
anywhere else within one second. Two readers judged every reset;
they agreed on 97% of them.""",
    "3 Results": """
Of 11,520 resets, 1,843 were lossy. A gauge that keeps its peak
across resets loses no count: in the 60 plants that kept it, not
one lossy reset was recorded.

The limit of the gauge did not matter. Gauges with a limit of 100
and gauges with a limit of 250 lost the same share of their counts,""",
    "4 Discussion": """
although the larger ones were reset half as often.

Keeping the peak costs one number per gauge. We see no reason to
build a gauge without it. Whether the same holds for gauges that
are read less than once a second, we cannot say.""",
}


def lines(number: int, text: str, heading: str) -> list[str]:
    """A page as it is printed: the running head, what stands on it, and its number."""
    title = [TITLE, AUTHOR, ""] if number == 0 else []
    # The sentence that a page breaks off goes on above the next heading.
    begun, _, rest = text[1:].partition("\n\n") if number == 3 else ("", "", text[1:])
    carried = [begun, ""] if begun else []
    return [HEAD, "", *title, *carried, heading, "", *rest.split("\n"), "", str(FIRST + number)]


def make_pdf() -> bytes:
    """The paper with its page labels, outline, title and author."""
    count = len(PAGES)
    kids = b" ".join(b"%d 0 R" % (5 + 2 * at) for at in range(count))
    entries = 5 + 2 * count
    objects = [
        b"<</Type/Catalog/Pages 2 0 R/Outlines 4 0 R/PageLabels<</Nums[0<</S/D/St %d>>]>>>>" % FIRST,
        b"<</Type/Pages/Kids[%b]/Count %d>>" % (kids, count),
        b"<</Type/Font/Subtype/Type1/BaseFont/Times-Roman/Encoding/WinAnsiEncoding>>",
        b"<</Type/Outlines/First %d 0 R/Last %d 0 R/Count %d>>" % (entries, entries + count - 1, count),
    ]
    for at, (heading, text) in enumerate(PAGES.items()):
        page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 420 595]/Resources<</Font<</F 3 0 R>>>>/Contents %d 0 R>>"
        drawn = b"\n".join([b"BT /F 11 Tf 15 TL 50 540 Td", *map(_drawn, lines(at, text, heading)), b"ET"])
        objects += [page % (6 + 2 * at), b"<</Length %d>>\nstream\n%b\nendstream" % (len(drawn), drawn)]
    for at, heading in enumerate(PAGES):
        beside = (b"/Prev %d 0 R" % (entries + at - 1) if at else b"") + (
            b"/Next %d 0 R" % (entries + at + 1) if at < count - 1 else b""
        )
        objects.append(b"<</Title(%b)/Parent 4 0 R%b/Dest[%d 0 R/Fit]>>" % (heading.encode(), beside, 5 + 2 * at))
    objects.append(b"<</Title(%b)/Author(%b)/CreationDate(D:20240501120000Z)>>" % (TITLE.encode(), AUTHOR.encode()))
    return _written(objects)


def _drawn(line: str) -> bytes:
    escaped = line.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    return b"(%b) '" % escaped.encode("cp1252")


def _written(objects: list[bytes]) -> bytes:
    """A file of these objects, numbered from 1; the last one says what the paper is."""
    out, places = b"%PDF-1.7\n", b""
    for number, body in enumerate(objects, 1):
        places += b"%010d 00000 n \n" % len(out)
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    size = len(objects) + 1
    table = b"xref\n0 %d\n0000000000 65535 f \n%b" % (size, places)
    trailer = b"trailer\n<</Size %d/Root 1 0 R/Info %d 0 R>>" % (size, len(objects))
    return out + table + trailer + b"\nstartxref\n%d\n%%%%EOF\n" % len(out)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    Path(sys.argv[1]).write_bytes(make_pdf())
