"""Compare where lines are followed to with where git says they are, on random histories.

    PYTHONPATH=src:tests python tests/history/blame.py [--regions 10000] [--commits 40] [--seed N]

A history is random: lines are inserted, deleted, edited, moved, copied and indented, files are renamed (with the same
ending), reverted, merged, added and removed, line ends come and go. The referee is `git blame --reverse`, along the
branch, from the commit that knew a region to HEAD: it says of every line until which commit it lived, and where. A
commit beside the branch is first taken to its merge by `git diff`. Compared are regions of which git says that every
line lives, in one file and one piece: no commit edited them. pincite must name exactly that place.

Blank lines at the ends of a region do not count: other lines may have stood between them and the rest for a while.

Two kinds of region are not held to git's place:

- Regions of which git says that a line died, or that lines came in between. There is no place to compare with: git
  knows no moved blocks, and calls a line dead whose end or indentation changed.
- Regions all of whose lines stand twice in some version of the tree, such as brackets and copies. There git itself
  picks one of several diffs that are as short, and another one is as true. A place that pincite names must have the
  same words; none need be named.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from pincite.core.limits import LIMITS
from pincite.history.region import FollowEnd
from pincite.history.step import TextRegion
from pincite.history.trace import Tracer, TraceRequest
from pincite.safe.git import Git
from support_histories import ENVIRONMENT, Author, History, Tree, import_history

_BLAMED = re.compile(rb"(?m)^([0-9a-f]{40}) (\d+) (\d+)(?: \d+)?\n(?:(?!\t).*\n)*?(?:filename (.*)\n)?\t")
_HUNK = re.compile(rb"(?m)^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_LONGEST = 12
"""Lines of the longest region."""
Place = tuple[str, int]
"""A file of HEAD and a line of it, from 0."""


class Comparison:
    """What was compared, and what differed."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.differences: list[str] = []

    def compare_history(self, seed: int, commits: int, regions: int) -> None:
        """Follow so many regions of a random history, and compare."""
        history = Author(seed).write(commits)
        with tempfile.TemporaryDirectory(prefix="pincite-blame-") as folder:
            top = Path(folder, "repo")
            import_history(history, top)
            git = Git.find(str(top))
            assert git is not None
            try:
                self._compare(history, git, top, regions)
            finally:
                git.close()

    def _compare(self, history: History, git: Git, top: Path, regions: int) -> None:
        asked = choose_regions(history, regions)
        blobs = git.objects().blob_ids([(history.commits[at], path) for at, path, _ in asked])
        asks = [
            TraceRequest(history.commits[at], path, blob or "", region)
            for (at, path, region), blob in zip(asked, blobs, strict=True)
        ]
        ends = Tracer(git, history.commits[history.branch[-1]], LIMITS.source_bytes).trace(asks)
        referee = Referee(history, top)
        repeated = find_repeated(history)
        for (at, path, region), end in zip(asked, ends, strict=True):
            self._compare_region(history, referee, repeated, (at, path, region), end)

    def _compare_region(
        self,
        history: History,
        referee: Referee,
        repeated: set[str],
        asked: tuple[int, str, TextRegion],
        end: FollowEnd | None,
    ) -> None:
        at, path, region = asked
        place = referee.find(at, path, region)
        self.counts["all"] += 1
        if place is None:
            self.counts["not compared: git says that lines died, or that others came between"] += 1
            return
        words = history.trees[at][path].lines[region.first : region.last + 1]
        found = None
        if end is not None and end.region is not None:
            found = (end.path, end.region.first, end.region.last)
        if not all(line in repeated for line in words):
            self.counts["compared"] += 1
            if not self._is_same(history, found, (*place, place[1] + region.last - region.first)):
                self._differ(history, asked, found, f"git: {place[0]}:{place[1] + 1}")
        elif found is None:
            self.counts["words that stand in several places: no answer"] += 1
        else:
            self.counts["words that stand in several places: words compared"] += 1
            now = history.trees[history.branch[-1]][found[0]].lines[found[1] : found[2] + 1]
            if squeeze(now) != squeeze(words):
                self._differ(history, asked, found, f"other words than those git finds at {place[0]}:{place[1] + 1}")

    @staticmethod
    def _is_same(history: History, found: tuple[str, int, int] | None, place: tuple[str, int, int]) -> bool:
        """Whether two ranges are the same, blank lines at their ends aside."""
        if found is None or found[0] != place[0]:
            return False
        lines = history.trees[history.branch[-1]][place[0]].lines
        (first, last), (low, high) = (
            (min(telling, default=start), max(telling, default=end))
            for start, end in (found[1:], place[1:])
            for telling in [[at for at in range(start, min(end, len(lines) - 1) + 1) if lines[at].strip()]]
        )
        return (first, last) == (low, high)

    def _differ(self, history: History, asked: tuple[int, str, TextRegion], found: object, why: str) -> None:
        at, path, region = asked
        where = f"seed {history.seed}, commit {at} of {len(history.trees)}, {path}:{region.first + 1}-{region.last + 1}"
        self.counts["differences"] += 1
        self.differences.append(f"{where}: found {found}; {why}")


class Referee:
    """What git says of lines."""

    def __init__(self, history: History, top: Path) -> None:
        self._history = history
        self._top = top
        self._head = history.branch[-1]
        self._known: dict[tuple[int, str], list[Place | None]] = {}
        self._merged = find_merges(history)

    def find(self, at: int, path: str, region: TextRegion) -> Place | None:
        """Where a region stands in HEAD: None where a line of it died, or where it is not in one piece any more."""
        key = (at, path)
        if key not in self._known:
            self._known[key] = self._follow(at, path)
        places = self._known[key][region.first : region.last + 1]
        first = places[0]
        if first is None or any(place != (first[0], first[1] + step) for step, place in enumerate(places)):
            return None
        return first

    def _follow(self, at: int, path: str) -> list[Place | None]:
        size = len(self._history.trees[at][path].lines)
        merge = self._merged.get(at)
        if merge is None:
            return self._blame(at, path, size)
        if path not in self._history.trees[merge]:
            return [None] * size
        onto = self._blame(merge, path, len(self._history.trees[merge][path].lines))
        return [None if line is None else onto[line] for line in self._diff(at, merge, path, size)]

    def _blame(self, at: int, path: str, size: int) -> list[Place | None]:
        """Where each line of a file of the branch stands in HEAD."""
        if at == self._head:
            return [(path, line) for line in range(size)]
        head = self._history.commits[self._head].encode()
        way = f"{self._history.commits[at]}..{head.decode()}"
        listed = self._git("blame", "--reverse", "--first-parent", "--line-porcelain", way, "--", path)
        places: list[Place | None] = [None] * size
        for commit, then, line, name in _BLAMED.findall(listed):
            if commit == head:
                places[int(line) - 1] = (name.decode(), int(then) - 1)
        return places

    def _diff(self, at: int, merge: int, path: str, size: int) -> list[int | None]:
        """The line of a merge that each line of a commit beside the branch became."""
        words = ("diff", "-U0", self._history.commits[at], self._history.commits[merge], "--", path)
        lines: list[int | None] = []
        now = 0
        for start, many, _, more in _HUNK.findall(self._git(*words)):
            gone = int(many or 1)
            same = int(start) - (gone > 0) - len(lines)
            lines += range(now, now + same)
            lines += [None] * gone
            now += same + int(more or 1)
        return [*lines, *range(now, now + size - len(lines))]

    def _git(self, *words: str) -> bytes:
        return subprocess.run(("git", *words), cwd=self._top, env=ENVIRONMENT, capture_output=True, check=True).stdout


def choose_regions(history: History, regions: int) -> list[tuple[int, str, TextRegion]]:
    """Regions of several files of several commits, the same ones for the same seed."""
    author = Author(history.seed).random
    commits = author.sample(range(len(history.trees)), min(8, len(history.trees)))
    files = [(at, path) for at in commits for path, file in sorted(history.trees[at].items()) if file.lines]
    chosen: dict[tuple[int, str, TextRegion], None] = {}
    for _ in range(regions):
        at, path = author.choice(files)
        size = len(history.trees[at][path].lines)
        first = author.randrange(size)
        last = min(size - 1, first + author.choice((0, 0, 0, 1, 2, 3, author.randrange(_LONGEST))))
        chosen[at, path, TextRegion(first, last)] = None
    return list(chosen)


def find_repeated(history: History) -> set[str]:
    """Lines whose words stand twice in a version, blanks not counted; those that say nothing are among them."""
    repeated = {""}
    for tree in history.trees:
        count = Counter(squeeze_line(line) for file in tree.values() for line in file.lines)
        repeated |= {words for words, times in count.items() if times > 1}
    return {line for tree in history.trees for line in all_lines(tree) if squeeze_line(line) in repeated}


def find_merges(history: History) -> dict[int, int]:
    """Commits beside the branch, with the first commit of the branch that has them."""
    branch, merged = set(history.branch), dict[int, int]()
    for merge in history.branch:
        todo = list(history.parents[merge][1:])
        while todo:
            at = todo.pop()
            if at not in branch and at not in merged:
                merged[at] = merge
                todo += history.parents[at]
    return merged


def all_lines(tree: Tree) -> set[str]:
    """The lines of all files."""
    return {line for file in tree.values() for line in file.lines}


def squeeze_line(line: str) -> str:
    """A line without its blanks."""
    return "".join(line.split())


def squeeze(lines: tuple[str, ...]) -> list[str]:
    """Lines without their blanks: indentation is no edit."""
    return [squeeze_line(line) for line in lines]


def main() -> int:
    """Compare, print what was found; 1 where anything differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--regions", type=int, default=10_000, help="the least that are compared with git (10000)")
    parser.add_argument("--commits", type=int, default=40, help="commits of the branch of a history (40)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    comparison, seed = Comparison(), options.seed
    while comparison.counts["compared"] < options.regions:
        comparison.compare_history(seed, options.commits, 400)
        seed += 1
    print(f"{seed - options.seed} histories")
    for what, count in comparison.counts.most_common():
        print(f"{count:8,} {what}")
    print("\n".join(comparison.differences) or "0 differences")
    return int(bool(comparison.differences))


if __name__ == "__main__":
    sys.exit(main())
