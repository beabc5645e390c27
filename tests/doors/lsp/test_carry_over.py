from __future__ import annotations

from msgspec.structs import replace

from pincite.core.model import (
    Citation,
    Edit,
    Finding,
    Lines,
    Outcome,
    Report,
    Safety,
    Severity,
    SourceRef,
    Span,
    Verdict,
)
from pincite.doors.lsp.carry_over import HistoryAnswer, carry_over
from pincite.doors.lsp.positions import TextIndex

RAW = "【F:a.py†L2】"


def index(text: str) -> TextIndex:
    return TextIndex(text, "utf-16")


def verdicts(text: str, *findings: Finding) -> tuple[Verdict, ...]:
    """A verdict on every bracket of a text."""
    found = []
    at = text.find(RAW)
    while at >= 0:
        line, start = text.count("\n", 0, at) + 1, text.rfind("\n", 0, at) + 1
        span = Span(at, at + len(RAW))
        citation = Citation("bracket", span, RAW, SourceRef("file", "a.py"), Lines(2, 2))
        edited = tuple(replace(one, edit=Edit(span, "【F:a.py†L9】", Safety.SAFE)) for one in findings)
        found.append(Verdict(citation, line, at - start + 1, edited))
        at = text.find(RAW, at + 1)
    return tuple(found)


MOVED = Finding("lines-moved", Outcome.MOVED, Severity.WARNING, "moved")
GONE = Finding("file-not-found", Outcome.MISSING, Severity.ERROR, "gone")


def answer(text: str) -> HistoryAnswer:
    return HistoryAnswer(index(text), Report("d.md", verdicts(text)), Report("d.md", verdicts(text, MOVED)))


def test_what_history_said_follows_a_line_that_moves() -> None:
    old, new = f"One {RAW}.\n", f"# New\n\nOne {RAW}.\n"
    merged = carry_over(index(new), Report("d.md", verdicts(new)), answer(old))
    (verdict,) = merged.verdicts
    assert [finding.check for finding in verdict.findings] == ["lines-moved"]
    assert (verdict.line, verdict.column) == (3, 5)
    assert verdict.findings[0].edit is not None
    assert new[verdict.findings[0].edit.span.start : verdict.findings[0].edit.span.end] == RAW


def test_a_line_that_was_edited_is_not_spoken_of() -> None:
    old, new = f"One {RAW}.\n", f"Two {RAW}.\n"
    merged = carry_over(index(new), Report("d.md", verdicts(new)), answer(old))
    assert [verdict.findings for verdict in merged.verdicts] == [()]


def test_what_first_sight_finds_anew_counts() -> None:
    text = f"One {RAW}.\n"
    merged = carry_over(index(f"{text}\n"), Report("d.md", verdicts(text, GONE)), answer(text))
    assert [finding.check for finding in merged.verdicts[0].findings] == ["file-not-found"]


def test_of_equal_lines_each_keeps_its_own() -> None:
    text = f"One {RAW}.\nOne {RAW}.\n"
    known = answer(text)
    known.report.verdicts = (known.report.verdicts[0], verdicts(text)[1])
    merged = carry_over(index(text + "x"), Report("d.md", verdicts(text)), known)
    assert [len(verdict.findings) for verdict in merged.verdicts] == [1, 0]


def test_a_citation_that_only_history_knows_stays() -> None:
    text = f"One {RAW}.\n"
    known = HistoryAnswer(index(text), Report("d.md"), Report("d.md", verdicts(text, GONE)))
    merged = carry_over(index(f"x\n{text}"), Report("d.md"), known)
    assert [(one.line, one.citation.span.start) for one in merged.verdicts] == [(2, 6)]


def test_without_history_first_sight_is_all() -> None:
    report = Report("d.md")
    assert carry_over(index(""), report, None) is report
