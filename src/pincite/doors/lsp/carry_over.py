"""What history said of an older version of a text, for the citations that are still written as they were."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ...core.model import Finding, Report, Span, Verdict

if TYPE_CHECKING:
    from .positions import TextIndex


class HistoryAnswer(Struct, frozen=True):
    """A version of a text, what was found at first sight, and what history added."""

    text: TextIndex
    quick: Report
    report: Report


def carry_over(text: TextIndex, quick: Report, known: HistoryAnswer | None) -> Report:
    """A report on a new version: what is found at first sight, and what history said of citations that did not change.

    A citation counts as unchanged where its line has the same words and first sight says the same as before.
    """
    if known is None:
        return quick
    if known.text.text == text.text and _list_checks(known.quick) == _list_checks(quick):
        return known.report
    before = {verdict.citation.span.start: verdict for verdict in known.quick.verdicts}
    now = {verdict.citation.span.start: verdict for verdict in quick.verdicts}
    lines = _LineFinder(text)
    for verdict, start in _find_again(known, text, lines):
        old = before.get(verdict.citation.span.start)
        new = now.get(start)
        if new is None and old is None:
            # Only history knows that these words are a citation.
            now[start] = _shift(verdict, start, *text_position(text, start))
        elif new is not None and old is not None and _checks(new) == _checks(old):
            now[start] = _shift(verdict, start, new.line, new.column)
    merged = replace(quick)
    merged.verdicts = tuple(now[start] for start in sorted(now))
    return merged


def text_position(text: TextIndex, offset: int) -> tuple[int, int]:
    """Line and column of an offset, as reports count them."""
    from ...text.lines import position

    return position(text.starts, offset)


class _LineFinder:
    """The lines of a text by their words."""

    def __init__(self, text: TextIndex) -> None:
        self._rows: dict[str, list[int]] = {}
        for row in range(len(text.starts)):
            self._rows.setdefault(text.line(row), []).append(row)

    def find(self, line: str, nth: int) -> int | None:
        """The row of the nth line with these words."""
        rows = self._rows.get(line, ())
        return rows[nth] if nth < len(rows) else None


def _find_again(known: HistoryAnswer, text: TextIndex, lines: _LineFinder) -> list[tuple[Verdict, int]]:
    """The verdicts of an older version with the offsets at which their citations stand now."""
    found = []
    seen: dict[str, int] = {}
    counted = -1
    nth: dict[int, int] = {}
    for verdict in known.report.verdicts:
        row = verdict.line - 1
        while counted < row:
            counted += 1
            line = known.text.line(counted)
            nth[counted] = seen[line] = seen.get(line, -1) + 1
        there = lines.find(known.text.line(row), nth[row])
        if there is None:
            continue
        start = text.starts[there] + verdict.column - 1
        raw = verdict.citation.raw
        if text.text[start : start + len(raw)] == raw:
            found.append((verdict, start))
    return found


def _shift(verdict: Verdict, start: int, line: int, column: int) -> Verdict:
    """A verdict whose citation stands elsewhere."""
    by = start - verdict.citation.span.start
    if not by:
        return verdict
    span = verdict.citation.span
    citation = replace(verdict.citation, span=Span(span.start + by, span.end + by))
    findings = tuple(_shift_edit(finding, by) for finding in verdict.findings)
    return replace(verdict, citation=citation, line=line, column=column, findings=findings)


def _shift_edit(finding: Finding, by: int) -> Finding:
    edit = finding.edit
    if edit is None:
        return finding
    return replace(finding, edit=replace(edit, span=Span(edit.span.start + by, edit.span.end + by)))


def _checks(verdict: Verdict) -> list[tuple[str, str]]:
    return [(finding.check, finding.message) for finding in (*verdict.findings, *verdict.silenced)]


def _list_checks(report: Report) -> list[list[tuple[str, str]]]:
    return [_checks(verdict) for verdict in report.verdicts]
