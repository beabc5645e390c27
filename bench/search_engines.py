"""Engines that search passages, behind one shape, so that they can be asked the same.

    python bench/search_engines.py ENGINE PASSAGES QUERIES FOLDER

Measures one engine in a process of its own: PASSAGES and QUERIES are msgpack lists of texts. Prints one JSON object.
"""

from __future__ import annotations

import json
import os
import re
import resource
import sqlite3
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from importlib.util import find_spec
from statistics import quantiles
from time import perf_counter
from typing import Any, Protocol

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from figures import Figure, Setting
from measure import PYTHON, SOURCE

if SOURCE not in sys.path:
    sys.path.insert(0, SOURCE)

_WORD = re.compile(r"[^\W_]+")
_MOST_FOR_WHOOSH = 5_000


class Engine(Protocol):
    """Takes passages in and finds them by their numbers."""

    def build(self, texts: Sequence[str]) -> None:
        """Make the index of all passages."""

    def ask(self, query: str, limit: int) -> list[int]:
        """The numbers of the passages that fit best, the best first."""


def words(text: str) -> list[str]:
    """The words of a query, in small letters."""
    return _WORD.findall(text.lower())


class Bare:
    """FTS5 as it comes, with its stemmer: any of the words."""

    def __init__(self, folder: str) -> None:
        self.connection = sqlite3.connect(os.path.join(folder, "bare.db"), isolation_level=None)

    def build(self, texts: Sequence[str]) -> None:
        """Insert everything at once."""
        self.connection.execute("CREATE VIRTUAL TABLE passage USING fts5 (text, tokenize='porter unicode61')")
        self.connection.execute("BEGIN")
        self.connection.executemany("INSERT INTO passage (rowid, text) VALUES (?, ?)", enumerate(texts))
        self.connection.execute("COMMIT")

    def ask(self, query: str, limit: int) -> list[int]:
        """All words, joined by OR."""
        match = " OR ".join(f'"{word}"' for word in words(query))
        select = "SELECT rowid FROM passage WHERE passage MATCH ? ORDER BY rank LIMIT ?"
        return [row[0] for row in self.connection.execute(select, (match, limit))] if match else []


class Bm25s:
    """bm25s with stems and without stop words; its index is held in memory and saved."""

    def __init__(self, folder: str) -> None:
        import bm25s
        import Stemmer

        self.folder = os.path.join(folder, "bm25s")
        self.module: Any = bm25s
        self.stemmer = Stemmer.Stemmer("english")
        self.retriever: Any = bm25s.BM25()
        self.count = 0

    def _tokens(self, texts: Sequence[str]) -> Any:
        return self.module.tokenize(list(texts), stopwords="en", stemmer=self.stemmer, show_progress=False)

    def build(self, texts: Sequence[str]) -> None:
        """Index, and save as one would to ask again tomorrow."""
        self.count = len(texts)
        self.retriever.index(self._tokens(texts), show_progress=False)
        self.retriever.save(self.folder)

    def ask(self, query: str, limit: int) -> list[int]:
        """The best; it fills up with passages that have none of the words, which are left out."""
        found, scores = self.retriever.retrieve(self._tokens([query]), k=min(limit, self.count), show_progress=False)
        return [int(number) for number, score in zip(found[0], scores[0], strict=True) if score > 0]


class Tantivy:
    """tantivy with its English stemmer."""

    def __init__(self, folder: str) -> None:
        import tantivy

        self.module: Any = tantivy
        builder = tantivy.SchemaBuilder()
        builder.add_text_field("text", stored=False, tokenizer_name="en_stem")
        builder.add_unsigned_field("number", stored=True)
        place = os.path.join(folder, "tantivy")
        os.makedirs(place)
        self.index: Any = tantivy.Index(builder.build(), path=place)
        self.searcher: Any = None

    def build(self, texts: Sequence[str]) -> None:
        """Index with one thread, as all others here do."""
        writer = self.index.writer(heap_size=128_000_000, num_threads=1)
        for number, text in enumerate(texts):
            writer.add_document(self.module.Document(text=text, number=number))
        writer.commit()
        writer.wait_merging_threads()
        self.index.reload()
        self.searcher = self.index.searcher()

    def ask(self, query: str, limit: int) -> list[int]:
        """All words, which it joins by OR."""
        asked = self.index.parse_query(" ".join(words(query)), ["text"])
        return [self.searcher.doc(place)["number"][0] for _, place in self.searcher.search(asked, limit).hits]


class Whoosh:
    """whoosh-reloaded with its stemming analyser."""

    def __init__(self, folder: str) -> None:
        from whoosh import fields, index
        from whoosh.analysis import StemmingAnalyzer

        place = os.path.join(folder, "whoosh")
        os.makedirs(place)
        schema = fields.Schema(number=fields.STORED, text=fields.TEXT(analyzer=StemmingAnalyzer()))
        self.index: Any = index.create_in(place, schema)
        self.searcher: Any = None

    def build(self, texts: Sequence[str]) -> None:
        """Index with one process."""
        writer = self.index.writer(limitmb=256)
        for number, text in enumerate(texts):
            writer.add_document(number=number, text=text)
        writer.commit()
        self.searcher = self.index.searcher()

    def ask(self, query: str, limit: int) -> list[int]:
        """Any of the words."""
        from whoosh.qparser import OrGroup, QueryParser

        asked = QueryParser("text", self.index.schema, group=OrGroup).parse(" ".join(words(query)))
        return [hit["number"] for hit in self.searcher.search(asked, limit=limit)]


class Pincite:
    """Every passage a document of its own in a workspace; what is found was read again from it."""

    def __init__(self, folder: str, model: str = "") -> None:
        self.folder = os.path.join(folder, "workspace")
        os.makedirs(self.folder)
        if model:
            with open(os.path.join(self.folder, "pincite.toml"), "w", encoding="utf-8") as stream:
                stream.write(f"[retrieval]\nmodel = {json.dumps(model)}\n")
        self.index: Any = None

    def write(self, texts: Sequence[str], suffix: str = ".txt") -> None:
        """The documents, which other engines do not need."""
        for number, text in enumerate(texts):
            folder = os.path.join(self.folder, f"{number // 1000:04}")
            os.makedirs(folder, exist_ok=True)
            with open(os.path.join(folder, f"{number:07}{suffix}"), "w", encoding="utf-8", newline="") as stream:
                stream.write(text)

    def build(self, texts: Sequence[str]) -> None:
        """Index what `write` wrote."""
        from pincite.search.index import Index

        self.index = Index.open(self.folder)
        self.index.refresh()

    def ask(self, query: str, limit: int) -> list[int]:
        """The documents of the best passages, each once."""
        found: dict[int, None] = {}
        # A document may fall into several passages, of which the best counts.
        for hit in self.index.search(query, limit * 3):
            name = os.path.splitext(os.path.basename(hit.document.file_path))[0]
            if name.isdecimal():
                found[int(name)] = None
        return list(found)[:limit]


ENGINES: dict[str, tuple[str, Callable[[str], Engine]]] = {
    "pincite": ("pincite", Pincite),
    "bare FTS5": ("sqlite3", Bare),
    "bm25s": ("bm25s", Bm25s),
    "tantivy": ("tantivy", Tantivy),
    "whoosh-reloaded": ("whoosh", Whoosh),
}


def installed(name: str) -> bool:
    """Whether an engine is there to be measured."""
    needed = (ENGINES[name][0], *(("Stemmer",) if name == "bm25s" else ()))
    return all(find_spec(package) is not None for package in needed)


def disk(folder: str) -> int:
    """Bytes of all files below a folder, documents of the workspace left out."""
    return sum(
        os.path.getsize(os.path.join(top, name))
        for top, _, names in os.walk(folder)
        for name in names
        if not name.endswith(".txt")
    )


def peak() -> float:
    """The most memory this process has held so far, in MB."""
    try:
        # What getrusage tells begins with the memory of the process that started this one.
        with open("/proc/self/status", encoding="ascii") as stream:
            return next(int(line.split()[1]) / 1024 for line in stream if line.startswith("VmHWM"))
    except (OSError, StopIteration):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


def measured(name: str, texts: list[str], queries: list[str], folder: str) -> dict[str, float]:
    """What one engine takes to index and to answer; to be run in a process of its own because of its memory."""
    with suppress(OSError), open("/proc/self/clear_refs", "w", encoding="ascii") as stream:
        # What reading the passages took at its most is forgotten.
        stream.write("5")
    before = peak()
    engine = ENGINES[name][1](folder)
    if isinstance(engine, Pincite):
        engine.write(texts)
    started = perf_counter()
    engine.build(texts)
    built = perf_counter() - started
    times: list[float] = []
    for at, query in enumerate((*queries, *queries)):
        started = perf_counter()
        engine.ask(query, 10)
        if at >= len(queries):
            times.append(1000 * (perf_counter() - started))
    marks = quantiles(times, n=20)
    return {
        "passages": len(texts),
        "index_s": round(built, 2),
        "query_p50_ms": round(marks[9], 3),
        "query_p95_ms": round(marks[18], 3),
        "disk_mb": round(disk(folder) / 1e6, 1),
        "memory_mb": round(peak() - before, 1),
    }


def side_by_side(setting: Setting) -> Iterator[Figure]:
    """Every engine that is installed on the same passages: time to index and to ask, size and memory."""
    import subprocess

    from msgspec.msgpack import encode
    from retrieval import Writing

    count = 10_000 if setting.quick else 100_000
    writing = Writing(7)
    texts = [" ".join(writing.pick(writing.random.randrange(60, 180))) for _ in range(count)]
    queries = [writing.query() for _ in range(60 if setting.quick else 200)]
    asked = os.path.join(setting.folder, "queries")
    with open(asked, "wb") as stream:
        stream.write(encode(queries))
    for name in ENGINES:
        if not installed(name):
            sys.stderr.write(f"{name}: not installed\n")
            continue
        most = min(count, _MOST_FOR_WHOOSH) if name == "whoosh-reloaded" else count
        passages = os.path.join(setting.folder, f"passages-{most}")
        if not os.path.exists(passages):
            with open(passages, "wb") as stream:
                stream.write(encode(texts[:most]))
        folder = os.path.join(setting.folder, name.replace(" ", "-"))
        os.makedirs(folder)
        command = [PYTHON, os.path.abspath(__file__), name, passages, asked, folder]
        answer = subprocess.run(command, capture_output=True, text=True, check=True)
        found = json.loads(answer.stdout.splitlines()[-1])
        what = f"{name}, {most:,} passages"
        yield Figure(f"{what}: index", found["index_s"], "s")
        yield Figure(f"{what}: query, median", found["query_p50_ms"], "ms")
        yield Figure(f"{what}: query, p95", found["query_p95_ms"], "ms")
        yield Figure(f"{what}: size on disk", found["disk_mb"], "MB")
        yield Figure(f"{what}: memory", found["memory_mb"], "MB")


def main() -> int:
    """Measure one engine."""
    from msgspec.msgpack import decode

    name, passages, queries, folder = sys.argv[1:]
    with open(passages, "rb") as stream:
        texts = decode(stream.read(), type=list[str])
    with open(queries, "rb") as stream:
        asked = decode(stream.read(), type=list[str])
    print(json.dumps(measured(name, texts, asked, folder)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
