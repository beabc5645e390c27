"""Measure validating 200 citations over 50 pages from their snapshots, against parsing the pages once.

    python bench/research.py [--pages FOLDER] [--times N]

Without a folder of HTML files the pages are made up: paragraphs, links, lists, tables and metadata, about 60 KB each.
Three floors: the parser alone (turbohtml, tree and text), our reader (text and metadata), and the whole validation
with quotes, credibility and snapshots (unpacked, digests compared). Everything runs in this process, in turns.
The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import glob
import json
import os
import random
import re
import sys
import tempfile
from collections.abc import Callable
from html import escape, unescape
from statistics import median
from time import process_time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from figures import Figure
from measure import SOURCE

from run import table

sys.path.insert(0, SOURCE)

from pincite.core.web import Exchange, Visit
from pincite.domains.research.model import ExtractedCitation
from pincite.domains.research.stages import TopicContext, validate
from pincite.domains.research.topic import topic_named
from pincite.project.config import ResearchSettings
from pincite.safe.files import Root
from pincite.store.warc import Snapshots

PAGES, CITATIONS = 50, 200
BAR = 1.5
_WORDS = (
    "the a of and to in that measured result server under load page system which was value study found each with for"
    " data between reported change method larger than over year group model time first after before region water energy"
).split()


def main() -> int:
    """Measure; 1 if the bar was passed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", help="a folder of HTML files to take the pages from")
    parser.add_argument("--times", type=int, default=7, help="runs of each (7)")
    options = parser.parse_args()
    pages = found(options.pages) if options.pages else made()
    with tempfile.TemporaryDirectory(prefix="pincite-bench-") as folder:
        cost, validated = measured(os.path.realpath(folder), pages, options.times)
    size = sum(len(data) for data, _ in pages) / len(pages) / 1000
    figures = [
        Figure(
            "validate 200 citations from snapshots: to reading the 50 pages once", cost["all"] / cost["read"], "×", BAR
        ),
        Figure("the same: to the bare parser, tree and text", cost["all"] / cost["parse"], "×"),
        Figure("reading a page, text and metadata: to the bare parser", cost["read"] / cost["parse"], "×"),
    ]
    print(f"{len(pages)} pages of {size:.0f} KB on average; {validated} of {CITATIONS} quotes verbatim")
    print(table(figures))
    summary = {f"{name}_ms": round(1000 * value, 1) for name, value in cost.items()}
    summary |= {"to_reading": round(figures[0].value, 2), "to_parser": round(figures[1].value, 2)}
    print(json.dumps(summary | {"page_kb": round(size, 1), "verbatim": validated}))
    return int(any(figure.met is False for figure in figures))


def measured(folder: str, pages: list[tuple[bytes, list[str]]], times: int) -> tuple[dict[str, float], int]:
    """The median CPU of each, in turns; and how many quotes were found word for word."""
    from turbohtml import parse

    from pincite.pages.read import read_html

    root = Root(folder)
    topic = topic_named("bench")
    kept = Snapshots(root, topic.snapshots)
    citations = []
    urls = [f"https://site{at}.example/page" for at in range(len(pages))]
    for url, (data, _) in zip(urls, pages, strict=True):
        kept.add(
            Visit(url, "2026-01-31T10:00:00Z", (Exchange(url, 200, "OK", (("Content-Type", "text/html"),), data),))
        )
    for at in range(CITATIONS):
        quotes = pages[at % len(pages)][1]
        quote = quotes[at // len(pages) % len(quotes)]
        citations.append(ExtractedCitation(quote, quote, urls[at % len(pages)], "secondary", "A page", "2026-01-31"))
    work = TopicContext(root, topic, ResearchSettings(), offline=True)
    verbatim = 0

    def everything() -> None:
        nonlocal verbatim
        verbatim = sum(bool(one.validation_details.quote_verbatim) for one in validate(work, citations).citations)

    runs: dict[str, Callable[[], object]] = {
        "parse": lambda: [parse(data, positions=False).text for data, _ in pages],
        "read": lambda: [read_html(data, "utf-8", url) for url, (data, _) in zip(urls, pages, strict=True)],
        "all": everything,
    }
    costs: dict[str, list[float]] = {name: [] for name in runs}
    for turn in range(times + 1):
        for name, run in runs.items():
            started = process_time()
            run()
            if turn:
                costs[name].append(process_time() - started)
    return {name: median(values) for name, values in costs.items()}, verbatim


def found(folder: str) -> list[tuple[bytes, list[str]]]:
    """Pages of a folder, and sentences that stand in one paragraph of their source without a tag inside."""
    pages = []
    for path in sorted(glob.glob(os.path.join(folder, "**", "*.html"), recursive=True)):
        with open(path, "rb") as stream:
            data = stream.read()
        text = data.decode("utf-8", "replace")
        plain = [unescape(match) for match in re.findall(r"<p>([^<>]{60,600})</p>", text)]
        quotes = [" ".join(one.split()) for one in plain]
        if 20_000 < len(data) < 300_000 and len(quotes) >= 4:
            pages.append((data, quotes[:8]))
        if len(pages) == PAGES:
            break
    if len(pages) < PAGES:
        raise SystemExit(f"{folder}: {len(pages)} pages with enough plain paragraphs; {PAGES} are needed")
    return pages


def made(seed: int = 3) -> list[tuple[bytes, list[str]]]:
    """Pages of our own, and sentences that stand in them."""
    random.seed(seed)
    return [_page(at) for at in range(PAGES)]


def _page(number: int) -> tuple[bytes, list[str]]:
    blocks, quotes = [], []
    for at in range(110):
        sentences = [_sentence() for _ in range(4)]
        words = " ".join(sentences)
        marked = escape(words).replace(" study ", " <em>study</em> ").replace(" data ", ' <a href="/data">data</a> ')
        blocks.append(f'<p class="body" id="p{at}">{marked}</p>')
        if at % 14 == 7:
            quotes.append(sentences[1])
            rows = "".join(f"<tr><td>{word}</td><td>{random.randint(1, 999)}</td></tr>" for word in _WORDS[:8])
            blocks.append(f"<h2>Part {at}</h2><table>{rows}</table>")
    links = "".join(f'<li><a href="https://source{at}.example/a">Source {at}</a></li>' for at in range(12))
    menu = "".join(f'<li class="nav-item"><a class="nav-link" href="/m{at}">Menu {at}</a></li>' for at in range(60))
    data = {"@type": "Article", "headline": f"Page {number}", "author": {"@type": "Person", "name": "Jo Doe"}}
    data["datePublished"] = "2025-11-30"
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page {number}</title>'
        f'<meta name="author" content="Jo Doe"><script type="application/ld+json">{json.dumps(data)}</script></head>'
        f'<body><nav><ul>{menu}</ul></nav><main><article><h1>Page {number}</h1><p class="byline">By Jo Doe</p>'
        f"{''.join(blocks)}<h2>References</h2><ol>{links}</ol></article></main></body></html>"
    ).encode(), quotes


def _sentence() -> str:
    words = random.choices(_WORDS, k=random.randint(12, 26))
    return f"{words[0].capitalize()} {' '.join(words[1:])} {random.randint(2, 9999)}."


if __name__ == "__main__":
    sys.exit(main())
