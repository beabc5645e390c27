"""Every team of a fleet in numbers."""

from __future__ import annotations

from time import time
from typing import TYPE_CHECKING

from msgspec import Struct

from ....fleet.fleet_totals import FleetTotals, TeamTotals, add_teams, add_totals
from ....fleet.report_times import DAY, format_time
from ..routes import PageRoute

if TYPE_CHECKING:
    from ..fleet_site import FleetContext


class FleetTeamsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing to choose."""


class FleetTeamsRecord(Struct, frozen=True):
    """The teams that the login of the server sees, by name."""

    totals: FleetTotals
    teams: tuple[TeamTotals, ...]
    empty: tuple[str, ...]
    """Teams that have no repositories."""
    since: str
    """From when on something is new, in UTC."""


def load_teams(context: FleetContext, query: FleetTeamsQuery) -> FleetTeamsRecord:
    """Teams in numbers."""
    now = int(time())
    since = (now - DAY) // 60 * 60
    summaries, known = context.site.ask(lambda store: (store.overview.summarize(since), store.teams.list()))
    teams = add_teams(summaries, now)
    used = {one.team for one in teams}
    empty = tuple(one.name for one in known if one.name not in used)
    return FleetTeamsRecord(add_totals(summaries, now), teams, empty, format_time(since))


PAGES = (
    PageRoute(
        "fleet_teams",
        "/fleet/teams",
        "Every team in numbers",
        FleetTeamsQuery,
        FleetTeamsRecord,
        load_teams,
        "fleet_teams.html",
        title="Teams",
    ),
)
