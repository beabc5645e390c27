"""What it costs to follow cited lines through history, against git itself; prints a table.

    python bench/history.py [--times N] [--quick] [--no-made] [--folder DIR] REPOSITORY...

A REPOSITORY is a work tree or a bare git directory. It is cloned and never changed. Figures are CPU (user and system,
of a process and its children): medians of runs that take turns, ratios within one run of this program. The last line
is one JSON object, a key for each repository and each made case. The exit code is 1 while a bar is missed.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from statistics import median
from time import sleep, time
from typing import Any, NamedTuple

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import trees
from figures import Figure
from measure import Contest, Cost, pincite, run, script

from pincite.project.config import Config
from run import table

COLD, AFTER, FIX, MEGABYTES, HUNK_SECONDS, MANY_COMMITS = 2.0, 1.5, 1.5, 300, 1.0, 2.0
"""The bars."""
_LOG = ("log", "-p", "-U0", "--first-parent", "-m", "--no-ext-diff", "--no-textconv", "--format=%x00%H", "HEAD")
_UNREAD = 61
"""Seconds after which a file that has not changed is no longer read by a warm run."""
_SLOW = 20
"""A command that takes more seconds of CPU than this is run once."""
_BACK = 50
"""How many commits `affected` is asked about."""


class Cited(NamedTuple):
    """What a check found to be cited."""

    citations: int
    documents: list[str]
    """Those with citations of lines."""
    files: list[str]
    """Those of which lines are cited, and that git knows; the one with most citations first."""


def main() -> int:
    """Measure everything; 1 if a bar was passed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="*", metavar="REPOSITORY")
    parser.add_argument("--times", type=int, default=3, help="runs of each command (3)")
    parser.add_argument("--quick", action="store_true", help="small made cases, and no waiting until files are old")
    parser.add_argument("--no-made", action="store_true", help="leave out the two made cases")
    parser.add_argument("--folder", help="where to work (default: the system's temporary folder)")
    options = parser.parse_args()
    cases = {name_repository(place): partial(measure_repository, place) for place in options.repositories}
    if not options.no_made:
        cases |= {"one hunk": measure_hunk, "many commits": measure_many_commits}
    found: dict[str, dict[str, Figure]] = {}
    failed = False
    for name, measure in cases.items():
        sys.stderr.write(f"{name} …\n")
        with tempfile.TemporaryDirectory(prefix="pincite-bench-", dir=options.folder) as folder:
            real = os.path.realpath(folder)
            os.environ["PINCITE_CACHE"] = os.path.join(real, "cache")
            found[name] = {}
            try:
                found[name].update(measure(real, options.times, options.quick))
            except (SystemExit, subprocess.CalledProcessError) as error:
                # One repository that cannot be measured must not cost the figures of all others.
                sys.stderr.write(f"{name}: {error}\n")
                failed = True
    print(table([row._replace(what=f"{name}: {row.what}") for name, rows in found.items() for row in rows.values()]))
    print(json.dumps({name: {key: _as_json(row) for key, row in rows.items()} for name, rows in found.items()}))
    return int(failed or any(row.met is False for rows in found.values() for row in rows.values()))


def _as_json(figure: Figure) -> dict[str, object]:
    return {"value": round(figure.value, 3), "unit": figure.unit, "bar": figure.bar, "met": figure.met}


def name_repository(place: str) -> str:
    """The name of its folder; that of the folder around it where it is called `repo` only."""
    parts = os.path.abspath(place).split(os.sep)
    return parts[-2] if parts[-1] in ("repo", ".git") and len(parts) > 2 else parts[-1].removesuffix(".git")


def measure_repository(place: str, folder: str, times: int, quick: bool) -> Iterator[tuple[str, Figure]]:
    """All figures of one repository."""
    top = os.path.join(folder, "work")
    clone(place, top)
    started = time()
    first, cited = look(top, folder)
    yield "citations", Figure("citations", cited.citations, "")
    if not cited.files:
        return
    git = ("git", "--literal-pathspecs")
    files, documents = _pathspecs(folder, "files", cited.files), _pathspecs(folder, "documents", cited.documents)
    listed = os.path.join(folder, "listed")
    _write(listed, "\n".join(sorted({*list_documents(top), *cited.files})))
    contest = Contest(top, 1 if first.cpu > _SLOW else times)
    contest.add("log of files", (*git, *_LOG, "--stdin"), stdin=files)
    contest.add("log of documents", (*git, *_LOG, "--stdin"), stdin=documents)
    if run((*git, *_LOG, "--stdin"), top, stdin=files).code:
        raise SystemExit("git cannot read the history of the cited files: objects are missing")
    # Others may be missing: nothing here needs them.
    if not run((*git, *_LOG), top).code:
        contest.add("log of everything", (*git, *_LOG))
    contest.add("read", script("floor_list.py", listed))
    contest.add("cold", pincite("check"), forget)
    contest.add("fix", pincite("fix"), forget)
    contest.add("affected", pincite("affected", _many_back(top)), forget)
    cost = contest.medians((0, 1, 2), skip_first=first.cpu <= _SLOW)
    yield from cold_figures(cost)
    _wait(0 if quick else started + _UNREAD - time())
    yield from warm_figures(top, folder, cited.files[0], 1 if quick else max(times, 3))


def cold_figures(cost: Mapping[str, Cost]) -> Iterator[tuple[str, Figure]]:
    """What a first run costs, against git and reading."""
    git, read, cold = cost["log of files"].cpu, cost["read"].cpu, cost["cold"]
    for name in ("log of files", "log of documents", "log of everything", "read", "cold"):
        if name in cost:
            yield name, Figure(f"{name}, CPU", cost[name].cpu, "s")
    yield "cold ratio", Figure("cold, to the log of the cited files and reading", cold.cpu / (git + read), "×", COLD)
    both = git + cost["log of documents"].cpu + read
    yield "cold ratio, both", Figure("the same, to the logs of files and documents and reading", cold.cpu / both, "×")
    yield "memory", Figure("cold, memory", cold.megabytes, "MB", MEGABYTES)
    yield "fix", Figure("`fix`, to `check`", cost["fix"].cpu / cold.cpu, "×", FIX)
    yield "fix memory", Figure("`fix`, memory", cost["fix"].megabytes, "MB", MEGABYTES)
    yield "affected", Figure(f"`affected`, {_BACK} commits, CPU", cost["affected"].cpu, "s")


def warm_figures(top: str, folder: str, path: str, times: int) -> Iterator[tuple[str, Figure]]:
    """What the next run costs where nothing changed, and after a commit that touches the file with most citations."""
    # What a first run kept, a second one completes: only the third finds nothing to do.
    _check(run(pincite("check"), top), "check")
    _check(run(pincite("check"), top), "check")
    warm, after, diff = list[float](), list[float](), list[float]()
    for turn in range(times):
        warm.append(_check(run(pincite("check"), top), "check").cpu)
        commit_line(top, path, turn)
        diff.append(run(("git", "diff", "-U0", "--no-ext-diff", "HEAD~1", "HEAD"), top).cpu)
        after.append(_check(run(pincite("check"), top), "check").cpu)
        _check(run(pincite("check"), top), "check")
    yield "warm", Figure("warm, nothing changed, CPU", median(warm), "s")
    yield "after", Figure("after one commit, CPU", median(after), "s")
    ratio = median(after) / (median(warm) + median(diff))
    yield "after ratio", Figure("after one commit, to a warm run and the diff of that commit", ratio, "×", AFTER)


def measure_hunk(folder: str, times: int, quick: bool) -> Iterator[tuple[str, Figure]]:
    """One commit that changes 800 lines in one hunk, and 100 citations of them."""
    lines, citations = (80, 10) if quick else (800, 100)
    old = [f"    value_{number} = compute_{number % 37}(first, {number})" for number in range(lines)]
    new = [row.replace("first", "second") if at % 3 else f"    other_{at} = read({at})" for at, row in enumerate(old)]
    said = "\n\n".join(f"See `src/app.py:{3 + at * (lines // citations)}` there." for at in range(citations))
    frame = "def start():\n    pass\n{}\ndef end():\n    pass\n"
    versions = [{"src/app.py": frame.format("\n".join(rows)), "doc.md": f"{said}\n"} for rows in (old, new)]
    top = os.path.join(folder, "work")
    trees.import_history(top, versions)
    contest = Contest(top, times)
    contest.add("log", ("git", *_LOG, "--", "src/app.py"))
    contest.add("cold", pincite("check"), forget)
    cost = contest.medians()
    what = f"one hunk of {lines} lines, {citations} citations"
    yield "log", Figure(f"{what}: log of the file, CPU", cost["log"].cpu, "s")
    yield "cold", Figure(f"{what}: cold, CPU", cost["cold"].cpu, "s", HUNK_SECONDS)
    yield "memory", Figure(f"{what}: memory", cost["cold"].megabytes, "MB", MEGABYTES)


def measure_many_commits(folder: str, times: int, quick: bool) -> Iterator[tuple[str, Figure]]:
    """A cited file that thousands of commits touched."""
    commits = 100 if quick else 5000
    top = os.path.join(folder, "work")
    trees.import_history(top, trees.edit_one_file(commits))
    contest = Contest(top, times)
    contest.add("log", ("git", *_LOG, "--", "src/app.py"))
    contest.add("cold", pincite("check"), forget)
    cost = contest.medians()
    what = f"{commits:,} commits on one cited file"
    yield "log", Figure(f"{what}: log of the file, CPU", cost["log"].cpu, "s")
    yield "cold", Figure(f"{what}: cold, CPU", cost["cold"].cpu, "s")
    ratio = cost["cold"].cpu / cost["log"].cpu
    yield "cold ratio", Figure(f"{what}: cold, to the log of the file", ratio, "×", MANY_COMMITS)
    yield "memory", Figure(f"{what}: memory", cost["cold"].megabytes, "MB", MEGABYTES)


def clone(place: str, top: str) -> None:
    """A work tree of its own; a file whose content the repository lacks is left out."""
    subprocess.run(("git", "clone", "-q", "--no-checkout", os.path.abspath(place), top), check=True)
    subprocess.run(("git", "read-tree", "HEAD"), cwd=top, check=True)
    subprocess.run(("git", "checkout-index", "-a", "-f", "-u", "-q"), cwd=top, check=False, stderr=subprocess.DEVNULL)


def look(top: str, folder: str) -> tuple[Cost, Cited]:
    """What is cited in a work tree, and what it cost to find out."""
    place = os.path.join(folder, "report.json")
    cost = _check(run(pincite("check", "--no-cache", "--format", "json", "--output", place), top), "check")
    with open(place, encoding="utf-8") as stream:
        report: dict[str, Any] = json.load(stream)
    tracked = set(_list_names(top))
    rows = [row for row in report["citations"] if row["lines"] and row["source"]["scheme"] == "file"]
    files = Counter(row["evidence"]["path"] for row in rows if row["evidence"])
    documents = sorted({row["document"] for row in rows})
    return cost, Cited(
        report["summary"]["citations"],
        [name for name in documents if name in tracked],
        [name for name, _ in files.most_common() if name in tracked],
    )


def list_documents(top: str) -> list[str]:
    """Files that are looked at for citations."""
    endings = Config().documents
    return [name for name in _list_names(top) if name.endswith(endings) and os.path.isfile(os.path.join(top, name))]


def forget() -> None:
    """Remove all that earlier runs kept."""
    shutil.rmtree(os.environ["PINCITE_CACHE"], ignore_errors=True)


def commit_line(top: str, path: str, turn: int) -> None:
    """Commit one more line in the middle of a file."""
    place = os.path.join(top, path)
    with open(place, "rb") as stream:
        rows = stream.readlines()
    rows.insert(len(rows) // 2, b"\n" if turn % 2 else b"# one more line\n")
    with open(place, "wb") as stream:
        stream.writelines(rows)
    who = ("-c", "user.name=bench", "-c", "user.email=bench@example.org", "-c", "gc.auto=0", "-c", "core.hooksPath=")
    for words in (("add", "--", path), ("commit", "-q", "--no-verify", "-m", "One more line")):
        subprocess.run(("git", "--literal-pathspecs", *who, *words), cwd=top, check=True)


def _list_names(top: str) -> list[str]:
    listed = subprocess.run(("git", "ls-files", "-z"), cwd=top, check=True, capture_output=True).stdout
    return [name for name in os.fsdecode(listed).split("\0") if name and "\n" not in name]


def _many_back(top: str) -> str:
    """A commit some way back; the first one of a short history."""
    words = ("git", "rev-list", "--first-parent", f"--max-count={_BACK + 1}", "HEAD")
    return subprocess.run(words, cwd=top, check=True, capture_output=True, text=True).stdout.split()[-1]


def _pathspecs(folder: str, name: str, paths: list[str]) -> str:
    """A file that tells `git log --stdin` which paths are meant."""
    place = os.path.join(folder, name)
    _write(place, "\n".join(("--", *paths)) + "\n")
    return place


def _write(place: str, text: str) -> None:
    with open(place, "w", encoding="utf-8", errors="surrogateescape") as stream:
        stream.write(text)


def _check(cost: Cost, what: str) -> Cost:
    if cost.code not in (0, 1, 2):
        raise SystemExit(f"{what} ended with {cost.code}")
    return cost


def _wait(seconds: float) -> None:
    if seconds > 0:
        sleep(seconds)


if __name__ == "__main__":
    sys.exit(main())
