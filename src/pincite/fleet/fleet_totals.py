"""Repositories in numbers: all of them, each team, and what stood at the end of each day."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec import Struct

from .report_times import DAY, format_time

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..store.shared.records import RepositorySummary

OUTCOMES = ("malformed", "blocked", "missing", "mismatch", "ambiguous", "moved", "unchecked", "holds")
"""Every outcome, the gravest first."""
STALE_DAYS = 7
TREND_DAYS = 30


class FleetTotals(Struct, frozen=True):
    """Some repositories in numbers."""

    repositories: int
    """All of them."""
    checked: int
    """Repositories that were checked at least once."""
    failed: int
    """Repositories whose last try failed."""
    stale: int
    """Repositories that were checked, but not for 7 days."""
    documents: int
    citations: int
    problems: int
    appeared: int
    """Problems that came since the time that was asked for; some may be gone again."""
    outcomes: dict[str, int]
    """Outcome to number of citations, the gravest first."""

    @property
    def share(self) -> float:
        """Problems among citations."""
        return self.problems / self.citations if self.citations else 0.0


class TeamTotals(Struct, frozen=True):
    """A team in numbers."""

    team: str
    totals: FleetTotals


class TrendDay(Struct, frozen=True):
    """What stood at the end of a day."""

    day: str
    citations: int
    problems: int
    outcomes: dict[str, int]


def is_stale(one: RepositorySummary, now: int) -> bool:
    """Whether a repository was checked, but not for some days."""
    return 0 < one.checked < now - STALE_DAYS * DAY


def share_of(one: RepositorySummary) -> float:
    """Problems among the citations of a repository."""
    return one.problems / one.citations if one.citations else 0.0


def add_totals(summaries: Sequence[RepositorySummary], now: int) -> FleetTotals:
    """Repositories in numbers."""
    outcomes = Counter[str]()
    for one in summaries:
        outcomes.update(one.outcomes)
    return FleetTotals(
        repositories=len(summaries),
        checked=sum(1 for one in summaries if one.checked),
        failed=sum(1 for one in summaries if one.trouble),
        stale=sum(is_stale(one, now) for one in summaries),
        documents=sum(one.documents for one in summaries),
        citations=outcomes.total(),
        problems=sum(one.problems for one in summaries),
        appeared=sum(one.appeared for one in summaries),
        outcomes=order_outcomes(outcomes),
    )


def add_teams(summaries: Iterable[RepositorySummary], now: int) -> tuple[TeamTotals, ...]:
    """Every team in numbers, by name."""
    teams: dict[str, list[RepositorySummary]] = {}
    for one in summaries:
        teams.setdefault(one.team, []).append(one)
    return tuple(TeamTotals(name, add_totals(teams[name], now)) for name in sorted(teams))


def order_outcomes(outcomes: dict[str, int]) -> dict[str, int]:
    """The outcomes that occur, the gravest first."""
    return {label: outcomes[label] for label in OUTCOMES if outcomes.get(label)}


def make_trend(days: Iterable[tuple[int, dict[str, int]]]) -> tuple[TrendDay, ...]:
    """Days as reports show them."""
    found = []
    for time, outcomes in days:
        citations = sum(outcomes.values())
        problems = citations - outcomes.get("holds", 0) - outcomes.get("unchecked", 0)
        found.append(TrendDay(format_time(time)[:10], citations, problems, order_outcomes(outcomes)))
    return tuple(found)
