"""Which findings a reader can settle, and what the settling costs."""

from __future__ import annotations

from collections.abc import Callable

from pincite import checks
from pincite.checks import CLAIM_CHECKS, READER_DECIDES, CheckedCitation
from pincite.core.model import Citation, Finding, Lines, Obstacle, Outcome, Severity, SourceRef, Span
from pincite.engine.acceptance import AcceptedInDocument, digest_cited, make_acceptance
from pincite.text.document import Document
from pincite.text.evidence import Evidence

TO_COME = {"claim-not-shown"}


def test_the_checks_that_a_reader_can_settle_are_checks() -> None:
    assert set(READER_DECIDES) - TO_COME <= set(checks.names())
    assert set(CLAIM_CHECKS) <= set(READER_DECIDES)


def test_what_says_that_there_is_nothing_to_read_is_none_of_them() -> None:
    for name in (
        "file-not-found",
        "path-blocked",
        "line-out-of-range",
        "range-past-end",
        "not-in-corpus",
        "blank-range",
    ):
        assert name in checks.names()
        assert name not in READER_DECIDES


def make_rows(count: int) -> tuple[Document, list[CheckedCitation]]:
    """A document with so many edited citations, each of another line."""
    text = "".join(f"Claim {number} 【F:a.py†L{number + 1}】.\n\n" for number in range(count))
    evidence = Evidence(SourceRef("file", "a.py"), b"".join(b"line %d\n" % number for number in range(count)))
    rows = []
    for number in range(count):
        raw = f"【F:a.py†L{number + 1}】"
        start = text.index(raw)
        lines = Lines(number + 1, number + 1)
        citation = Citation("bracket", Span(start, start + len(raw)), raw, SourceRef("file", "a.py"), lines)
        finding = Finding("lines-edited", Outcome.MISMATCH, Severity.WARNING, "Edited")
        rows.append(CheckedCitation(citation, evidence, (finding,)))
    return Document("a.md", text), rows


def test_there_is_nothing_to_accept_where_no_text_is() -> None:
    document, (row,) = make_rows(1)
    assert make_acceptance(document, row, "") is not None
    for evidence in (
        Obstacle("file-not-found", "a.py"),
        Evidence(SourceRef("file", "a.py"), b"  \t\n"),
        Evidence(SourceRef("file", "a.py"), b""),
    ):
        assert digest_cited(row.citation, evidence) == ""
        assert make_acceptance(document, CheckedCitation(row.citation, evidence), "") is None


def test_the_cost_grows_with_the_number_of_acceptances_and_no_faster(in_proportion: Callable[..., bool]) -> None:
    def settle(count: object) -> None:
        assert isinstance(count, int)
        document, rows = made[count]
        AcceptedInDocument(document, rows, accepted[count]).settle()
        assert {row.findings[0].accepted for row in rows} == {"why"}

    made = {count: make_rows(count) for count in (200, 1600)}
    accepted = {
        count: [one for row in rows if (one := make_acceptance(document, row, "why")) is not None]
        for count, (document, rows) in made.items()
    }
    assert in_proportion(settle, 200, 1600, 8)
