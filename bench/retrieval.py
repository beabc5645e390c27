"""Retrieval against its floors: indexing and asking against bare FTS5, looking again against stat, citing against
reading."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from glob import glob
from statistics import median, quantiles
from time import perf_counter

from figures import Figure, Setting
from measure import PYTHON, SOURCE, Contest, pincite, run, script

sys.path.insert(0, SOURCE)

_ONSETS = "b br c ch cl d dr f fl g gr h j k l m n p pl qu r s sh sk sl sp st t th tr v w z".split()
_RHYMES = (
    "a ack ade ail ain ake all am an ane ant ar are ast ate e eam ed ell ent er est et ick ide in ing it o".split()
)
_WORDS = 40_000


class Writing:
    """Prose with the words' frequencies of a natural language: a few are everywhere, most are rare."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        syllables = [onset + rhyme for onset in _ONSETS for rhyme in _RHYMES]
        words: dict[str, None] = {}
        while len(words) < _WORDS:
            words["".join(self.random.choices(syllables, k=self.random.choice((1, 2, 2, 3))))] = None
        self.words = list(words)
        total = 0.0
        self.sums = [total := total + 1 / (rank + 3) for rank in range(_WORDS)]

    def pick(self, count: int) -> list[str]:
        """That many words."""
        return self.random.choices(self.words, cum_weights=self.sums, k=count)

    def document(self, sections: int) -> str:
        """A markdown document."""
        parts = [f"# {' '.join(self.pick(3)).title()}"]
        for number in range(sections):
            parts.append(f"## {' '.join(self.pick(2)).title()}")
            for _ in range(2):
                text = self.pick(self.random.randrange(40, 90))
                for at in range(12, len(text), 13):
                    text[at] += "."
                parts.append(" ".join(text).capitalize() + ".")
            if number % 4 == 3:
                names = self.pick(4)
                parts.append(f"```python\n{names[0]}_{names[1]} = {names[2]}{names[3].title()}(limit=12)\n```")
        return "\n\n".join(parts) + "\n"

    def module(self, classes: int) -> str:
        """A module of Python: classes of short methods, names joined by capitals and by underscores."""
        parts = ["import os"]
        for _ in range(classes):
            parts.append(f"class {''.join(word.title() for word in self.pick(2))}:")
            for _ in range(self.random.randrange(3, 9)):
                one, two, three, four = self.pick(4)
                body = f"        {one} = {two}{three.title()}(self.{four}, limit={self.random.randrange(99)})"
                rows = [
                    f"    def {one}_{two}(self, {three}):",
                    f'        """{" ".join(self.pick(8)).capitalize()}."""',
                    body,
                ]
                rows += (
                    f"        self.{a}_{b}({c})" for a, b, c in (self.pick(3) for _ in range(self.random.randrange(9)))
                )
                parts.append("\n".join((*rows, f"        return {one}")))
        return "\n\n".join(parts) + "\n"

    def query(self) -> str:
        """What somebody might ask: a few words, none of those that are everywhere."""
        wanted = self.random.randrange(2, 6)
        words: list[str] = []
        while len(words) < wanted:
            word = self.random.choices(self.words, cum_weights=self.sums)[0]
            if self.sums[self.words.index(word)] > self.sums[100]:
                words.append(word)
        return " ".join(words)


def retrieval(setting: Setting) -> Iterator[Figure]:
    """An index is made, asked, and looked at again; citations are created."""
    count = 20_000 if setting.quick else 100_000
    top = os.path.join(setting.folder, "workspace")
    writing = Writing(5)
    yield from _indexing(setting, top, _workspace(writing, top, count), f"{count:,} passages")
    yield from _asking(setting, top, writing, count)
    shutil.rmtree(top)
    top = os.path.join(setting.folder, "code")
    yield from _indexing(
        setting, top, _workspace(writing, top, count // 2, code=True), f"{count // 2:,} passages of code", 0.6
    )
    shutil.rmtree(top)
    yield from _looking_again(setting)
    yield from _citing(setting)


def _workspace(writing: Writing, top: str, count: int, code: bool = False) -> str:
    """Documents with that many passages; gives the file that holds the passages alone."""
    from msgspec.msgpack import encode

    from pincite.search.passages import read

    texts: list[str] = []
    number = 0
    while len(texts) < count:
        folder = os.path.join(top, f"part-{number // 100:04}")
        os.makedirs(folder, exist_ok=True)
        name = f"document-{number:06}.{'py' if code else 'md'}"
        text = (
            writing.module(writing.random.randrange(1, 5))
            if code
            else writing.document(writing.random.randrange(4, 28))
        )
        with open(os.path.join(folder, name), "w", encoding="utf-8") as stream:
            stream.write(text)
        texts += (text[each.start : each.end] for each in read("code" if code else "markdown", text, name).passages)
        number += 1
    place = f"{top}.passages"
    with open(place, "wb") as stream:
        stream.write(encode(texts))
    return place


def _indexing(setting: Setting, top: str, passages: str, what: str, bar: float = 0.8) -> Iterator[Figure]:
    bare: list[tuple[float, float]] = []
    ours: list[tuple[float, float]] = []
    kept = os.environ["PINCITE_CACHE"] = f"{top}.cache"
    for turn in range(setting.times + 1):
        answer = subprocess.run(script("floor_fts.py", passages, f"{top}.bare"), capture_output=True, check=True)
        seconds, cpu = map(float, answer.stdout.split())
        shutil.rmtree(kept, ignore_errors=True)
        cost = run(pincite("index"), top)
        if turn:
            bare.append((seconds, cpu))
            ours.append((cost.seconds, cost.cpu))
    what = f"index {what}"
    seconds, spent = (median(each[at] for each in bare) for at in (0, 1))
    took, used = (median(each[at] for each in ours) for at in (0, 1))
    yield Figure(f"{what}: passages a second, to inserting them into bare FTS5", seconds / took, "×", bar, True)
    yield Figure(f"{what}: CPU of all processes, to that of inserting them", used / spent, "×")
    yield Figure(f"{what}: time", took, "s")
    (index,) = glob(os.path.join(kept, "roots/*/index.db"))
    size = os.path.getsize(index) / os.path.getsize(f"{top}.bare")
    yield Figure(f"{what}: size, to the bare table", size, "×")


def _asking(setting: Setting, top: str, writing: Writing, count: int) -> Iterator[Figure]:
    """The same questions, in turns, to both; ours reads the passages it gives out."""
    from pincite.search.index import Index

    queries = [writing.query() for _ in range(100 if setting.quick else 300)]
    connection = sqlite3.connect(f"{top}.bare")
    select = "SELECT rowid, rank FROM passage WHERE passage MATCH ? ORDER BY rank LIMIT 10"
    ours: list[float] = []
    bare: list[float] = []
    with Index.open(top) as index:
        for at, query in enumerate(queries * 2):
            match = " OR ".join(f'"{word}"' for word in query.split())
            started = perf_counter()
            connection.execute(select, (match,)).fetchall()
            between = perf_counter()
            hits = index.search(query, 10)
            ended = perf_counter()
            if not hits:
                raise SystemExit(f"nothing found for {query}")
            if at >= len(queries):
                bare.append(between - started)
                ours.append(ended - between)
    connection.close()
    what = f"ask {count:,} passages"
    for name, at in (("median", 50), ("p95", 95)):
        mine, theirs = (quantiles(times, n=100)[at - 1] for times in (ours, bare))
        yield Figure(f"{what}: {name}, to the bare query", mine / theirs, "×", 1.5 if at == 95 else None)
        yield Figure(f"{what}: {name}", mine * 1000, "ms")


def _looking_again(setting: Setting) -> Iterator[Figure]:
    count = 5_000 if setting.quick else 50_000
    top = os.path.join(setting.folder, "many")
    names = []
    for number in range(count):
        name = f"part-{number // 200:04}/note-{number:06}.md"
        if number % 200 == 0:
            os.makedirs(os.path.join(top, os.path.dirname(name)))
        with open(os.path.join(top, name), "w", encoding="utf-8") as stream:
            stream.write(f"# Note {number}\n\nThe gauge {number} is reset by hand.\n")
        names.append(name)
    alone = os.path.join(setting.folder, "alone")
    os.makedirs(alone)
    with open(os.path.join(alone, "one.md"), "w", encoding="utf-8") as stream:
        stream.write("# One\n\nNote.\n")
    listed = f"{top}.listed"
    with open(listed, "w", encoding="utf-8") as stream:
        stream.write("\n".join(names))
    for folder in (top, alone):
        run(pincite("index"), folder)
        run(pincite("index"), folder)
    contest = Contest(top, setting.times)
    contest.add("bare", (PYTHON, "-c", "pass"))
    contest.add("stat", script("floor_stat.py", listed))
    contest.add("start", pincite("index", "--root", alone))
    contest.add("again", pincite("index"))
    cost = contest.medians()
    ratio = (cost["again"].cpu - cost["start"].cpu) / (cost["stat"].cpu - cost["bare"].cpu)
    yield Figure(f"index again, {count:,} unchanged files: to stat of every file", ratio, "×", 2)
    shutil.rmtree(top)


def _citing(setting: Setting) -> Iterator[Figure]:
    import retrieval_create

    folder = os.path.join(setting.folder, "cited")
    os.makedirs(folder)
    for kilobytes in (5, 20, 100):
        paths = retrieval_create.make(folder, kilobytes, retrieval_create.WORDS)
        for what, value in retrieval_create.creating(f"{kilobytes} KB", paths, setting.times * 3).items():
            bar = 3 if "create 1,000" in what else None
            name, _, unit = what.rpartition(" (")
            yield Figure(name, value, unit.rstrip(")"), bar)
    for what, value in retrieval_create.formatting(paths, setting.times * 3).items():
        name, _, unit = what.rpartition(" (")
        yield Figure(name, value, unit.rstrip(")"), 60 if what.startswith("format") else None)
