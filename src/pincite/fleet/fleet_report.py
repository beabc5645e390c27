"""All repositories of a store in one report: totals, the worst, what is new, by team, what could not be checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from .._version import __version__
from .fleet_totals import (
    TREND_DAYS,
    FleetTotals,
    TeamTotals,
    TrendDay,
    add_teams,
    add_totals,
    is_stale,
    make_trend,
    share_of,
)
from .new_problems import MOST_NEW, NewProblems, group_appeared
from .report_times import format_time
from .source_totals import SourceProblem, SourceTotals, count_sources, list_source_problems

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..store.shared import SharedStore
    from ..store.shared.overview import StoredFailure
    from ..store.shared.records import RepositorySummary, Team

SCHEMA = "pincite.fleet-report/1"
LEAST_FOR_SHARE = 20
"""Citations from which on the share of problems says something of a repository."""


class RankedRepository(Struct, frozen=True):
    """A repository among the worst."""

    id: int
    repository: str
    team: str
    citations: int
    problems: int
    share: float
    """Problems among citations, from 0 to 1."""
    appeared: int
    """Problems that came since the time that was asked for."""
    checked: str
    """When, in UTC."""


class UncheckedRepository(Struct, frozen=True):
    """A repository that could not be checked."""

    id: int
    repository: str
    team: str
    failed: str
    """When the last try was, in UTC."""
    tries: int
    trouble: str


class StaleRepository(Struct, frozen=True):
    """A repository that was not checked lately."""

    id: int
    repository: str
    team: str
    checked: str
    """When it was checked last, in UTC; empty where it never was."""


class FleetReport(Struct, frozen=True):
    """Everything that a report says."""

    schema: str
    version: str
    """The version of pincite that wrote the report."""
    made: str
    """When it was written, in UTC."""
    since: str
    """From when on something is new, in UTC."""
    team: str
    """The team that was asked for; empty where all were."""
    seen_teams: tuple[str, ...]
    """The teams that the report is about, by name: of those that were asked for, all that the login sees."""
    sees_all: bool
    """Whether the login sees every team of the store."""
    totals: FleetTotals
    """All repositories that the report is about."""
    worst: tuple[RankedRepository, ...]
    """The repositories with most problems, those with most first."""
    worst_by_share: tuple[RankedRepository, ...]
    """The same by share of problems, among those with 20 citations or more."""
    appeared: tuple[NewProblems, ...]
    """New problems that still stand, the newest repositories first."""
    appeared_left_out: bool
    """Whether there are more of them than are listed."""
    teams: tuple[TeamTotals, ...]
    """Every team that has repositories, by name."""
    failures: tuple[UncheckedRepository, ...]
    """Repositories that could not be checked, by name."""
    stale: tuple[StaleRepository, ...]
    """The longest unchecked first; those that never were checked before them."""
    trend: tuple[TrendDay, ...]
    """The last 30 days, the oldest first."""
    sources: SourceTotals
    """Web sources that citations lead to."""
    source_problems: tuple[SourceProblem, ...]
    """Some of the quotes that are missing, or whose pages are gone."""


def make_report(store: SharedStore, now: int, since: int, team: Team | None = None, worst: int = 10) -> FleetReport:
    """The report on a store, or on one team of it."""
    summaries = store.overview.summarize(since, team)
    listed = store.overview.list_appeared(since, team, MOST_NEW + 1)
    ranked = rank_by_problems(summaries)[:worst]
    by_share = rank_by_share(summaries)[:worst]
    teams = [team] if team is not None else store.teams.list()
    return FleetReport(
        schema=SCHEMA,
        version=__version__,
        made=format_time(now),
        since=format_time(since),
        team=team.name if team is not None else "",
        seen_teams=tuple(one.name for one in teams),
        sees_all=store.backend.sees_everything(),
        totals=add_totals(summaries, now),
        worst=tuple(map(_make_ranked, ranked)),
        worst_by_share=tuple(map(_make_ranked, by_share)),
        appeared=group_appeared(store, summaries, listed[:MOST_NEW]),
        appeared_left_out=len(listed) > MOST_NEW,
        teams=add_teams(summaries, now),
        failures=tuple(map(make_failure, store.overview.list_failures(team))),
        stale=list_stale(summaries, now),
        trend=make_trend(store.overview.trend(TREND_DAYS, now, team)),
        sources=count_sources(store, teams, now),
        source_problems=list_source_problems(store, teams, worst),
    )


def rank_by_problems(summaries: Iterable[RepositorySummary]) -> list[RepositorySummary]:
    """The repositories with problems, those with most first."""
    found = [one for one in summaries if one.problems]
    return sorted(found, key=lambda one: (-one.problems, -share_of(one), one.name, one.id))


def rank_by_share(summaries: Iterable[RepositorySummary]) -> list[RepositorySummary]:
    """The repositories with problems and enough citations, those with the largest share first."""
    found = [one for one in summaries if one.problems and one.citations >= LEAST_FOR_SHARE]
    return sorted(found, key=lambda one: (-share_of(one), -one.problems, one.name, one.id))


def make_failure(one: StoredFailure) -> UncheckedRepository:
    """A failure as reports and pages show it."""
    return UncheckedRepository(one.repository, one.name, one.team, format_time(one.failed), one.tries, one.trouble)


def list_stale(summaries: Iterable[RepositorySummary], now: int) -> tuple[StaleRepository, ...]:
    """The repositories that were never checked, and those that were not checked lately."""
    found = [one for one in summaries if not one.checked or is_stale(one, now)]
    ordered = sorted(found, key=lambda one: (one.checked, one.name, one.id))
    return tuple(StaleRepository(one.id, one.name, one.team, format_time(one.checked)) for one in ordered)


def _make_ranked(one: RepositorySummary) -> RankedRepository:
    return RankedRepository(
        *(one.id, one.name, one.team, one.citations, one.problems, round(share_of(one), 4), one.appeared),
        format_time(one.checked),
    )
