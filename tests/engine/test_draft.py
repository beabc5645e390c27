"""Texts that are not on disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.core.errors import UsageError
from pincite.engine.draft import check_draft, correct_draft
from pincite.project.project import Project, open_project

CODE = "LIMIT = 250\n\n\ndef add(amount):\n    return min(amount, LIMIT)\n"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / "gauge.py").write_text(CODE)
    return open_project(tmp_path, option="")


def test_every_citation_of_a_draft_gets_a_verdict(project: Project) -> None:
    checked = check_draft(project, "It never exceeds 250. 【F:gauge.py†L1】 Resets are counted. 【F:gauge.py†L40】\n")
    assert [verdict.outcome.label for verdict in checked.report.verdicts] == ["holds", "missing"]
    assert checked.summary.citations == 2


def test_an_invented_file_is_missing(project: Project) -> None:
    (verdict,) = check_draft(project, "See nothing.py:3.\n").report.verdicts
    assert verdict.outcome.label == "missing"


def test_a_draft_is_read_from_the_folder_that_it_will_be_in(project: Project, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.py").write_text(CODE)
    (verdict,) = check_draft(project, "[add](a.py#L4)\n", "docs/new.md").report.verdicts
    assert (verdict.outcome.label, verdict.citation.source.key) == ("holds", "docs/a.py")


def test_a_right_quote_with_a_wrong_line_comes_back_corrected(project: Project) -> None:
    draft = "---\ncitations:\n  - path: gauge.py\n    line: 2\n    snippet: 'def add(amount):'\n---\n"
    corrected = correct_draft(project, draft, ".memories/a.md")
    assert corrected.text == draft.replace("line: 2", "line: 4")
    assert [change.finding.check for change in corrected.changes] == ["snippet-moved"]


def test_what_holds_comes_back_as_it_was(project: Project) -> None:
    draft = "It never exceeds 250. 【F:gauge.py†L1】\r\n"
    corrected = correct_draft(project, draft)
    assert (corrected.text, corrected.changes) == (draft, ())


def test_a_draft_that_is_too_large_is_refused(project: Project) -> None:
    with pytest.raises(UsageError, match="larger than"):
        check_draft(project, "x" * (project.root.limits.document_bytes + 1))
