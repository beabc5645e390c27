"""Whether git ignores a path that is not there: asked of one process, however many paths are asked about."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pincite.safe.child import Child
from pincite.safe.git import Git


def open_git(make_repository: Callable[..., Any], ignored: str) -> Git:
    repo = make_repository()
    repo.commit({".gitignore": ignored, "a.md": "x\n"})
    (repo.path / "link").symlink_to("..")
    git = Git.find(str(repo.path))
    assert git is not None
    return git


def test_one_process_answers_for_all_paths(
    make_repository: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    git = open_git(make_repository, "build/\n*.log\n!keep.log\n")
    started: list[object] = []
    begin = Child.__init__

    def count(self: Child, *given: Any, **more: Any) -> None:
        started.extend(word for word in given[0] if word == "check-ignore")
        begin(self, *given, **more)

    monkeypatch.setattr(Child, "__init__", count)
    asked = ("build/x.py", "a.log", "keep.log", "src/a.py", "build/")
    assert [git.is_ignored(path) for path in asked] == [True, True, False, False, True]
    assert len(started) == 1
    git.close()


def test_a_path_that_git_refuses_counts_as_ignored_and_the_next_is_answered(
    make_repository: Callable[..., Any],
) -> None:
    git = open_git(make_repository, "build/\n")
    asked = ("link/x.py", "src/a.py", "a\0b", "\udc80\ud800", "build/x")
    assert [git.is_ignored(path) for path in asked] == [True, False, True, True, True]
    git.close()
