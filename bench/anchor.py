"""How often cited lines are found again after the code has changed, with history and without.

    python bench/anchor.py CASES.jsonl REPOS

A case names a repository, an old and a new commit, and a line or a range of a file in the old one. Repositories are git
directories `REPOS/<owner>+<name>/repo`. Answers are given before a case's `truth` is read. Right is the true file and
first line, and the last one too where a case has `end_line`; or rightly gone. A lie is a place that is not the true
one, anything else abstains. The last line of the output is the result as JSON.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from pathlib import Path
from time import perf_counter
from typing import Any

from pincite.core.errors import Unreadable
from pincite.core.limits import LIMITS
from pincite.core.model import Lines
from pincite.history.commit_log import CommitLog, read_trail
from pincite.history.hunks import HunkReader
from pincite.history.model import CitedPassage, TraceResult
from pincite.history.region import FollowStart, RegionFollower
from pincite.history.step import FileVersion, TextRegion
from pincite.history.tree_files import TreeFiles
from pincite.history.without_history import find
from pincite.safe.git import Git
from pincite.text.lines import decode

Answer = tuple[str, int, int, int, int] | str
"""File, first and last line, first and last column (0 for whole lines); or `gone`, `ambiguous`."""
ASKED = ("repo", "old_commit", "new_commit", "path", "line", "end_line", "range", "snippet", "before", "after")


class Repository:
    """One git directory, with its reader of objects kept open."""

    def __init__(self, folder: Path) -> None:
        self.git = Git.bare(str(folder))
        self.objects = self.git.objects()

    def texts(self, blobs: list[str]) -> list[str | None]:
        """The texts of blobs; None for what is none."""
        found: list[str | None] = []
        for data in self.objects.read(blobs, LIMITS.source_bytes):
            try:
                found.append(None if data is None else decode(data))
            except Unreadable:
                found.append(None)
        return found


def region_of(case: dict[str, Any], text: FileVersion) -> TextRegion:
    """The cited region; columns count where a part of a line is meant."""
    first, last = case["line"] - 1, case.get("end_line", case["line"]) - 1
    if "range" not in case:
        return TextRegion(first, last)
    _, left, _, right = case["range"]
    whole = not text.lines[first][: left - 1].strip() and not text.lines[last][right:].strip()
    return TextRegion(first, last) if whole else TextRegion(first, last, left - 1, right)


def branch_of(git: Git, ways: list[tuple[str, str]]) -> list[str]:
    """The commits of the branch that ends in the newest commit of all ways, newest first."""
    news = list(dict.fromkeys(new for _, new in ways))
    newest = git.run("rev-list", "--no-walk", "--topo-order", "-n", "1", *news, "--").split()
    listed = git.run("rev-list", "--first-parent", *(name.decode("ascii") for name in newest[:1]), "--")
    return listed.decode("ascii").split()


def read_trails(git: Git, ways: list[tuple[str, str]]) -> dict[tuple[str, str], tuple[CommitLog, int, int]]:
    """For each way from one commit to another a trail, and the turns at which it begins and ends.

    Ways along one branch share a trail, so that its history is read once.
    """
    found: dict[tuple[str, str], tuple[CommitLog, int, int]] = {}
    left = list(dict.fromkeys(ways))
    while left:
        branch = branch_of(git, left)
        turns = {commit: -at for at, commit in enumerate(branch)}
        along = [way for way in left if way[0] in turns and way[1] in turns and turns[way[0]] <= turns[way[1]]]
        if along:
            ends = [commit for way in along for commit in way]
            trail = read_trail(git, min(ends, key=turns.__getitem__), max(ends, key=turns.__getitem__))
            found.update((way, (trail, trail.turn(way[0]) or 0, trail.turn(way[1]) or 0)) for way in along)
        else:
            along = left[:1]
            trail = read_trail(git, *along[0])
            found[along[0]] = trail, 0, len(trail)
        left = [way for way in left if way not in found]
    return found


def with_history(repository: Repository, cases: list[dict[str, Any]]) -> list[Answer]:
    """Follow each case's region from its old commit to its new one."""
    blobs = repository.objects.blob_ids([(case["old_commit"], case["path"]) for case in cases])
    texts = repository.texts([blob or "" for blob in blobs])
    ways = [(case["old_commit"], case["new_commit"]) for case in cases]
    trails = read_trails(repository.git, ways)
    answers: list[Answer] = ["ambiguous"] * len(cases)
    groups: dict[int, list[int]] = defaultdict(list)
    for at, way in enumerate(ways):
        if texts[at] is not None:
            groups[id(trails[way][0])].append(at)
    for members in groups.values():
        starts = [
            FollowStart(
                cases[at]["path"],
                blobs[at] or "",
                region_of(cases[at], FileVersion(texts[at] or "")),
                *trails[ways[at]][1:],
            )
            for at in members
        ]
        traveller = RegionFollower(trails[ways[members[0]]][0], repository.texts, HunkReader(repository.git))
        for at, stop in zip(members, traveller.follow(starts), strict=True):
            region = stop.region
            if region is not None:
                answers[at] = (stop.path, region.first + 1, region.last + 1, region.left + 1, max(region.right, 0))
            elif not stop.undecided:
                answers[at] = "gone"
    return answers


def without_history(repository: Repository, new: str, cases: list[dict[str, Any]]) -> list[Answer]:
    """Find each case's snippet by its words and three lines around it."""
    tree = repository.git.tree(new)
    files = TreeFiles(tree, lambda paths: repository.texts([tree[path] for path in paths]))
    passages = [passage_of(case) for case in cases]
    files.expect(passages)
    answers: list[Answer] = []
    for passage in passages:
        answer = find(passage, files)
        lines = answer.lines
        if answer.place is not None and lines is not None:
            left, right = answer.columns or (-1, 0)
            answers.append((answer.place.path, lines.first, lines.last, left + 1, right))
        else:
            answers.append("gone" if answer.became is TraceResult.GONE else "ambiguous")
    return answers


def passage_of(case: dict[str, Any]) -> CitedPassage:
    """What was seen: the snippet and up to three lines on each side."""
    lines = Lines(case["line"], case.get("end_line", case["line"]))
    text = tuple(case["snippet"].split("\n"))
    columns = None
    if "range" in case:
        left, right = case["range"][1] - 1, case["range"][3]
        # White space around the words does not make them a part of a line.
        columns = (left, right) if text[0][:left].strip() or text[-1][right:].strip() else None
    return CitedPassage(lines, text, tuple(case["before"]), tuple(case["after"]), case["path"], columns)


def with_text(repository: Repository, case: dict[str, Any]) -> dict[str, Any]:
    """A case whose text stands in the repository only, with its text and context."""
    if "snippet" in case:
        return case
    blob = repository.objects.blob_ids([(case["old_commit"], case["path"])])[0]
    lines = FileVersion(repository.texts([blob or ""])[0] or "").lines
    first, last = case["line"] - 1, case.get("end_line", case["line"]) - 1
    return {
        **case,
        "snippet": "\n".join(lines[first : last + 1]),
        "before": lines[max(0, first - 3) : first],
        "after": lines[last + 1 : last + 4],
    }


def folder_of(case: dict[str, Any]) -> str:
    """Where a case's git directory lies."""
    return f"{case['repo'].replace('/', '+')}/repo"


def measure(cases: list[dict[str, Any]], repos: Path, history: bool) -> tuple[list[Answer], float]:
    """Answers to all cases, and the milliseconds one took."""
    asked = [{key: case[key] for key in ASKED if key in case} for case in cases]
    groups: dict[tuple[str, str], list[int]] = defaultdict(list)
    for at, case in enumerate(asked):
        groups[case["repo"], "" if history else case["new_commit"]].append(at)
    folders = {case["repo"]: folder_of(case) for case in asked}
    repositories = {name: Repository(repos / folder) for name, folder in folders.items()}
    if not history:
        asked = [with_text(repositories[case["repo"]], case) for case in asked]
    answers: list[Answer] = ["ambiguous"] * len(cases)
    begun = perf_counter()
    for (name, new), members in groups.items():
        chosen = [asked[at] for at in members]
        found = (
            with_history(repositories[name], chosen) if history else without_history(repositories[name], new, chosen)
        )
        for at, answer in zip(members, found, strict=True):
            answers[at] = answer
    taken = (perf_counter() - begun) * 1000 / max(1, len(cases))
    for repository in repositories.values():
        repository.git.close()
    return answers, taken


def judged(case: dict[str, Any], answer: Answer) -> str:
    """Whether an answer is right, a lie, or an abstention."""
    truth = case["truth"]
    if truth == "deleted":
        right = answer == "gone"
    else:
        last = truth.get("end_line", truth["line"]) if "end_line" in case else None
        right = not isinstance(answer, str) and answer[:2] == (truth["path"], truth["line"])
        right = right and (last is None or answer[2] == last)
    return "right" if right else "abstains" if isinstance(answer, str) else "lies"


def label(case: dict[str, Any]) -> str:
    """What became of a case."""
    return case.get("label") or ("deleted" if case["truth"] == "deleted" else "stays")


def columns_right(case: dict[str, Any], answer: Answer) -> bool | None:
    """Whether the columns are right too; None where none were asked for or the lines are wrong."""
    truth = case["truth"]
    if truth == "deleted" or "range" not in truth or isinstance(answer, str) or not answer[3]:
        return None
    return answer[3:] == (truth["range"][1], truth["range"][3]) if judged(case, answer) == "right" else None


def report(title: str, cases: list[dict[str, Any]], answers: list[Answer], taken: float) -> dict[str, float]:
    """Print one table; the figures of all cases."""
    rows: dict[str, Counter[str]] = defaultdict(Counter)
    for case, answer in zip(cases, answers, strict=True):
        verdict = judged(case, answer)
        rows[label(case)][verdict] += 1
        rows["all"][verdict] += 1
    print(f"\n{title}\n{'':12} {'cases':>6} {'right':>8} {'lies':>8} {'abstains':>9}")
    for name in sorted(rows, key=lambda name: (name == "all", name)):
        row, number = rows[name], rows[name].total()
        print(
            f"{name:12} {number:>6} {row['right'] / number:>8.1%} {row['lies'] / number:>8.1%} "
            f"{row['abstains'] / number:>9.1%}"
        )
    columns = [
        right for case, answer in zip(cases, answers, strict=True) if (right := columns_right(case, answer)) is not None
    ]
    if columns:
        print(f"columns right too: {sum(columns)} of {len(columns)}")
    print(f"{taken:.2f} ms a case")
    total = rows["all"].total()
    return {
        "accuracy": round(rows["all"]["right"] / total, 4),
        "lies": round(rows["all"]["lies"] / total, 4),
        "ms": round(taken, 3),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="How often cited lines are found again.")
    parser.add_argument("cases", type=Path, help="cases, one JSON object a line")
    parser.add_argument("repos", type=Path, help="folder with <owner>+<name>/repo git directories")
    parser.add_argument("--show", action="store_true", help="print every case that is not right")
    options = parser.parse_args()
    cases = [json.loads(line) for line in options.cases.read_text(encoding="utf-8").splitlines() if line.strip()]
    missing = {case["repo"] for case in cases if not (options.repos / folder_of(case) / "HEAD").is_file()}
    if missing or not cases:
        parser.error(f"no git directory for {', '.join(sorted(missing))}" if missing else "there is no case")
    figures = {}
    for key, title, history in (("history", "With history", True), ("no_history", "Without history", False)):
        answers, taken = measure(cases, options.repos, history)
        if options.show:
            for case, answer in zip(cases, answers, strict=True):
                if judged(case, answer) != "right":
                    print(key, judged(case, answer), case.get("id"), label(case), case["truth"], answer)
        figures[key] = report(title, cases, answers, taken)
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
