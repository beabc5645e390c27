"""Places that findings list, and what is no place."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.core.model import Finding, Lines, Outcome, Place, Severity
from pincite.engine.candidates import list_candidate_places, list_places_elsewhere
from pincite.safe.files import Root


def make_finding(detail: str, check: str = "lines-deleted") -> Finding:
    return Finding(check, Outcome.MISSING, Severity.WARNING, "gone", detail)


def test_places_in_other_files_stand_at_the_end(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x\n")
    (tmp_path / "b.py").write_text("x\n")
    finding = make_finding("-x = 1\nthe same words stand there:\n  a.py:3\n  b.py:4-5\n  … 2 more")
    with Root(str(tmp_path)) as root:
        assert list_places_elsewhere(root, finding) == [Place("a.py", Lines(3, 3)), Place("b.py", Lines(4, 5))]


@pytest.mark.parametrize(
    "detail",
    [
        "",
        "-x = 1",
        "  gone.py:3",
        "  a.py:3\n-x = 1",
        " a.py:3",
        "   a.py:3",
        "  ../outside.py:3",
        "  a.py:three",
        "  a.py:0123456789012",
        "  folder:3",
        "it was deleted in 1234567",
    ],
)
def test_other_details_list_no_places(tmp_path: Path, detail: str) -> None:
    (tmp_path / "root" / "folder").mkdir(parents=True)
    (tmp_path / "root" / "a.py").write_text("x\n")
    (tmp_path / "outside.py").write_text("x\n")
    with Root(str(tmp_path / "root")) as root:
        assert list_places_elsewhere(root, make_finding(detail)) == []


def test_only_an_ambiguous_finding_lists_candidates() -> None:
    assert list_candidate_places(make_finding("  a.py:3")) == []
    assert list_candidate_places(make_finding("  a.py:3", "lines-ambiguous")) == [Place("a.py", Lines(3, 3))]
