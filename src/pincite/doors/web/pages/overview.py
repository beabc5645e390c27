"""The first page: every document in numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ..records import DocumentRow, Paging, cut_page
from ..routes import PageRoute

if TYPE_CHECKING:
    from ..routes import PageContext


class OverviewQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which documents are listed."""

    page: int = 1


class OverviewRecord(Struct, frozen=True):
    """The documents, and all citations in numbers."""

    documents: tuple[DocumentRow, ...]
    paging: Paging
    outcomes: dict[str, int]
    citations: int
    is_complete: bool
    """Whether every document was checked."""
    error: str
    """Why the last check failed; empty where it did not."""


def load_overview(context: PageContext, query: OverviewQuery) -> OverviewRecord:
    """The overview of a site."""
    keeper = context.site.keeper
    documents = keeper.current
    outcomes: dict[str, int] = {}
    for document in documents.documents:
        for outcome, count in document.outcomes.items():
            outcomes[outcome] = outcomes.get(outcome, 0) + count
    rows, paging = cut_page(documents.documents, query.page)
    total = sum(outcomes.values())
    return OverviewRecord(tuple(rows), paging, outcomes, total, documents.is_complete, keeper.error)


PAGES = (
    PageRoute(
        "overview",
        "/",
        "Every document in numbers",
        OverviewQuery,
        OverviewRecord,
        load_overview,
        "overview.html",
        title="Overview",
        depends=lambda site: (site.documents.version, site.keeper.error),
        json_path="/index.json",
    ),
)
