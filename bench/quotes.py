"""Measure what quotes are found to be, in PDFs made for it and in real ones, and how long a look takes; prints a table.

    python bench/quotes.py [--quick] [--seed N] [--pdfs FOLDER] [--cases FILE] [--show]

A file of own cases has one JSON object per line: `{"pdf": path, "quote": text, "kind": "verbatim", "page": 3}` with the
page counted from 1; then only these are measured. Times are CPU. The last line is one JSON object with the figures.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import sysconfig
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random
from statistics import median, quantiles
from time import process_time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from figures import Figure
from quote_cases import CHANGES, Case, blocks, drawn, invented, lettered, planted
from quote_letters import TEXTS, wrapped
from quote_pdfs import papers, sentence

from pincite.core.model import Citation
from pincite.dialects import ref
from pincite.quotes.lookup import LookupResult, QuoteSource, describe
from pincite.safe.pdf import PdfTrouble, read_pdf
from pincite.text.document import Document
from run import table

_MOST_REAL = 12
_LARGEST = 8_000_000


class Tally:
    """Counts answers."""

    def __init__(self, show: bool) -> None:
        self.asked: Counter[str] = Counter()
        self.right: Counter[str] = Counter()
        self.answers: Counter[tuple[str, str]] = Counter()
        self.show = show
        self.passed = 0

    def take(self, where: str, source: QuoteSource, cases: Iterator[Case]) -> None:
        """Look every case up."""
        for case in cases:
            look = source.look(case.quote)
            self.asked[case.kind] += 1
            self.answers[case.kind, look.kind] += 1
            answered = _right(case, look)
            self.right[case.kind] += answered
            if case.kind not in ("verbatim", "moved") and look.kind == "verbatim":
                self.passed += 1
            if case.kind == "altered" and case.how in ("number", "negation", "name"):
                self.asked["called out"] += 1
                right = bool(look.edits) and look.edits[0].kind == case.how
                self.right["called out"] += right
                if self.show and not right and look.kind == "altered":
                    self._print(where, case, look)
            if self.show and not answered:
                self._print(where, case, look)

    @staticmethod
    def _print(where: str, case: Case, look: LookupResult) -> None:
        print(f"{where}: {case.kind} {case.how} pages {case.first}-{case.last}: {case.quote!r}")
        there = "; ".join(f"{passage.page}-{passage.end_page} {passage.text!r}" for passage in look.passages[:3])
        print(f"    {look.kind} {look.similarity:.2f} {there} {describe(look.edits)}")

    def share(self, kind: str) -> float:
        """How many of a kind were answered as they should, in percent."""
        return 100 * self.right[kind] / max(1, self.asked[kind])

    def figures(self, what: str) -> Iterator[Figure]:
        """One row for each kind that was asked for."""
        total = sum(self.asked[kind] for kind in ("verbatim", "moved", "altered", "stitched", "absent"))
        yield Figure(f"{what}: quotes", total, "")
        if self.asked["altered"]:
            yield Figure(
                f"{what}: changed quotes passed as verbatim, of {self.asked['altered']:,}", self.passed, "", 0.0
            )
        if self.asked["verbatim"]:
            refused = self.asked["verbatim"] + self.asked["moved"]
            refused -= self.answers["verbatim", "verbatim"] + self.answers["moved", "verbatim"]
            asked = self.asked["verbatim"] + self.asked["moved"]
            yield Figure(f"{what}: verbatim quotes refused, of {asked:,}", 100 * refused / asked, "%", 1.0)
        if self.asked["moved"]:
            yield Figure(f"{what}: right page named when moved", self.share("moved"), "%", 99.0, True)
        for kind in ("altered", "stitched", "absent"):
            if self.asked[kind]:
                yield Figure(f"{what}: {kind} named as such", self.share(kind), "%")
        if self.asked["called out"]:
            yield Figure(f"{what}: number, negation or name called out first", self.share("called out"), "%")


def _right(case: Case, look: LookupResult) -> bool:
    if case.kind in ("verbatim", "moved"):
        pages = {(passage.page, passage.end_page) for passage in look.passages}
        return look.kind == "verbatim" and (case.first, case.last) in pages
    return look.kind == case.kind


def main() -> int:
    """Measure everything; 1 if a bar was passed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer quotes, for a first impression")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pdfs", help="a folder of PDFs beside those that installed packages bring")
    parser.add_argument("--cases", help="a file of own cases; only these are measured")
    parser.add_argument("--show", action="store_true", help="print every quote that was answered wrongly")
    options = parser.parse_args()
    if options.cases:
        figures = own(options.cases, options.show)
    else:
        count = 4 if options.quick else 16
        figures = [*made(options.seed, count, options.show), *real(options.seed, count, options.pdfs, options.show)]
        figures += [*letters(options.show), *presented(options.seed, count * 10, options.show)]
        figures += list(times(20 if options.quick else 100))
    print(table(figures))
    rows = {
        figure.what: {"value": round(figure.value, 3), "unit": figure.unit, "bar": figure.bar, "met": figure.met}
        for figure in figures
    }
    print(json.dumps(rows, ensure_ascii=False))
    return int(any(figure.met is False for figure in figures))


def own(path: str, show: bool) -> list[Figure]:
    """The cases of a file."""
    tally = Tally(show)
    sources: dict[str, QuoteSource] = {}
    with open(path, encoding="utf-8") as stream:
        rows = [json.loads(line) for line in stream if line.strip()]
    for row in rows:
        pdf = os.path.join(os.path.dirname(path), row["pdf"])
        if pdf not in sources:
            with open(pdf, "rb") as file:
                text = read_pdf(file.read())
                sources[pdf] = QuoteSource(text.pages, text.boxes)
        page = int(row.get("page", 0)) - 1
        case = Case(row["kind"], row["quote"], page, int(row.get("end_page", row.get("page", 0))) - 1)
        tally.take(row["pdf"], sources[pdf], iter([case]))
    return list(tally.figures("own cases"))


def made(seed: int, count: int, show: bool) -> Iterator[Figure]:
    """PDFs made for this, of which every word and page is known."""
    whole = Tally(show)
    for place, paper in enumerate(papers(seed, 260)):
        text = read_pdf(paper.data)
        source = QuoteSource(text.pages, text.boxes)
        mark = dict(whole.right), dict(whole.asked)
        whole.take(paper.name, source, planted(paper, count, Random(seed * 77 + place)))
        right, asked = (
            sum(now[kind] - before.get(kind, 0) for kind in ("verbatim", "moved"))
            for now, before in zip((whole.right, whole.asked), mark, strict=True)
        )
        yield Figure(f"made PDFs: verbatim on the right page: {paper.name}", 100 * right / max(1, asked), "%")
    yield from whole.figures("made PDFs")


def letters(show: bool) -> Iterator[Figure]:
    """Quotes in scripts without spaces, from texts in lines."""
    tally = Tally(show)
    for name, texts in TEXTS.items():
        tally.take(name, QuoteSource((wrapped(texts),)), lettered(texts))
    yield from tally.figures("scripts without spaces")


def presented(seed: int, count: int, show: bool) -> Iterator[Figure]:
    """Block quotes with quotation marks inside, as a document has them: what holds must have been found."""
    text, cases = blocks(count, Random(seed * 55))
    source = QuoteSource((text,))
    asked: Counter[str] = Counter()
    held: Counter[str] = Counter()
    for kind, document in cases:
        cited = [item for item in ref.extract(Document("x.md", document)) if isinstance(item, Citation)]
        quotes = [words for one in cited if one.quote is not None for words in (one.quote.exact, *one.quote.others)]
        holds = all(source.look(words).kind == "verbatim" for words in quotes)
        asked["verbatim" if kind == "verbatim" else "others"] += 1
        held["verbatim" if kind == "verbatim" else "others"] += holds
        if show and holds != (kind == "verbatim"):
            print(f"{kind}: {document!r} {quotes!r}")
    yield Figure(f"block quotes: changed or invented that hold, of {asked['others']:,}", held["others"], "", 0.0)
    refused = 100 * (asked["verbatim"] - held["verbatim"]) / max(1, asked["verbatim"])
    yield Figure(f"block quotes: verbatim refused, of {asked['verbatim']:,}", refused, "%", 1.0)


def real(seed: int, count: int, folder: str | None, show: bool) -> Iterator[Figure]:
    """PDFs that packages on this machine bring as their documentation."""
    tally = Tally(show)
    used = 0
    for place, path in enumerate(_found(folder)):
        try:
            with open(path, "rb") as stream:
                text = read_pdf(stream.read())
        except (OSError, PdfTrouble) as error:
            sys.stderr.write(f"{os.path.basename(path)}: {error}\n")
            continue
        before = sum(tally.asked.values())
        source = QuoteSource(text.pages, text.boxes)
        tally.take(os.path.basename(path), source, drawn(text.pages, count * 2, Random(seed * 99 + place)))
        used += sum(tally.asked.values()) > before
    yield Figure("real PDFs", used, "")
    if used:
        yield from tally.figures("real PDFs")


def _found(folder: str | None) -> list[str]:
    """PDFs below the installed packages, the system's documentation and the folder given."""
    tops = [sysconfig.get_paths()["purelib"], "/usr/share/doc", "/usr/local/share/doc", *([folder] if folder else [])]
    found: list[str] = []
    for top in tops:
        for where, folders, names in os.walk(top):
            folders.sort()
            paths = [os.path.join(where, name) for name in sorted(names) if name.lower().endswith(".pdf")]
            found += [path for path in paths if os.path.isfile(path) and 20_000 < os.path.getsize(path) < _LARGEST]
    return found[:_MOST_REAL]


def times(count: int) -> Iterator[Figure]:
    """How long a look takes in a text of 1 MB."""
    random = Random(5)
    sentences: list[str] = []
    size = 0
    while size < 1_000_000:
        sentences.append(sentence(random))
        size += len(sentences[-1]) + 1
    lines = _wrapped(" ".join(sentences))
    pages = [
        "\n".join([f"Head {at // 45}", *lines[at : at + 45], f"{at // 45 + 1}"]) for at in range(0, len(lines), 45)
    ]
    yield Figure("folding 1 MB, the least of 9", min(_each(lambda _: QuoteSource(pages).layers, [""] * 9)), "ms", 100.0)
    source = QuoteSource(pages)
    source.look("nothing at all")
    verbatim, changed = [], []
    while len(verbatim) < count or len(changed) < count:
        words = " ".join(sentences[(at := random.randrange(len(sentences) - 3)) : at + 2]).split()
        verbatim.append(" ".join(words[2:40]))
        how = random.choice(CHANGES)[1](words[2:40], random)
        changed += [" ".join(how)] if how else []
    text = "\n".join(pages)
    bare = _each(lambda quote: text.find(quote), verbatim[:count])
    for what, quotes, bar in (
        ("verbatim", verbatim, 2.0),
        ("approximately", changed, 20.0),
        ("in vain", [invented(random) for _ in range(count)], 20.0),
    ):
        took = _each(source.look, quotes[:count])
        yield Figure(f"a quote found {what} in 1 MB", median(took), "ms", bar)
        yield Figure(f"a quote found {what} in 1 MB, 95th percentile", quantiles(took, n=20)[-1], "ms")
        yield Figure(f"a quote found {what} in 1 MB: to `str.find`", median(took) / median(bare), "×")


def _each(ask: Callable[[str], object], quotes: Sequence[str]) -> list[float]:
    took = []
    for quote in quotes:
        started = process_time()
        ask(quote)
        took.append(1000 * (process_time() - started))
    return took


def _wrapped(text: str) -> list[str]:
    """A text in lines of about 80 characters."""
    lines, start = [], 0
    while start < len(text):
        end = text.find(" ", start + 74)
        lines.append(text[start : end if end > 0 else len(text)])
        start = end + 1 if end > 0 else len(text)
    return lines


if __name__ == "__main__":
    sys.exit(main())
