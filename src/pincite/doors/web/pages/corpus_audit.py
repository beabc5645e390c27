"""The audit of the corpus: every citation of a paper, its pages and quotes, in figures and as a list."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from msgspec import Struct

from ....domains.corpus.audit import audit, open_validator
from ....domains.corpus.entries import CitationTally, recommendations
from ....domains.corpus.report_html import list_charts
from ....domains.corpus.report_text import paper_complaints, quote_complaints
from ....engine.settings import merge_settings
from ....project.documents import find_documents
from ..records import Redirect
from ..routes import ActionRoute, PageRoute, Refusal

if TYPE_CHECKING:
    from collections.abc import Callable

    from ....domains.corpus.audit import CorpusAudit
    from ....domains.corpus.validation import ValidatedDocument
    from ..long_work import LongWork
    from ..routes import PageContext
    from ..site import Site

_KEPT = "corpus_audit"
_TITLE = "Audit of the corpus"
_AUDITOR = "pincite serve"
_MOST_LISTED = 200
"""Rows of each list of an audit; the report of the command line has all."""


class NoFields(Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing to choose."""


class ChartPiece(Struct, frozen=True):
    """A part of a chart."""

    kind: str
    """`valid`, `warning`, `invalid` or `unchecked`."""
    label: str
    count: int
    start: float
    """Where it begins, in thousandths of the width."""
    width: float


class AuditChart(Struct, frozen=True):
    """A bar, and the same figures in words."""

    name: str
    title: str
    total: int
    pieces: tuple[ChartPiece, ...]


class AuditedDocumentRow(Struct, frozen=True):
    """A document in figures."""

    document: str
    error: str
    citations: int
    valid: int
    warnings: int
    errors: int


class AuditNote(Struct, frozen=True):
    """Something that does not hold."""

    subject: str
    message: str


class CorpusAuditRecord(Struct, frozen=True):
    """What the last audit found."""

    made: str
    """When it was made, in UTC; empty where none was made since the server started."""
    looked_at: int
    charts: tuple[AuditChart, ...]
    documents: tuple[AuditedDocumentRow, ...]
    documents_total: int
    recommendations: tuple[str, ...]
    absent: tuple[AuditNote, ...]
    """Papers that are cited and not in the corpus."""
    never_cited: tuple[str, ...]
    complaints: tuple[AuditNote, ...]
    """Papers whose recorded pages and quotes do not fit their PDFs, or that cannot be read."""


_NONE = CorpusAuditRecord("", 0, (), (), 0, (), (), (), ())


def load_audit(context: PageContext, query: NoFields) -> CorpusAuditRecord:
    """The last audit; an export makes its own, as no button can."""
    if context.links.is_static:
        return make_audit(context.site, lambda done, total: None)
    kept: CorpusAuditRecord = context.site.kept.get(_KEPT, _NONE)
    return kept


def start_audit(context: PageContext, form: NoFields) -> Redirect:
    """Audit all documents; nothing is written."""
    site = context.site
    if any(one.title == _TITLE and one.state == "running" for one in site.works.list()):
        raise Refusal(409, "the corpus is being audited already; wait for it, or stop it")
    location = context.links.page("corpus_audit")

    def perform(work: LongWork) -> tuple[str, str]:
        made = site.kept[_KEPT] = make_audit(site, work.step)
        return f"{made.looked_at} documents audited", location

    return Redirect(context.links.page("work", id=site.works.start(_TITLE, perform).id))


def make_audit(site: Site, step: Callable[[int, int], None]) -> CorpusAuditRecord:
    """Audit all documents, as `pincite corpus audit` does."""
    now = datetime.now(UTC)
    with site.open() as project:
        config = merge_settings(project.config)
        validator = open_validator(project.root, config, project.git)
        try:
            keys = find_documents(project.root, project.git(), [], config.documents, config.exclude).documents
            found = audit(validator, keys, now.date().isoformat(), _AUDITOR, step=step)
        finally:
            validator.engine.close()
    return _describe(found, now.strftime("%Y-%m-%d %H:%M UTC"))


def _describe(found: CorpusAudit, made: str) -> CorpusAuditRecord:
    coverage = found.coverage
    absent = tuple(
        AuditNote(one.ref_id, f"{one.citations} in {', '.join(one.documents[:5])}") for one in coverage.absent
    )
    complaints = [
        *(AuditNote(*one) for one in found.broken),
        *(AuditNote(paper.ref_id, text) for paper in found.papers for text in paper_complaints(paper)),
        *(AuditNote("key quote", f"{mark} {text}") for mark, text in quote_complaints(found)),
    ]
    return CorpusAuditRecord(
        made,
        found.looked_at,
        tuple(_draw(*chart) for chart in list_charts(found)),
        tuple(_describe_document(one) for one in found.documents[:_MOST_LISTED]),
        len(found.documents),
        tuple(recommendations(found.details)[:_MOST_LISTED]),
        absent[:_MOST_LISTED],
        coverage.never_cited[:_MOST_LISTED],
        tuple(complaints[:_MOST_LISTED]),
    )


def _describe_document(one: ValidatedDocument) -> AuditedDocumentRow:
    tally = CitationTally().count(one.details)
    return AuditedDocumentRow(one.document, one.error, tally.total, tally.valid, tally.warnings, tally.errors)


def _draw(name: str, title: str, parts: tuple[tuple[str, str, int], ...]) -> AuditChart:
    """A bar of a thousand units."""
    total = sum(count for _, _, count in parts)
    pieces, at = [], 0.0
    for kind, label, count in parts:
        width = round(1000 * count / total, 2) if total else 0.0
        pieces.append(ChartPiece(kind, label, count, round(at, 2), width))
        at += width
    return AuditChart(name, title, total, tuple(pieces))


PAGES = (
    PageRoute(
        "corpus_audit",
        "/corpus/audit",
        "The last audit of the corpus",
        NoFields,
        CorpusAuditRecord,
        load_audit,
        "corpus_audit.html",
    ),
)
ACTIONS = (
    ActionRoute(
        "start_audit", "/corpus/audit", "Audit every citation of a paper", NoFields, Redirect, start_audit, writes=False
    ),
)
