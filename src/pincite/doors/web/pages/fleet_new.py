"""What is new in a fleet: problems that came since a time and still stand, with the command that shows them."""

from __future__ import annotations

from time import time
from typing import TYPE_CHECKING

from msgspec import Struct

from ....fleet.new_problems import MOST_NEW, NewProblems, group_appeared
from ....fleet.report_times import format_time, parse_since
from ..fleet_records import list_chosen
from ..records import Paging, cut_page
from ..routes import PageRoute, Refusal

if TYPE_CHECKING:
    from ....store.shared import SharedStore
    from ..fleet_site import FleetContext


class FleetNewQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Since when, and of which team."""

    since: str = "1d"
    """`1d`, `12h`, a day or a time in UTC."""
    team: str = ""
    page: int = 1


class FleetNewRecord(Struct, frozen=True):
    """New problems by repository, the newest repositories first."""

    since: str
    """In UTC."""
    repositories: tuple[NewProblems, ...]
    paging: Paging
    """Of problems, not of repositories."""
    is_cut: bool
    """Whether there are more than are listed."""
    teams: tuple[str, ...]
    """The teams that this login sees."""
    chosen: dict[str, str]


def load_new(context: FleetContext, query: FleetNewQuery) -> FleetNewRecord:
    """What came since a time."""
    since = parse_since(query.since, int(time()))

    def load(store: SharedStore) -> FleetNewRecord | None:
        teams = store.teams.list()
        team = next((one for one in teams if one.name == query.team), None)
        if query.team and team is None:
            return None
        listed = store.overview.list_appeared(since, team, MOST_NEW + 1)
        shown, paging = cut_page(listed[:MOST_NEW], query.page)
        groups = group_appeared(store, store.overview.summarize(0, team), shown) if shown else ()
        names = tuple(one.name for one in teams)
        return FleetNewRecord(format_time(since), groups, paging, len(listed) > MOST_NEW, names, list_chosen(query))

    found = context.site.ask(load)
    if found is None:
        raise Refusal(422, f"team {query.team!r}: there is none that the login of this server may see")
    return found


PAGES = (
    PageRoute(
        "fleet_new",
        "/fleet/new",
        "Problems that came since a time and still stand",
        FleetNewQuery,
        FleetNewRecord,
        load_new,
        "fleet_new.html",
        title="New",
    ),
)
