"""Which lines a change of a file replaced, as git tells it: enough to carry all other lines by counting."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from ..safe.child import ChildFailed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..safe.git import Git
    from .commit_log import CommitLog, FileChange

Pair = tuple[str, str]
"""The ids of a file's content before and after a change."""

_DIFF = (
    *("diff-tree", "--stdin", "-r", "-p", "-U0", "-a", "--full-index", "--no-renames", "--inter-hunk-context=0"),
    *("--diff-algorithm=default", "--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=all"),
    "--no-commit-id",
)
_ITEM = re.compile(
    rb"\n(?:diff --git |index ([0-9a-f]{40,64})\.\.([0-9a-f]{40,64})"
    rb"|@@ -([0-9]+)(?:,([0-9]+))? \+([0-9]+)(?:,([0-9]+))? @@.*)"
)
"""Lines of a file begin with a sign in a patch, so none of them can pass for one of these."""
_ODD = re.compile(rb"\r(?!\n|\Z)|\0")
"""What git takes for a part of a line and others for its end, or for no text at all. Output is cut before line ends."""
_OPEN, _CLOSE = (b"(", b"[", b"{"), (b")", b"]", b"}")
_EDGE = 3
"""Lines at each end of a range that are unchanged where it was edited inside."""
_MOST_PATHS = 48
"""Paths that git is asked about at one time: it compares each with every name of every folder."""
_TOO_MANY_PATHS = 400
"""Paths of one commit beyond which it is cheaper to hear about all its files."""


class Hunks:
    """What one change replaced: old lines from `low` up to `high` by new lines from `start` up to `end`, in order."""

    __slots__ = ("end", "high", "low", "odd", "opened", "start")

    def __init__(self) -> None:
        self.low, self.high, self.start, self.end = array("I"), array("I"), array("I"), array("I")
        self.opened = array("q")
        """How many brackets more are opened, and not closed, in the new lines of a hunk than in the old ones."""
        self.odd = False
        """Whether lines cannot be counted, since not all agree on where they end."""

    def add(self, old: int, olds: int, new: int, news: int) -> None:
        """Take in what a header says; a side without lines is named by the line before."""
        low, start = old - (olds > 0), new - (news > 0)
        self.low.append(low)
        self.high.append(low + olds)
        self.start.append(start)
        self.end.append(start + news)
        self.opened.append(0)

    def shift(self, first: int, last: int, reach: int) -> int | None:
        """By how much lines moved; None where the change touches them, or one of so many lines around them."""
        at = bisect_right(self.high, first - reach) if first >= reach else 0
        if at < len(self.low) and self.low[at] <= last + reach:
            return None
        return self.end[at - 1] - self.high[at - 1] if at else 0

    def stretch(self, first: int, last: int, reach: int) -> tuple[int, int] | None:
        """Where a range begins and ends of which only some lines well inside were edited; None for any other.

        Its brackets must be closed as before: else it may end elsewhere. Around it nothing may have changed.
        """
        at = bisect_right(self.high, first - reach) if first >= reach else 0
        end = bisect_left(self.low, last + 1 + reach)
        if at == end or self.low[at] < first + _EDGE or self.high[end - 1] > last + 1 - _EDGE:
            return None
        lost = sum(self.high[at:end]) - sum(self.low[at:end])
        opened: int = sum(self.opened[at:end])
        if lost * 2 > last - first + 1 or opened:
            return None
        before = self.end[at - 1] - self.high[at - 1] if at else 0
        return first + before, last + self.end[end - 1] - self.high[end - 1]

    def fit(self, olds: int, news: int) -> bool:
        """Whether these may be the hunks between texts of so many lines."""
        if not self.low:
            return olds == news
        return self.high[-1] <= olds and self.end[-1] <= news and news - olds == self.end[-1] - self.high[-1]

    def pieces(self, around: tuple[int, int], reach: int, olds: int) -> Iterator[tuple[int, int, int, int]]:
        """Stretches around all hunks, and one more: first and end of the old lines, then of the new ones."""
        low = high = -1
        for one, end in sorted([*zip(self.low, self.high, strict=True), around]):
            begin = max(0, one - reach)
            if low >= 0 and begin > high:
                yield low, high, low + self._shift_before(low), high + self._shift_after(high)
                low = high = -1
            low = begin if low < 0 else low
            high = max(high, min(olds, end + reach))
        yield low, high, low + self._shift_before(low), high + self._shift_after(high)

    def windows(self) -> Iterator[tuple[int, int, int, int]]:
        """First and end of the old lines that were replaced, then of the new ones."""
        return zip(self.low, self.high, self.start, self.end, strict=True)

    def _shift_before(self, line: int) -> int:
        """By how much the lines before one moved: what is put in right there stands behind them."""
        at = bisect_right(self.high, line)
        while at and self.low[at - 1] >= line:
            at -= 1
        return self.end[at - 1] - self.high[at - 1] if at else 0

    def _shift_after(self, line: int) -> int:
        """By how much a line moved."""
        at = bisect_right(self.high, line)
        return self.end[at - 1] - self.high[at - 1] if at else 0


class HunkReader:
    """Asks git for the hunks of changes, of many in one go, and remembers them."""

    def __init__(self, git: Git) -> None:
        self._git = git
        self._known: dict[Pair, Hunks] = {}

    def get(self, old: str, new: str) -> Hunks | None:
        """The hunks between two contents; None where they were not asked for, or git could not tell."""
        return self._known.get((old, new))

    def read(self, trail: CommitLog, changes: Iterable[FileChange]) -> None:
        """Learn the hunks of changes of a trail."""
        wanted: dict[int, dict[str, None]] = {}
        pairs: set[Pair] = set()
        for change in changes:
            pair = change.old, change.new
            if change.kind == "M" and pair not in self._known and pair not in pairs:
                pairs.add(pair)
                wanted.setdefault(change.step, {})[change.source] = None
        for steps, paths in _group(wanted):
            self._ask([trail.commits_of(step) for step in steps], paths, pairs)

    def read_between(self, commits: tuple[str, str], path: str, old: str, new: str) -> Hunks | None:
        """The hunks of a file between two commits that need not be neighbours."""
        if (old, new) not in self._known:
            self._ask([commits], [path], {(old, new)})
        return self.get(old, new)

    def _ask(self, steps: Sequence[tuple[str, str]], paths: Sequence[str], pairs: set[Pair]) -> None:
        asked = "".join([f"{new} {old}\n" for old, new in steps]).encode("ascii")
        limited = [self._git.prefix + path for path in paths] if len(paths) <= _TOO_MANY_PATHS else []
        reading = _PatchReader(self._known, pairs)
        try:
            for chunk in self._git.stream(*_DIFF, "--", *limited, literal=True, given=asked):
                reading.feed(chunk)
            reading.finish()
        except ChildFailed:
            reading.drop()
            # One object that cannot be read costs the changes that it is part of, and no others.
            if len(steps) > 1:
                for part in (steps[: len(steps) // 2], steps[len(steps) // 2 :]):
                    self._ask(part, paths, pairs)
            elif len(paths) > 1:
                for some in (paths[: len(paths) // 2], paths[len(paths) // 2 :]):
                    self._ask(steps, some, pairs)


def _group(wanted: dict[int, dict[str, None]]) -> Iterator[tuple[list[int], list[str]]]:
    """Steps that are asked about together, with all their paths."""
    steps: list[int] = []
    paths: dict[str, None] = {}
    for step in sorted(wanted):
        new = wanted[step]
        if steps and len(paths | new) > max(_MOST_PATHS, len(paths)):
            yield steps, list(paths)
            steps, paths = [], {}
        steps.append(step)
        paths |= new
    if steps:
        yield steps, list(paths)


class _PatchReader:
    """Takes the hunks of some files out of a stream of patches."""

    def __init__(self, into: dict[Pair, Hunks], wanted: set[Pair]) -> None:
        self._into = into
        self._wanted = wanted
        self._hunks: Hunks | None = None
        self._pair: Pair = ("", "")
        self._tail = [b"\n"]
        self._inside = False
        """Whether lines of a hunk come next."""

    def feed(self, chunk: bytes) -> None:
        """Take the next piece of output."""
        end = chunk.rfind(b"\n")
        if end < 0:
            self._tail.append(chunk)
            return
        data = b"".join((*self._tail, chunk[:end]))
        # The line end stays, since every item begins with one.
        self._tail = [chunk[end:]]
        self._take(data)

    def finish(self) -> None:
        """Say that the output has ended."""
        self._take(b"".join(self._tail))

    def drop(self) -> None:
        """Forget the file that was being read when the output broke off."""
        self._into.pop(self._pair, None)

    def _take(self, data: bytes) -> None:
        odd = _ODD.search(data) if b"\r" in data or b"\0" in data else None
        at = 0
        for match in _ITEM.finditer(data):
            if odd is not None and odd.start() < match.start():
                self._mark_odd()
                odd = _ODD.search(data, match.start())
            self._count_brackets(data, at, match.start())
            at = match.end()
            before, after, old, olds, new, news = match.groups()
            self._inside = old is not None and self._hunks is not None
            if before is not None:
                self._open((before.decode("ascii"), after.decode("ascii")))
            elif old is not None and self._hunks is not None:
                self._hunks.add(int(old), int(olds or b"1"), int(new), int(news or b"1"))
        if odd is not None:
            self._mark_odd()
        self._count_brackets(data, at, len(data))

    def _count_brackets(self, data: bytes, start: int, end: int) -> None:
        """Take in lines of a hunk: first come those that went, then those that came."""
        if self._inside and self._hunks is not None:
            middle = data.find(b"\n+", start, end)
            middle = end if middle < 0 else middle
            opened = _count_open(data, middle, end) - _count_open(data, start, middle)
            self._hunks.opened[-1] += opened

    def _open(self, pair: Pair) -> None:
        self._pair = pair
        self._hunks = None
        if pair in self._wanted and pair not in self._into:
            self._hunks = self._into[pair] = Hunks()

    def _mark_odd(self) -> None:
        if self._hunks is not None:
            self._hunks.odd = True


def _count_open(data: bytes, start: int, end: int) -> int:
    opened = sum([data.count(sign, start, end) for sign in _OPEN])
    return opened - sum([data.count(sign, start, end) for sign in _CLOSE]) if start < end else 0
