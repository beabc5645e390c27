"""The fleet at a glance: totals, the worst repositories, what is new, teams, what could not be checked, the trend."""

from __future__ import annotations

from collections import Counter
from time import time
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from ....fleet.fleet_report import UncheckedRepository, make_failure
from ....fleet.fleet_totals import FleetTotals, TeamTotals, add_teams, add_totals
from ....fleet.report_times import DAY, format_time
from ..facets import Facet
from ..fleet_records import STATES, FleetRow, FleetTrend, list_chosen, load_whole_trend, make_facet, make_row
from ..records import Paging, cut_page
from ..routes import PageRoute

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ....store.shared import SharedStore
    from ..fleet_site import FleetContext

_SOURCES_AGE = 60.0
"""Seconds for which the numbers of web sources are kept: there may be a million."""
_MOST_FAILURES = 5
_SORTS: dict[str, Callable[[FleetRow], object]] = {
    "repository": lambda row: row.repository,
    "team": lambda row: row.team,
    "problems": lambda row: row.problems,
    "share": lambda row: row.share,
    "citations": lambda row: row.citations,
    "new": lambda row: row.appeared,
    "checked": lambda row: row.checked,
}


class FleetQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which repositories are listed, and in which order."""

    q: str = ""
    """Text in the name, or in why the last try failed; case does not count."""
    team: str = ""
    state: Literal["", "problems", "clean", "new", "failed", "stale", "never"] = ""
    sort: Literal["repository", "team", "problems", "share", "citations", "new", "checked"] = "problems"
    order: Literal["", "up", "down"] = ""
    """`down` for the largest first; without it, numbers and times go down, and names up."""
    page: int = 1


class FleetOverview(Struct, frozen=True):
    """All repositories in numbers, and those that are wanted, the worst first."""

    totals: FleetTotals
    since: str
    """From when on something is new, in UTC."""
    rows: tuple[FleetRow, ...]
    paging: Paging
    sort: str
    is_down: bool
    """Whether the largest come first."""
    facets: tuple[Facet, ...]
    teams: tuple[TeamTotals, ...]
    failures: tuple[UncheckedRepository, ...]
    """The first of the repositories that could not be checked; `state=failed` lists all."""
    trend: FleetTrend
    sources: dict[str, int]
    """Web sources by state."""
    chosen: dict[str, str]
    """The fields of the query that are set, but for the page."""


def load_fleet(context: FleetContext, query: FleetQuery) -> FleetOverview:
    """The overview of a fleet."""
    now = int(time())
    # To the minute: pages that are loaded one after the other say the same.
    since = (now - DAY) // 60 * 60
    site = context.site

    def load(store: SharedStore) -> FleetOverview:
        summaries = store.overview.summarize(since)
        rows = [make_row(one, now) for one in summaries]
        chosen, facets = _select(rows, query)
        is_down = query.order == "down" or (not query.order and query.sort not in ("repository", "team"))
        ordered = _sort(chosen, query.sort, is_down)
        listed, paging = cut_page(ordered, query.page)
        sources = site.keep("sources", _SOURCES_AGE, store.sources.count)
        site.has_sources = bool(sources)
        totals = add_totals(summaries, now)
        return FleetOverview(
            totals=totals,
            since=format_time(since),
            rows=tuple(listed),
            paging=paging,
            sort=query.sort,
            is_down=is_down,
            facets=facets,
            teams=add_teams(summaries, now),
            failures=tuple(map(make_failure, store.overview.list_failures()[:_MOST_FAILURES])),
            trend=load_whole_trend(site, store, totals),
            sources=sources,
            chosen=list_chosen(query),
        )

    return site.ask(load)


def _select(rows: Sequence[FleetRow], query: FleetQuery) -> tuple[list[FleetRow], tuple[Facet, ...]]:
    """The rows that are wanted, and the facets with the counts that another choice would give."""
    words = query.q.casefold()
    found = [row for row in rows if words in row.repository.casefold() or words in row.trouble.casefold()]
    of_team = [row for row in found if not query.team or row.team == query.team]
    of_state = [row for row in found if not query.state or query.state in row.states]
    facets = (
        make_facet("state", "State", Counter(state for row in of_team for state in row.states), query.state, STATES),
        make_facet("team", "Team", Counter(row.team for row in of_state), query.team),
    )
    return [row for row in of_team if not query.state or query.state in row.states], facets


def _sort(rows: list[FleetRow], name: str, is_down: bool) -> list[FleetRow]:
    """Rows by a column; where they are alike, by name whichever way the column goes."""
    by_name = sorted(rows, key=lambda row: (row.repository, row.team, row.id))
    return sorted(by_name, key=_SORTS[name], reverse=is_down)  # type: ignore[arg-type]


PAGES = (
    PageRoute(
        "fleet",
        "/fleet",
        "All repositories in numbers, the worst first",
        FleetQuery,
        FleetOverview,
        load_fleet,
        "fleet.html",
        title="Overview",
    ),
)
