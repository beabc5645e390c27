"""Questions with known answers: collections with judgements, and the docstrings of a repository's functions."""

from __future__ import annotations

import ast
import json
import math
import os
import random
import re
import subprocess
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

CODE_REPOSITORIES = ("django/django", "scikit-learn/scikit-learn")
_FIELD = re.compile(r"^\.([A-Z])\s*(\d*)\s*$")
_FIRST_SENTENCE = re.compile(r"(?<=[.!?])\s|\n\s*\n")
_LEAST_WORDS = 4


class Questions(NamedTuple):
    """Texts, questions, and for each question the places of the texts that answer it, with what each is worth."""

    texts: list[str]
    questions: list[str]
    answers: list[dict[int, float]]
    suffix: str = ".txt"
    """How a file with one of the texts would be called."""


class Function(NamedTuple):
    """A function, what it is for, and the lines it takes up once that sentence is gone; lines count from 1."""

    path: str
    question: str
    first: int
    last: int


Judgements = Iterable[tuple[str, str, float]]
"""A question's name, a text's name, and what the text is worth as an answer."""


def collections(folder: str) -> Iterator[tuple[str, Questions]]:
    """Every collection in a folder or in the folders below it, by name."""
    for top in [
        folder,
        *(each.path for each in sorted(os.scandir(folder), key=lambda each: each.name) if each.is_dir()),
    ]:
        files = {name.lower(): os.path.join(top, name) for name in os.listdir(top)}
        for wanted, read in _READERS:
            if all(name in files for name in wanted):
                yield os.path.basename(os.path.realpath(top)), read(files)
                break


def _join(texts: Mapping[str, str], asked: Mapping[str, str], judged: Judgements, suffix: str = ".txt") -> Questions:
    """Questions by their names; those without an answer among the texts are left out."""
    places = {name: at for at, name in enumerate(texts)}
    answers: dict[str, dict[int, float]] = {name: {} for name in asked}
    for name, text, worth in judged:
        if name in answers and text in places and worth > 0:
            answers[name][places[text]] = worth
    with_answers = [name for name in asked if answers[name]]
    questions = [asked[name] for name in with_answers]
    return Questions(list(texts.values()), questions, [answers[name] for name in with_answers], suffix)


def _read(path: str) -> str:
    with open(path, "rb") as stream:
        data = stream.read()
    try:
        return data.decode().replace("\r\n", "\n")
    except UnicodeDecodeError:
        return data.decode("latin-1").replace("\r\n", "\n")


def _rows(path: str) -> Iterator[list[str]]:
    return (columns for line in _read(path).splitlines() if (columns := line.split()))


def _smart(
    texts: str, asked: str, judged: str, text_at: int, by_order: bool = False
) -> Callable[[dict[str, str]], Questions]:
    """The format of SMART: `.I 1`, `.T` title, `.W` words; judgements have the text in a column, `0` for none."""

    def read(files: dict[str, str]) -> Questions:
        documents = {each["I"]: each.get("T", "") + each.get("W", "") for each in _records(_read(files[texts]))}
        questions = {
            str(at) if by_order else each["I"]: each.get("W", "")
            for at, each in enumerate(_records(_read(files[asked])), 1)
        }
        rows = ((str(int(row[0])), str(int(row[text_at])), 1.0) for row in _rows(files[judged]))
        return _join(documents, questions, rows)

    return read


def _records(text: str) -> Iterator[dict[str, str]]:
    record: dict[str, str] = {}
    field = ""
    for line in text.splitlines(keepends=True):
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


def _time(files: dict[str, str]) -> Questions:
    """`*TEXT` and `*FIND` begin texts and questions; judgements number the texts by their order."""
    texts = [part.partition("\n")[2] for part in _read(files["time.all"]).partition("*STOP")[0].split("*TEXT")[1:]]
    asked = [part.partition("\n")[2] for part in _read(files["time.que"]).partition("*STOP")[0].split("*FIND")[1:]]
    rows = ((row[0], each, 1.0) for row in _rows(files["time.rel"]) for each in row[1:])
    return _join(_numbered(texts), _numbered(asked), rows)


def _numbered(texts: Sequence[str]) -> dict[str, str]:
    return {str(at): text for at, text in enumerate(texts, 1)}


def _npl(files: dict[str, str]) -> Questions:
    """A number, text, and a slash in a line of its own."""

    def parts(name: str) -> dict[str, str]:
        found = (part.strip().partition("\n") for part in re.split(r"(?m)^\s*/\s*$", _read(files[name])))
        return {number.strip(): text for number, _, text in found if text.strip()}

    judged = parts("rlv-ass")
    rows = ((number, text, 1.0) for number, listed in judged.items() for text in listed.split())
    return _join(parts("doc-text"), parts("query-text"), rows)


def _lisa(files: dict[str, str]) -> Questions:
    """`Document 12`, title, empty line, text, a line of asterisks; questions end with `#`."""
    texts: dict[str, str] = {}
    for name in sorted(files):
        if re.fullmatch(r"lisa\d\.\d+", name):
            for part in re.split(r"(?m)^\*{10,}\s*$", _read(files[name])):
                head, _, body = part.strip().partition("\n")
                if head.startswith("Document"):
                    texts[head.split()[1]] = body
    asked = (part.strip().partition("\n") for part in _read(files["lisa.que"]).split("#"))
    rows = (
        (row[0], text, 1.0) for row in _joined_rows(files["lisarj.num"]) for text in row[2 : 2 + int(row[1])]
    )  # fmt: skip
    return _join(texts, {number.strip(): text for number, _, text in asked if text}, rows)


def _joined_rows(path: str) -> Iterator[list[str]]:
    """Rows of a question, how many texts, and the texts, which go on in the next line where they are many."""
    row: list[str] = []
    for columns in _rows(path):
        row += columns
        if len(row) >= 2 + int(row[1]):
            yield row
            row = []


def _beir(files: dict[str, str]) -> Questions:
    """`corpus.jsonl`, `queries.jsonl` and `qrels/test.tsv`."""

    def lines(name: str) -> Iterator[dict[str, str]]:
        return (json.loads(line) for line in _read(files[name]).split("\n") if line.strip())

    texts = {each["_id"]: f"{each.get('title') or ''}\n{each['text']}".strip() for each in lines("corpus.jsonl")}
    rows = (
        (row[0], row[-2], float(row[-1])) for row in _rows(os.path.join(files["qrels"], "test.tsv"))
        if row[0] != "query-id"
    )  # fmt: skip
    return _join(texts, {each["_id"]: each["text"] for each in lines("queries.jsonl")}, rows)


def _nfcorpus(files: dict[str, str]) -> Questions:
    """A name, a tab and a text in each line; judgements of three grades."""

    def lines(name: str) -> dict[str, str]:
        return dict(line.split("\t", 1) for line in _read(files[name]).split("\n") if "\t" in line)

    rows = ((row[0], row[2], float(row[3])) for row in _rows(files["test.3-2-1.qrel"]))
    return _join(lines("test.docs"), lines("test.titles.queries"), rows)


def _cosqa(files: dict[str, str]) -> Questions:
    """Functions of Python by number, and what people searched for when they wanted one of them."""
    code: dict[str, int] = json.loads(_read(files["code_idx_map.txt"]))
    asked = json.loads(_read(files["cosqa-retrieval-test-500.json"]))
    rows = [(each["idx"], str(each["retrieval_idx"]), 1.0) for each in asked]
    texts = {str(number): text for text, number in code.items()}
    return _join(texts, {each["idx"]: each["doc"] for each in asked}, rows, ".py")


def _climate(files: dict[str, str]) -> Questions:
    """Claims, and sentences that support or refute them."""
    texts: dict[str, str] = {}
    asked: dict[str, str] = {}
    rows: list[tuple[str, str, float]] = []
    for line in _read(files["climate-fever.jsonl"]).split("\n"):
        if line.strip():
            claim = json.loads(line)
            asked[claim["claim_id"]] = claim["claim"]
            for each in claim["evidences"]:
                texts[each["evidence_id"]] = f"{each['article']}\n{each['evidence']}"
                worth = float(each["evidence_label"] != "NOT_ENOUGH_INFO")
                rows.append((claim["claim_id"], each["evidence_id"], worth))
    return _join(texts, asked, rows)


def _wikiqa(files: dict[str, str]) -> Questions:
    """Questions, sentences and whether one answers the other, line by line in three files."""
    texts: dict[str, str] = {}
    asked: dict[str, str] = {}
    rows: list[tuple[str, str, float]] = []
    columns = (_read(files[f"train.{name}"]).splitlines() for name in ("a.toks", "b.toks", "sim.txt"))
    for question, sentence, right in zip(*columns, strict=False):
        asked[question] = question
        texts[sentence] = sentence
        rows.append((question, sentence, float(right)))
    return _join(texts, asked, rows)


_READERS: tuple[tuple[tuple[str, ...], Callable[[dict[str, str]], Questions]], ...] = (
    (
        ("cran.all.1400", "cran.qry", "qrelscorrectedfortreceval"),
        # The judgements number the questions by their order, not by the numbers in the file.
        _smart("cran.all.1400", "cran.qry", "qrelscorrectedfortreceval", 2, by_order=True),
    ),
    (("cacm.all", "query.text", "qrels.text"), _smart("cacm.all", "query.text", "qrels.text", 1)),
    (("cisi.all", "cisi.qry", "cisi.rel"), _smart("cisi.all", "cisi.qry", "cisi.rel", 1)),
    (("med.all", "med.qry", "med.rel"), _smart("med.all", "med.qry", "med.rel", 2)),
    (("time.all", "time.que", "time.rel"), _time),
    (("doc-text", "query-text", "rlv-ass"), _npl),
    (("lisa.que", "lisarj.num", "lisa0.001"), _lisa),
    (("corpus.jsonl", "queries.jsonl", "qrels"), _beir),
    (("test.docs", "test.titles.queries", "test.3-2-1.qrel"), _nfcorpus),
    (("code_idx_map.txt", "cosqa-retrieval-test-500.json"), _cosqa),
    (("climate-fever.jsonl",), _climate),
    (("train.a.toks", "train.b.toks", "train.sim.txt"), _wikiqa),
)
"""By the files that make a collection, in small letters."""


def gain(run: Sequence[int], right: Mapping[int, float], depth: int = 10) -> float:
    """nDCG of one answer at a depth."""
    ideal = sum(worth / math.log2(at + 2) for at, worth in enumerate(sorted(right.values(), reverse=True)[:depth]))
    return sum(right.get(each, 0.0) / math.log2(at + 2) for at, each in enumerate(run[:depth])) / ideal


def recall(run: Sequence[int], right: Mapping[int, float], depth: int = 10) -> float:
    """The share of all answers among the first."""
    return len(right.keys() & set(run[:depth])) / len(right)


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
