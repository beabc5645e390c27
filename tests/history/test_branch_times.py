"""Which commit of a branch was its state at a moment."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pincite.history.branch_times import BranchTimes
from pincite.safe.child import ChildFailed
from pincite.safe.git import Git

START = 1_700_000_000


def open_git(repo: Any) -> Git:
    git = Git.find(str(repo.path))
    assert git is not None
    return git


def times_of(repo: Any) -> BranchTimes:
    git = open_git(repo)
    return BranchTimes(git, git.head() or "")


def commit_at(repo: Any, seconds: int) -> str:
    repo.clock = START + seconds - 60
    made: str = repo.commit({"a.txt": f"{seconds}\n"})
    return made


def test_the_last_commit_that_is_not_after_a_moment(repository: Any) -> None:
    commits = [commit_at(repository, seconds) for seconds in (100, 200, 300)]
    times = times_of(repository)
    assert [times.find(START + at) for at in (99, 100, 199, 200, 10_000)] == ["", *commits[:1] * 2, *commits[1:]]


def test_a_clock_that_was_ahead_hides_nothing(repository: Any) -> None:
    first = commit_at(repository, 100)
    commit_at(repository, 9_000_000)
    third = commit_at(repository, 200)
    times = times_of(repository)
    assert times.find(START + 150) == first
    assert times.find(START + 200) == third


def test_the_branch_itself_counts_merge_by_merge(repository: Any) -> None:
    first = commit_at(repository, 100)
    repository.git("checkout", "-q", "-b", "side")
    repository.clock = START + 150 - 60
    repository.commit({"b.txt": "side\n"})
    repository.git("checkout", "-q", "main")
    repository.clock = START + 300
    repository.git("merge", "-q", "--no-ff", "-m", "merge", "side")
    times = times_of(repository)
    assert times.find(START + 200) == first
    assert times.find(START + 300) == repository.git("rev-parse", "main")


def test_a_branch_that_cannot_be_read_is_no_empty_one(repository: Any) -> None:
    commit_at(repository, 100)
    with pytest.raises(ChildFailed):
        BranchTimes(open_git(repository), "0" * 40).find(START)


def test_when_commits_were_written_and_committed(make_repository: Callable[..., Any]) -> None:
    repo = make_repository()
    first = commit_at(repo, 100)
    repo.clock = START + 500
    repo.git("commit", "-q", "--amend", "--no-edit", "--allow-empty")
    amended, tree = repo.git("rev-parse", "HEAD"), repo.git("rev-parse", "HEAD^{tree}")
    git = open_git(repo)
    found = git.objects().times([first, amended, tree, "f" * 40])
    git.close()
    assert found == [(START + 100, START + 100), (START + 100, START + 500), None, None]
