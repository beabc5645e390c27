"""Older commits are checked as they were: the work tree does not answer for them."""

from __future__ import annotations

from typing import Any

import pytest

from pincite.engine.past_commits import check_commit, sample_commits
from pincite.project.project import Project, open_project
from pincite.store.check_trend import TrendPoint

CODE = "LIMIT = 40\n"
HOLDS = "The limit is 40 【F:src/a.py†L1】.\n"


def check(repository: Any, commit: str) -> TrendPoint:
    with open_project(repository.path, option="") as project:
        git = project.git()
        assert git is not None
        return check_commit(project, git, commit, 7, lambda: None)


def sample(repository: Any, most: int) -> list[tuple[str, int]]:
    project: Project
    with open_project(repository.path, option="") as project:
        git = project.git()
        assert git is not None
        return sample_commits(git, most)


def test_a_commit_is_judged_by_its_own_sources(repository: Any) -> None:
    first = repository.commit({"src/a.py": CODE, "d.md": HOLDS})
    (repository.path / "src" / "a.py").unlink()
    second = repository.commit()
    assert check(repository, first) == TrendPoint(first, 7, 1, {"holds": 1})
    assert check(repository, second).outcomes == {"missing": 1}


def test_a_file_of_the_work_tree_is_no_evidence_for_the_past(repository: Any) -> None:
    first = repository.commit({"d.md": "Short names count, too: `only_now.py:1` 【F:only_now.py†L1】.\n"})
    repository.write("src/only_now.py", CODE)
    repository.write("only_now.py", CODE)
    assert "holds" not in check(repository, first).outcomes


def test_the_settings_are_those_of_the_commit(repository: Any) -> None:
    first = repository.commit({"d.md": HOLDS, "pincite.toml": 'exclude = ["d.md"]\n'})
    second = repository.commit({"pincite.toml": ""})
    assert check(repository, first).outcomes == {}
    assert check(repository, second).outcomes == {"missing": 1}


@pytest.mark.parametrize("settings", ["not toml [", 'dialects = ["unheard-of"]\n', 'plugins = ["unheard-of"]\n'])
def test_settings_that_cannot_be_used_are_those_of_today(repository: Any, settings: str) -> None:
    first = repository.commit({"src/a.py": CODE, "d.md": HOLDS, "pincite.toml": settings})
    repository.commit({"pincite.toml": ""})
    assert check(repository, first).outcomes == {"holds": 1}


def test_malformed_citations_and_bytes_that_are_no_text_are_counted_or_passed_over(repository: Any) -> None:
    commit = repository.commit({"d.md": "Bad 【F:src/a.py†Lx】.\n", "e.md": b"\xff\xfe\x00\xd8", "src/a.py": CODE})
    assert check(repository, commit).outcomes == {"malformed": 1}


def test_what_a_step_raises_ends_the_check(repository: Any) -> None:
    commit = repository.commit({"src/a.py": CODE, "d.md": HOLDS})
    calls = []

    def stop() -> None:
        calls.append(1)
        if len(calls) == 3:
            raise KeyError("stopped")

    with open_project(repository.path, option="") as project:
        git = project.git()
        assert git is not None
        with pytest.raises(KeyError):
            check_commit(project, git, commit, 0, stop)
    assert len(calls) == 3, "two files, then the document"


@pytest.mark.parametrize(("most", "expected"), [(1, [4]), (2, [0, 4]), (3, [0, 2, 4]), (9, [0, 1, 2, 3, 4]), (0, [])])
def test_samples_are_spread_from_the_first_to_the_last(repository: Any, most: int, expected: list[int]) -> None:
    commits = [repository.commit({"a.md": str(number)}) for number in range(5)]
    found = sample(repository, most)
    assert [commit for commit, _ in found] == [commits[at] for at in expected]
    assert [time for _, time in found] == sorted(time for _, time in found)


def test_before_the_first_commit_there_are_no_samples(repository: Any) -> None:
    assert sample(repository, 5) == []
