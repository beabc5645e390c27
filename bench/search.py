"""Measure how well pincite finds what is asked for, beside other engines on the same texts; prints a table.

    python bench/search.py [--collection FOLDER] [--code FOLDER] [--repos FOLDER] [--model NAME] [--quick] [--speed]

Prose: the Cranfield collection (a folder with `cran.all.1400`, `cran.qry` and `QRelsCorrectedforTRECeval`), title and
text of each document together, every judged document an answer. Code: the first sentence of the docstring is cut out of
300 functions, and has to find its function among the first five passages. Without folders of their own both are looked
for below `--repos` (or REPOS), a folder of bare repositories `<owner>+<name>/repo`. What is not there is not measured.
The last line is one JSON object with the same figures.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import search_engines
from figures import Figure, Setting
from search_engines import ENGINES, Engine, Pincite, installed
from search_sets import (
    CODE_REPOSITORIES,
    CRANFIELD,
    CRANFIELD_REPOSITORY,
    Function,
    cranfield,
    found_among,
    functions,
    python_files,
    quality,
)

from pincite.errors import PinciteError
from run import table

LEAST_NDCG = 0.52
_PROSE = ("bare FTS5", "bm25s", "tantivy", "whoosh-reloaded")
_IN_FIRST = 5
_JUDGED = "Cranfield, "


def main() -> int:
    """Measure what there is; 1 if a bar was passed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--collection", help="a folder with the three files of the Cranfield collection")
    parser.add_argument("--code", help="a folder with Python sources")
    parser.add_argument("--repos", default=os.environ.get("REPOS", ""), help="a folder of bare repositories")
    parser.add_argument("--model", default="", help="the embedding model to measure (default: the one installed)")
    parser.add_argument("--quick", action="store_true", help="fewer functions and passages, for a first impression")
    parser.add_argument("--speed", action="store_true", help="also time every engine on passages made for it")
    options = parser.parse_args()
    figures: list[Figure] = []
    missing: list[str] = []
    collection = options.collection or mirrored(options.repos, CRANFIELD_REPOSITORY)
    if collection:
        figures += prose(collection, options.model)
    else:
        missing.append(
            f"Cranfield: not measured: its files {', '.join(CRANFIELD)} are in the public repository "
            f"{CRANFIELD_REPOSITORY} under cran/; name a folder that has them: make bench-search FILE=folder"
        )
    sources = {options.code: options.code} if options.code else {
        name: place for name in CODE_REPOSITORIES if (place := mirrored(options.repos, name))
    }  # fmt: skip
    for name, place in sources.items():
        figures += code(os.path.basename(name.rstrip("/")), place, 60 if options.quick else 300)
    if not sources:
        missing.append("code: not measured: name a folder with Python sources by --code, or repositories by REPOS")
    if options.speed:
        with tempfile.TemporaryDirectory(prefix="pincite-bench-") as folder:
            figures += search_engines.side_by_side(Setting(os.path.realpath(folder), 1, options.quick))
    judged = [figure for figure in figures if figure.what.startswith(_JUDGED)]
    if judged:
        print(ranked(judged))
    if len(figures) > len(judged):
        print(table([figure for figure in figures if figure not in judged]))
    for line in missing:
        print(line)
    rows: dict[str, object] = {
        figure.what: {"value": round(figure.value, 4), "unit": figure.unit, "bar": figure.bar, "met": figure.met}
        for figure in figures
    }
    print(json.dumps(rows | ({"not measured": missing} if missing else {}), ensure_ascii=False))
    return int(any(figure.met is False for figure in figures))


def ranked(figures: Sequence[Figure]) -> str:
    """Engines with both measures beside each other, to four places."""
    rows: dict[str, dict[str, float]] = {}
    for figure in figures:
        measure, _, engine = figure.what.removeprefix(_JUDGED).partition(": ")
        rows.setdefault(engine, {})[measure] = figure.value
    lines = ["| Cranfield | nDCG@10 | recall@10 |", "| --- | ---: | ---: |"]
    lines += (f"| {engine} | {' | '.join(f'{value:.4f}' for value in row.values())} |" for engine, row in rows.items())
    return "\n".join(lines) + "\n"


def mirrored(repos: str, name: str) -> str:
    """The bare repository of that name below a folder; empty where there is none."""
    place = os.path.join(repos, name.replace("/", "+"), "repo")
    return place if repos and os.path.isdir(os.path.join(place, "objects")) else ""


def prose(place: str, model: str) -> Iterator[Figure]:
    """The Cranfield collection, asked of everybody."""
    texts, questions, answers = cranfield(place)
    engines: list[tuple[str, Callable[[str], Engine]]] = [("pincite", Pincite)]
    engines += [(name, ENGINES[name][1]) for name in _PROSE if installed(name)]
    if named := _model(model):
        engines.insert(1, (f"pincite with {named[1]}", lambda folder: Pincite(folder, named[0])))
    for name, make in engines:
        with tempfile.TemporaryDirectory(prefix="pincite-bench-") as folder:
            runs = _asked(make(os.path.realpath(folder)), texts, questions)
        gain, recall = quality(runs, answers)
        yield Figure(f"{_JUDGED}nDCG@10: {name}", gain, "", LEAST_NDCG if name == "pincite" else None, True)
        yield Figure(f"{_JUDGED}recall@10: {name}", recall, "")


def _asked(engine: Engine, texts: Sequence[str], questions: Sequence[str]) -> list[list[int]]:
    if isinstance(engine, Pincite):
        engine.write(texts)
    engine.build(texts)
    found = [engine.ask(question, 10) for question in questions]
    if isinstance(engine, Pincite):
        engine.index.close()
    return found


def _model(wanted: str) -> tuple[str, str] | None:
    """The setting and the full name of the model that is there; None where there is none."""
    from pincite.retrieval.semantic import NAMES, find_embedder

    for name in (wanted,) if wanted else NAMES:
        try:
            found = find_embedder(name)
        except PinciteError as error:
            sys.stderr.write(f"{error}\n")
            return None
        if found is not None:
            return name, found.name
    sys.stderr.write("no embedding model is installed: words alone are measured\n")
    return None


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
    from pincite.limits import LIMITS
    from pincite.retrieval.index import Index
    from pincite.retrieval.reading import take_in

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
