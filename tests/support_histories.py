"""Random histories for tests: files that are edited, moved, renamed, merged and reverted."""

from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}
COMMON = ("", "}", "    return None", "    pass", "# ---------------", "    else:", "import os")
"""Lines that stand in many places."""
_WORDS = "alpha bravo cargo delta early first grant hotel input joint known later means never other place".split()


@dataclass(frozen=True)
class TextFile:
    """A file: its lines, how they end, and whether the last one does."""

    lines: tuple[str, ...]
    end: str = "\n"
    closed: bool = True

    def encode(self) -> bytes:
        """Its bytes."""
        text = self.end.join(self.lines)
        # An empty last line is there only by its end.
        closed = self.lines and (self.closed or not self.lines[-1])
        return (text + self.end if closed else text).encode()


Tree = dict[str, TextFile]


@dataclass
class History:
    """What was written: the tree of every commit, oldest first, and which commits are on the branch itself."""

    seed: int
    trees: list[Tree] = field(default_factory=list)
    parents: list[tuple[int, ...]] = field(default_factory=list)
    branch: list[int] = field(default_factory=list)
    """Numbers of the commits of the main line, oldest first."""
    commits: list[str] = field(default_factory=list)
    """Their names, once they are imported."""


class Author:
    """Writes a random history."""

    def __init__(self, seed: int, files: int = 4, lines: int = 60) -> None:
        self.random = random.Random(seed)
        self.history = History(seed)
        self._count = 0
        self._endings = ("py", "ts", "md", "c")
        tree = {self._new_name(): self._new_file(lines) for _ in range(files)}
        self._head = self._commit(tree, ())
        self.history.branch.append(self._head)

    def write(self, commits: int) -> History:
        """Add so many commits to the branch."""
        for _ in range(commits):
            parents: tuple[int, ...] = (self._head,)
            if self.random.random() < 0.12:
                tree, side = self._merge()
                parents = (self._head, side)
            else:
                tree = self._change(self.history.trees[self._head])
            self._head = self._commit(tree, parents)
            self.history.branch.append(self._head)
        return self.history

    def _commit(self, tree: Tree, parents: tuple[int, ...]) -> int:
        self.history.trees.append(tree)
        self.history.parents.append(parents)
        return len(self.history.trees) - 1

    def _merge(self) -> tuple[Tree, int]:
        """A branch of a few commits that left the main line some commits ago, merged."""
        base = self.history.branch[-1 - self.random.randrange(min(4, len(self.history.branch)))]
        side = base
        for _ in range(self.random.randrange(1, 4)):
            side = self._commit(self._change(self.history.trees[side]), (side,))
        old, ours, theirs = (self.history.trees[at] for at in (base, self._head, side))
        merged: Tree = {}
        for path in {**ours, **theirs}:
            one = self._merge_file(old.get(path), ours.get(path), theirs.get(path))
            if one is not None:
                merged[path] = one
        return merged, side

    @staticmethod
    def _merge_file(old: TextFile | None, ours: TextFile | None, theirs: TextFile | None) -> TextFile | None:
        if theirs == old:
            return ours
        if ours == old:
            return theirs
        if ours is None or theirs is None:
            return ours or theirs
        return ours if old is None else TextFile(merge_lines(old.lines, ours.lines, theirs.lines), ours.end)

    def _change(self, tree: Tree) -> Tree:
        """A few changes, in one file or more."""
        tree = dict(tree)
        for _ in range(self.random.choice((1, 1, 1, 2, 3))):
            changes = list[Callable[[Tree], None]]()
            for weight, change in (
                (10, self._insert),
                (7, self._delete),
                (7, self._edit),
                (4, self._move_block),
                (2, self._duplicate),
                (2, self._reindent),
                (2, self._rename),
                (1, self._rename_and_edit),
                (1, self._change_ends),
                (1, self._close_or_open),
                (1, self._revert),
                (1, self._add_or_remove),
            ):
                changes += [change] * weight
            self.random.choice(changes)(tree)
        return tree

    def _new_name(self, old: str = "") -> str:
        """A name that no file had; for one that has a name, another with the same ending."""
        self._count += 1
        ending = old.rpartition(".")[2] or self.random.choice(self._endings)
        return f"src/{self.random.choice(_WORDS)}_{self._count}.{ending}"

    def _new_line(self) -> str:
        if self.random.random() < 0.2:
            return self.random.choice(COMMON)
        self._count += 1
        first, second, third = self.random.choices(_WORDS, k=3)
        return f"    {first}_{self._count} = {second}({third}, {self._count})"

    def _new_lines(self, most: int) -> list[str]:
        return [self._new_line() for _ in range(self.random.randrange(1, most + 1))]

    def _new_file(self, lines: int) -> TextFile:
        size = self.random.randrange(lines // 3, lines + 1)
        end = self.random.choice(("\n", "\n", "\n", "\r\n"))
        return TextFile(tuple(self._new_line() for _ in range(size)), end, self.random.random() < 0.85)

    def _rewrite(self, tree: Tree, change: Callable[[list[str]], None]) -> None:
        path = self.random.choice(sorted(tree))
        lines = list(tree[path].lines)
        change(lines)
        tree[path] = TextFile(tuple(lines), tree[path].end, tree[path].closed)

    def _part(self, lines: list[str], most: int) -> tuple[int, int]:
        """Where some lines begin and end."""
        size = min(self.random.randrange(1, most + 1), len(lines))
        first = self.random.randrange(len(lines) - size + 1)
        return first, first + size

    def _insert(self, tree: Tree) -> None:
        def change(lines: list[str]) -> None:
            at = self.random.randrange(len(lines) + 1)
            lines[at:at] = self._new_lines(8)

        self._rewrite(tree, change)

    def _delete(self, tree: Tree) -> None:
        def change(lines: list[str]) -> None:
            first, end = self._part(lines, 6)
            del lines[first:end]

        self._rewrite(tree, change)

    def _edit(self, tree: Tree) -> None:
        def change(lines: list[str]) -> None:
            first, end = self._part(lines, 4)
            for at in range(first, end):
                self._count += 1
                old = lines[at] or "    empty()"
                lines[at] = f"{old}  # {self._count}" if self.random.random() < 0.6 else self._new_line()

        self._rewrite(tree, change)

    def _move_block(self, tree: Tree) -> None:
        """Within a file, or to another one."""
        path, other = self.random.choice(sorted(tree)), self.random.choice(sorted(tree))
        lines = list(tree[path].lines)
        first, end = self._part(lines, 10)
        block = lines[first:end]
        del lines[first:end]
        tree[path] = TextFile(tuple(lines), tree[path].end, tree[path].closed)
        onto = list(tree[other].lines)
        at = self.random.randrange(len(onto) + 1)
        onto[at:at] = block
        tree[other] = TextFile(tuple(onto), tree[other].end, tree[other].closed)

    def _duplicate(self, tree: Tree) -> None:
        def change(lines: list[str]) -> None:
            first, end = self._part(lines, 5)
            at = self.random.choice((end, first, self.random.randrange(len(lines) + 1)))
            lines[at:at] = lines[first:end]

        self._rewrite(tree, change)

    def _reindent(self, tree: Tree) -> None:
        def change(lines: list[str]) -> None:
            first, end = self._part(lines, 8)
            lines[first:end] = [f"    {line}" if line else line for line in lines[first:end]]

        self._rewrite(tree, change)

    def _rename(self, tree: Tree) -> None:
        path = self.random.choice(sorted(tree))
        folder = self.random.choice(("src", "lib", "src/more"))
        name = f"{folder}/{os.path.basename(path)}"
        tree[self._new_name(path) if name in tree else name] = tree.pop(path)

    def _rename_and_edit(self, tree: Tree) -> None:
        path = self.random.choice(sorted(tree))
        new = self._new_name(path)
        tree[new] = tree.pop(path)
        one: Tree = {new: tree[new]}
        self._edit(one)
        tree |= one

    def _change_ends(self, tree: Tree) -> None:
        path = self.random.choice(sorted(tree))
        tree[path] = TextFile(tree[path].lines, "\n" if tree[path].end == "\r\n" else "\r\n", tree[path].closed)

    def _close_or_open(self, tree: Tree) -> None:
        path = self.random.choice(sorted(tree))
        tree[path] = TextFile(tree[path].lines, tree[path].end, not tree[path].closed)

    def _revert(self, tree: Tree) -> None:
        """A file becomes what it was some commits ago."""
        path = self.random.choice(sorted(tree))
        old = self.history.trees[self.random.choice(self.history.branch)]
        if path in old:
            tree[path] = old[path]

    def _add_or_remove(self, tree: Tree) -> None:
        if len(tree) > 2 and self.random.random() < 0.4:
            del tree[self.random.choice(sorted(tree))]
        else:
            tree[self._new_name()] = self._new_file(40)


def merge_lines(old: tuple[str, ...], ours: tuple[str, ...], theirs: tuple[str, ...]) -> tuple[str, ...]:
    """What git makes of lines that both sides changed; where they collide, it takes both."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        places = [Path(folder, name) for name in ("ours", "old", "theirs")]
        for place, lines in zip(places, (ours, old, theirs), strict=True):
            place.write_text("".join(f"{line}\n" for line in lines), newline="")
        words = ("git", "merge-file", "-p", "--union", *map(str, places))
        merged = subprocess.run(words, cwd=folder, env=ENVIRONMENT, capture_output=True, check=True).stdout
    return tuple(merged.decode().split("\n")[:-1])


def import_history(history: History, top: Path) -> None:
    """Write a history into a new repository whose HEAD is its last commit; nothing is checked out."""
    subprocess.run(("git", "init", "-q", "-b", "main", str(top)), env=ENVIRONMENT, check=True)
    rows = [b"feature done\n"]
    for number, (tree, parents) in enumerate(zip(history.trees, history.parents, strict=True)):
        rows.append(b"commit refs/heads/made\nmark :%d\n" % (number + 1))
        rows.append(b"committer A <a@example.org> %d +0000\ndata 0\n" % (1_600_000_000 + 60 * number))
        rows += [b"%b :%d\n" % (b"merge" if at else b"from", parent + 1) for at, parent in enumerate(parents)]
        rows.append(b"deleteall\n")
        for path, file in tree.items():
            data = file.encode()
            rows.append(b"M 100644 inline %b\ndata %d\n%b\n" % (path.encode(), len(data), data))
    rows.append(b"reset refs/heads/main\nfrom :%d\ndone\n" % (history.branch[-1] + 1))
    marks = top / ".git/marks"
    words = ("git", "fast-import", "--quiet", "--force", f"--export-marks={marks}")
    subprocess.run(words, cwd=top, env=ENVIRONMENT, input=b"".join(rows), check=True)
    names = dict(line.split() for line in marks.read_text().splitlines())
    history.commits = [names[f":{number + 1}"] for number in range(len(history.trees))]
