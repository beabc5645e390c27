"""Audits and validations as JSON. Names are stable; `null` means that something was not or could not be checked.

A validation is an array of results: `ref_id`, `status`, `checks` and `issues`, then `citation`, `document`, `line` and
`column`. An audit is an object: `version`, `date` and `auditor`; `documents`, each with its counts and why it could not
be read; their `summary`; `coverage` (papers cited, never cited, cited and absent); `pages` and `quotes`, each with the
counts of citations and what was found about the papers themselves; `recommendations`; and the `results` of all
citations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import asdict

from ...safe.escape import json_text
from .entries import CitationTally, recommendations

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .audit import CorpusAudit, Counts
    from .paper_status import KeptQuote, PaperStatus
    from .validation import CitationResult, DetailedResult, ValidatedDocument


def results_json(documents: Iterable[ValidatedDocument]) -> str:
    """The results of all citations as one array; `[]` where there is none."""
    rows = [result for document in documents for result in document.results]
    return to_json(rows)


def audit_json(audit: CorpusAudit) -> str:
    """The whole audit as one object."""
    return to_json(
        {
            "version": 1,
            "date": audit.date,
            "auditor": audit.auditor,
            "documents": [
                {
                    "document": document.document,
                    **asdict(CitationTally().count(document.details)),
                    "error": document.error or None,
                }
                for document in audit.documents
            ],
            "summary": {
                "documents": audit.looked_at,
                "with_citations": sum(bool(document.details) for document in audit.documents),
                "unreadable": sum(bool(document.error) for document in audit.documents),
                **asdict(audit.tally),
            },
            "coverage": _coverage(audit),
            "pages": {
                "citations": _counts(audit.pages),
                "papers": [_paper_pages(paper) for paper in audit.papers],
                "unreadable": [{"ref_id": name, "reason": why} for name, why in audit.broken],
            },
            "quotes": {
                "citations": _counts(audit.quotes),
                "key_quotes": _counts(audit.key_quotes),
                "details": [_quote(paper, quote) for paper in audit.papers for quote in paper.quotes],
            },
            "recommendations": recommendations(audit.details),
            "results": [detail.result for detail in audit.details],
        }
    )


def paper_json(paper: PaperStatus, citations: Iterable[DetailedResult], looked_at: int, marked: Iterable[int]) -> str:
    """The report on one paper as one object."""
    return to_json(
        {
            "version": 1,
            **_paper_pages(paper),
            "key_quotes": [_quote(paper, quote) for quote in paper.quotes],
            "marked": [index + 1 for index in marked],
            "documents": looked_at,
            "citations": [detail.result for detail in citations],
        }
    )


def to_json(data: object, indent: int = 2) -> str:
    """JSON with an end of line; nothing invisible is left in it, lone surrogates are spelt out."""
    return json_text(data, indent) + "\n"


def _coverage(audit: CorpusAudit) -> dict[str, Any]:
    coverage = audit.coverage
    return {
        "papers": len(coverage.papers),
        "cited": coverage.cited,
        "never_cited": coverage.never_cited,
        "absent": coverage.absent,
        "bibliography_entries": coverage.entries,
        "bibliography_cited": coverage.entries_cited,
    }


def _counts(counts: Counts) -> dict[str, int]:
    return {"total": counts.total, **asdict(counts)}


def _paper_pages(paper: PaperStatus) -> dict[str, Any]:
    return {
        "ref_id": paper.ref_id,
        "file": paper.path,
        "title": paper.title,
        "total_pages": paper.total_pages,
        "page_range": paper.page_range or None,
        "pdf": paper.pdf or None,
        "pdf_pages": paper.pdf_pages,
        "pdf_labels": paper.pdf_labels or None,
        "pdf_trouble": paper.trouble or None,
        "issues": paper.issues,
        "sections": paper.sections,
    }


def _quote(paper: PaperStatus, quote: KeptQuote) -> dict[str, Any]:
    result: CitationResult = quote.detail.result
    answer = quote.detail.answer
    edits = answer.look.edits if answer is not None and answer.look is not None else ()
    return {
        "ref_id": paper.ref_id,
        "quote": quote.kept.quote,
        "page": quote.kept.page or None,
        "section": quote.kept.section or None,
        "validated": quote.kept.validated,
        "validation_date": quote.kept.validation_date or None,
        "validator": quote.kept.validator or None,
        "status": result.status,
        "checks": result.checks,
        "issues": result.issues,
        "kind": (answer.quote_kind if answer is not None else "") or None,
        "right_pages": [page for page in answer.right_pages if page] if answer is not None else [],
        "edits": edits,
        "line": result.line,
    }
