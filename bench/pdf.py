"""Measure what it costs to take the text out of a long PDF, against the bare extractor; prints a table.

    python bench/pdf.py [--quick] [--times N] [--folder DIR]

Ratios are medians of runs that take turns. The bare extractor is a process that takes the text of every page and does
nothing else: no limits, no process apart, no order of columns, labels or outline. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from figures import Figure
from measure import PYTHON, Contest, Cost

from run import table

BAR = 1.3
_WORDS = "evidence a of the quotation where page column reading which that method result in claim is source we".split()
_BARE = """
import sys, pypdfium2
document = pypdfium2.PdfDocument(sys.argv[1])
kept = [page.get_textpage().get_text_range() for page in document]
"""
_OURS = """
import sys
from pincite.safe.pdf import read_pdf
with open(sys.argv[1], "rb") as stream: kept = read_pdf(stream.read()).pages
"""
_KEPT = """
import sys
from pincite.store.pdf_texts import text_of
with open(sys.argv[1], "rb") as stream: kept = text_of(stream.read(), True).pages
"""


def main() -> int:
    """Measure everything; 1 if a bar was passed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="30 pages instead of 300, for a first impression")
    parser.add_argument("--times", type=int, default=7, help="runs of each command (7)")
    parser.add_argument("--folder", help="where to work (default: the system's temporary folder)")
    options = parser.parse_args()
    pages = 30 if options.quick else 300
    with tempfile.TemporaryDirectory(prefix="pincite-bench-", dir=options.folder) as folder:
        cost = measured(os.path.realpath(folder), options.times, pages)
    figures = list(ratios(cost, pages))
    print(table(figures))
    bare, ours = cost["lines: bare"], cost["lines: ours"]
    summary = {
        "bare_ms": round(1000 * bare.seconds, 1),
        "ours_ms": round(1000 * ours.seconds, 1),
        "ratio": round(ours.seconds / bare.seconds, 3),
        "cpu_ratio": round(ours.cpu / bare.cpu, 3),
        "columns_ratio": round(cost["columns: ours"].seconds / cost["columns: bare"].seconds, 3),
        "columns_cpu_ratio": round(cost["columns: ours"].cpu / cost["columns: bare"].cpu, 3),
        "kept_ratio": round(cost["lines: kept"].seconds / bare.seconds, 3),
    }
    print(json.dumps({"pdf": summary}))
    return int(any(figure.met is False for figure in figures))


def measured(folder: str, times: int, pages: int) -> Mapping[str, Cost]:
    """What each way costs for each kind of page."""
    os.environ["PINCITE_CACHE"] = os.path.join(folder, "cache")
    contest = Contest(folder, times)
    for kind in ("lines", "columns", "words"):
        path = os.path.join(folder, f"{kind}.pdf")
        write(path, kind, pages)
        contest.add(f"{kind}: bare", (PYTHON, "-c", _BARE, path))
        contest.add(f"{kind}: ours", (PYTHON, "-c", _OURS, path))
    path = os.path.join(folder, "lines.pdf")
    contest.add("lines: kept", (PYTHON, "-c", _KEPT, path))
    try:
        return contest.medians((0,))
    finally:
        shutil.rmtree(os.environ["PINCITE_CACHE"], ignore_errors=True)


def ratios(cost: Mapping[str, Cost], pages: int) -> Iterator[Figure]:
    """The figures of the table."""
    # Of few pages, the start is the most.
    bar = BAR if pages >= 300 else None
    for kind, what in (
        ("lines", "one column"),
        ("columns", "two columns drawn line by line"),
        ("words", "every word drawn by itself"),
    ):
        bare, ours = cost[f"{kind}: bare"], cost[f"{kind}: ours"]
        yield Figure(f"{pages} pages, {what}: to the bare extractor", ours.seconds / bare.seconds, "×", bar)
        yield Figure(f"{pages} pages, {what}: CPU to the bare extractor", ours.cpu / bare.cpu, "×", bar)
        yield Figure(f"{pages} pages, {what}: the bare extractor", bare.seconds, "s")
    yield Figure(
        f"{pages} pages, kept from before: to the bare extractor",
        cost["lines: kept"].seconds / cost["lines: bare"].seconds,
        "×",
    )


def write(path: str, kind: str, pages: int) -> None:
    """A PDF with text of nothing in particular: full lines, two columns that alternate, or single words."""
    from reportlab.pdfgen.canvas import Canvas

    chance = random.Random(4)
    canvas = Canvas(path, invariant=1)
    for number in range(pages):
        canvas.bookmarkPage(str(number))
        if number % 10 == 0:
            canvas.addOutlineEntry(f"Part {number // 10 + 1}", str(number), 0)
        canvas.setFont("Times-Roman", 10)
        for row in range(54):
            y = 780 - 13 * row
            if kind == "columns":
                canvas.drawString(60, y, words(chance, 7))
                canvas.drawString(320, y, words(chance, 7))
            elif kind == "lines":
                canvas.drawString(60, y, words(chance, 15))
            else:
                x = 60.0
                for word in words(chance, 15).split():
                    canvas.drawString(x, y, word)
                    x += canvas.stringWidth(word, "Times-Roman", 10) + 2.5
        canvas.showPage()
    canvas.save()


def words(chance: random.Random, count: int) -> str:
    """A few words."""
    return " ".join(chance.choices(_WORDS, k=count))


if __name__ == "__main__":
    sys.exit(main())
