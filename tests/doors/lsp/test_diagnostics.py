from __future__ import annotations

import pytest
from lsprotocol import types

from pincite.core.model import Citation, Edit, Finding, Outcome, Report, Safety, Severity, SourceRef, Span, Verdict
from pincite.doors.lsp.diagnostics import DiagnosticSupport, make_diagnostics, make_result_id, read_support
from pincite.doors.lsp.positions import TextIndex

TEXT = TextIndex("See a.py:3\x1b.\n", "utf-16")
CITED = Citation("path-line", Span(4, 10), "a.py:3", SourceRef("file", "a.py"))


def report(finding: Finding) -> Report:
    return Report("d.md", (Verdict(CITED, 1, 5, (finding,)),))


@pytest.mark.parametrize(
    ("outcome", "severity", "shown"),
    [
        (Outcome.MISSING, Severity.ERROR, types.DiagnosticSeverity.Error),
        (Outcome.MOVED, Severity.WARNING, types.DiagnosticSeverity.Warning),
        (Outcome.HOLDS, Severity.NOTE, types.DiagnosticSeverity.Information),
        (Outcome.UNCHECKED, Severity.NOTE, types.DiagnosticSeverity.Hint),
    ],
)
def test_severities_are_those_of_the_client(
    outcome: Outcome, severity: Severity, shown: types.DiagnosticSeverity
) -> None:
    (made,) = make_diagnostics(report(Finding("x", outcome, severity, "said")), TEXT, "/r", DiagnosticSupport())
    assert made.severity == shown
    assert made.range == types.Range(types.Position(0, 4), types.Position(0, 10))


def test_nothing_invisible_and_no_unsafe_promise_is_in_a_message() -> None:
    edit = Edit(Span(4, 10), "a.py:9", Safety.UNSAFE)
    finding = Finding("x", Outcome.MOVED, Severity.WARNING, "said \u202e\x1b[31m", edit=edit)
    (made,) = make_diagnostics(report(finding), TEXT, "/r", DiagnosticSupport())
    assert made.message.split("\n") == [
        r"said \u{202e}\u{1b}[31m",
        "fix: a.py:9",
        "not made by itself: needs a reader: it may not be what the author meant",
    ]


def test_a_document_that_cannot_be_read_says_so_on_its_first_line() -> None:
    (made,) = make_diagnostics(Report("d.md", error="too large"), TEXT, "/r", DiagnosticSupport())
    assert made.code == "unreadable-document"
    assert made.range.start == types.Position(0, 0)


def test_diagnostics_that_differ_have_other_ids() -> None:
    one, other = (
        make_diagnostics(report(Finding("x", Outcome.MOVED, Severity.WARNING, said)), TEXT, "/r", DiagnosticSupport())
        for said in ("one", "other")
    )
    assert make_result_id(one) != make_result_id(other)
    assert make_result_id(one) == make_result_id(list(one))


def test_a_client_that_cannot_be_asked_again_does_not_pull() -> None:
    pulled = types.TextDocumentClientCapabilities(diagnostic=types.DiagnosticClientCapabilities())
    fresh = types.WorkspaceClientCapabilities(diagnostics=types.DiagnosticWorkspaceClientCapabilities(True))
    assert not read_support(types.ClientCapabilities()).pulls
    assert not read_support(types.ClientCapabilities(text_document=pulled)).pulls
    assert read_support(types.ClientCapabilities(text_document=pulled, workspace=fresh)).pulls


def test_the_page_of_the_check_is_named_to_clients_that_lead_there() -> None:
    finding = Finding("line-out-of-range", Outcome.MISSING, Severity.ERROR, "said")
    plain, led = (
        make_diagnostics(report(finding), TEXT, "/r", DiagnosticSupport(pages=pages))[0] for pages in (False, True)
    )
    assert plain.code_description is None
    assert led.code_description is not None
    assert led.code_description.href.endswith("/docs/reference/checks.md#line-out-of-range")
