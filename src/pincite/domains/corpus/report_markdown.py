"""Audits as Markdown tables. Whatever comes from a document is written so that it can only be text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...report.markdown import escape_markdown
from ...safe.escape import escape_text
from ...text.lines import format_count
from .entries import CitationTally, entries, recommendations
from .report_text import NOTHING, paper_complaints, quote_complaints

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .audit import CorpusAudit, Counts
    from .entries import CitationEntry
    from .validation import ValidatedDocument

_LONGEST = 300


def audit_markdown(audit: CorpusAudit) -> str:
    """The whole audit."""
    lines = ["# Citation integrity audit", "", f"Date: {audit.date}  ", f"Auditor: {_cell(audit.auditor)}", ""]
    tally = audit.tally
    rows = [[_cell(document.document), *_numbers(document)] for document in audit.documents]
    if len(rows) != 1:
        total = (tally.total, tally.valid, tally.warnings, tally.errors)
        rows.append([f"**{format_count(audit.looked_at, 'document')}**", *map(str, total)])
    lines += ["## Summary", "", *_table(("Document", "Citations", "Valid", "Warnings", "Errors"), rows), ""]
    if not tally.total:
        lines += [NOTHING, ""]
    for document in audit.documents:
        lines += _document(document)
    lines += ["## Recommendations", ""]
    lines += [f"{number}. {_cell(text)}" for number, text in enumerate(recommendations(audit.details), 1)] or ["None."]
    lines += ["", *_coverage(audit), *_pages(audit), *_quotes(audit)]
    return "\n".join(lines)


def _numbers(document: ValidatedDocument) -> list[str]:
    if document.error:
        return [f"not read: {_cell(document.error)}", "", "", ""]
    tally = CitationTally().count(document.details)
    return [str(number) for number in (tally.total, tally.valid, tally.warnings, tally.errors)]


def _document(document: ValidatedDocument) -> list[str]:
    if document.error:
        return []
    rows = [_row(entry) for entry in entries(document.details)]
    head = ("", "Citation", "Lines", "Result")
    return [f"## {_cell(document.document)}", "", *_table(head, rows), ""]


def _row(entry: CitationEntry) -> list[str]:
    said = "<br>".join(f"{asked}: {_cell(answer)}" for asked, answer in entry.lines)
    return [f"{entry.mark} {entry.word}", _cell(entry.citation), entry.shown_places, said]


def _coverage(audit: CorpusAudit) -> list[str]:
    coverage = audit.coverage
    rows = [["Papers in corpus", str(len(coverage.papers))], ["Papers cited", str(len(coverage.cited))]]
    rows.append(["Never cited", ", ".join(coverage.never_cited) or "none"])
    if coverage.entries:
        rows.append(["Bibliography entries cited", f"{len(coverage.entries_cited)} of {coverage.entries}"])
    absent = [f"{_cell(one.ref_id)} ({format_count(one.citations, 'citation')})" for one in coverage.absent]
    rows.append(["Cited and absent", ", ".join(absent) or "none"])
    rows += [[f"✗ {_cell(name)}", _cell(why)] for name, why in audit.broken]
    return ["## Corpus coverage", "", *_table(("", ""), rows), ""]


def _pages(audit: CorpusAudit) -> list[str]:
    known = sum(paper.known for paper in audit.papers)
    lines = ["## Page validation", "", *_format_counts([("Citations with a page", audit.pages)]), ""]
    lines += [f"Papers with known pages: {known} of {len(audit.papers)}", ""]
    rows = [[paper.ref_id, _cell(text)] for paper in audit.papers for text in paper_complaints(paper)]
    return [*lines, *_table(("Paper", "What does not fit"), rows), ""] if rows else lines


def _quotes(audit: CorpusAudit) -> list[str]:
    counts = [("Quotes beside citations", audit.quotes), ("Key quotes", audit.key_quotes)]
    lines = ["## Quote verification", "", *_format_counts(counts), ""]
    rows = [[mark, _cell(text)] for mark, text in quote_complaints(audit)]
    return [*lines, *_table(("", "Key quote"), rows), ""] if rows else lines


def _format_counts(counts: Iterable[tuple[str, Counts]]) -> list[str]:
    rows = [[what, str(n.total), str(n.valid), str(n.invalid), str(n.unchecked)] for what, n in counts]
    return _table(("", "Total", "Valid", "Invalid", "Not checked"), rows)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def _cell(text: str) -> str:
    """A text that stays text: nothing in it is markup, a mention, or the end of a cell."""
    return escape_markdown(escape_text(text, _LONGEST))
