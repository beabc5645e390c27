"""The history of one citation: when it held, when it moved or went missing, by which commit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta, Struct

from ....fleet.report_times import format_time
from ....store.shared.overview import label_of
from ..routes import NotFound, PageRoute

if TYPE_CHECKING:
    from ....store.shared import SharedStore
    from ....store.shared.records import StoredVerdict
    from ..fleet_site import FleetContext

_LARGEST = 2**63
"""Citations have numbers of 64 bits, with a sign."""


class FleetCitationQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which citation."""

    repository: Annotated[int, Meta(ge=1, le=2**31 - 1)]
    citation: Annotated[str, Meta(pattern="^-?[0-9]{1,19}$")]
    """Its number in the repository."""


class CitationSpan(Struct, frozen=True):
    """What was true of a citation for some time."""

    outcome: str
    finding: str
    """The check that decided; empty where the citation held."""
    message: str
    document: str
    line: int
    since: str
    """When it was found, in UTC."""
    since_commit: str
    until: str
    """When it was found to be otherwise; empty while it stands."""
    until_commit: str


class FleetCitationRecord(Struct, frozen=True):
    """One citation over time."""

    repository: int
    name: str
    """Of the repository."""
    citation: str
    written: str
    """The citation as it is written."""
    is_there: bool
    """Whether the document still has it."""
    spans: tuple[CitationSpan, ...]
    """The newest first."""


def load_citation(context: FleetContext, query: FleetCitationQuery) -> FleetCitationRecord:
    """The history of one citation."""
    number = int(query.citation)
    if not -_LARGEST <= number < _LARGEST:
        raise NotFound(f"citation {number}: no citation has this number")

    def load(store: SharedStore) -> FleetCitationRecord | None:
        stored = store.verdicts.find_repository(query.repository)
        found = store.overview.history(query.repository, number)
        if stored is None or not found:
            return None
        spans = tuple(_make_span(one) for one in reversed(found))
        return FleetCitationRecord(stored.id, stored.name, str(number), found[-1].written, not found[-1].until, spans)

    record = context.site.ask(load)
    if record is None:
        raise NotFound(f"citation {number} of repository {query.repository}: the store knows none")
    return record


def _make_span(one: StoredVerdict) -> CitationSpan:
    return CitationSpan(
        *(label_of(one.outcome), one.finding, one.message, one.document, one.line),
        *(format_time(one.since), one.since_commit, format_time(one.until), one.until_commit),
    )


PAGES = (
    PageRoute(
        "fleet_citation",
        "/fleet/c/{repository}/{citation}",
        "The history of one citation",
        FleetCitationQuery,
        FleetCitationRecord,
        load_citation,
        "fleet_citation.html",
    ),
)
