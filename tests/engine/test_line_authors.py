"""Who wrote the lines that cite."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pincite.core.errors import UsageError
from pincite.engine.line_authors import UNCOMMITTED, UNKNOWN_AUTHOR, find_line_authors
from pincite.project.project import open_project

LINE = "It is 【F:a.py†L1】.\n"


def find(path: Path, lines: dict[str, list[int]]) -> dict[str, dict[int, str]]:
    with open_project(path, option="") as project:
        return find_line_authors(project, lines, lambda done, total: None)


def commit_as(repository: Any, name: str, files: dict[str, str]) -> None:
    for path, text in files.items():
        repository.write(path, text)
    repository.git("add", "-A")
    repository.git("commit", "-q", "-m", "change", "--author", f"{name} <a@example.org>")


def test_each_line_has_the_author_who_wrote_it(repository: Any) -> None:
    commit_as(repository, "Ada", {"d.md": "One 【F:a.py†L1】.\n", "a.py": "x = 1\n"})
    commit_as(repository, "Grace", {"d.md": "One 【F:a.py†L1】.\nTwo 【F:a.py†L1】.\n"})
    repository.write("d.md", "One 【F:a.py†L1】.\nTwo 【F:a.py†L1】.\nThree 【F:a.py†L1】.\n")
    repository.write("new.md", LINE)
    assert find(repository.path, {"d.md": [1, 2, 3], "new.md": [1]}) == {
        "d.md": {1: "Ada", 2: "Grace", 3: UNCOMMITTED},
        "new.md": {1: UNCOMMITTED},
    }


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "Ünï çode", "a\tb"])
def test_a_name_is_what_the_commit_says(repository: Any, name: str) -> None:
    commit_as(repository, name.replace("<", "").replace(">", ""), {"d.md": LINE})
    assert find(repository.path, {"d.md": [1]}) == {"d.md": {1: name.replace("<", "").replace(">", "")}}


def test_a_document_that_is_gone_or_shorter_than_asked_has_no_known_author(repository: Any) -> None:
    commit_as(repository, "Ada", {"d.md": LINE})
    assert find(repository.path, {"gone.md": [1], "d.md": [99]}) == {
        "gone.md": {1: UNKNOWN_AUTHOR},
        "d.md": {99: UNKNOWN_AUTHOR},
    }


def test_without_a_repository_there_are_no_authors(tmp_path: Path) -> None:
    (tmp_path / "d.md").write_text(LINE)
    with pytest.raises(UsageError, match="git repository"):
        find(tmp_path, {"d.md": [1]})


def test_before_the_first_commit_nothing_is_committed(repository: Any) -> None:
    repository.write("d.md", LINE)
    assert find(repository.path, {"d.md": [1]}) == {"d.md": {1: UNCOMMITTED}}


def test_what_the_progress_raises_ends_the_search(repository: Any) -> None:
    commit_as(repository, "Ada", {"d.md": LINE})

    def stop(done: int, total: int) -> None:
        raise KeyError("stopped")

    with open_project(repository.path, option="") as project, pytest.raises(KeyError):
        find_line_authors(project, {"d.md": [1]}, stop)
