"""What the pages of a fleet are made of: the nouns that more than one of them uses."""

from __future__ import annotations

from collections import Counter
from time import time
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from ...fleet.fleet_totals import OUTCOMES, TREND_DAYS, TrendDay, is_stale, make_trend, order_outcomes, share_of
from ...fleet.report_times import DAY, format_time
from ...text.trend_plot import draw_trend, format_day
from .facets import Facet, FacetValue

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ...fleet.fleet_totals import FleetTotals
    from ...store.shared import SharedStore
    from ...store.shared.records import RepositorySummary
    from ...text.trend_plot import TrendPlot
    from .fleet_site import FleetSite

STATES = {
    "problems": "Has problems",
    "clean": "No problems",
    "new": "New problems",
    "failed": "Could not be checked",
    "stale": "Not checked lately",
    "never": "Never checked",
}
"""The states of a repository by the value of the query, with what pages call them; a repository may have several."""
PROBLEMS = tuple(label for label in OUTCOMES if label not in ("holds", "unchecked"))
"""The outcomes that are problems, the gravest first."""
MOST_PAGES = 1_000_000
"""The highest number of a page that is looked at."""
_TREND_AGE = 3600.0
"""Seconds for which a trend is kept: only its last day changes, and that is what stands now."""


class FleetRow(Struct, frozen=True):
    """One repository in numbers."""

    id: int
    repository: str
    team: str
    citations: int
    documents: int
    problems: int
    share: float
    """Problems among citations, from 0 to 1."""
    appeared: int
    """Problems that came within the last 24 hours, or since the time that was asked for."""
    checked: str
    """When, in UTC; empty where it never was."""
    commit: str
    outcomes: dict[str, int]
    """The gravest first."""
    worst: str
    """The gravest outcome; `unreadable` where it was never checked."""
    states: tuple[str, ...]
    trouble: str
    """Why the last try failed; empty where it did not."""


class _DayPoint(NamedTuple):
    time: int
    commit: str
    outcomes: dict[str, int]


class FleetTrend(Struct, frozen=True):
    """What stood at the end of each of the last days, the oldest first."""

    days: tuple[TrendDay, ...]
    times: tuple[int, ...]
    """The days in seconds since 1970."""

    @property
    def plot(self) -> TrendPlot | None:
        """The days as a drawing."""
        points = [_DayPoint(time, "", one.outcomes) for time, one in zip(self.times, self.days, strict=True)]
        return draw_trend(points, OUTCOMES, format_day)

    @property
    def labels(self) -> list[str]:
        """The outcomes that occur, the gravest first."""
        return [label for label in OUTCOMES if any(one.outcomes.get(label) for one in self.days)]


def make_row(one: RepositorySummary, now: int) -> FleetRow:
    """A repository as pages show it."""
    outcomes = order_outcomes(one.outcomes)
    return FleetRow(
        id=one.id,
        repository=one.name,
        team=one.team,
        citations=one.citations,
        documents=one.documents,
        problems=one.problems,
        share=round(share_of(one), 4),
        appeared=one.appeared,
        checked=format_time(one.checked),
        commit=one.commit,
        outcomes=outcomes,
        worst=next(iter(outcomes), "holds") if one.checked else "unreadable",
        states=tuple(_list_states(one, now)),
        trouble=one.trouble,
    )


def _list_states(one: RepositorySummary, now: int) -> Iterable[str]:
    if not one.checked:
        yield "never"
    else:
        yield "problems" if one.problems else "clean"
    if one.appeared:
        yield "new"
    if one.trouble:
        yield "failed"
    if is_stale(one, now):
        yield "stale"


def load_trend(store: SharedStore, repository: int) -> FleetTrend:
    """The trend of one repository."""
    return _make_trend(store.overview.trend(TREND_DAYS, int(time()), repository=repository))


def load_whole_trend(site: FleetSite, store: SharedStore, totals: FleetTotals) -> FleetTrend:
    """The trend of all repositories that the login sees, up to what stands now."""
    now = int(time())
    days = site.keep(("trend", now // DAY), _TREND_AGE, lambda: store.overview.trend(TREND_DAYS, now))
    if not totals.citations:
        return _make_trend(days)
    today = now // DAY * DAY
    return _make_trend([*(one for one in days if one[0] != today), (today, totals.outcomes)])


def _make_trend(days: list[tuple[int, dict[str, int]]]) -> FleetTrend:
    return FleetTrend(make_trend(days), tuple(day for day, _ in days))


def make_facet(
    name: str, title: str, counts: Counter[str], chosen: str, labels: Mapping[str, str] | None = None
) -> Facet:
    """A facet; the values of one that has labels are in the order of these, others the most frequent first."""
    known = labels or {}
    order = [value for value in known if counts[value]] or sorted(counts, key=lambda value: (-counts[value], value))
    if chosen and chosen not in order:
        order.append(chosen)
    values = tuple(FacetValue(value, known.get(value, value), counts[value], value == chosen) for value in order[:100])
    return Facet(name, title, values, max(0, len(order) - 100))


def list_chosen(query: Struct, but: Iterable[str] = ("page",)) -> dict[str, str]:
    """The fields of a query that are set; links to other parts of a list have them, too."""
    defaults = type(query).__struct_defaults__
    names = type(query).__struct_fields__
    start = len(names) - len(defaults)
    found = {}
    for at, name in enumerate(names):
        value = getattr(query, name)
        if name not in but and (at < start or value != defaults[at - start]):
            found[name] = str(value)
    return found
