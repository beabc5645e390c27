"""All repositories of a store in one report: totals, the worst, what is new, by team, what could not be checked."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from msgspec import Struct

from .._version import __version__
from ..core.errors import UsageError
from ..store.shared.overview import label_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..store.shared import SharedStore
    from ..store.shared.overview import StoredFailure
    from ..store.shared.records import RepositorySummary, StoredVerdict, Team

SCHEMA = "pincite.fleet-report/1"
OUTCOMES = ("malformed", "blocked", "missing", "mismatch", "ambiguous", "moved", "unchecked", "holds")
"""Every outcome, the gravest first."""
LEAST_FOR_SHARE = 20
"""Citations from which on the share of problems says something of a repository."""
STALE_DAYS = 7
TREND_DAYS = 30
MOST_NEW = 1_000
"""New problems that a report lists."""
DAY = 86_400
_MOST_NAMED = 4
"""Documents that a command names; more are named by their repository."""
_SPAN = re.compile(r"([0-9]{1,6})([mhdw])")
_SECONDS = {"m": 60, "h": 3_600, "d": DAY, "w": 7 * DAY}
_LOCAL = re.compile(r"/|[A-Za-z]:[\\/]")


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


class NewProblem(Struct, frozen=True):
    """A citation that became a problem, and still is one."""

    document: str
    line: int
    outcome: str
    finding: str
    """The check that decided."""
    message: str
    written: str
    """The citation as it is written."""
    citation: str
    """Its number in the repository; text, since it is longer than the numbers of some programs."""
    since: str
    """When it was found, in UTC."""
    commit: str


class NewProblems(Struct, frozen=True):
    """What is new in one repository."""

    id: int
    repository: str
    team: str
    problems: tuple[NewProblem, ...]
    command: str
    """What to type to see them, or to fix those that moved."""


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


class TrendDay(Struct, frozen=True):
    """What stood at the end of a day."""

    day: str
    citations: int
    problems: int
    outcomes: dict[str, int]


class SourceTotals(Struct, frozen=True):
    """Web sources in numbers."""

    sources: dict[str, int]
    """By state: new, same, changed, unchecked or gone."""
    quotes: dict[str, int]
    """Quotes from them by state: new, holds, missing or unchecked."""
    hosts: int
    due: int
    """Sources whose visit is due."""


class SourceProblem(Struct, frozen=True):
    """A quote that no longer stands on its page, or whose page is gone."""

    team: str
    url: str
    state: str
    """`missing` or `gone`."""
    quote: str
    cited_in: str
    """The repository, and the document in it."""
    nearest: str
    """The nearest passage of the page; empty where there is none."""


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


def parse_since(text: str, now: int) -> int:
    """The time that `1d`, `2026-11-17` or `2026-11-17T08:00` means, in seconds since 1970; raises UsageError."""
    span = _SPAN.fullmatch(text)
    if span is not None:
        return max(1, now - int(span[1]) * _SECONDS[span[2]])
    try:
        found = datetime.fromisoformat(text)
        # A time without a zone is meant in UTC, as reports print it.
        since = int((found if found.tzinfo is not None else found.replace(tzinfo=UTC)).timestamp())
    except (ValueError, OverflowError):
        raise UsageError(f"--since {text!r}: not a time; write 1d, 12h, 2026-11-17 or 2026-11-17T08:00") from None
    if not 0 < since <= now:
        raise UsageError(f"--since {text}: that is in the future or before 1970; write an earlier or a later time")
    return since


def format_time(seconds: int) -> str:
    """A time in UTC for programs and people; empty for 0."""
    if not seconds:
        return ""
    try:
        return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")
    except OverflowError:
        return str(seconds)


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


def is_stale(one: RepositorySummary, now: int) -> bool:
    """Whether a repository was checked, but not for some days."""
    return 0 < one.checked < now - STALE_DAYS * DAY


def rank_by_problems(summaries: Iterable[RepositorySummary]) -> list[RepositorySummary]:
    """The repositories with problems, those with most first."""
    found = [one for one in summaries if one.problems]
    return sorted(found, key=lambda one: (-one.problems, -share_of(one), one.name, one.id))


def rank_by_share(summaries: Iterable[RepositorySummary]) -> list[RepositorySummary]:
    """The repositories with problems and enough citations, those with the largest share first."""
    found = [one for one in summaries if one.problems and one.citations >= LEAST_FOR_SHARE]
    return sorted(found, key=lambda one: (-share_of(one), -one.problems, one.name, one.id))


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


def group_appeared(
    store: SharedStore, summaries: Iterable[RepositorySummary], listed: Iterable[tuple[int, StoredVerdict]]
) -> tuple[NewProblems, ...]:
    """New problems by repository, in the order in which repositories come first."""
    known = {one.id: one for one in summaries}
    groups: dict[int, list[StoredVerdict]] = {}
    for number, verdict in listed:
        if number in known:
            groups.setdefault(number, []).append(verdict)
    found = []
    for number, verdicts in groups.items():
        one = known[number]
        place = store.verdicts.find_repository(number)
        command = name_command(place.location if place is not None else "", verdicts)
        found.append(NewProblems(number, one.name, one.team, tuple(map(make_problem, verdicts)), command))
    return tuple(found)


def make_problem(one: StoredVerdict) -> NewProblem:
    """A problem as reports and pages show it."""
    return NewProblem(
        *(one.document, one.line, label_of(one.outcome), one.finding, one.message, one.written, str(one.citation)),
        *(format_time(one.since), one.since_commit),
    )


def name_command(location: str, verdicts: Sequence[StoredVerdict]) -> str:
    """What to type to see problems: in the folder of the repository, or in a clone of it."""
    if not location:
        return ""
    paths = list(dict.fromkeys(one.document for one in verdicts))
    named = f" -- {' '.join(map(shlex.quote, paths))}" if len(paths) <= _MOST_NAMED else ""
    # What moved is corrected by `fix`, which only shows what it would write.
    verb = "fix" if all(label_of(one.outcome) == "moved" for one in verdicts) else "check"
    if _LOCAL.match(location):
        return f"cd {shlex.quote(location)} && pincite {verb}{named}"
    folder = re.sub(r"\.git$", "", location.rstrip("/")).rpartition("/")[2].rpartition(":")[2]
    return f"git clone {shlex.quote(location)} && cd {shlex.quote(folder)} && pincite {verb}{named}"


def make_failure(one: StoredFailure) -> UncheckedRepository:
    """A failure as reports and pages show it."""
    return UncheckedRepository(one.repository, one.name, one.team, format_time(one.failed), one.tries, one.trouble)


def list_stale(summaries: Iterable[RepositorySummary], now: int) -> tuple[StaleRepository, ...]:
    """The repositories that were never checked, and those that were not checked lately."""
    found = [one for one in summaries if not one.checked or is_stale(one, now)]
    ordered = sorted(found, key=lambda one: (one.checked, one.name, one.id))
    return tuple(StaleRepository(one.id, one.name, one.team, format_time(one.checked)) for one in ordered)


def make_trend(days: Iterable[tuple[int, dict[str, int]]]) -> tuple[TrendDay, ...]:
    """Days as reports show them."""
    found = []
    for time, outcomes in days:
        citations = sum(outcomes.values())
        problems = citations - outcomes.get("holds", 0) - outcomes.get("unchecked", 0)
        found.append(TrendDay(format_time(time)[:10], citations, problems, order_outcomes(outcomes)))
    return tuple(found)


def count_sources(store: SharedStore, teams: Iterable[Team], now: int) -> SourceTotals:
    """The web sources of some teams in numbers."""
    sources, quotes = Counter[str](), Counter[str]()
    hosts = due = 0
    for team in teams:
        counts = store.sources.count_all(team, now)
        sources.update(counts.sources)
        quotes.update(counts.quotes)
        hosts += counts.hosts
        due += counts.due
    return SourceTotals(dict(sorted(sources.items())), dict(sorted(quotes.items())), hosts, due)


def list_source_problems(store: SharedStore, teams: Iterable[Team], most: int) -> tuple[SourceProblem, ...]:
    """Quotes that are missing, and pages that are gone, team by team."""
    found: list[SourceProblem] = []
    for team in teams:
        if len(found) < most:
            found += (
                SourceProblem(team.name, one.url, one.state, one.exact, one.cited_in, one.nearest)
                for one in store.sources.find_problems(team, most - len(found))
            )
    return tuple(found)


def _make_ranked(one: RepositorySummary) -> RankedRepository:
    return RankedRepository(
        *(one.id, one.name, one.team, one.citations, one.problems, round(share_of(one), 4), one.appeared),
        format_time(one.checked),
    )
