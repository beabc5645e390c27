"""Measure what is made of quotes planted in real pages, and what reading a page costs; prints a table.

    python bench/pages.py [--quick] [--seed N] [--pages FOLDER]… [--show]

Pages are the descriptions of the installed packages, and every HTML file below the folders. Times are CPU. The last
line is one JSON object with the figures.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from random import Random
from time import process_time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "pages"))

from figures import Figure
from planted import dress, quotes, readmes
from turbohtml import parse

from pincite.pages.read import read_html
from pincite.quotes.lookup import QuoteSource
from run import table

_LARGEST = 400_000
_URL = "https://example.org/page"
_EACH = 8


def found(folders: list[str], most: int) -> Iterator[tuple[str, bytes]]:
    """The HTML files below the folders, each content once."""
    seen: set[int] = set()
    for folder in folders:
        for path, _, names in sorted(os.walk(folder)):
            for name in sorted(names):
                if not name.endswith((".html", ".htm")) or len(seen) >= most:
                    continue
                with open(os.path.join(path, name), "rb") as file:
                    data = file.read(_LARGEST + 1)
                if len(data) <= _LARGEST and hash(data) not in seen:
                    seen.add(hash(data))
                    yield os.path.join(path, name), data


def planted(what: str, pages: list[tuple[str, str]], random: Random, show: bool) -> Iterator[Figure]:
    """What was made of the quotes."""
    asked: Counter[bool] = Counter()
    wrong: Counter[bool] = Counter()
    for name, html in pages:
        dressed, paragraphs = dress(html, random)
        source = QuoteSource(read_html(dressed.encode("utf-8", "replace"), "utf-8", _URL).texts)
        for case in quotes(paragraphs, _EACH, random):
            asked[case.verbatim] += 1
            if (source.verbatim(case.quote) is not None) != case.verbatim:
                wrong[case.verbatim] += 1
                if show:
                    print(f"{name}: {case.how}: {case.quote!r}")
    yield Figure(f"{what}: pages", len(pages), "")
    yield Figure(f"{what}: quotes", sum(asked.values()), "")
    yield Figure(f"{what}: altered and passed as verbatim", wrong[False], "", 0)
    yield Figure(f"{what}: verbatim and refused", 100 * wrong[True] / max(1, asked[True]), "%", 1)


def cost(what: str, pages: list[bytes], times: int) -> Iterator[Figure]:
    """Reading pages against parsing them and taking their text."""
    read_html(b'<a href="https://example.com/">x</a>', "", _URL)
    bare: list[float] = []
    whole: list[float] = []
    for _ in range(times):
        start = process_time()
        for data in pages:
            parse(data).to_text()
        bare.append(process_time() - start)
        start = process_time()
        for data in pages:
            read_html(data, "", _URL)
        whole.append(process_time() - start)
    yield Figure(f"{what}: megabytes", sum(map(len, pages)) / 1e6, "MB")
    yield Figure(f"{what}: read_html against parse and text", min(whole) / min(bare), "×")
    yield Figure(f"{what}: a page", 1000 * min(whole) / max(1, len(pages)), "ms")


def main() -> int:
    """Measure, print, and say whether every bar is met."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--seed", type=int, default=6)
    parser.add_argument("--pages", action="append", default=[])
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    random = Random(options.seed)
    described = list(readmes())[: 20 if options.quick else None]
    files = list(found(options.pages or ["/usr/share/doc"], 40 if options.quick else 1000))
    figures = list(planted("descriptions", described, random, options.show))
    if files:
        texts = [(name, data.decode("utf-8", "replace")) for name, data in files]
        figures += planted("HTML files", texts, random, options.show)
        figures += cost("HTML files", [data for _, data in files], 3)
    figures += cost("descriptions", [html.encode() for _, html in described], 3)
    print(table(figures))
    print(json.dumps({figure.what: round(figure.value, 4) for figure in figures}))
    return 0 if all(figure.met is not False for figure in figures if "read_html" not in figure.what) else 1


if __name__ == "__main__":
    raise SystemExit(main())
