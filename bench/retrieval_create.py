"""What citations cost, beside reading the documents they cite: ratios measured in turns in one process.

    python bench/retrieval_create.py [--times N]

"Reading" is os.open, os.fstat, os.read, os.close and decoding, with the texts kept, as anybody does who works with
them. Hits come as an index gives them: with their words and the digest of their document. The last line is one JSON
object with the same figures.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import random
import sys
import tempfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from time import process_time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "src"))

from pincite.domains.retrieval import (
    Chunk,
    Citation,
    CitationService,
    CitationStyle,
    SearchHit,
    SourceDocument,
    chunk_identity,
)

DOCUMENTS, CITATIONS = 50, 1000
WORDS = "the gauge is reset when a count has been kept and every reading after that starts from zero again".split()
DASHES = "the gauge – as “kept” – is reset; naïve readers … café".split()


def make(folder: str, kilobytes: int, words: list[str]) -> list[str]:
    """Documents of about that many bytes, their time of change long past."""
    chance = random.Random(kilobytes)
    paths = []
    for number in range(DOCUMENTS):
        lines: list[str] = []
        size = 0
        while size < kilobytes * 1024:
            line = " ".join(chance.choices(words, k=chance.randint(0, 16)))
            size += len(line.encode()) + 1
            lines.append(line)
        path = os.path.join(folder, f"{kilobytes}-{number}.md")
        with open(path, "w", encoding="utf-8") as stream:
            stream.write("\n".join(lines))
        paths.append(path)
    return paths


def read(paths: list[str]) -> list[str]:
    """The least that a reader does."""
    texts = []
    for path in paths:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        data = os.read(descriptor, os.fstat(descriptor).st_size + 1)
        os.close(descriptor)
        texts.append(data.decode())
    return texts


def hits_of(paths: list[str], *, digest: bool = True) -> list[SearchHit]:
    """As many hits as asked for, spread over all documents."""
    chance = random.Random(7)
    hits = []
    texts = dict(zip(paths, read(paths), strict=True))
    for number in range(CITATIONS):
        path = paths[number % DOCUMENTS]
        text = texts[path]
        start = chance.randrange(len(text) - 700)
        end = start + chance.randrange(200, 700)
        chunk = Chunk(chunk_identity(path, text[start:end]), start, end, text[start:end], "Gauges")
        known = sha256(text.encode()).hexdigest() if digest else ""
        hits.append(SearchHit(chunk, SourceDocument(path, "A title", digest=known)))
    return hits


def bare_record(hit: SearchHit) -> Citation:
    """A citation with nothing looked up: the least that any service pays for each."""
    chunk, document = hit.chunk, hit.document
    return Citation(
        chunk_id=chunk.id,
        document_path=document.file_path,
        document_title=document.title or "",
        start_offset=chunk.start_offset,
        end_offset=chunk.end_offset,
        heading=chunk.heading,
        line_number=1,
        indexed_at=document.indexed_at,
        end_line=1,
        text=chunk.content,
        document_digest=document.digest,
    )


def medians(times: int, works: dict[str, Callable[[], object]]) -> dict[str, float]:
    """The median CPU seconds of each piece of work; they take turns, and the collector stays out of all alike."""
    spent: dict[str, list[float]] = {name: [] for name in works}
    for turn in range(times + 1):
        for name, work in works.items():
            gc.collect()
            gc.disable()
            started = process_time()
            kept = work()
            seconds = process_time() - started
            gc.enable()
            del kept
            if turn:
                spent[name].append(seconds)
    return {name: sorted(each)[len(each) // 2] for name, each in spent.items()}


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=15)
    options = parser.parse_args()
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="pincite-bench-") as folder:
        for label, words in (("ASCII", WORDS), ("with dashes", DASHES)):
            for kilobytes in (5, 20, 100):
                paths = make(folder, kilobytes, words)
                figures |= creating(f"{kilobytes} KB, {label}", paths, options.times)
        figures |= formatting(paths, options.times)
    for name, value in figures.items():
        print(f"{name:<76} {value:8.2f}")
    print(json.dumps({name: round(value, 3) for name, value in figures.items()}, ensure_ascii=False))
    return 0


def creating(label: str, paths: list[str], times: int) -> dict[str, float]:
    """Creating 1,000 citations over 50 documents, unread and read before."""
    hits, bare = hits_of(paths), hits_of(paths, digest=False)
    known = CitationService()
    for place in paths:
        # A document that was touched just now is compared again each time; these are old.
        os.utime(place, (1e9, 1e9))
    known.create_citations(hits)
    for source in known._sources._held.values():
        source.settled = True
    cost = medians(
        times,
        {
            "read": lambda: read(paths),
            "open": lambda: [Path(path).read_text(encoding="utf-8") for path in paths],
            "records": lambda: [bare_record(hit) for hit in hits],
            "create": lambda: CitationService().create_citations(hits),
            "bare": lambda: CitationService().create_citations(bare),
            "again": lambda: known.create_citations(hits),
            "single": lambda: [known.create_citation(hit) for hit in hits],
        },
    )
    each = 1e6 / CITATIONS
    return {
        f"{label}: create 1,000 over 50, to reading them (×)": cost["create"] / cost["read"],
        f"{label}: the same, digests worked out here (×)": cost["bare"] / cost["read"],
        f"{label}: create, to reading them by Path.read_text (×)": cost["create"] / cost["open"],
        f"{label}: 1,000 records filled from hits alone, to reading (×)": cost["records"] / cost["read"],
        f"{label}: reading one document (µs)": cost["read"] * 1e6 / DOCUMENTS,
        f"{label}: one of many from a document already read (µs)": cost["again"] * each,
        f"{label}: one alone from a document already read (µs)": cost["single"] * each,
    }


def formatting(paths: list[str], times: int) -> dict[str, float]:
    """Writing citations in each style, and checking them."""
    service = CitationService()
    citations = service.create_citations(hits_of(paths))
    works: dict[str, Callable[[], object]] = {
        style.value: lambda style=style: [service.format_citation(each, style) for each in citations]
        for style in CitationStyle
    }
    works["check"] = lambda: service.check_all(citations)
    cost = medians(times, works)
    figures = {f"format as {style.value} (µs)": cost[style.value] * 1e6 / CITATIONS for style in CitationStyle}
    return figures | {"check one of many (µs)": cost["check"] * 1e6 / CITATIONS}


if __name__ == "__main__":
    sys.exit(main())
