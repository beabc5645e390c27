"""Answers about cited lines are believed only in the clone they were found in, by the program that found them."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.safe.files import Root
from pincite.safe.git import Git
from pincite.store import trails
from pincite.store.cache_folder import root_cache_path
from pincite.store.trails import KeptEnd

END = KeptEnd(
    "c" * 40, "a.py", "b" * 40, (1, 2, -1, -1), "d" * 40, "e" * 40, "b.py", "f" * 40, (3, 4, -1, -1), False, True, False
)


def opened(path: Path) -> tuple[Root, Git]:
    git = Git.find(str(path))
    assert git is not None
    return Root(str(path)), git


@pytest.fixture
def repo(make_repository: Callable[..., Any]) -> Any:
    repo = make_repository()
    repo.commit({"a.py": b"x\n"})
    return repo


def test_what_is_kept_is_found_again(repo: Any) -> None:
    root, git = opened(repo.path)
    with root:
        assert trails.load(root, git) == []
        assert trails.save(root, git, [END])
        assert trails.load(root, git) == [END]


@pytest.mark.parametrize("damage", [b"", b"\xc1", b"\x94\x01\x02\x03\x04"])
def test_what_is_damaged_is_dropped(repo: Any, damage: bytes) -> None:
    root, git = opened(repo.path)
    with root:
        assert trails.save(root, git, [END])
        Path(root_cache_path(root), trails.NAME).write_bytes(damage)
        assert trails.load(root, git) == []


def test_another_version_of_the_program_begins_anew(repo: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    root, git = opened(repo.path)
    with root:
        assert trails.save(root, git, [END])
        monkeypatch.setattr(trails, "__version__", "0.0.0")
        assert trails.load(root, git) == []


def test_a_clone_in_the_same_place_begins_anew(repo: Any, tmp_path: Path) -> None:
    root, git = opened(repo.path)
    with root:
        assert trails.save(root, git, [END])
    moved = tmp_path / "moved"
    repo.path.rename(moved)
    shutil.copytree(moved, repo.path)
    root, git = opened(repo.path)
    with root:
        assert trails.load(root, git) == []


def test_names_that_are_no_text_are_left_out(repo: Any) -> None:
    from msgspec.structs import replace

    root, git = opened(repo.path)
    with root:
        assert trails.save(root, git, [replace(END, path="\udc80.py"), END])
        assert trails.load(root, git) == [END]
