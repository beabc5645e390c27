"""Whatever happens to history between two runs, the one that continues says what a fresh one says.

`PINCITE_LONG=1` makes this the campaign of `make prove-history`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from support_histories import ENVIRONMENT

SETTLED = 0.045
"""Seconds after which a change is told from a look at it."""
FILES = ("src/a.py", "src/b.py", "lib/c.py")
MOVED = {"src/a.py": "lib/a.py", "src/b.py": "src/more/b.py", "lib/c.py": "src/c.py"}
Say = Callable[[Path], list[str]]
LONG = bool(os.environ.get("PINCITE_LONG"))


@dataclass(frozen=True)
class Act:
    """One thing that happens; what `first` and `second` mean is up to it."""

    name: str
    first: int = 0
    second: int = 0
    looked: bool = True
    """Whether a check follows."""


class World:
    """A repository with documents that cite lines, and what earlier runs kept of it."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.path = place / "repo"
        self.cache = place / "cache"
        self.roots = [self.path]
        self._clock = 1_700_000_000
        self._count = 0
        self._copies: list[Path] = []
        self.path.mkdir()
        self._git("init", "-q", "-b", "main")
        self._put({path: "".join(self._line() for _ in range(24)) for path in FILES})
        self._put({"one.md": self._cite(0, 3), "two.md": self._cite(1, 7) + self._cite(2, 11)})
        for number in range(4):
            self.edit(number, number + 2)
        self._git("branch", "other", "HEAD~1")

    def _put(self, files: dict[str, str]) -> None:
        for name, text in files.items():
            (self.path / name).parent.mkdir(exist_ok=True)
            (self.path / name).write_text(text)
        self._commit()

    def _line(self) -> str:
        self._count += 1
        return f"value_{self._count} = compute(first, {self._count})\n"

    def _cite(self, which: int, line: int) -> str:
        path = FILES[which % 3]
        return f"See {path}:{line} here. 【F:{path}†L{line}-L{line + 4}】\n\n[It]({path}#L{line + 9}) is so.\n\n"

    def _names(self, which: int) -> Path:
        """A source, under the name that it has now."""
        path = FILES[which % 3]
        other = self.path / MOVED[path]
        return other if other.is_file() else self.path / path

    def _git(self, *words: str) -> str:
        """Git with fixed names and dates; what cannot be done now is left out."""
        self._clock += 60
        who = {f"GIT_{role}_{part}": "t@example.org" for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")}
        when = {f"GIT_{role}_DATE": f"{self._clock} +0000" for role in ("AUTHOR", "COMMITTER")}
        done = subprocess.run(
            ("git", *words), cwd=self.path, env=ENVIRONMENT | who | when, capture_output=True, text=True, check=False
        )
        return done.stdout.strip()

    def _commit(self) -> None:
        self._git("add", "-A")
        self._git("commit", "-q", "-m", f"change {self._count}")

    def write(self, first: int, second: int) -> None:
        """Lines put in, taken out or changed, without a commit."""
        place = self._names(first)
        if not place.is_file():
            return
        lines = place.read_text().splitlines(keepends=True)
        at = (first * 7 + second * 3) % (len(lines) + 1)
        match second % 4:
            case 0:
                lines[at:at] = [self._line(), self._line()]
            case 1:
                del lines[at : at + 2]
            case 2:
                lines[at : at + 1] = [line.replace("first", f"second_{second}") for line in lines[at : at + 1]]
            case _:
                block = lines[at : at + 5]
                del lines[at : at + 5]
                lines[: first % 4] = [*lines[: first % 4], *block]
        place.write_text("".join(lines))

    def edit(self, first: int, second: int) -> None:
        """The same, with a commit."""
        self.write(first, second)
        self._commit()

    def cite(self, first: int, second: int) -> None:
        """One more citation, or one less, in a document."""
        place = self.path / ("one.md", "two.md", "docs/three.md")[first % 3]
        place.parent.mkdir(exist_ok=True)
        old = place.read_text() if place.is_file() else ""
        place.write_text(old.partition("\n\n")[2] if second % 5 == 4 else old + self._cite(second, 1 + second % 18))
        if first % 2:
            self._commit()

    def rename(self, first: int, second: int) -> None:
        """A source under another name, perhaps edited as well, or a document."""
        path = FILES[first % 3] if second % 4 else "two.md"
        other = MOVED.get(path, "docs/two.md")
        there = (self.path / path).is_file()
        old, new = (path, other) if there else (other, path)
        (self.path / new).parent.mkdir(parents=True, exist_ok=True)
        self._git("mv", old, new)
        if second % 2:
            self.write(first, second)
        self._commit()

    def amend(self, first: int, second: int) -> None:
        """The last commit made anew, with other lines or with the same."""
        if first % 2:
            self.write(first, second)
        self._git("add", "-A")
        self._git("commit", "-q", "--amend", "-m", f"amended {self._count} {second}")

    def rebase(self, first: int, second: int) -> None:
        """The branch onto another, or its last commits made anew."""
        onto = ("other", "main", "HEAD~2")[first % 3]
        self._git("rebase", "-q", "-f", "-X", ("ours", "theirs")[second % 2], onto)
        self._git("rebase", "--abort")

    def reset(self, first: int, second: int) -> None:
        """The branch back to an older commit, or forth to where it was."""
        self._git("reset", "-q", "--hard", ("HEAD~1", "HEAD~2", "ORIG_HEAD", "HEAD@{1}")[(first + second) % 4])

    def stash(self, first: int, second: int) -> None:
        """Uncommitted lines put aside, or back."""
        if first % 2:
            self.write(first, second)
        self._git("stash", *(("push", "-q"), ("pop", "-q"))[second % 2])

    def checkout(self, first: int, second: int) -> None:
        """An old commit, or one of two branches."""
        self._git("checkout", "-q", "-f", *(("main",), ("other",), ("--detach", f"HEAD~{1 + second % 3}"))[first % 3])

    def alternate(self, first: int, second: int) -> None:
        """A commit on each of two branches in turn."""
        for branch in ("other", "main"):
            self._git("checkout", "-q", "-f", branch)
            self.edit(first, second)

    def merge(self, first: int, second: int) -> None:
        """The other branch into this one."""
        self._git("merge", "-q", "--no-ff", "-X", ("ours", "theirs")[second % 2], ("other", "main")[first % 2])
        self._git("merge", "--abort")

    def cut(self, first: int, second: int) -> None:
        """History as a shallow clone has it."""
        commit = self._git("rev-parse", "--verify", "--quiet", f"HEAD~{(first + second) % 3}")
        if commit:
            (self.path / ".git/shallow").write_text(f"{commit}\n")

    def deepen(self, first: int, second: int) -> None:
        """All of history again."""
        (self.path / ".git/shallow").unlink(missing_ok=True)

    def collect(self, first: int, second: int) -> None:
        """Objects packed, or a graph of commits written."""
        self._git(*(("gc", "-q"), ("commit-graph", "write", "--reachable"), ("pack-refs", "--all"))[first % 3])

    def add_tree(self, first: int, second: int) -> None:
        """Another work tree of the same clone, at an older commit."""
        place = self.place / f"tree{len(self.roots)}"
        self._git("worktree", "add", "-q", "--detach", str(place), f"HEAD~{first % 3}")
        if place.is_dir() and len(self.roots) < 3:
            self.roots.append(place)

    def clone_anew(self, first: int, second: int) -> None:
        """Another clone at the same path, whole or shallow: what was kept is of one that is no more."""
        self._git("checkout", "-q", "-f", "main")
        del self.roots[1:]
        depth = (f"--depth={1 + second % 3}",) if first % 2 else ()
        new = self.place / "clone"
        self._git("clone", "-q", *depth, "--no-single-branch", f"file://{self.path}", str(new))
        if new.is_dir():
            shutil.rmtree(self.path)
            new.rename(self.path)
            self._git("branch", "other", "origin/other")

    def kept(self) -> list[Path]:
        """The files that earlier runs kept."""
        return sorted(place for place in self.cache.rglob("*") if place.is_file())

    def spoil(self, first: int, second: int) -> None:
        """What a crash or another program leaves of what was kept."""
        kept = self.kept()
        if not kept:
            return
        place = kept[first % len(kept)]
        match second % 4:
            case 0:
                place.unlink()
            case 1:
                place.write_bytes(place.read_bytes()[: place.stat().st_size * (first % 7) // 7])
            case 2:
                others = [one for one in kept if one.name == place.name and one != place]
                if others:
                    shutil.copyfile(others[first % len(others)], place)
            case _:
                place.write_bytes(b"\x00" * (first % 64))

    def copy_kept(self, first: int, second: int) -> None:
        """What was kept, as a backup has it."""
        if self.cache.is_dir():
            place = self.place / f"copy{len(self._copies)}"
            shutil.copytree(self.cache, place)
            self._copies.append(place)

    def restore_kept(self, first: int, second: int) -> None:
        """What was kept some time ago instead of what was kept last."""
        if self._copies:
            shutil.rmtree(self.cache, ignore_errors=True)
            shutil.copytree(self._copies[first % len(self._copies)], self.cache)


@dataclass
class Law:
    """A continued run says what a fresh one says."""

    say: Say
    done: list[Act] = field(default_factory=list)

    def hold(self, world: World, act: Act) -> None:
        """Let something happen, look, and compare."""
        self.done.append(act)
        getattr(world, act.name)(act.first, act.second)
        if not act.looked:
            return
        time.sleep(SETTLED)
        for root in world.roots:
            with kept_in(world.cache):
                warm = self.say(root)
            with tempfile.TemporaryDirectory() as fresh, kept_in(Path(fresh)):
                cold = self.say(root)
            assert warm == cold, f"in {root.name} after {self.done}"


@contextmanager
def kept_in(place: Path) -> Iterator[None]:
    """Make runs keep what they keep in a folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PINCITE_CACHE", str(place))
        yield


ACTS = (
    *("edit", "write", "cite", "rename", "amend", "rebase", "reset", "stash", "checkout", "alternate", "merge"),
    *("cut", "deepen", "collect", "add_tree", "clone_anew", "spoil", "copy_kept", "restore_kept"),
)
acts = st.builds(
    Act,
    st.sampled_from((*ACTS, *ACTS[:11], "edit", "checkout", "spoil", "restore_kept")),
    st.integers(0, 30),
    st.integers(0, 30),
    st.sampled_from((True, True, True, False)),
)


@pytest.fixture(scope="module")
def say() -> Iterator[Say]:
    """Everything that a run says, as the campaign of `make attack` has it."""
    attack = str(Path(__file__).parents[2] / "attack")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(attack)
        before = set(sys.modules)
        yield import_module("attack_laws").say_all
        for name in set(sys.modules) - before:
            if attack in str(getattr(sys.modules[name], "__file__", "")):
                del sys.modules[name]


def try_acts(say: Say, acts: list[Act]) -> None:
    """Let things happen to a new world, one after the other, and compare."""
    with tempfile.TemporaryDirectory(prefix="pincite-warm-") as folder:
        world, law = World(Path(folder).resolve()), Law(say)
        for act in (Act("deepen"), *acts):
            law.hold(world, act)


@settings(max_examples=400 if LONG else 4 if os.environ.get("CI") else 12)
@given(st.lists(acts, min_size=3, max_size=9))
@example([Act("edit", 1, 0), Act("checkout", 2, 2), Act("checkout", 0), Act("amend", 1, 2), Act("rebase", 2)])
@example([Act("alternate", 1, 2), Act("merge", 0), Act("checkout", 1), Act("edit", 1, 1), Act("checkout", 0)])
@example([Act("rename", 0, 1), Act("stash", 1, 0), Act("reset", 0), Act("stash", 0, 1), Act("reset", 2)])
@example([Act("cut", 1), Act("edit", 2, 2), Act("deepen"), Act("add_tree", 2), Act("edit", 0, 1), Act("rename", 1, 1)])
@example([Act("copy_kept"), Act("edit", 0, 3), Act("restore_kept"), Act("amend", 1, 1), Act("restore_kept")])
@example([*(Act("spoil", at, at) for at in range(8)), Act("clone_anew", 1, 0), Act("clone_anew", 0), Act("edit", 1)])
def test_a_continued_run_says_what_a_fresh_one_says(say: Say, given: list[Act]) -> None:
    try_acts(say, given)


def test_a_run_that_believes_what_it_kept_is_seen(say: Say) -> None:
    """So the law can fail."""
    kept: dict[tuple[str, Path], list[str]] = {}

    def say_kept(path: Path) -> list[str]:
        return kept.setdefault((os.environ["PINCITE_CACHE"], path), say(path))

    with pytest.raises(AssertionError, match="in repo after"):
        try_acts(say_kept, [Act("edit", 0, 0), Act("cite", 1, 2)])


def test_everything_in_turn(say: Say) -> None:
    """All that can happen to one world, in an order that leaves something to do for each."""
    try_acts(say, [Act(name, number, number) for number, name in enumerate((*ACTS, "edit"))])
