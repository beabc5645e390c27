"""One web source of a fleet: its state, who cites it and whether the quotes stand, its changes and its snapshots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta, Struct

from ....fleet.source_history import SourceHistory, load_history
from ..fleet_records import MOST_PAGES
from ..records import PER_PAGE, Paging, make_paging
from ..routes import NotFound, PageRoute

if TYPE_CHECKING:
    from ....store.shared import SharedStore
    from ..fleet_site import FleetContext


class FleetSourceQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which source, and which part of the places that cite it."""

    id: Annotated[int, Meta(ge=1, le=2**53 - 1)]
    page: Annotated[int, Meta(ge=1, le=MOST_PAGES)] = 1


class FleetSourceRecord(Struct, frozen=True):
    """One web source over time."""

    history: SourceHistory
    paging: Paging
    """Of the places that cite it."""


def load_source(context: FleetContext, query: FleetSourceQuery) -> FleetSourceRecord:
    """One web source."""
    found = context.site.ask(lambda store: _load(store, query))
    if found is None:
        raise NotFound(f"web source {query.id}: there is none that the login of this server may see")
    return found


def _load(store: SharedStore, query: FleetSourceQuery) -> FleetSourceRecord | None:
    overview = store.sources.overview
    found = overview.find(query.id)
    if found is None:
        return None
    paging = make_paging(query.page, sum(overview.count_quotes(query.id).values()))
    return FleetSourceRecord(load_history(store, found, PER_PAGE, paging.start), paging)


PAGES = (
    PageRoute(
        "fleet_source",
        "/fleet/s/{id}",
        "One web source: its state, the quotes from it, its changes and its snapshots",
        FleetSourceQuery,
        FleetSourceRecord,
        load_source,
        "fleet_source.html",
    ),
)
