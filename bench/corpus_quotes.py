"""Measure what an absent or altered quote costs in a corpus of many papers: every paper may hold it; prints a table.

    python bench/corpus_quotes.py [FOLDER] [--papers 179] [--quotes 40]

FOLDER holds PDFs of your own; without one, papers are made. The corpus lies in a temporary folder, and so does the
cache. Times are CPU of looking a quote up, in the cited paper and in all others, once the filters of the papers are
made; the first quote also folds the cited paper. The last line is one JSON object with the figures.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from random import Random
from statistics import median
from time import process_time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from figures import Figure
from quote_cases import drawn, invented
from quote_pdfs import papers

from pincite.papers.evidence import PaperEvidence
from pincite.project.config import CorpusSettings
from pincite.safe.files import Root
from pincite.sources import World
from pincite.sources._corpus import Corpus
from run import table

_LARGEST = 8_000_000
_FOLDER = "corpus"
_BAR = 50


def made(count: int) -> Iterator[bytes]:
    """So many made papers."""
    seed = 0
    while count > 0:
        for paper in papers(seed, 120)[:count]:
            yield paper.pdf
            count -= 1
        seed += 1


def given(folder: str, count: int) -> Iterator[bytes]:
    """At most so many PDFs below a folder, in order."""
    paths = sorted(os.path.join(top, name) for top, _, names in os.walk(folder) for name in names)
    for path in [path for path in paths if path.lower().endswith(".pdf")][:count]:
        if os.path.getsize(path) <= _LARGEST:
            with open(path, "rb") as stream:
                yield stream.read()


def open_corpus(top: str) -> Corpus:
    """The corpus below a folder, as a new run sees it."""
    corpus = World(Root(top), lambda: None, "", CorpusSettings(path=_FOLDER)).any_corpus()
    assert corpus is not None
    return corpus


def ask(corpus: Corpus, cited: PaperEvidence, quotes: list[str]) -> list[float]:
    """Milliseconds for each quote, in the cited paper and in all others."""
    times = []
    for quote in quotes:
        start = process_time()
        source = corpus.words(cited.paper)
        if source is not None and source.look(quote).kind != "verbatim":
            corpus.elsewhere(cited.paper, quote)
        times.append((process_time() - start) * 1000)
    return times


def main() -> int:
    """Make the corpus and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?")
    parser.add_argument("--papers", type=int, default=179)
    parser.add_argument("--quotes", type=int, default=40)
    options = parser.parse_args()
    random = Random(1)
    with tempfile.TemporaryDirectory(prefix="pincite-bench-") as top, tempfile.TemporaryDirectory() as cache:
        os.environ["PINCITE_CACHE"] = cache
        os.mkdir(f"{top}/{_FOLDER}")
        held = given(options.folder, options.papers) if options.folder else made(options.papers)
        for number, pdf in enumerate(held, 1):
            for ending, data in (("pdf", pdf), ("md", b"---\ntitle: x\n---\n")):
                with open(f"{top}/{_FOLDER}/REF-{number:03d}-x.{ending}", "wb") as stream:
                    stream.write(data)
        corpus = open_corpus(top)
        readable = [found for found in corpus.papers() if corpus.pdf(found.paper) is not None]
        cited = readable[0]
        pages = corpus.pdf(cited.paper)
        assert pages is not None
        absent = [invented(random) for _ in range(options.quotes)]
        altered = [case.quote for case in drawn(pages.pages, options.quotes * 4, random) if case.kind == "altered"]
        start = process_time()
        corpus.elsewhere(cited.paper, absent[0])
        filters = (process_time() - start) * 1000
        first = ask(open_corpus(top), cited, absent[:1])[0]
        again = open_corpus(top)
        ask(again, cited, absent[:1])
        rows = [
            Figure(f"{len(readable)} papers: making their filters, once, each", filters / len(readable), "ms"),
            Figure("the first absent quote of a run", first, "ms", _BAR),
            Figure("a further absent quote", median(ask(again, cited, absent)), "ms", _BAR),
            Figure("an altered quote", median(ask(again, cited, altered[: options.quotes])), "ms", _BAR),
        ]
    print(table(rows))
    print(json.dumps({row.what: round(row.value, 2) for row in rows}))
    return int(any(row.met is False for row in rows))


if __name__ == "__main__":
    sys.exit(main())
