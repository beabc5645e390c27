"""Questions with known answers: the Cranfield collection, and the docstrings of a repository's functions."""

from __future__ import annotations

import ast
import math
import os
import random
import re
import subprocess
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

CRANFIELD = ("cran.all.1400", "cran.qry", "QRelsCorrectedforTRECeval")
CRANFIELD_REPOSITORY = "cky008/CS7IS3A1"
CODE_REPOSITORIES = ("django/django", "scikit-learn/scikit-learn")
_FIELD = re.compile(r"^\.([A-Z])\s*(\d*)\s*$")
_FIRST_SENTENCE = re.compile(r"(?<=[.!?])\s|\n\s*\n")
_LEAST_WORDS = 4


class Questions(NamedTuple):
    """Texts, questions, and for each question the places of the texts that answer it."""

    texts: list[str]
    questions: list[str]
    answers: list[frozenset[int]]


class Function(NamedTuple):
    """A function, what it is for, and the lines it takes up once that sentence is gone; lines count from 1."""

    path: str
    question: str
    first: int
    last: int


def files_of(place: str) -> dict[str, bytes]:
    """Small files by name: those of a folder, or below `cran` at the tip of a bare repository."""
    if os.path.isdir(os.path.join(place, "objects")):
        return {name: _git(place, "show", f"HEAD:cran/{name}") for name in CRANFIELD}
    found = {}
    for name in CRANFIELD:
        with open(os.path.join(place, name), "rb") as stream:
            found[name] = stream.read()
    return found


def cranfield(place: str) -> Questions:
    """1,400 abstracts and 225 questions; every judged document counts as an answer."""
    files = files_of(place)
    documents = list(_records(files[CRANFIELD[0]]))
    asked = list(_records(files[CRANFIELD[1]]))
    places = {int(each["I"]): at for at, each in enumerate(documents)}
    answers: list[set[int]] = [set() for _ in asked]
    for line in files[CRANFIELD[2]].decode("latin-1").splitlines():
        columns = line.split()
        # The judgements number the questions by their order, not by the numbers in the file.
        answers[int(columns[0]) - 1].add(places[int(columns[2])])
    texts = [each.get("T", "") + each.get("W", "") for each in documents]
    return Questions(texts, [each["W"] for each in asked], [frozenset(each) for each in answers])


def _records(data: bytes) -> Iterator[dict[str, str]]:
    record: dict[str, str] = {}
    field = ""
    for line in data.decode("latin-1").splitlines(keepends=True):
        if mark := _FIELD.match(line):
            field = mark[1]
            if field == "I":
                if record:
                    yield record
                record = {"I": mark[2]}
        elif field not in ("", "I"):
            record[field] = record.get(field, "") + line
    if record:
        yield record


def quality(runs: Sequence[Sequence[int]], answers: Sequence[frozenset[int]], depth: int = 10) -> tuple[float, float]:
    """nDCG and recall at a depth, over all questions that have an answer."""
    gains: list[float] = []
    recalls: list[float] = []
    for run, right in zip(runs, answers, strict=True):
        if right:
            ideal = sum(1 / math.log2(place + 2) for place in range(min(depth, len(right))))
            gains.append(sum(1 / math.log2(at + 2) for at, each in enumerate(run[:depth]) if each in right) / ideal)
            recalls.append(len(right.intersection(run[:depth])) / len(right))
    return sum(gains) / len(gains), sum(recalls) / len(recalls)


def python_files(place: str) -> dict[str, str]:
    """The Python sources of a folder or a bare repository, without tests."""
    found: dict[str, str] = {}
    if os.path.isdir(os.path.join(place, "objects")):
        names = _git(place, "ls-tree", "-r", "--name-only", "-z", "HEAD").decode("utf-8", "replace").split("\0")
        wanted = [name for name in names if name.endswith(".py") and "test" not in name]
        asked = "".join(f"HEAD:{name}\n" for name in wanted).encode()
        data = _git(place, "cat-file", "--batch", given=asked)
        at = 0
        for name in wanted:
            end = data.index(b"\n", at)
            size = int(data[at:end].split()[-1]) if data[at:end].split()[1:2] == [b"blob"] else -1
            if size >= 0:
                found[name] = data[end + 1 : end + 1 + size].decode("utf-8", "replace")
            at = end + 1 + (size + 1 if size >= 0 else 0)
        return found
    for top, folders, names in os.walk(place):
        folders[:] = sorted(name for name in folders if name[0] != "." and "test" not in name)
        for name in sorted(names):
            if name.endswith(".py") and "test" not in name:
                path = os.path.join(top, name)
                with open(path, encoding="utf-8", errors="replace") as stream:
                    found[os.path.relpath(path, place)] = stream.read()
    return found


def functions(sources: Mapping[str, str], count: int, seed: int = 1) -> tuple[dict[str, str], list[Function]]:
    """The sources with some docstrings' first sentences cut out, and the functions these sentences belong to."""
    described = [
        (path, *each) for path, text in sources.items() if "\r" not in text and "\f" not in text
        for each in _described(text)
    ]  # fmt: skip
    often = {sentence: 0 for _, sentence, *_ in described}
    for _, sentence, *_ in described:
        often[sentence] += 1
    alone = [each for each in described if often[each[1]] == 1]
    chosen = random.Random(seed).sample(alone, min(count, len(alone)))
    texts = dict(sources)
    found: list[Function] = []
    for path in sorted({each[0] for each in chosen}):
        lines = texts[path].split("\n")
        # From the end to the beginning, so that cutting does not move what comes next.
        here = sorted((each for each in chosen if each[0] == path), key=lambda each: -each[2])
        for _, sentence, first, last, start, end in here:
            body = "\n".join(lines[start - 1 : end])
            cut = re.search(r"\s+".join(map(re.escape, sentence.split())), body)
            if cut is not None:
                # As many lines as before, so that all others keep their numbers.
                blank = "\n" * cut[0].count("\n")
                lines[start - 1 : end] = (body[: cut.start()] + blank + body[cut.end() :]).split("\n")
                found.append(Function(path, sentence, first, last))
        texts[path] = "\n".join(lines)
    return texts, found


def _described(text: str) -> Iterator[tuple[str, int, int, int, int]]:
    """First sentences of docstrings, with the lines of function and docstring."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            words = ast.get_docstring(node)
            if words:
                sentence = " ".join(_FIRST_SENTENCE.split(words.strip())[0].split())
                doc = node.body[0]
                if len(re.findall(r"[^\W_]+", sentence)) >= _LEAST_WORDS and doc.end_lineno and node.end_lineno:
                    yield sentence, node.lineno, node.end_lineno, doc.lineno, doc.end_lineno


def found_among(hits: Collection[tuple[str, int, int]], function: Function) -> bool:
    """Whether one of some places (path, first and last line) is in the function."""
    return any(
        path == function.path and first <= function.last and last >= function.first for path, first, last in hits
    )


def _git(place: str, *arguments: str, given: bytes | None = None) -> bytes:
    command = ["git", f"--git-dir={place}", *arguments]
    return subprocess.run(command, input=given, capture_output=True, check=True).stdout
