"""Web sources of a fleet: how many are in which state, the quotes that no longer stand on their pages, and a list."""

from __future__ import annotations

from collections import Counter
from time import time
from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta, Struct

from ....fleet.source_history import SourceState, make_state
from ....fleet.source_totals import SourceProblem, SourceTotals, count_sources, list_source_problems
from ....store.shared.source_overview import SourceFilter
from ..facets import Facet
from ..fleet_records import MOST_PAGES, list_chosen, make_facet
from ..records import PER_PAGE, Paging, make_paging
from ..routes import PageRoute, Refusal

if TYPE_CHECKING:
    from ....store.shared import SharedStore
    from ....store.shared.records import Team
    from ..fleet_site import FleetContext, FleetSite

_AGE = 60.0
"""Seconds for which numbers are kept: there may be a million sources."""
_MOST_PROBLEMS = 100
_STATES = ("gone", "unchecked", "changed", "new", "same")


class FleetSourcesQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which sources are listed."""

    team: str = ""
    q: str = ""
    """Text in the address; case does not count."""
    host: str = ""
    state: Literal["", "gone", "unchecked", "changed", "new", "same"] = ""
    page: Annotated[int, Meta(ge=1, le=MOST_PAGES)] = 1


class TeamSources(Struct, frozen=True):
    """The web sources of a team in numbers."""

    team: str
    totals: SourceTotals


class FleetSourcesRecord(Struct, frozen=True):
    """Web sources by team, what is wrong with them, and those that are wanted."""

    sources: dict[str, int]
    """All of them by state."""
    teams: tuple[TeamSources, ...]
    problems: tuple[SourceProblem, ...]
    """Quotes that are missing, and pages that are gone; not more than a hundred."""
    is_cut: bool
    """Whether there are more."""
    rows: tuple[SourceState, ...]
    """In the order in which they came."""
    paging: Paging
    facets: tuple[Facet, ...]
    chosen: dict[str, str]


def load_sources(context: FleetContext, query: FleetSourcesQuery) -> FleetSourcesRecord:
    """Web sources in numbers, and some of them."""
    site = context.site

    def load(store: SharedStore) -> FleetSourcesRecord | None:
        teams = [one for one in store.teams.list() if query.team in ("", one.name)]
        return None if query.team and not teams else _load(site, store, teams, query)

    found = site.ask(load)
    if found is None:
        raise Refusal(422, f"team {query.team!r}: there is none that the login of this server may see")
    if not query.team:
        site.has_sources = bool(found.sources)
    return found


def _load(site: FleetSite, store: SharedStore, teams: list[Team], query: FleetSourcesQuery) -> FleetSourcesRecord:
    now, overview = int(time()), store.sources.overview
    counted = site.keep(
        ("sources", query.team),
        _AGE,
        lambda: tuple(TeamSources(one.name, count_sources(store, [one], now)) for one in teams),
    )
    problems = list_source_problems(store, teams, _MOST_PROBLEMS + 1)
    states = Counter[str]()
    for one in counted:
        states.update(one.totals.sources)
    counts = site.keep(("found sources", query.q), _AGE, lambda: overview.count_sources(query.q))
    paging = make_paging(query.page, sum(_count_by(counts, query, "").values()))
    wanted = SourceFilter(query.team, query.host, query.state, query.q)
    return FleetSourcesRecord(
        sources=dict(sorted(states.items())),
        teams=tuple(one for one in counted if one.totals.sources),
        problems=problems[:_MOST_PROBLEMS],
        is_cut=len(problems) > _MOST_PROBLEMS,
        rows=tuple(map(make_state, overview.list_sources(wanted, PER_PAGE, paging.start))),
        paging=paging,
        facets=(
            make_facet("state", "State", _count_by(counts, query, "state"), query.state, {one: one for one in _STATES}),
            make_facet("host", "Host", _count_by(counts, query, "host"), query.host),
            make_facet("team", "Team", _count_by(counts, query, "team"), query.team),
        ),
        chosen=list_chosen(query),
    )


def _count_by(counts: dict[tuple[str, str, str], int], query: FleetSourcesQuery, name: str) -> Counter[str]:
    """How many sources have each value of a column, whatever is chosen for that column itself."""
    found = Counter[str]()
    for (team, host, state), number in counts.items():
        values = {"team": team, "host": host, "state": state}
        if all(getattr(query, key) in ("", value) for key, value in values.items() if key != name):
            found[values.get(name, "")] += number
    return found


PAGES = (
    PageRoute(
        "fleet_sources",
        "/fleet/sources",
        "Web sources in numbers, quotes that no longer stand there, and a list",
        FleetSourcesQuery,
        FleetSourcesRecord,
        load_sources,
        "fleet_sources.html",
        title="Sources",
    ),
)
