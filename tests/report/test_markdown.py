"""The pull-request comment: a table that holds together and fits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from markdown_it import MarkdownIt

from pincite.core.model import Finding, Outcome, Report, Severity, Verdict
from pincite.report import markdown

Render = Callable[..., str]


def test_a_whole_run(render: Render, sample: Any) -> None:
    out = render("markdown", *sample)
    assert out.startswith("### ✗ pincite: 17 citations in 3 documents: 10 hold, 1 blocked")
    rows = [line for line in out.splitlines() if line.startswith(("| ✗", "| ⚠"))]
    assert [row.split("|")[1].strip() for row in rows] == [
        "✗ blocked",
        "✗ malformed",
        "✗ unreadable",
        "✗ missing",
        "✗ mismatch",
        "⚠ mismatch",
        "⚠ mismatch",
        "⚠ moved",
    ]
    assert "1 can be repaired: <code>pincite fix --write</code> does it." in out


def test_quoted_text_reads_as_it_was_written(render: Render, sample: Any) -> None:
    html = MarkdownIt("commonmark", {"html": True}).enable("table").render(render("markdown", *sample))
    assert "<code>[the loader](src/load.py#<!-- -->L4)</code>" in html
    assert "<code>【F:src/app/server.py†L15-L17】</code>" in html


def test_all_hold_is_one_line(render: Render, clean: Any) -> None:
    assert render("markdown", *clean(12)) == "### ✓ pincite: 12 citations in 4 documents: all hold\n"


def test_a_comment_never_outgrows_its_limit_and_counts_the_rest(render: Render, cite: Any, clean: Any) -> None:
    def verdict(line: int, severity: Severity) -> Verdict:
        finding = Finding("some-check", Outcome.MISSING, severity, "x" * 300)
        return Verdict(cite("y" * 150, "y"), line, 1, (finding,))

    kinds = [Severity.WARNING] * 300 + [Severity.ERROR] * 20
    report = Report("a.md", tuple(verdict(line, kind) for line, kind in enumerate(kinds, 1)))
    out = render("markdown", [report], clean(1)[1])
    assert len(out) < 65_536
    assert len(out) > markdown.BUDGET / 2
    rows = [line for line in out.splitlines() if line.startswith(("| ✗", "| ⚠"))]
    assert rows[19].startswith("| ✗")
    assert rows[20].startswith("| ⚠")
    assert f"… and {320 - len(rows)} problems more." in out


def test_a_limit_bounds_the_rows_and_the_gravest_stay(render: Render, sample: Any) -> None:
    out = render("markdown", *sample, limit=2)
    rows = [line for line in out.splitlines() if line.startswith("| ") and "Place" not in line]
    assert [row.split("|")[1].strip() for row in rows] == ["✗ blocked", "✗ malformed"]
    assert "… and 6 problems more." in out
