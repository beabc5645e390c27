"""Web sources of a fleet: how many are in which state, and the quotes that no longer stand on their pages."""

from __future__ import annotations

from collections import Counter
from time import time
from typing import TYPE_CHECKING

from msgspec import Struct

from ....fleet.source_totals import SourceProblem, SourceTotals, count_sources, list_source_problems
from ..fleet_records import list_chosen
from ..routes import PageRoute, Refusal

if TYPE_CHECKING:
    from ....store.shared import SharedStore
    from ..fleet_site import FleetContext

_AGE = 60.0
"""Seconds for which numbers are kept: there may be a million sources."""
_MOST_PROBLEMS = 100


class FleetSourcesQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Of which team."""

    team: str = ""


class TeamSources(Struct, frozen=True):
    """The web sources of a team in numbers."""

    team: str
    totals: SourceTotals


class FleetSourcesRecord(Struct, frozen=True):
    """Web sources by team, and what is wrong with them."""

    sources: dict[str, int]
    """All of them by state."""
    teams: tuple[TeamSources, ...]
    problems: tuple[SourceProblem, ...]
    """Quotes that are missing, and pages that are gone; not more than a hundred."""
    is_cut: bool
    """Whether there are more."""
    chosen: dict[str, str]


def load_sources(context: FleetContext, query: FleetSourcesQuery) -> FleetSourcesRecord:
    """Web sources in numbers."""
    now, site = int(time()), context.site

    def load(store: SharedStore) -> FleetSourcesRecord | None:
        teams = [one for one in store.teams.list() if query.team in ("", one.name)]
        if query.team and not teams:
            return None
        counted = site.keep(
            ("sources", query.team),
            _AGE,
            lambda: tuple(TeamSources(one.name, count_sources(store, [one], now)) for one in teams),
        )
        problems = list_source_problems(store, teams, _MOST_PROBLEMS + 1)
        states = Counter[str]()
        for one in counted:
            states.update(one.totals.sources)
        some = tuple(one for one in counted if one.totals.sources)
        return FleetSourcesRecord(
            dict(sorted(states.items())),
            some,
            problems[:_MOST_PROBLEMS],
            len(problems) > _MOST_PROBLEMS,
            list_chosen(query),
        )

    found = site.ask(load)
    if not query.team:
        site.has_sources = found is not None and bool(found.sources)
    if found is None:
        raise Refusal(422, f"team {query.team!r}: there is none that the login of this server may see")
    return found


PAGES = (
    PageRoute(
        "fleet_sources",
        "/fleet/sources",
        "Web sources in numbers, and quotes that no longer stand there",
        FleetSourcesQuery,
        FleetSourcesRecord,
        load_sources,
        "fleet_sources.html",
        title="Sources",
    ),
)
