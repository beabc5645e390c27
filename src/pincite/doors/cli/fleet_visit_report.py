"""What `pincite fleet revalidate` prints: how far it is, how the sources fare, and what is wrong with them."""

from __future__ import annotations

from time import gmtime, strftime, time
from typing import TYPE_CHECKING, Any

from msgspec import Struct, to_builtins

from ...fleet.source_totals import say_quotes
from ...safe.escape import escape_text, json_text
from ...text.lines import format_count, shorten
from . import kit
from .fleet_progress import RateLine, format_seconds

if TYPE_CHECKING:
    from ...fleet.revalidation import RevalidationSummary
    from ...store.shared import SharedStore
    from ...store.shared.records import Team
    from ...store.shared.web_records import HostState, QuoteProblem, SourceCounts, StoredSource

_MOST_SHOWN = 20
_MOST_LISTED = 1_000
_WIDTH = 160


class VisitProgress(RateLine["RevalidationSummary"]):
    """How far visits are."""

    def describe(self, summary: RevalidationSummary, now: float) -> str:
        """The line for a moment."""
        total = max(summary.due, summary.visited)
        line = f"visited {summary.visited:,} of {total:,} pages{self.measure(summary.visited, total, now)}"
        if summary.hosts:
            line += f", {format_count(summary.hosts, 'host')} now"
        unchecked = summary.states.get("unchecked", 0)
        return line + (f", {unchecked:,} unchecked" if unchecked else "")


class VisitReport(Struct, frozen=True):
    """All that is said at the end."""

    store: str
    team: str
    counts: SourceCounts
    problems: tuple[QuoteProblem, ...]
    hosts: tuple[HostState, ...]
    workers: int
    visits: dict[str, Any] | None
    """The run in numbers; None where nothing was visited."""

    def as_json(self) -> dict[str, Any]:
        """The report for programs."""
        found: dict[str, Any] = {"schema": "pincite.fleet-revalidate/1", **to_builtins(self)}
        found["hosts"] = [{**host, "paused": bool(host["paused"])} for host in found["hosts"]]
        return found


def make_report(store: SharedStore, team: Team, summary: RevalidationSummary | None) -> VisitReport:
    """How the sources of a team fare now."""
    sources = store.sources
    return VisitReport(
        store.address.shown,
        team.name,
        sources.count_all(team, int(time())),
        tuple(sources.find_problems(team, _MOST_LISTED)),
        tuple(sources.hosts.list_unusual(_MOST_LISTED)),
        len(sources.hosts.list_beats()),
        to_builtins(summary) if summary is not None else None,
    )


def print_report(report: VisitReport) -> None:
    """Say it for people."""
    for problem in report.problems[:_MOST_SHOWN]:
        _print_problem(problem)
    if len(report.problems) > _MOST_SHOWN:
        kit.say(f"… and {len(report.problems) - _MOST_SHOWN:,} more: --format json")
    counts, visits = report.counts, report.visits
    if visits is not None and visits["visited"]:
        kept = f", {format_count(visits['snapshots'], 'snapshot')} kept" if visits["snapshots"] else ""
        kit.say(f"{format_count(visits['visited'], 'page')} visited in {format_seconds(visits['seconds'])}{kept}")
    states = ", ".join(f"{number:,} {state}" for state, number in counts.sources.items())
    total = format_count(sum(counts.sources.values()), "source")
    kit.say(f"{total} on {format_count(counts.hosts, 'host')}: {states or 'none'}")
    kit.say(f"{format_count(sum(counts.quotes.values()), 'quote')}: {say_quotes(counts.quotes) or 'none'}")
    if counts.due:
        kit.say(f"{counts.due:,} due now")
    elif counts.next_due:
        kit.say(f"next visit: {_format_time(counts.next_due)}")
    now = time()
    for host in report.hosts[:_MOST_SHOWN]:
        if host.paused:
            kit.say("all hosts are paused" if host.name == "*" else f"{host.name}: paused")
        elif host.rests_until > now:
            kit.say(f"{host.name}: left alone until {_format_time(int(host.rests_until))}")


def format_source(one: StoredSource, format_: str) -> str:
    """A line for one source."""
    if format_ == "json":
        return json_text(to_builtins(one))
    quotes = say_quotes(one.quotes)
    line = f"{one.state:9}  {_format_time(one.seen) if one.seen else 'never seen':20}  {one.url}"
    return escape_text(line + (f"  ({quotes})" if quotes else "") + (f": {one.trouble}" if one.trouble else ""))


def _print_problem(problem: QuoteProblem) -> None:
    quote = f": “{shorten(problem.exact, _WIDTH)}”" if problem.exact else ""
    kit.say(f"{problem.state}  {problem.url}{quote}")
    if problem.state == "missing" and problem.nearest:
        kit.say(f"  there is now: {shorten(problem.nearest, _WIDTH)}")
    if problem.cited_in:
        kit.say(f"  cited in {problem.cited_in}")


def _format_time(seconds: int) -> str:
    return strftime("%Y-%m-%dT%H:%M:%SZ", gmtime(seconds))
