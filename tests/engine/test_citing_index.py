"""Who cites which lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.core.model import Lines
from pincite.engine.citing_index import build_citing_index
from pincite.engine.draft import check_draft
from pincite.project.project import Project, open_project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / "docs").mkdir()
    (tmp_path / "a.py").write_text("one\ntwo\nthree\n")
    (tmp_path / "docs" / "x.md").write_text("See a.py:2-3, a.py:99 and [a](../a.py#L1).\n")
    (tmp_path / "y.md").write_text("See `a.py:1`, and [x](docs/x.md).\n")
    return open_project(tmp_path, option="")


def test_citations_of_a_file_are_found_in_order(project: Project) -> None:
    index = build_citing_index(project)
    found = [(one.document, one.raw, one.outcome) for one in index.find("a.py")]
    assert found == [
        ("docs/x.md", "a.py:2-3", "holds"),
        ("docs/x.md", "a.py:99", "missing"),
        ("docs/x.md", "[a](../a.py#L1)", "holds"),
        ("y.md", "a.py:1", "holds"),
    ]


def test_only_those_of_some_lines(project: Project) -> None:
    index = build_citing_index(project)
    assert [one.raw for one in index.find("a.py", Lines(2, 2))] == ["a.py:2-3"]
    assert index.find("a.py", Lines(50, 60)) == []
    assert index.find("b.py") == []


def test_a_document_that_changed_is_taken_in_again(project: Project) -> None:
    index = build_citing_index(project)
    index.update(check_draft(project, "See a.py:3.\n", "docs/x.md").report)
    assert [(one.document, one.raw) for one in index.find("a.py")] == [("docs/x.md", "a.py:3"), ("y.md", "a.py:1")]
