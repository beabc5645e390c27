"""One citation beside its evidence; the document page shows the same in its margin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ..evidence import EvidenceView, load_evidence
from ..records import CitationRow
from ..routes import NotFound, PageRoute

if TYPE_CHECKING:
    from ..routes import PageContext


class CitationQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which citation."""

    id: str


class CitationRecord(Struct, frozen=True):
    """A citation and what stands behind it."""

    citation: CitationRow
    evidence: EvidenceView


def load_citation(context: PageContext, query: CitationQuery) -> CitationRecord:
    """The citation with an id."""
    row = context.site.documents.find(query.id)
    if row is None:
        raise NotFound("no such citation: its document changed, or it is gone")
    return CitationRecord(row, load_evidence(context.site, row))


PAGES = (
    PageRoute(
        "citation",
        "/c/{id}",
        "A citation beside its evidence",
        CitationQuery,
        CitationRecord,
        load_citation,
        "citation.html",
        depends=None,
    ),
)
