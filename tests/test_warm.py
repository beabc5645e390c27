"""A warm run says what a cold one says, whatever happened to files, links, packages and history in between."""

from __future__ import annotations

import mmap
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pincite.run import Request, Run
from pincite.safe.files import Root

CODE = "".join(f"value_{number} = compute({number})\n" for number in range(1, 21))
SETTLED = 0.05


def told(path: Path, cache: bool = True) -> list[tuple[str, str, str, str]]:
    """Everything a run says, and how many citations hold."""
    with Root(str(path)) as root:
        run = Run(root, Request(cache=cache))
        said = [
            (report.document, one.citation.raw, finding.check, finding.message)
            for report in run.reports()
            for one in report.verdicts
            for finding in one.findings
        ]
        return [*sorted(said), ("", "", str(run.summary.citations), str(sorted(run.summary.outcomes.items())))]


def same(path: Path) -> bool:
    """Whether a warm run and a cold one agree."""
    return told(path) == told(path, cache=False)


def test_a_link_out_of_the_root_that_becomes_a_file(tmp_path: Path) -> None:
    tree, outside = tmp_path / "tree", tmp_path / "a.py"
    tree.mkdir()
    outside.write_text(CODE)
    (tree / "d.md").write_text("See 【F:a.py†L3】\n")
    (tree / "a.py").symlink_to(outside)
    time.sleep(SETTLED)
    assert "path-blocked" in str(told(tree))
    (tree / "a.py").unlink()
    (tree / "a.py").write_text(CODE)
    assert "path-blocked" not in str(told(tree))


def test_a_folder_that_is_moved_out_of_the_root_behind_a_link(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    (tree / "src").mkdir(parents=True)
    (tree / "src/a.py").write_text(CODE)
    (tree / "d.md").write_text("See 【F:src/a.py†L3】\n")
    time.sleep(SETTLED)
    assert "path-blocked" not in str(told(tree))
    (tree / "src").rename(tmp_path / "src")
    (tree / "src").symlink_to(tmp_path / "src")
    assert "path-blocked" in str(told(tree))


def test_a_ring_of_links_that_is_broken(tmp_path: Path) -> None:
    (tmp_path / "d.md").write_text("See 【F:a.py†L3】\n")
    (tmp_path / "a.py").symlink_to("b.py")
    (tmp_path / "b.py").symlink_to("a.py")
    time.sleep(SETTLED)
    told(tmp_path)
    (tmp_path / "b.py").unlink()
    assert same(tmp_path)


def test_a_linked_document_whose_link_leads_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "one.inc").write_text("See 【F:no.py†L3】\n")
    (tmp_path / "two.inc").write_text("See 【F:no.py†L4】\n")
    (tmp_path / "d.md").symlink_to("one.inc")
    time.sleep(SETTLED)
    assert "†L3" in str(told(tmp_path))
    (tmp_path / "d.md").unlink()
    (tmp_path / "d.md").symlink_to("two.inc")
    assert "†L4" in str(told(tmp_path))


def test_nothing_outside_the_root_is_watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree, outside = tmp_path / "tree", tmp_path / "a.py"
    tree.mkdir()
    outside.write_text(CODE)
    (tree / "d.md").write_text(f"See 【F:a.py†L3】 and 【F:{outside}†L3】 and 【F:../a.py†L3】\n")
    (tree / "a.py").symlink_to(outside)
    time.sleep(SETTLED)
    told(tree)
    looked: list[str] = []
    real = os.stat

    def stat(path: Any, *given: Any, **more: Any) -> os.stat_result:
        if more.get("follow_symlinks", True) and os.path.realpath(str(path)) == str(outside):
            looked.append(str(path))
        return real(path, *given, **more)

    monkeypatch.setattr(os, "stat", stat)
    told(tree)
    assert looked == []


def test_a_file_that_is_changed_through_a_mapping(tmp_path: Path) -> None:
    place = tmp_path / "a.py"
    place.write_text(CODE)
    (tmp_path / "d.md").write_text("See 【F:a.py†L20】\n")
    with place.open("r+b") as opened, mmap.mmap(opened.fileno(), 0) as mapped:
        mapped[0:1] = b"V"
        time.sleep(SETTLED)
        told(tmp_path)
        before = place.stat()
        mapped[:] = mapped[:].replace(b"\n", b" ")
        after = place.stat()
        assert same(tmp_path)
        assert (before.st_ctime_ns, before.st_size) == (after.st_ctime_ns, after.st_size), "the times gave it away"


def test_what_was_installed_since_is_asked_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pincite.config import Config
    from pincite.snapshot_key import make_key

    packages, tree = tmp_path / "site-packages", tmp_path / "tree"
    packages.mkdir()
    tree.mkdir()
    monkeypatch.setattr(sys, "path", [*sys.path, str(packages), str(tree)])
    with Root(str(tree)) as root:
        before = make_key(root, Config(), ())
        (tree / "x.md").write_text("a new document is no new package\n")
        assert make_key(root, Config(), ()) == before
        time.sleep(SETTLED)
        (packages / "pypdfium2-5.0.dist-info").mkdir()
        assert make_key(root, Config(), ()) != before


def test_a_path_that_came_and_went_between_two_runs(make_repository: Callable[..., Any]) -> None:
    repo = make_repository()
    repo.commit({"d.md": "See lib/x.py:3 there, lib/y.py:3 and src/a.py:3.\n", "src/a.py": CODE})
    time.sleep(SETTLED)
    told(repo.path)
    repo.commit({"lib/x.py": CODE})
    repo.git("rm", "-q", "lib/x.py")
    repo.git("commit", "-qm", "went")
    assert same(repo.path)
    assert "file-not-found" in str(told(repo.path))


def test_a_branch_that_a_permalink_names(make_repository: Callable[..., Any]) -> None:
    repo = make_repository()
    repo.git("remote", "add", "origin", "https://github.com/o/r.git")
    repo.commit({"d.md": "See https://github.com/o/r/blob/dev/src/a.py#L20 there.\n", "src/a.py": CODE})
    repo.git("branch", "dev")
    time.sleep(SETTLED)
    told(repo.path)
    repo.commit({"src/a.py": "short\n"})
    repo.git("branch", "-f", "dev")
    repo.git("reset", "-q", "--hard", "HEAD~1")
    time.sleep(SETTLED)
    assert same(repo.path)
    repo.git("remote", "set-url", "origin", "https://github.com/o/other.git")
    assert same(repo.path)


FORMS = (
    "【F:src/a.py†L{}】",
    "【F:./lib/a.py†L{}】",
    "【F:alias.py†L{}】",
    "[it](src/b.py#L{})",
    "src/../src/b.py:{}",
    "【F:made/c.py†L{}】",
    "https://github.com/o/r/blob/dev/src/a.py#L{}",
)
PATHS = ("src/a.py", "src/b.py", "made/c.py", "alias.py", "old/a.py")


class World:
    """A repository to which random things happen."""

    def __init__(self, repo: Any, random: Random) -> None:
        self.repo, self.random, self.path = repo, random, repo.path
        repo.git("remote", "add", "origin", "https://github.com/o/r.git")
        for name in ("src/a.py", "src/b.py", "made/c.py", "old/a.py"):
            self._write(name, CODE)
        self._write(".gitignore", "made/\n")
        (self.path / "lib").symlink_to("src")
        (self.path / "alias.py").symlink_to("src/a.py")
        for number in range(3):
            self._write(f"d{number}.md", self._text())
        self.commit()
        repo.git("branch", "dev")

    def _text(self) -> str:
        return "".join(
            f"Sentence {self.random.randrange(99)}. {self.random.choice(FORMS).format(self.random.randrange(1, 25))}\n"
            for _ in range(self.random.randrange(1, 4))
        )

    def _write(self, name: str, text: str) -> None:
        place = self.path / name
        if place.is_symlink() or place.is_file():
            place.unlink()
        if place.parent.is_symlink():
            place.parent.unlink()
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)

    def _lines(self) -> str:
        rows = CODE.splitlines(keepends=True)
        begin, end = sorted((self.random.randrange(20), self.random.randrange(21)))
        return "".join(rows[:begin] + rows[end:]) + self.random.choice(["", "more = 1\n"])

    def commit(self) -> None:
        self.repo.git("add", "-A")
        self.repo.git("commit", "-q", "--allow-empty", "-m", "step")

    def step(self) -> str:
        """One random thing; says which."""
        act = self.random.choice(
            [
                self.edit,
                self.edit,
                self.drop,
                self.relink,
                self.document,
                self.commit,
                self.branch,
                self.swap,
                self.undo,
            ]
        )
        act()
        return act.__name__

    def edit(self) -> None:
        self._write(self.random.choice(PATHS), self._lines())

    def drop(self) -> None:
        place = self.path / self.random.choice(PATHS)
        if place.is_symlink() or place.is_file():
            place.unlink()

    def relink(self) -> None:
        name = self.random.choice(["alias.py", "src/b.py", "lib"])
        target = self.random.choice(["src", "old", "/nonexistent"] if name == "lib" else ["old/a.py", "/etc/x", "no"])
        place = self.path / name
        if place.is_symlink() or place.is_file():
            place.unlink()
        if not place.exists() and place.parent.is_dir():
            place.symlink_to(target)

    def document(self) -> None:
        self._write(self.random.choice(["d0.md", "d1.md", "d2.md", "src/d3.md"]), self._text())

    def branch(self) -> None:
        self.repo.git("branch", "-f", "dev")

    def swap(self) -> None:
        one, two, aside = self.path / "src", self.path / "old", self.path / "aside"
        if one.is_dir() and two.is_dir() and not one.is_symlink() and not two.is_symlink():
            one.rename(aside)
            two.rename(one)
            aside.rename(two)

    def undo(self) -> None:
        self.repo.git("reset", "-q", "--hard", self.random.choice(["HEAD", "HEAD~1", "dev"]), check=False)


@pytest.mark.parametrize("seed", range(6))
def test_warm_equals_cold_over_random_histories(seed: int, make_repository: Callable[..., Any]) -> None:
    random = Random(seed)
    world = World(make_repository(), random)
    done: list[str] = []
    for _ in range(8):
        done += [world.step() for _ in range(random.randrange(1, 3))]
        time.sleep(SETTLED)
        warm, cold = told(world.path), told(world.path, cache=False)
        assert warm == cold, done


@pytest.mark.parametrize("seed", range(6))
def test_since_tells_all_that_is_new_over_random_changes(seed: int, make_repository: Callable[..., Any]) -> None:
    random = Random(seed)
    world = World(make_repository(), random)
    for _ in range(4):
        world.commit()
        world.repo.git("tag", "-f", "base")
        before = _found(world.path)
        done = [world.step() for _ in range(random.randrange(1, 5))]
        fresh = _found(world.path) - before
        assert fresh <= _found(world.path, "base"), done


def _found(path: Path, since: str = "") -> set[tuple[str, str, str]]:
    with Root(str(path)) as root:
        run = Run(root, Request(cache=False, since=since))
        return {
            (report.document, one.citation.raw, finding.check)
            for report in run.reports()
            for one in report.verdicts
            for finding in one.findings
        }
