"""Rows of reports: bounded, sendable, and each citation with a number of its own."""

from __future__ import annotations

from msgspec.msgpack import encode

from pincite.core.model import (
    Citation,
    Defect,
    Finding,
    Lines,
    Malformed,
    Outcome,
    Report,
    Severity,
    SourceRef,
    Span,
    Verdict,
)
from pincite.fleet.shard_records import MALFORMED
from pincite.fleet.shard_rows import RowMaker


def make_verdict(raw: str, *findings: Finding, silenced: tuple[Finding, ...] = ()) -> Verdict:
    citation = Citation("path", Span(0, len(raw)), raw, SourceRef("file", "x.py"), Lines(1, 1))
    return Verdict(citation, 3, 1, findings, silenced=silenced)


def make_finding(check: str, outcome: Outcome, severity: Severity, message: str = "why") -> Finding:
    return Finding(check, outcome, severity, message)


def test_the_worst_finding_is_told_also_where_it_is_silenced() -> None:
    note = make_finding("note", Outcome.UNCHECKED, Severity.NOTE)
    worse = make_finding("worse", Outcome.MISSING, Severity.ERROR, "not there")
    report = Report("a.md", (make_verdict("x"), make_verdict("y", note, worse), make_verdict("z", silenced=(worse,))))
    rows = list(RowMaker("/tmp/place").make(report))
    assert [(row.outcome, row.finding, row.severity) for row in rows] == [
        (0, "", -1),
        (5, "worse", 2),
        (5, "worse", -1),
    ]
    assert rows[1].message == "not there" and rows[1].line == 3


def test_equal_citations_are_numbered_through_the_parts_of_a_document() -> None:
    maker = RowMaker("/tmp/place")
    malformed = Defect(Malformed("path", Span(0, 1), "x", "odd"), 9, 1)
    first = Report("a.md", (make_verdict("x"), make_verdict("x"), make_verdict("y")), more=True)
    second = Report("a.md", (make_verdict("x"),), (malformed,))
    other = Report("b.md", (make_verdict("x"),))
    rows = [row for report in (first, second, other) for row in maker.make(report)]
    assert [(row.document, row.written, row.occurrence) for row in rows] == [
        ("a.md", "x", 0),
        ("a.md", "x", 1),
        ("a.md", "y", 0),
        ("a.md", "x", 2),
        ("a.md", "x", 3),
        ("b.md", "x", 0),
    ]
    assert (rows[4].outcome, rows[4].finding, rows[4].message) == (MALFORMED, "malformed-citation", "odd")


def test_texts_are_bounded_sendable_and_without_the_place_of_the_moment() -> None:
    finding = make_finding("c", Outcome.MISSING, Severity.ERROR, "/tmp/place/docs/\udcff.md: " + "long " * 200)
    verdicts = (make_verdict("a" * 1000, finding), make_verdict("a" * 1001), make_verdict("\udcff"))
    rows = list(RowMaker("/tmp/place").make(Report("name \udcfe" + "d" * 3000, verdicts)))
    assert encode(rows)
    assert all(len(row.document) <= 1000 and len(row.written) <= 300 and len(row.message) <= 300 for row in rows)
    assert rows[0].message.startswith("docs/\\u{dcff}.md: long")
    assert rows[0].written != rows[1].written
