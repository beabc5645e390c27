"""Audits and validations as plain text: one block per document, then what is true of the corpus as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...safe.escape import escape_text
from ...text.lines import format_count
from .entries import MARKS, CitationTally, answers, entries, recommendations
from .validation import INVALID, VALID, WARNING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .audit import CorpusAudit, Counts
    from .paper_status import KeptQuote, PaperStatus
    from .validation import DetailedResult, ValidatedDocument

RULE = "=" * 80
TITLE = " " * 23 + "CITATION INTEGRITY AUDIT"
NOTHING = "No citations found: nothing was checked."
_LONGEST = 500
UNCHECKED = "–"
"""The mark of what could not be checked."""
_UNCHECKED_SHOWN = 20
_LISTED = 50
"""How many names a line lists at most."""


def document_text(document: ValidatedDocument, date: str, auditor: str) -> str:
    """The report on one document."""
    lines = [*_head(), f"Document: {_plain(document.document)}", f"Date: {date}", f"Auditor: {_plain(auditor)}", ""]
    if document.error:
        return "\n".join((*lines, f"NOT READ: {_plain(document.error)}", ""))
    lines += [*_summary(CitationTally().count(document.details)), "DETAILS:", ""]
    for entry in entries(document.details):
        lines.append(f"{entry.mark} {_plain(entry.citation)} - {entry.word}")
        lines += [f"  - {asked}: {_plain(answer)}" for asked, answer in entry.lines]
        lines.append("")
    if not document.details:
        lines += [NOTHING, ""]
    advice = [f"{number}. {_plain(text)}" for number, text in enumerate(recommendations(document.details), 1)]
    return "\n".join((*lines, "RECOMMENDATIONS:", *(advice or ["None."]), ""))


def audit_text(audit: CorpusAudit) -> str:
    """The report on all documents, the corpus, its pages and its quotes."""
    blocks = [document_text(document, audit.date, audit.auditor) for document in audit.documents]
    if not blocks:
        found = f"No citations found in {format_count(audit.looked_at, 'document')}: nothing was checked."
        head = [*_head(), f"Documents: {audit.looked_at:,}", f"Date: {audit.date}"]
        blocks = ["\n".join((*head, f"Auditor: {_plain(audit.auditor)}", "", found, ""))]
    elif len(blocks) > 1:
        blocks.append("\n".join((*_totals(audit), "")))
    blocks.append("\n".join((*_coverage_lines(audit), "")))
    blocks.append("\n".join((*_page_lines(audit), "")))
    blocks.append("\n".join(_quote_lines(audit)) + "\n")
    return "\n".join(blocks)


def _head() -> list[str]:
    return [RULE, TITLE, RULE, ""]


def _summary(tally: CitationTally) -> list[str]:
    return [
        "SUMMARY:",
        f"  Total Citations: {tally.total}",
        f"  Valid: {tally.valid}",
        f"  Warnings: {tally.warnings}",
        f"  Errors: {tally.errors}",
        "",
    ]


def _totals(audit: CorpusAudit) -> list[str]:
    """All documents together."""
    lines = [RULE, "", "ALL DOCUMENTS:", f"  Documents: {audit.looked_at} ({len(audit.documents)} with citations)"]
    lines += _summary(audit.tally)[1:]
    return lines[:-1]


def _coverage_lines(audit: CorpusAudit) -> list[str]:
    """Which papers are cited, which are not, and which are cited without being there."""
    coverage = audit.coverage
    lines = ["CORPUS COVERAGE:", f"  Papers in corpus: {len(coverage.papers)}"]
    # Rounded down, so that all is only said of all.
    share = f" ({100 * len(coverage.cited) // len(coverage.papers)}%)" if coverage.papers else ""
    lines.append(f"  Papers cited: {len(coverage.cited)}{share}")
    if coverage.never_cited:
        lines.append(f"  Never cited: {_format_names(coverage.never_cited)}")
    if coverage.entries:
        lines.append(f"  Bibliography entries cited: {len(coverage.entries_cited)} of {coverage.entries}")
    lines.append(f"  Cited and absent: {len(coverage.absent) or 'none'}")
    for absent in coverage.absent[:_LISTED]:
        where = f"{format_count(absent.citations, 'citation')} in {_format_names(absent.documents, 5)}"
        lines.append(f"  {MARKS[INVALID]} {_plain(absent.ref_id)} - {where}")
    if len(coverage.absent) > _LISTED:
        lines.append(f"  … and {len(coverage.absent) - _LISTED:,} more")
    lines += [f"  {MARKS[INVALID]} {_plain(name)} - {_plain(why)}" for name, why in audit.broken]
    return lines


def _page_lines(audit: CorpusAudit) -> list[str]:
    """Whether the cited pages exist, and whether the papers' own pages fit together."""
    known = sum(paper.known for paper in audit.papers)
    lines = ["PAGE VALIDATION:", *_counts("Citations with a page", audit.pages)]
    lines.append(f"  Papers with known pages: {known} of {len(audit.papers)}")
    for paper in audit.papers:
        wrong = {issue.message for issue in paper.issues if issue.severity == "error"}
        for text in paper_complaints(paper):
            lines.append(f"  {MARKS[INVALID if text in wrong else WARNING]} {paper.ref_id} - {_plain(text)}")
    return lines


def paper_complaints(paper: PaperStatus) -> Iterator[str]:
    """What does not fit together in a paper's own pages and sections."""
    yield from (issue.message for issue in paper.issues if issue.severity != "note")
    for section in paper.sections:
        if section.valid is False or section.overlaps:
            yield f"section {section.name} ({section.pages}): {section.note}"


def _quote_lines(audit: CorpusAudit) -> list[str]:
    """Whether quotes stand where they are said to stand."""
    lines = ["QUOTE VERIFICATION:", *_counts("Quotes beside citations", audit.quotes)]
    lines += _counts("Key quotes", audit.key_quotes)
    kept = [quote for paper in audit.papers for quote in paper.quotes]
    if kept:
        lines.append(f"  Key quotes marked as validated: {sum(quote.kept.validated for quote in kept)} of {len(kept)}")
    lines += [f"  {mark} {_plain(text)}" for mark, text in quote_complaints(audit)]
    if not audit.quotes.total and not kept:
        lines.append("  No quotes found: nothing was checked.")
    return lines


def quote_complaints(audit: CorpusAudit) -> list[tuple[str, str]]:
    """Every key quote that is wrong, and the first of those that were not checked, each with its mark."""
    found = [_complaint(quote) for paper in audit.papers for quote in paper.quotes]
    wrong = [one for one in found if one is not None and one[0] != UNCHECKED]
    unchecked = [one for one in found if one is not None and one[0] == UNCHECKED]
    if len(unchecked) > _UNCHECKED_SHOWN:
        rest = len(unchecked) - _UNCHECKED_SHOWN
        unchecked[_UNCHECKED_SHOWN:] = [(UNCHECKED, f"{format_count(rest, 'key quote')} more not checked")]
    return wrong + unchecked


def _complaint(quote: KeptQuote) -> tuple[str, str] | None:
    """What is wrong with a key quote, or why it was not checked; None where it holds."""
    said = dict(answers(quote.detail))
    result = quote.detail.result
    given = (said.get(asked, "") for asked in ("Page valid", "Section consistent", "Quote verified"))
    wrong = [answer for answer in given if answer == "No" or answer.startswith("No ")]
    if not wrong:
        unchecked = said.get("Quote verified", "")
        if not unchecked.startswith("Not checked"):
            return None
        wrong = [unchecked]
    mark = UNCHECKED if result.status == VALID else MARKS[result.status]
    reasons = "; ".join(answer.partition(" (")[2].removesuffix(")") or answer for answer in wrong)
    unsure = "not checked: " if wrong[0].startswith("Not checked") else ""
    return mark, f"{result.document}:{result.line} {result.citation} - {unsure}{reasons}"


def _counts(what: str, counts: Counts) -> list[str]:
    if not counts.total:
        return [f"  {what}: none"]
    parts = f"{counts.valid} valid, {counts.invalid} invalid, {counts.unchecked} not checked"
    return [f"  {what}: {counts.total} ({parts})"]


def _format_names(names: Iterable[str], most: int = _LISTED) -> str:
    known = list(names)
    text = ", ".join(_plain(name) for name in known[:most])
    return f"{text} and {len(known) - most:,} more" if len(known) > most else text


def paper_text(paper: PaperStatus, citations: Iterable[DetailedResult], looked_at: int) -> str:
    """The report on one paper."""
    lines = [f"{paper.ref_id}: {_plain(paper.title) or '(no title)'}", f"  File: {_plain(paper.path)}", "", "PAGES:"]
    lines.append(f"  Recorded: {_format_recorded_pages(paper)}")
    if paper.pdf_pages is None:
        lines.append(f"  PDF: not read ({_plain(paper.trouble)})")
    else:
        labels = f", labelled {_plain(paper.pdf_labels)}" if paper.pdf_labels else ""
        lines.append(f"  PDF: {_plain(paper.pdf)} ({format_count(paper.pdf_pages, 'page')}{labels})")
    for issue in paper.issues:
        mark = {"note": "•", "error": MARKS[INVALID]}.get(issue.severity, MARKS[WARNING])
        lines.append(f"  {mark} {_plain(issue.message)}")
    lines += ["", "SECTIONS:"]
    for section in paper.sections:
        mark = MARKS[INVALID] if section.valid is False else MARKS[WARNING] if section.overlaps else MARKS[VALID]
        mark = UNCHECKED if section.valid is None and mark == MARKS[VALID] else mark
        note = f" - {_plain(section.note)}" if section.note else ""
        lines.append(f"  {mark} {_plain(section.name)} ({_plain(section.pages) or '?'}){note}")
    if not paper.sections:
        lines.append("  None recorded.")
    lines += ["", "KEY QUOTES:"]
    for number, quote in enumerate(paper.quotes, 1):
        lines += _format_kept_quote(number, quote)
    if not paper.quotes:
        lines.append("  None recorded.")
    lines += ["", "CITATIONS:", *_format_citations(citations, looked_at)]
    return "\n".join((*lines, ""))


def _format_recorded_pages(paper: PaperStatus) -> str:
    parts = [f"total_pages {paper.total_pages}"] if paper.total_pages else []
    parts += [f"page_range {paper.page_range}"] if paper.page_range else []
    return ", ".join(parts) or "nothing"


def _format_kept_quote(number: int, quote: KeptQuote) -> Iterator[str]:
    said = [(asked, answer) for asked, answer in answers(quote.detail) if asked != "In corpus"]
    status = quote.detail.result.status
    verified = quote.detail.result.checks.quote_verified
    mark = UNCHECKED if status == VALID and not verified else MARKS[status]
    page = f" (p. {_plain(quote.kept.page)})" if quote.kept.page else ""
    yield f"  {mark} {number}. “{escape_text(' '.join(quote.kept.quote.split()), 100)}”{page}"
    yield from (f"    - {asked}: {_plain(answer)}" for asked, answer in said)
    if quote.kept.validated:
        by = " ".join(filter(None, (quote.kept.validator, quote.kept.validation_date)))
        yield f"    - Marked as validated{f': {_plain(by)}' if by else ''}"


def _format_citations(citations: Iterable[DetailedResult], looked_at: int) -> Iterator[str]:
    any_cited = False
    for detail in citations:
        any_cited = True
        result = detail.result
        said = dict(answers(detail))
        page = f" - page valid: {_plain(said['Page valid'])}" if "Page valid" in said else ""
        for asked in ("Section consistent", "Quote verified"):
            if not said.get(asked, "Yes").startswith("Yes"):
                page += f" - {asked.lower()}: {_plain(said[asked])}"
        place = f"{_plain(result.document)}:{result.line}:{result.column}"
        yield f"  {MARKS[result.status]} {place} {_plain(result.citation)}{page}"
    if not any_cited:
        yield f"  None in {format_count(looked_at, 'document')}."


def _plain(text: str) -> str:
    return escape_text(text, _LONGEST)
