"""Statistics: findings by check, document and folder, the worst first."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pincite.core.errors import UsageError
from pincite.core.model import Edit, Finding, Outcome, Report, Safety, Severity, Span, Summary, Verdict
from pincite.report import Options, load_statistics
from pincite.report._statistics import Statistics

SCHEMA = json.loads(files("pincite").joinpath("schemas/statistics-1.schema.json").read_text(encoding="utf-8"))


def found(severity: Severity, check: str = "lines-moved", safe: bool = False) -> Finding:
    edit = Edit(Span(100, 101), "b", Safety.SAFE) if safe else None
    return Finding(check, Outcome.MOVED, severity, "Moved", edit=edit)


def report(cite: Any, document: str, *findings: Finding) -> Report:
    return Report(document, tuple(Verdict(cite("a.py:3", "a.py", 3), 1, 1, (one,)) for one in findings))


def statistics(*reports: Report) -> Statistics:
    counted = Statistics()
    for one in reports:
        counted.see(one)
    return counted


def written(name: str, reports: Any, summary: Summary, **options: Any) -> str:
    parts: list[str] = []
    reporter = load_statistics(name)(parts.append, Options(version="0.1.0", **options))
    for one in reports:
        reporter.document(one)
    reporter.close(summary)
    return "".join(parts)


ERROR, WARNING, NOTE = found(Severity.ERROR, "file-not-found"), found(Severity.WARNING), found(Severity.NOTE, "a-note")


def test_the_worst_come_first_and_notes_count_last(cite: Any) -> None:
    counted = statistics(
        report(cite, "a.md", NOTE, NOTE, NOTE, NOTE),
        report(cite, "b.md", WARNING, WARNING),
        report(cite, "c.md", ERROR, WARNING),
        report(cite, "d.md", WARNING, WARNING, found(Severity.WARNING, safe=True)),
    )
    assert [name for name, _ in counted.documents()] == ["d.md", "c.md", "b.md", "a.md"]
    assert [name for name, _ in counted.checks()] == ["lines-moved", "file-not-found", "a-note"]
    moved = counted.checks()[0][1]
    assert (moved.errors, moved.warnings, moved.notes, moved.repairable, moved.findings) == (0, 6, 0, 1, 6)


def test_a_folder_counts_everything_below_it(cite: Any) -> None:
    counted = statistics(
        report(cite, "top.md", ERROR),
        report(cite, "docs/a.md", ERROR),
        report(cite, "docs/api/v1/b.md", ERROR, WARNING),
        report(cite, "docs/api/v2/c.md", WARNING),
        report(cite, "old/deep/down/d.md", WARNING),
        report(cite, "old/deep/down/e.md", WARNING),
    )
    # `old` and `old/deep` only lead to `old/deep/down`; the root is the whole run.
    assert [(name, row.findings) for name, row in counted.folders()] == [
        ("docs", 4),
        ("docs/api", 3),
        ("docs/api/v1", 2),
        ("old/deep/down", 2),
        ("docs/api/v2", 1),
    ]


def test_deep_and_wide_trees_take_time_in_proportion(cite: Any, in_proportion: Callable[..., bool]) -> None:
    def count(number: int) -> object:
        deep = "a/" * 1_000
        return statistics(*(report(cite, f"{deep}{one % 100}/{one}.md", ERROR) for one in range(number))).folders()

    assert in_proportion(count, 200, 2_000, 10)


def test_malformed_citations_and_unreadable_documents_count(sample: Any) -> None:
    names = {name for name, _ in statistics(*sample[0]).checks()}
    assert {"malformed-citation", "unreadable-document"} <= names


def test_the_tables(sample: Any) -> None:
    assert written("text", *sample) == (
        "errors  warnings  notes  repairable  check\n"
        "     0         2      0           0  lines-edited\n"
        "     1         0      0           0  file-not-found\n"
        "     1         0      0           0  malformed-citation\n"
        "     1         0      0           0  path-blocked\n"
        "     1         0      0           0  snippet-mismatch\n"
        "     1         0      0           0  unreadable-document\n"
        "     0         1      0           1  lines-moved\n"
        "     0         0      1           0  opaque-source\n"
        "\n"
        "errors  warnings  notes  repairable  document\n"
        "     2         3      1           1  docs/guide.md\n"
        "     2         0      0           0  .serena/memories/auth.md\n"
        "     1         0      0           0  notes/latin1.md\n"
        "\n"
        "errors  warnings  notes  repairable  folder\n"
        "     2         3      1           1  docs\n"
        "     2         0      0           0  .serena/memories\n"
        "     1         0      0           0  notes\n"
        "\n"
        "✗ 17 citations in 3 documents: 10 hold, 1 blocked, 1 missing, 3 mismatch, 1 moved, 1 unchecked\n"
        "  1 malformed, 1 document unreadable, 1 ignored by a comment\n"
        "  1 can be repaired: `pincite fix --write` does it\n"
    )


def test_tables_are_bounded_and_a_limit_bounds_them_otherwise(cite: Any) -> None:
    reports = [report(cite, f"{number:02}.md", WARNING) for number in range(14)]
    summary = Summary(14, 14, {"moved": 14})
    assert "09.md\n… and 4 more documents: `--limit 0` shows all\n" in written("text", reports, summary)
    assert "00.md\n… and 13 more documents" in written("text", reports, summary, limit=1)
    assert "13.md\n\n" in written("text", reports, summary, limit=0)


def test_quiet_counts_what_fails_and_says_nothing_where_nothing_does(sample: Any, clean: Any) -> None:
    out = written("text", *sample, quiet=True)
    assert "file-not-found" in out and "lines-moved" not in out
    assert written("text", *clean(3), quiet=True) == ""


def test_nothing_found_has_no_tables(clean: Any) -> None:
    assert written("text", *clean(12)) == "✓ 12 citations in 4 documents: all hold\n"


def test_the_object_for_programs(sample: Any) -> None:
    data = json.loads(written("json", *sample))
    Draft202012Validator.check_schema(SCHEMA)
    Draft202012Validator(SCHEMA).validate(data)
    assert data["schema"] == "pincite.statistics/1"
    assert data["summary"]["exit_code"] == 2
    guide = {"findings": 6, "errors": 2, "warnings": 3, "notes": 1, "repairable": 1}
    assert data["documents"][0] == {"document": "docs/guide.md", **guide}
    assert data["folders"][0] == {"folder": "docs", **guide}
    assert data["checks"][0]["check"] == "lines-edited"


def test_the_object_has_every_row(cite: Any) -> None:
    reports = [report(cite, f"{number:02}\udcff.md", WARNING) for number in range(44)]
    data = json.loads(written("json", reports, Summary(44, 44, {"moved": 44})))
    assert len(data["documents"]) == 44
    assert (data["folders"], len(data["checks"])) == ([], 1)


def test_hostile_names_are_harmless(cite: Any) -> None:
    name = "a\x1b[2J\n::error::x/##[group].md"
    out = written("text", [report(cite, name, WARNING)], Summary(1, 1, {"moved": 1}))
    assert "\x1b" not in out and "##[" not in out
    assert not any(line.startswith("::") for line in out.splitlines())


def test_a_format_without_statistics_is_refused() -> None:
    with pytest.raises(UsageError, match=r"no statistics in the format 'sarif'; choose one of: text, json"):
        load_statistics("sarif")
