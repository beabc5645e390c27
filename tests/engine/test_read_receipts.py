"""Citations of lines that no receipt covers."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

from pincite.core.model import Lines
from pincite.engine.draft import check_draft
from pincite.engine.read_receipts import ReadReceipt, demand_receipts
from pincite.project.project import open_project

CODE = "LIMIT = 250\n\n\ndef add(amount):\n    return min(amount, LIMIT)\n"
DIGEST = sha256(CODE.encode()).hexdigest()


def find_missing(tmp_path: Path, draft: str, *receipts: ReadReceipt) -> dict[str, str]:
    """What is said of each citation, by its text; the summary agrees with it."""
    (tmp_path / "gauge.py").write_text(CODE)
    with open_project(tmp_path, option="") as project:
        checked = check_draft(project, draft)
        report = demand_receipts(project.root, checked.report, checked.summary, receipts)
    said = {verdict.citation.raw: one.message for verdict in report.verdicts for one in verdict.findings}
    assert sum(checked.summary.outcomes.values()) == checked.summary.citations
    assert min(checked.summary.outcomes.values()) >= 0
    assert checked.summary.exit_code == (1 if said else 0)
    return said


def test_lines_inside_of_a_receipt_are_covered(tmp_path: Path) -> None:
    receipt = ReadReceipt("gauge.py", DIGEST, Lines(4, 5))
    assert find_missing(tmp_path, "It adds. 【F:gauge.py†L4-L5】 It adds. 【F:gauge.py†L5】\n", receipt) == {}


def test_lines_that_were_shown_piece_by_piece_are_covered(tmp_path: Path) -> None:
    pieces = [ReadReceipt("gauge.py", DIGEST, lines) for lines in (Lines(5, 5), Lines(1, 3), Lines(2, 4))]
    assert find_missing(tmp_path, "It adds. 【F:gauge.py†L1-L5】\n", *pieces) == {}
    assert find_missing(tmp_path, "It adds. 【F:gauge.py†L1-L5】\n", *pieces[:2])


@pytest.mark.parametrize(
    ("receipt", "said"),
    [
        (ReadReceipt("gauge.py", DIGEST, Lines(5, 5)), "receipts of gauge.py cover only lines 5"),
        (ReadReceipt("gauge.py", "0" * 64, Lines(1, 5)), "gauge.py changed since it was retrieved"),
        (ReadReceipt("other.py", DIGEST, Lines(1, 5)), "nothing was retrieved from gauge.py"),
    ],
)
def test_what_is_missing_is_named(tmp_path: Path, receipt: ReadReceipt, said: str) -> None:
    found = find_missing(tmp_path, "It adds. 【F:gauge.py†L4-L5】\n", receipt)
    assert found == {"【F:gauge.py†L4-L5】": f"No receipt: {said}"}


def test_an_ignore_comment_does_not_replace_a_receipt(tmp_path: Path) -> None:
    draft = "<!-- pincite: ignore -->\nIt adds. 【F:gauge.py†L4】\n"
    assert "No receipt" in find_missing(tmp_path, draft)["【F:gauge.py†L4】"]


def test_what_fails_anyway_is_said_once(tmp_path: Path) -> None:
    found = find_missing(tmp_path, "It adds. 【F:gauge.py†L40】\n")
    assert "exceeds" in found["【F:gauge.py†L40】"]
