"""A warm run says what a cold one says, whatever happened to files, links, packages and history in between."""

from __future__ import annotations

import mmap
import os
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from pincite.engine.run import Request, Run
from pincite.safe.files import Root

CODE = "".join(f"value_{number} = compute({number})\n" for number in range(1, 21))
SETTLED = 0.05


def told(path: Path, cache: bool = True, paths: tuple[str, ...] = ()) -> list[tuple[str, str, str, str]]:
    """Everything a run says, and how many citations hold."""
    with Root(str(path)) as root:
        run = Run(root, Request(paths=paths, cache=cache))
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
    from pincite.engine.cache_key import make_key
    from pincite.project.config import Config

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


def test_a_file_that_went_and_lies_elsewhere_untracked(make_repository: Callable[..., Any]) -> None:
    repo = make_repository()
    repo.commit({"d.md": "See 【F:src/a.py†L3】\n", "src/a.py": CODE, "old/x.py": "x\n"})
    (repo.path / "src/a.py").unlink()
    time.sleep(SETTLED)
    assert "file-not-found" in str(told(repo.path))
    (repo.path / "old/a.py").write_text(CODE)
    assert same(repo.path)
    assert "file-renamed" in str(told(repo.path))


def test_an_untracked_file_whose_bytes_become_those_of_one_that_went(make_repository: Callable[..., Any]) -> None:
    repo = make_repository()
    repo.commit({"d.md": "See 【F:src/a.py†L3】\n", "src/a.py": CODE, "old/x.py": "x\n"})
    (repo.path / "src/a.py").unlink()
    (repo.path / "old/a.py").write_text("other\n")
    time.sleep(SETTLED)
    assert "file-not-found" in str(told(repo.path))
    (repo.path / "old/a.py").write_text(CODE)
    assert same(repo.path)
    assert "file-renamed" in str(told(repo.path))


def test_a_file_that_went_is_looked_for_outside_of_the_folder_that_is_checked(
    make_repository: Callable[..., Any],
) -> None:
    repo = make_repository()
    repo.commit({"docs/d.md": "See 【F:src/a.py†L3】\n", "src/a.py": CODE, "old/x.py": "x\n"})
    (repo.path / "src/a.py").unlink()
    time.sleep(SETTLED)
    told(repo.path, paths=("docs",))
    (repo.path / "old/a.py").write_text(CODE)
    assert "file-renamed" in str(told(repo.path, paths=("docs",)))


@pytest.mark.parametrize("git", [False, True])
def test_a_document_that_comes_into_the_folder_that_is_checked(
    git: bool, tmp_path: Path, make_repository: Callable[..., Any]
) -> None:
    top = make_repository().path if git else tmp_path
    (top / "docs").mkdir()
    (top / "docs/a.md").write_text("Nothing.\n")
    time.sleep(SETTLED)
    told(top, paths=("docs",))
    (top / "docs/b.md").write_text("See 【F:no.py†L3】\n")
    assert "file-not-found" in str(told(top, paths=("docs",)))


@pytest.mark.parametrize("seed", range(2))
def test_warm_equals_cold_over_random_histories(seed: int, tmp_path: Path, laws: Any) -> None:
    tried = laws.try_warm(tmp_path / "world", seed, rounds=5)
    assert tried.held, tried.detail


@pytest.mark.parametrize("seed", range(2))
def test_since_tells_all_that_is_new_over_random_changes(seed: int, tmp_path: Path, laws: Any) -> None:
    tried = laws.try_since(tmp_path / "world", seed, rounds=3)
    assert tried.held, tried.detail


@pytest.fixture
def laws(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The campaign that tries the same for long: `make attack`."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "attack"))
    return import_module("attack_laws")
