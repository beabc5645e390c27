"""Measure how sentences of real papers are found within pages and over breaks of columns and pages; prints a table.

    python bench/quote_breaks.py FOLDER… [--seed N] [--count N] [--show] [--half odd|even]

The sentences come from poppler (`pdftotext` must be installed), not from the extractor that pincite uses. Poppler errs,
too: what is refused has to be read by eye. The last line is one JSON object with the figures.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha1
from random import Random

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from break_cases import Attested, Case, make_cases
from figures import Figure
from glue_cases import make_glued
from poppler_pages import read_pages

from pincite.quotes.lookup import LookupResult, QuoteSource, describe
from pincite.safe.pdf import PdfTrouble, read_pdf
from run import table

_BARS = {"within": 1.0, "column": 3.0, "page": 3.0}
_LARGEST = 40_000_000
_GLUED = 2
"""Glued quotes of each kind and paper."""


def main() -> int:
    """Measure everything; 1 if a bar was passed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=5, help="quotes of each kind and paper (5)")
    parser.add_argument("--most", type=int, default=10_000, help="papers")
    parser.add_argument("--half", choices=("odd", "even"), help="only files whose SHA-1 is odd or even")
    parser.add_argument("--show", action="store_true", help="print every quote that was answered wrongly")
    options = parser.parse_args()
    paths = [path for path in _found(options.folders) if options.half in (None, _half(path))][: options.most]
    cases = gather(paths, options.count, options.seed)
    tally: Counter[tuple[str, ...]] = Counter()
    for at, path in enumerate(paths):
        if at in cases:
            ask(path, cases[at], tally, options.show)
    figures = list(report(tally))
    print(table(figures))
    print(json.dumps({figure.what: round(figure.value, 3) for figure in figures}))
    return int(any(figure.met is False for figure in figures))


def _found(folders: Sequence[str]) -> list[str]:
    found = []
    for top in folders:
        for where, below, names in os.walk(top):
            below.sort()
            found += [os.path.join(where, name) for name in sorted(names) if name.lower().endswith(".pdf")]
    return [path for path in found if os.path.getsize(path) < _LARGEST]


def _half(path: str) -> str:
    with open(path, "rb") as stream:
        return "odd" if int(sha1(stream.read(), usedforsecurity=False).hexdigest(), 16) % 2 else "even"


def gather(paths: Sequence[str], count: int, seed: int) -> dict[int, list[Case]]:
    """The cases of all papers; words that follow one another are learnt from all of them first."""
    attested = Attested()
    read = {}
    for at, path in enumerate(paths):
        read[at] = read_pages(path)
        attested.add(read[at])
    found = {at: list(make_cases(at, pages, attested, count, Random(seed * 999 + at))) for at, pages in read.items()}
    return {at: cases for at, cases in found.items() if cases}


def ask(path: str, cases: Sequence[Case], tally: Counter[tuple[str, ...]], show: bool) -> None:
    """Look up the cases of one paper."""
    try:
        with open(path, "rb") as stream:
            text = read_pdf(stream.read())
    except PdfTrouble as error:
        sys.stderr.write(f"{os.path.basename(path)}: {error}\n")
        return
    # As the checks ask: what was taken out of a PDF may be damaged.
    source = QuoteSource(text.pages, text.boxes, may_be_damaged=True)
    for glued in make_glued(text.pages, text.boxes, _GLUED, Random(len(text.pages))):
        held = source.look(glued.quote).kind == "verbatim"
        tally["glued", glued.kind] += 1
        tally["glued held", glued.kind] += held
        if show and held:
            print(f"{path}: glued [{glued.kind}] page {glued.page + 1}: {glued.quote!r}")
    for case in cases:
        look = source.look(case.quote)
        right = _is_right(case, look)
        tally["asked" if not case.how else "altered", case.kind, case.between] += 1
        if not case.how:
            tally["answer", case.kind, look.kind] += 1
            tally["found", case.kind, case.between] += look.kind == "verbatim"
            tally["right page", case.kind, case.between] += right
        elif look.kind == "verbatim":
            tally["passed", case.kind, case.how] += 1
        if show and not right:
            _print(path, case, look)


def _is_right(case: Case, look: LookupResult) -> bool:
    """For a verbatim case: found on its pages; for an altered one: not passed."""
    if case.how:
        return look.kind != "verbatim"
    return look.kind == "verbatim" and (case.first, case.last) in {(one.page, one.end_page) for one in look.passages}


def _print(path: str, case: Case, look: LookupResult) -> None:
    where = f"pages {case.first + 1}-{case.last + 1}"
    print(f"{path}: {case.kind} [{case.between}] {case.how} {where}: {case.quote!r}")
    there = "; ".join(f"{one.page + 1}-{one.end_page + 1} {one.text!r}" for one in look.passages[:3])
    print(f"    {look.kind} {look.similarity:.2f} {there} {describe(look.edits)}")


def report(tally: Counter[tuple[str, ...]]) -> Iterator[Figure]:
    """What was refused and passed, by kind of break and by what stands there."""
    for kind, bar in _BARS.items():
        rows = sorted(key for key in tally if key[:2] == ("asked", kind))
        asked = sum(tally[row] for row in rows)
        if not asked:
            continue
        found = sum(tally["found", kind, row[2]] for row in rows)
        right = sum(tally["right page", kind, row[2]] for row in rows)
        yield Figure(f"{kind}: verbatim refused, of {asked:,}", 100 * (asked - found) / asked, "%", bar)
        for row in rows if len(rows) > 1 else ():
            part, held = tally[row], tally["found", kind, row[2]]
            what = f"{kind}, {row[2] or 'nothing'} between: refused, of {part:,}"
            yield Figure(what, 100 * (part - held) / part, "%")
        yield Figure(f"{kind}: right page named", 100 * right / max(1, found), "%", 98.0, True)
        for answer in ("altered", "stitched", "absent", "parted"):
            yield Figure(f"{kind}: verbatim called {answer}", 100 * tally["answer", kind, answer] / asked, "%")
    altered = sum(count for key, count in tally.items() if key[0] == "altered")
    passed = sum(count for key, count in tally.items() if key[0] == "passed")
    yield Figure(f"altered passed, of {altered:,}", passed, "", 0.0)
    kinds = sorted(key[1] for key in tally if key[0] == "glued")
    glued = sum(tally["glued", kind] for kind in kinds)
    if glued:
        held = sum(tally["glued held", kind] for kind in kinds)
        yield Figure(f"glued held, of {glued:,}", 100 * held / glued, "%")
    for kind in kinds:
        yield Figure(f"glued, {kind}: held, of {tally['glued', kind]:,}", tally["glued held", kind], "")


if __name__ == "__main__":
    sys.exit(main())
