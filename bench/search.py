"""Measure how well pincite finds what is asked for, beside other engines on the same texts; prints tables.

    python bench/search.py [--collections FOLDER] [--code FOLDER] [--repos FOLDER] [--model NAME] [--quick] [--speed]

Collections: every folder below FOLDER with the files of one (see `search_sets.py`), title and text of each document
together. nDCG and recall among the first ten, and by how much pincite differs from each engine, question by question,
with the interval that holds 95 % of 2,000 resamplings of the questions.

Code: the first sentence of the docstring is cut out of 300 functions, and has to find its function among the first five
passages of a folder, or of bare repositories `<owner>+<name>/repo` below `--repos` (or REPOS).

What is not there is not measured. The last line is one JSON object with the same figures.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import search_engines
from figures import Figure, Setting
from search_engines import ENGINES, Engine, Pincite, installed
from search_sets import (
    CODE_REPOSITORIES,
    Function,
    Questions,
    collections,
    found_among,
    functions,
    gain,
    python_files,
    recall,
)

from run import table

SLACK = 0.005
"""So far pincite may be below the better of bm25s and bare FTS5 on a collection."""
_OURS = "pincite"
_OTHERS = ("bm25s", "bare FTS5", "tantivy")
_BARS = _OTHERS[:2]
_SAMPLES = 2000
_IN_FIRST = 5


class Result(NamedTuple):
    """What every engine found in a collection: nDCG and recall of each question."""

    name: str
    texts: int
    gains: dict[str, list[float]]
    recalls: dict[str, list[float]]


class Difference(NamedTuple):
    """By how much pincite is better, and between what 95 % of the resamplings are."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{_signed(self.value)} ({_signed(self.low)} to {_signed(self.high)})"


def main() -> int:
    """Measure what there is; 1 if a bar was passed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--collections", help="a folder of collections, or one collection")
    parser.add_argument("--code", help="a folder with Python sources")
    parser.add_argument("--repos", default=os.environ.get("REPOS", ""), help="a folder of bare repositories")
    parser.add_argument("--model", default="", help="an embedding model to measure as well")
    parser.add_argument("--quick", action="store_true", help="fewer functions and passages, for a first impression")
    parser.add_argument("--speed", action="store_true", help="also time every engine on passages made for it")
    options = parser.parse_args()
    missing: list[str] = []
    results = [
        measure(name, questions, options.model) for name, questions in collections(options.collections)
    ] if options.collections else []  # fmt: skip
    if not results:
        missing.append("collections: not measured: name a folder that has some: make bench-search FILE=folder")
    sources = {options.code: options.code} if options.code else {
        name: place for name in CODE_REPOSITORIES if (place := mirrored(options.repos, name))
    }  # fmt: skip
    figures: list[Figure] = []
    for name, place in sources.items():
        figures += code(os.path.basename(name.rstrip("/")), place, 60 if options.quick else 300)
    if not sources:
        missing.append("code: not measured: name a folder with Python sources by --code, or repositories by REPOS")
    if options.speed:
        with tempfile.TemporaryDirectory(prefix="pincite-bench-") as folder:
            figures += search_engines.side_by_side(Setting(os.path.realpath(folder), 1, options.quick))
    rows: dict[str, object] = {}
    if results:
        rows |= report(results)
    if figures:
        print(table(figures))
    for line in missing:
        print(line)
    for figure in figures:
        value = {"value": round(figure.value, 4), "unit": figure.unit, "bar": figure.bar, "met": figure.met}
        rows[figure.what] = value
    print(json.dumps(rows | ({"not measured": missing} if missing else {}), ensure_ascii=False))
    failed = [row for row in (*rows.values(),) if isinstance(row, dict) and row.get("met") is False]
    return int(bool(failed))


def measure(name: str, questions: Questions, model: str) -> Result:
    """Ask every engine that is installed every question of a collection."""
    engines: dict[str, Callable[[str], Engine]] = {_OURS: Pincite}
    engines |= {each: ENGINES[each][1] for each in _OTHERS if installed(each)}
    if model:
        engines[f"pincite with {model}"] = partial(Pincite, model=model)
    gains: dict[str, list[float]] = {}
    recalls: dict[str, list[float]] = {}
    for each, make in engines.items():
        with tempfile.TemporaryDirectory(prefix="pincite-bench-") as folder:
            runs = _asked(make(os.path.realpath(folder)), questions)
        gains[each] = [gain(run, right) for run, right in zip(runs, questions.answers, strict=True)]
        recalls[each] = [recall(run, right) for run, right in zip(runs, questions.answers, strict=True)]
    sys.stderr.write(f"{name} …\n")
    return Result(name, len(questions.texts), gains, recalls)


def _asked(engine: Engine, given: Questions) -> list[list[int]]:
    if isinstance(engine, Pincite):
        engine.write(given.texts, given.suffix)
    engine.build(given.texts)
    found = [engine.ask(question, 10) for question in given.questions]
    if isinstance(engine, Pincite):
        engine.index.close()
    return found


def report(results: Sequence[Result]) -> dict[str, object]:
    """Print both measures, each collection in a row, and the differences; gives the same for programs."""
    engines = list(results[0].gains)
    rows: dict[str, object] = {}
    samples = {each: [resample(_differences(result, each)) for result in results] for each in engines[1:]}
    lines = []
    for at, result in enumerate(results):
        figures = {each: _mean(result.gains[each]) for each in engines}
        apart = {each: _interval(_mean(_differences(result, each)), samples[each][at]) for each in engines[1:]}
        lines.append((result.name, f"{result.texts:,}", str(len(result.gains[_OURS])), figures, apart))
        rows[result.name] = _row(figures, {each: _mean(result.recalls[each]) for each in engines}, apart, SLACK) | {
            "texts": result.texts,
            "questions": len(result.gains[_OURS]),
        }
    figures = {each: _mean([_mean(result.gains[each]) for result in results]) for each in engines}
    # Each resampling of the mean takes one of every collection.
    means = {each: [_mean(one) for one in zip(*samples[each], strict=True)] for each in engines[1:]}
    apart = {each: _interval(figures[_OURS] - figures[each], means[each]) for each in engines[1:]}
    lines.append(("mean", "", "", figures, apart))
    recalls = {each: _mean([_mean(result.recalls[each]) for result in results]) for each in engines}
    rows["mean"] = _row(figures, recalls, apart, 0.0)
    columns = ["nDCG@10", "texts", "questions", *engines, *(f"pincite to {each}" for each in engines[1:])]
    print(f"| {' | '.join(columns)} |\n| --- |{' ---: |' * (len(columns) - 1)}")
    for name, texts, asked, values, differences in lines:
        cells = [name, texts, asked, *(f"{value:.4f}" for value in values.values()), *map(str, differences.values())]
        print(f"| {' | '.join(cells)} |")
    print(f"\n| recall@10 | {' | '.join(engines)} |\n| --- |{' ---: |' * len(engines)}")
    for result in results:
        cells = [f"{_mean(result.recalls[each]):.4f}" for each in engines]
        print(f"| {' | '.join((result.name, *cells))} |")
    print(f"| {' | '.join(('mean', *(f'{value:.4f}' for value in recalls.values())))} |\n")
    return rows


def _row(
    gains: dict[str, float], recalls: dict[str, float], apart: dict[str, Difference], slack: float
) -> dict[str, object]:
    """What programs get of a collection; met where pincite is no worse than the better of the two that are the bar."""
    bar = max((gains[each] for each in _BARS if each in gains), default=None)
    return {
        "ndcg": {each: round(value, 4) for each, value in gains.items()},
        "recall": {each: round(value, 4) for each, value in recalls.items()},
        "difference": {each: [round(value, 4) for value in found] for each, found in apart.items()},
        "bar": None if bar is None else round(bar - slack, 4),
        "met": None if bar is None else gains[_OURS] >= bar - slack,
    }


def resample(differences: Sequence[float], seed: int = 1) -> list[float]:
    """Means of as many questions as there are, drawn with replacement, over and over."""
    draw = random.Random(seed)
    return [_mean(draw.choices(differences, k=len(differences))) for _ in range(_SAMPLES)]


def _interval(value: float, samples: Sequence[float]) -> Difference:
    ordered = sorted(samples)
    edge = len(ordered) // 40
    return Difference(value, ordered[edge], ordered[-1 - edge])


def _differences(result: Result, engine: str) -> list[float]:
    return [ours - theirs for ours, theirs in zip(result.gains[_OURS], result.gains[engine], strict=True)]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _signed(value: float) -> str:
    return f"{value:+.3f}".replace("-", "−").replace("0.", ".", 1)


def mirrored(repos: str, name: str) -> str:
    """The bare repository of that name below a folder; empty where there is none."""
    place = os.path.join(repos, name.replace("/", "+"), "repo")
    return place if repos and os.path.isdir(os.path.join(place, "objects")) else ""


def code(name: str, place: str, count: int) -> Iterator[Figure]:
    """Functions found by what their docstrings said, in pincite's passages by everybody."""
    sources, asked = functions(python_files(place), count)
    with tempfile.TemporaryDirectory(prefix="pincite-bench-") as folder:
        top = os.path.realpath(folder)
        shares, passages = _code_shares(os.path.join(top, "tree"), sources, asked)
        for other in ("bare FTS5", "tantivy"):
            if installed(other):
                os.makedirs(place_of := os.path.join(top, other))
                engine = ENGINES[other][1](place_of)
                engine.build([text for *_, text in passages])
                shares[other] = _share(partial(_places, engine, passages), asked)
    what = f"{name}, {len(asked)} functions by their docstrings, in the first five of {len(passages):,} passages"
    for each, share in shares.items():
        bar = 100 * shares["bare FTS5"] if each == "pincite" else None
        yield Figure(f"{what}: {each}", 100 * share, "%", bar, True)


def _code_shares(
    tree: str, sources: dict[str, str], asked: list[Function]
) -> tuple[dict[str, float], list[tuple[str, int, int, str]]]:
    """What pincite finds, and the passages it made of the sources."""
    from pincite.core.limits import LIMITS
    from pincite.search.document_text import take_in
    from pincite.search.index import Index

    passages: list[tuple[str, int, int, str]] = []
    for path, text in sources.items():
        place = os.path.join(tree, path)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "w", encoding="utf-8", newline="") as stream:
            stream.write(text)
        for each in take_in(path, text.encode(), LIMITS).passages:
            passages.append((path, each.first, each.last, text[each.start : each.end]))
    with Index.open(tree) as index:
        index.refresh()

        def ask(query: str) -> list[tuple[str, int, int]]:
            found = []
            for hit in index.search(query, _IN_FIRST):
                path = os.path.relpath(hit.document.file_path, tree)
                first = sources[path].count("\n", 0, hit.chunk.start_offset) + 1
                found.append((path, first, first + hit.chunk.content.rstrip("\n").count("\n")))
            return found

        return {"pincite": _share(ask, asked)}, passages


def _places(engine: Engine, passages: list[tuple[str, int, int, str]], query: str) -> list[tuple[str, int, int]]:
    return [passages[number][:3] for number in engine.ask(query, _IN_FIRST)]


def _share(ask: Callable[[str], list[tuple[str, int, int]]], asked: list[Function]) -> float:
    return sum(found_among(ask(function.question), function) for function in asked) / max(1, len(asked))


if __name__ == "__main__":
    sys.exit(main())
