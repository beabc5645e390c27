"""The report on a fleet as Markdown, for an issue, a wiki or a job's summary."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..report.markdown import escape_markdown
from ..safe.escape import escape_text
from .fleet_report import LEAST_FOR_SHARE
from .fleet_report_text import draw_sparkline, say_new, say_sources, say_time, say_totals
from .fleet_totals import STALE_DAYS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .fleet_report import FleetReport, RankedRepository
    from .new_problems import NewProblems

_LONGEST_CELL = 300
_LONGEST_COMMAND = 1_000


def render_markdown(report: FleetReport, most: int = 10) -> str:
    """The report with lists of at most `most` rows."""
    return "\n".join(_list_lines(report, most)) + "\n"


def _list_lines(report: FleetReport, most: int) -> Iterator[str]:
    yield from ("# Citations of the fleet", "")
    yield from (f"{_escape(line)}  " for line in say_totals(report))
    if len(report.trend) > 1:
        first, last = report.trend[0], report.trend[-1]
        bars = draw_sparkline([day.problems for day in report.trend])
        yield f"Problems: {bars} {last.problems:,} ({last.problems - first.problems:+,} since {first.day})  "
    yield from (f"{_escape(line)}  " for line in say_sources(report))
    yield from _rank("Worst, by number of problems", report.worst)
    yield from _rank(f"Worst, by share of problems ({LEAST_FOR_SHARE} citations or more)", report.worst_by_share)
    yield from _add_new(report, most)
    yield from _add_rest(report, most)


def _rank(title: str, rows: Sequence[RankedRepository]) -> Iterator[str]:
    cells = [
        (f"{row.problems:,}", f"{row.share:.1%}", f"{row.appeared:,}", _code(row.repository), _code(row.team))
        for row in rows
    ]
    yield from _table(title, ("problems", "share", "new", "repository", "team"), cells, 3)


def _add_new(report: FleetReport, most: int) -> Iterator[str]:
    yield from ("", f"## {_escape(say_new(report))}")
    for one in report.appeared[:most]:
        yield from _add_problems(one, most)
    if len(report.appeared) > most:
        yield from ("", f"… and {len(report.appeared) - most:,} more repositories.")


def _add_problems(one: NewProblems, most: int) -> Iterator[str]:
    yield from ("", f"### {_code(one.repository)}", "")
    for problem in one.problems[:most]:
        place = _code(f"{problem.document}:{problem.line}")
        yield f"- {problem.outcome} {place} {_escape(problem.message or problem.written)}"
    if len(one.problems) > most:
        yield f"- … and {len(one.problems) - most:,} more"
    if one.command:
        command = escape_text(one.command, _LONGEST_COMMAND)
        # A block is ended by a fence that is as long as its own: none in it is.
        fence = "`" * max(3, 1 + max(map(len, re.findall("`+", command)), default=0))
        yield from ("", fence, command, fence)


def _add_rest(report: FleetReport, most: int) -> Iterator[str]:
    teams = [
        (
            *(_code(one.team), f"{one.totals.repositories:,}", f"{one.totals.citations:,}"),
            *(f"{one.totals.problems:,}", f"{one.totals.share:.1%}", f"{one.totals.appeared:,}"),
        )
        for one in report.teams
    ]
    if len(teams) > 1:
        yield from _table("By team", ("team", "repositories", "citations", "problems", "share", "new"), teams, 0)
    failures = [
        (_code(one.repository), f"{one.tries:,}", say_time(one.failed), _escape(one.trouble))
        for one in report.failures[:most]
    ]
    yield from _table("Could not be checked", ("repository", "tries", "last", "why"), failures, 0, len(report.failures))
    stale = [(_code(one.repository), _code(one.team), say_time(one.checked)) for one in report.stale[:most]]
    gone = [
        (_code(one.url), one.state, _escape(one.quote), _code(one.cited_in)) for one in report.source_problems[:most]
    ]
    yield from _table("Quotes that no longer stand", ("page", "state", "quote", "cited in"), gone, 0)
    title = f"Never checked, or not for {STALE_DAYS} days"
    yield from _table(title, ("repository", "team", "last check"), stale, 0, len(report.stale))


def _table(
    title: str, heads: Sequence[str], rows: Sequence[Sequence[str]], numbers: int, total: int = 0
) -> Iterator[str]:
    if not rows:
        return
    marks = ["---:" if at < numbers else "---" for at in range(len(heads))]
    yield from ("", f"## {title}", "", f"| {' | '.join(heads)} |", f"| {' | '.join(marks)} |")
    yield from (f"| {' | '.join(row)} |" for row in rows)
    if total > len(rows):
        yield from ("", f"… and {total - len(rows):,} more.")


def _code(text: str) -> str:
    return f"<code>{_escape(text)}</code>"


def _escape(text: str) -> str:
    return escape_markdown(escape_text(text, _LONGEST_CELL))
