"""What commits did to files on the way from one revision to another: one pass of git, asked about any file.

The way is that of the branch itself, merge by merge. A commit that came in by a merge is followed to that merge in one
step, and from there on with the branch.
"""

import os
import re
from bisect import bisect_left
from operator import attrgetter

from msgspec import Struct

from ..safe.git import Git
from ..text.lines import is_put_aside

_RAW = ("--raw", "--no-abbrev", "-z", "-M100%", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all")
"""Only renames without edits: those are found by names of blobs alone, so that no content is read here."""
_LOG = ("log", "--first-parent", "-m", *_RAW, "--no-notes", "--no-decorate", "--no-show-signature", "--format=%x01%H")
_ITEM = re.compile(
    # Example: `:100644 100644 1a2b 3c4d M\0src/app.py\0`.
    rb"""
    \n*\x01([0-9a-f]{40,64})\0
    |:[0-7]{6}\ ([0-7]{6})\ ([0-9a-f]+)\ ([0-9a-f]+)\ (?:([RC])[0-9]*\0([^\0]+)\0([^\0]+)|([A-Z])[0-9]*\0([^\0]+))\0
    """,
    re.VERBOSE,
)
"""A commit, or what it did to a file. Names are taken as a part of an entry, so that none can pass for one."""
_get_step = attrgetter("step")
_OPPOSITE = {"A": "D", "D": "A"}


class FileChange(Struct, frozen=True, gc=False):
    """What one commit did to one file."""

    step: int
    """Its turn on the way, from 0."""
    kind: str
    """`A`dded, `D`eleted, `M`odified, `R`enamed."""
    source: str
    target: str
    old: str
    """Id of the blob before; zeros where there was none."""
    new: str


class CommitLog:
    """The changes on one way, in order. Only those that are needed are parsed."""

    def __init__(self, git: Git, start: str, listed: bytes, backwards: bool = False, end: str = "") -> None:
        """`listed` is what git says of the commits of the way, in order; a way backwards has an `end`."""
        self._git = git
        self._listed = listed
        self._backwards = backwards
        self._turns = {start: 0}
        self._commits = [] if backwards else [start]
        self._end = end
        self._ends: list[tuple[int, int]] = []
        """Where what is said of each step begins and ends."""
        self._touched: dict[bytes, list[tuple[int, int]]] = {}
        """A name to the steps that touch it, each with where it says so."""
        self._steps: dict[int, list[FileChange]] = {}
        self._changes: dict[str, tuple[list[FileChange], list[int]]] = {}
        self._read(listed)

    def _read(self, listed: bytes) -> None:
        touched, turn, last, skip = self._touched, -1, b"", False
        for match in _ITEM.finditer(listed):
            commit, first, second, only = match.group(1, 6, 7, 9)
            if commit is not None:
                # A merge shows once for each of its parents; the first is the branch's own.
                skip = commit == last
                self._close(match.start())
                if not skip:
                    last, turn = commit, turn + 1
                    name = commit.decode("ascii")
                    self._turns[name] = turn if self._backwards else turn + 1
                    self._commits.append(name)
                    self._ends.append((match.end(), -1))
            elif not skip:
                for name in (only,) if only is not None else (first, second):
                    touched.setdefault(name, []).append((turn, match.start()))
        self._close(len(listed))
        if self._backwards:
            self._commits.append(self._end)

    def _close(self, end: int) -> None:
        if self._ends and self._ends[-1][1] < 0:
            self._ends[-1] = self._ends[-1][0], end

    def __len__(self) -> int:
        return len(self._ends)

    def turn(self, commit: str) -> int | None:
        """How many steps are behind a commit of the way; None for a commit beside it."""
        return self._turns.get(commit)

    def commit_at(self, turn: int) -> str:
        """The commit that so many steps lead to."""
        return self._commits[turn]

    def commits_of(self, turn: int) -> tuple[str, str]:
        """The commits between which a step leads."""
        return self._commits[turn], self._commits[turn + 1]

    def step(self, turn: int) -> list[FileChange]:
        """What one commit did."""
        known = self._steps.get(turn)
        if known is None:
            found = (self._change(turn, match) for match in _ITEM.finditer(self._listed, *self._ends[turn]))
            known = self._steps[turn] = [change for change in found if change is not None]
        return known

    def list_changes(self, path: str, turn: int, end: int) -> list[FileChange]:
        """The changes that took place at a path from one turn up to another, or up to the one that it went with."""
        changes, gone = self._changes_of(path)
        low, high = bisect_left(changes, turn, key=_get_step), bisect_left(changes, end, key=_get_step)
        next_gone = bisect_left(gone, low)
        return changes[low : min(high, gone[next_gone] + 1) if next_gone < len(gone) else high]

    def _changes_of(self, path: str) -> tuple[list[FileChange], list[int]]:
        """All changes that took place at a path, other than that it was made; and which of them took it away."""
        known = self._changes.get(path)
        if known is None:
            changes: list[FileChange] = []
            for step, offset in self._touched.get(os.fsencode(self._git.prefix + path), ()):
                match = _ITEM.match(self._listed, offset)
                change = self._change(step, match) if match is not None else None
                if change is not None and change.source == path and change.kind != "A":
                    changes.append(change)
            known = changes, [at for at, change in enumerate(changes) if change.kind != "M"]
            self._changes[path] = known
        return known

    def _change(self, turn: int, match: re.Match[bytes]) -> FileChange | None:
        change = _change(self._git, turn, match)
        return _undone(change) if change is not None and self._backwards else change


def read_trail(git: Git, old: str, new: str) -> CommitLog:
    """The way from one commit to another, forwards or backwards; raises ChildFailed."""
    if old == new:
        return CommitLog(git, old, b"")
    if git.is_ancestor(new, old):
        listed = git.run(*_LOG, f"{new}..{old}", "--")
        commits = [match[1].decode("ascii") for match in _ITEM.finditer(listed) if match[1] is not None]
        parent = _parent(git, commits[-1]) if commits else old
        # The new commit may lie beside the way: then one more step leads off it.
        return CommitLog(git, old, listed + (_step(git, new, parent) if parent != new else b""), True, new)
    listed = git.run(*_LOG, "--reverse", f"{old}..{new}", "--")
    first = _ITEM.search(listed)
    parent = _parent(git, first[1].decode("ascii")) if first is not None else new
    return CommitLog(git, old, (_step(git, old, parent) if parent != old else b"") + listed)


def _parent(git: Git, commit: str) -> str:
    return git.resolve_commit(f"{commit}^") or commit


def _step(git: Git, old: str, new: str) -> bytes:
    """One step between commits that are no neighbours, in the manner of the others."""
    return b"\x01" + new.encode("ascii") + b"\0" + git.run("diff-tree", "-r", *_RAW, old, new, "--")


def _change(git: Git, turn: int, match: re.Match[bytes]) -> FileChange | None:
    """One entry of git's raw output; None where it is of no use here: a submodule, or outside our root."""
    _, mode, old, new, twofold, first, second, status, only = match.groups()
    source = git.inside(first if twofold else only)
    target = git.inside(second) if twofold else source
    kind = (twofold or status).decode("ascii")
    if kind == "C":
        source, kind = target, "A"
    elif kind == "R" and (source is None or target is None or is_put_aside(target)):
        kind = "A" if source is None else "D"
    elif kind == "T":
        kind = "M"
    path = source if source is not None else target
    if path is None or mode == b"160000":
        return None
    if kind == "D":
        target = source
    return FileChange(turn, kind, source or path, target or path, old.decode("ascii"), new.decode("ascii"))


def _undone(change: FileChange) -> FileChange:
    """A change taken backwards."""
    kind = _OPPOSITE.get(change.kind, change.kind)
    return FileChange(change.step, kind, change.target, change.source, change.new, change.old)


def read_renames(git: Git, old: str, new: str) -> dict[str, str]:
    """Old names to new ones between two commits."""
    found: dict[str, str] = {}
    for match in _ITEM.finditer(git.run("diff-tree", "-r", *_RAW, "-M40%", old, new, "--")):
        change = _change(git, 0, match)
        if change is not None and change.kind == "R":
            found[change.source] = change.target
    return found
