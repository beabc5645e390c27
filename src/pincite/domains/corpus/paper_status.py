"""One paper, held against its own PDF: pages, sections and the quotes that its file keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ...papers.printed_pages import declared_labels, describe, page_known
from ...papers.ranges import parse_ranges
from ...text.lines import format_count
from .validation import INVALID, WARNING, Issue

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...papers.evidence import PaperEvidence
    from ...papers.model import KeyQuote, Paper, PdfText
    from ...papers.ranges import PageRange
    from .validation import DetailedResult, Validator

_OVERLAPS = "overlaps"
_MOST = 200
"""Most complaints about the sections of one paper."""


class SectionStatus(Struct, frozen=True):
    """A declared section, and whether its pages are pages of the paper."""

    name: str
    pages: str
    valid: bool | None
    note: str = ""
    """Why not, why that is not known, or which section it overlaps."""

    @property
    def overlaps(self) -> bool:
        """Whether it begins inside another section and ends behind it."""
        return self.note.startswith(_OVERLAPS)


class KeptQuote(Struct, frozen=True):
    """A quote that the corpus file keeps, and what was found about it."""

    kept: KeyQuote
    detail: DetailedResult
    seen: bool
    """Whether it was found, word for word, on its page of the PDF: only then may it be marked as validated."""


class PaperStatus(Struct, frozen=True):
    """All that can be said about the pages and quotes of one paper."""

    ref_id: str
    path: str
    title: str
    total_pages: int | None
    page_range: str
    pdf: str
    """The key of the PDF; empty where there is none."""
    pdf_pages: int | None
    pdf_labels: str
    """What its pages are called, where that is not just counting."""
    trouble: str
    """Why there is no text to look into; empty where there is."""
    issues: tuple[Issue, ...]
    sections: tuple[SectionStatus, ...]
    quotes: tuple[KeptQuote, ...]

    @property
    def known(self) -> bool:
        """Whether anything says which pages there are."""
        return bool(self.page_range or self.total_pages or self.pdf_pages)

    @property
    def severity(self) -> int:
        """2 where a quote is wrong or a field means nothing, 1 where something else is odd, else 0."""
        statuses = {quote.detail.result.status for quote in self.quotes}
        if INVALID in statuses or any(issue.severity == "error" for issue in self.issues):
            return 2
        odd = any(section.valid is False or section.overlaps for section in self.sections)
        return int(WARNING in statuses or odd or any(issue.severity == "warning" for issue in self.issues))


def paper_status(validator: Validator, evidence: PaperEvidence) -> PaperStatus:
    """Hold what a corpus file says against the paper's PDF, and both against themselves."""
    paper, corpus = evidence.paper, validator.corpus
    pdf = corpus.pdf(paper)
    trouble = corpus.trouble(paper)
    labels = declared_labels(pdf) if pdf is not None else ()
    quotes = tuple(
        KeptQuote(kept, detail, pdf is not None and _is_seen_on_page(kept, detail))
        for kept, detail in zip(paper.key_quotes, validator.key_quotes(evidence), strict=True)
    )
    return PaperStatus(
        paper.id,
        paper.path,
        paper.title,
        paper.total_pages,
        paper.page_range,
        corpus.pdf_key(paper),
        len(pdf.pages) if pdf is not None else None,
        describe(labels) if labels else "",
        trouble,
        tuple(_find_page_issues(paper, pdf)),
        tuple(_sections(paper, pdf)),
        quotes,
    )


def _is_seen_on_page(kept: KeyQuote, detail: DetailedResult) -> bool:
    checks = detail.result.checks
    answer = detail.answer
    return bool(
        kept.page
        and answer is not None
        and answer.quote_kind == "verbatim"
        and checks.quote_verified
        and checks.page_valid is not False
    )


def _find_page_issues(paper: Paper, pdf: PdfText | None) -> Iterator[Issue]:
    """What does not fit together: the recorded pages, and those of the PDF."""
    for problem in paper.problems:
        yield Issue("error", f"line {problem.line}: {problem.message}", "Correct the file")
    ranges = parse_ranges(paper.page_range) if paper.page_range else ()
    spanned = sum(part.size for part in ranges)
    total = paper.total_pages
    if ranges and total and spanned != total:
        message = f"page_range {paper.page_range} spans {format_count(spanned, 'page')}, total_pages is {total}"
        yield Issue("warning", message, "Correct one of them")
    if not ranges and not total:
        yield Issue("note", "neither total_pages nor page_range is recorded", "Record total_pages or page_range")
    if pdf is None or not pdf.pages:
        return
    there = len(pdf.pages)
    if total and total != there:
        yield Issue(
            "warning", f"total_pages is {total}, the PDF has {format_count(there, 'page')}", "Correct total_pages"
        )
    elif ranges and not total and spanned > there:
        message = f"page_range {paper.page_range} spans {format_count(spanned, 'page')}, the PDF has only {there:,}"
        yield Issue("warning", message, "Correct page_range, or get the whole PDF")


def _sections(paper: Paper, pdf: PdfText | None) -> Iterator[SectionStatus]:
    """Each section: inside the pages, and not half inside another."""
    overlaps = _find_overlaps(paper)
    for at, section in enumerate(paper.sections):
        if not section.pages:
            yield SectionStatus(section.name, "", None, "no pages recorded")
            continue
        valid, held = page_known(paper, pdf, section.pages)
        note = held if valid is False else overlaps.get(at, "")
        if valid is None and not note:
            note = f"nothing says which pages {paper.id} has"
        yield SectionStatus(section.name, section.pages, valid, note)


def _find_overlaps(paper: Paper) -> dict[int, str]:
    """Sections that begin inside another and end behind it. One page may end a section and begin the next."""
    spans: list[tuple[str, int, int, int]] = []
    for at, section in enumerate(paper.sections):
        parts: tuple[PageRange, ...] = parse_ranges(section.pages) if section.pages else ()
        spans += [(part.series, part.first, -part.last, at) for part in parts]
    found: dict[int, str] = {}
    open_: list[tuple[str, int, int]] = []
    """Series, last page and number of the sections that hold the place looked at, the innermost at the end."""
    for series, first, negated, at in sorted(spans):
        last = -negated
        while open_ and (open_[-1][0] != series or open_[-1][1] <= first):
            open_.pop()
        if open_ and last > open_[-1][1] and open_[-1][2] != at and len(found) < _MOST:
            other = paper.sections[open_[-1][2]]
            found[at] = f"{_OVERLAPS} {other.name} ({other.pages})"
        open_.append((series, last, at))
    return found
