"""What is measured. Each case makes its tree, lets commands take turns on it, and gives figures with their bars."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from glob import glob

import trees
from figures import Figure, Setting
from measure import PYTHON, Contest, pincite, run, script
from retrieval import retrieval
from search_engines import side_by_side


def inline(setting: Setting) -> Iterator[Figure]:
    """A cold run over many documents with inline citations."""
    documents, sources = (4_000, 1_000) if setting.quick else (20_000, 5_000)
    for name, form in (("brackets", trees.bracket), ("mixed forms", trees.mixed)):
        top = os.path.join(setting.folder, name.replace(" ", "-"))
        trees.inline_tree(top, documents, sources, form)
        contest = Contest(top, setting.times)
        contest.add("read", script("floor_read.py", top))
        contest.add("open", script("floor_open.py", top))
        contest.add("pincite", pincite("check", "--no-cache"))
        contest.add("json", pincite("check", "--no-cache", "--format", "json"))
        cost = contest.medians()
        what = f"cold, {documents:,} documents, {documents * 5:,} citations ({name})"
        bar = 3 if form is trees.bracket else None
        yield Figure(f"{what}: to os.read of every file", cost["pincite"].cpu / cost["read"].cpu, "×", bar)
        yield Figure(f"{what}: to open().read() of every file", cost["pincite"].cpu / cost["open"].cpu, "×")
        yield Figure(f"{what}: CPU", cost["pincite"].cpu, "s")
        yield Figure(f"{what}: `--format json` to text", cost["json"].cpu / cost["pincite"].cpu, "×", 1.5)
        if form is trees.mixed:
            shutil.rmtree(top)


def warm(setting: Setting) -> Iterator[Figure]:
    """Runs after a run: nothing changed, one document changed, inside git."""
    documents, sources = (4_000, 1_000) if setting.quick else (20_000, 5_000)
    top = os.path.join(setting.folder, "brackets")
    if not os.path.isdir(top):
        trees.inline_tree(top, documents, sources)
    alone = _small(setting)
    listed = os.path.join(setting.folder, "listed")
    with open(listed, "w", encoding="utf-8") as stream:
        stream.write("\n".join(trees.names(top)))
    yield from _warm_figures(setting, top, alone, listed, "warm")
    _commit(top)
    yield from _warm_figures(setting, top, alone, listed, "warm in git")
    shutil.rmtree(top)


def _warm_figures(setting: Setting, top: str, alone: str, listed: str, name: str) -> Iterator[Figure]:
    changed = os.path.join(top, trees.document_name(7))

    def touch() -> None:
        with open(changed, "a", encoding="utf-8") as stream:
            stream.write("\nOne more sentence.\n")

    run(pincite("check"), top)
    run(pincite("check"), alone)
    contest = Contest(top, setting.times)
    contest.add("bare", (PYTHON, "-c", "pass"))
    contest.add("stat", script("floor_stat.py", listed))
    contest.add("start", pincite("check", "--root", alone, alone))
    contest.add("same", pincite("check"))
    contest.add("one", pincite("check"), touch)
    # The run before this one saw a change that is too fresh to be trusted; one more run settles it.
    contest.add("settle", pincite("check"))
    cost = contest.medians()
    stat = cost["stat"].cpu - cost["bare"].cpu
    yield Figure(
        f"{name}, nothing changed: to stat of every file", (cost["same"].cpu - cost["start"].cpu) / stat, "×", 2
    )
    yield Figure(
        f"{name}, one document changed: to stat of every file", (cost["one"].cpu - cost["start"].cpu) / stat, "×"
    )
    yield Figure(f"{name}, nothing changed: CPU", cost["same"].cpu, "s")


def memories(setting: Setting) -> Iterator[Figure]:
    """A cold run over memories, against reading and against the obvious program."""
    count = 1_000 if setting.quick else 5_000
    top = os.path.join(setting.folder, "memories")
    trees.memory_tree(top, count, count)
    contest = Contest(top, setting.times)
    contest.add("read", script("floor_read.py", top))
    contest.add("naive", script("naive_memories.py", top))
    commands = {"check": pincite("check", "--no-cache"), "memory verify-all": pincite("memory", "verify-all")}
    if run(pincite("memory", "--help"), top).code:
        del commands["memory verify-all"]
    for name, command in commands.items():
        contest.add(name, command)
    cost = contest.medians()
    for name in commands:
        what = f"{name}, {count:,} memories, {count * 3:,} citations"
        yield Figure(f"{what}: to reading", cost[name].cpu / cost["read"].cpu, "×", 4)
        yield Figure(
            f"{what}: faster than the obvious program", cost["naive"].cpu / cost[name].cpu, "×", 10, least=True
        )
    shutil.rmtree(top)


def growth(setting: Setting) -> Iterator[Figure]:
    """Ten times the files, and a million citations in little memory."""
    sizes = (400, 4_000) if setting.quick else (2_000, 20_000, 200_000)
    last = 0.0
    for size in sizes:
        top = os.path.join(setting.folder, f"grown-{size}")
        trees.inline_tree(top, size, size // 4)
        contest = Contest(top, 1 if size > 100_000 else setting.times)
        contest.add("pincite", pincite("check", "--no-cache"))
        cost = contest.medians()["pincite"]
        if last:
            yield Figure(f"{size // 10:,} to {size:,} documents", cost.cpu / last, "×", 11)
        last = cost.cpu
        if size == sizes[-1]:
            yield Figure(f"memory at {size * 5:,} citations", cost.megabytes, "MB", 200)
            cached = max((run(pincite("check"), top) for _ in range(2)), key=lambda cost: cost.megabytes)
            yield Figure(f"memory at {size * 5:,} citations, with the cache", cached.megabytes, "MB", 200)
        shutil.rmtree(top)


def drift(setting: Setting) -> Iterator[Figure]:
    """Comparing with history: the first time, and the next."""
    documents, commits = (500, 500) if setting.quick else (4_000, 4_000)
    top = os.path.join(setting.folder, "history")
    trees.history(top, documents, commits)
    kept = os.environ["PINCITE_CACHE"] = os.path.join(setting.folder, "cache")

    def forget() -> None:
        shutil.rmtree(kept, ignore_errors=True)

    def forget_verdicts() -> None:
        for path in glob(os.path.join(kept, "roots/*/check-*")):
            os.unlink(path)

    off = os.path.join(setting.folder, "off")
    os.makedirs(off)
    run(("cp", "-a", f"{top}/.", off), setting.folder)
    with open(os.path.join(off, "pincite.toml"), "w", encoding="utf-8") as stream:
        stream.write("drift = false\n")
    endings = ("md", "markdown", "mdx", "mdc", "rst", "txt", "adoc", "org")
    log = ("git", "log", "-p", "-U0", "-M", "--no-ext-diff", "--no-textconv", "--format=%x00%H", "HEAD", "--")
    contest = Contest(top, setting.times)
    contest.add("log", (*log, *(f"*.{ending}" for ending in endings)))
    contest.add("off", pincite("check", "--no-cache", "--root", off, off))
    contest.add("first", pincite("check"), forget)
    contest.add("known", pincite("check"), forget_verdicts)
    contest.add("settle", pincite("check"))
    contest.add("next", pincite("check"))
    contest.add("off next", pincite("check", "--root", off, off))
    cost = contest.medians()
    what = f"drift, {documents:,} documents, {commits:,} commits"
    yield Figure(
        f"{what}: first run, above one without drift, to git log",
        (cost["first"].cpu - cost["off"].cpu) / cost["log"].cpu,
        "×",
        2,
    )
    yield Figure(f"{what}: first run in all, to git log", cost["first"].cpu / cost["log"].cpu, "×")
    yield Figure(
        f"{what}: history known, verdicts not: above one without drift, to git log",
        (cost["known"].cpu - cost["off"].cpu) / cost["log"].cpu,
        "×",
    )
    # The bar says "nothing measurable"; a twentieth of the log is about what two equal runs differ by.
    again = (cost["next"].cpu - cost["off next"].cpu) / cost["log"].cpu
    yield Figure(f"{what}: next run, above the next run without drift, to git log", again, "×", 0.05)
    yield Figure(f"{what}: git log, CPU", cost["log"].cpu, "s")
    shutil.rmtree(top)
    shutil.rmtree(off)


def corpus(setting: Setting) -> Iterator[Figure]:
    """Citations of papers: a cold run, and one in which nothing changed."""
    documents, papers = (2_000, 200) if setting.quick else (10_000, 999)
    top = os.path.join(setting.folder, "papers")
    trees.corpus_tree(top, documents, papers)
    alone = _small(setting)
    listed = os.path.join(setting.folder, "papers.listed")
    with open(listed, "w", encoding="utf-8") as stream:
        stream.write("\n".join(trees.names(top)))
    run(pincite("check"), alone)
    run(pincite("check"), top)
    contest = Contest(top, setting.times)
    contest.add("bare", (PYTHON, "-c", "pass"))
    contest.add("read", script("floor_read.py", top))
    contest.add("stat", script("floor_stat.py", listed))
    contest.add("cold", pincite("check", "--no-cache"))
    contest.add("start", pincite("check", "--root", alone, alone))
    contest.add("same", pincite("check"))
    cost = contest.medians()
    what = f"{documents:,} documents, {documents * 10:,} citations of {papers:,} papers"
    yield Figure(f"cold, {what}: to os.read of every file", cost["cold"].cpu / cost["read"].cpu, "×", 3)
    stat = cost["stat"].cpu - cost["bare"].cpu
    yield Figure(f"warm, {what}: to stat of every file", (cost["same"].cpu - cost["start"].cpu) / stat, "×", 2)
    yield Figure(f"cold, {what}: CPU", cost["cold"].cpu, "s")
    shutil.rmtree(top)


def start(setting: Setting) -> Iterator[Figure]:
    """What every call pays before it does anything."""
    alone = _small(setting)
    contest = Contest(alone, 4 * setting.times + 1)
    contest.add("bare", (PYTHON, "-c", "pass"))
    contest.add("--help", pincite("--help"))
    contest.add("check of one small file", pincite("check", "note.md"))
    cost = contest.medians()
    for name in ("--help", "check of one small file"):
        yield Figure(
            f"start-up, {name}: above a bare interpreter", (cost[name].cpu - cost["bare"].cpu) * 1000, "ms", 100
        )


def _small(setting: Setting) -> str:
    """A folder with one document that cites one file."""
    top = os.path.join(setting.folder, "alone")
    trees.put(top, "app.py", "print(1)\nprint(2)\n")
    trees.put(top, "note.md", "It prints twice. 【F:app.py†L1-L2】\n")
    return top


def _commit(top: str) -> None:
    """Make a tree a git repository with one commit."""
    for command in (
        ("git", "init", "-q", "-b", "main"),
        ("git", "add", "-A"),
        ("git", "-c", "user.name=Someone", "-c", "user.email=someone@example.org", "commit", "-q", "-m", "All"),
    ):
        if run(command, top).code:
            raise SystemExit(f"{' '.join(command)} failed")


CASES: dict[str, Callable[[Setting], Iterator[Figure]]] = {
    "start": start,
    "inline": inline,
    "warm": warm,
    "memories": memories,
    "drift": drift,
    "corpus": corpus,
    "retrieval": retrieval,
    "engines": side_by_side,
    "growth": growth,
}
