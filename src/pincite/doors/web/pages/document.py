"""A document as a reader sees it, each citation marked by its verdict, its evidence beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ..evidence import EvidenceView, load_evidence
from ..records import CitationRow
from ..routes import NotFound, PageRoute

if TYPE_CHECKING:
    from ..routes import PageContext


class DocumentQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which document, and which of its citations is open."""

    document: str
    c: str = ""
    """The id of the citation whose evidence is shown."""


class DocumentView(Struct, frozen=True):
    """A document and its citations."""

    document: str
    citations: tuple[CitationRow, ...]
    open: CitationRow | None
    evidence: EvidenceView | None


def load_document(context: PageContext, query: DocumentQuery) -> DocumentView:
    """A document with the evidence of one citation."""
    documents = context.site.documents
    rows = documents.rows(query.document)
    if documents.report(query.document) is None:
        raise NotFound(f"{query.document}: no such document, or it cites nothing")
    chosen = next((row for row in rows if row.id == query.c), None)
    evidence = load_evidence(context.site, chosen) if chosen is not None else None
    return DocumentView(query.document, rows, chosen, evidence)


PAGES = (
    PageRoute(
        "document",
        "/d/{document:path}",
        "A document and its citations",
        DocumentQuery,
        DocumentView,
        load_document,
        "document.html",
        depends=lambda site: site.documents.version,
    ),
)
