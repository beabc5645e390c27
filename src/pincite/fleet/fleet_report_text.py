"""The report on a fleet for a terminal: tables that fit its width, and a trend of one line."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from ..safe.escape import escape_text
from ..text.lines import format_count
from ..text.terminal.colors import paint
from .fleet_report import LEAST_FOR_SHARE
from .fleet_totals import STALE_DAYS, TREND_DAYS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from .fleet_report import FleetReport, RankedRepository
    from .new_problems import NewProblems

_MOST_PLACES = 5
"""New problems of one repository that are listed; the others are counted."""
_MOST_TEAMS = 4
"""Teams that the first line names; more are counted."""
_BARS = "▁▂▃▄▅▆▇█"
_NARROWEST = 60
_BOLD, _SOFT = "1", "2"


def render_text(report: FleetReport, width: int = 80, color: bool = False, most: int = 10) -> str:
    """The report as lines of at most `width` columns, but for commands, which are not broken; lists of at most
    `most`."""
    page = _TextPage(max(_NARROWEST, width), color, most)
    return "".join(f"{line}\n" for line in page.lines(report))


def say_totals(report: FleetReport) -> list[str]:
    """The first lines of a report, the same in every format."""
    totals = report.totals
    lines = [
        f"{format_count(totals.repositories, 'repository', 'repositories')} {say_teams(report)}: "
        f"{format_count(totals.citations, 'citation')} in {format_count(totals.documents, 'document')}"
    ]
    if totals.citations:
        lines.append(say_outcomes(totals.outcomes))
    never = totals.repositories - totals.checked
    parts = (
        (totals.failed, "could not be checked"),
        (never, "never checked"),
        (totals.stale, f"not checked for {STALE_DAYS} days"),
    )
    troubles = [f"{number:,} {words}" for number, words in parts if number]
    return [*lines, ", ".join(troubles)] if troubles else lines


def say_teams(report: FleetReport) -> str:
    """Whose repositories these are."""
    names = ", ".join(map(escape_text, report.seen_teams))
    if report.team:
        return f"of team {names}"
    if report.sees_all:
        return "of all teams"
    if len(report.seen_teams) == 1:
        return f"of the only team that you see ({names})"
    named = f" ({names})" if 1 < len(report.seen_teams) <= _MOST_TEAMS else ""
    return f"of the {len(report.seen_teams)} teams that you see{named}"


def say_outcomes(outcomes: dict[str, int]) -> str:
    """Outcomes in one line, what holds first."""
    parts = ((number, "hold" if label == "holds" and number != 1 else label) for label, number in outcomes.items())
    return ", ".join(f"{number:,} {label}" for number, label in reversed(list(parts)))


def say_new(report: FleetReport) -> str:
    """How much is new, in one line."""
    number = sum(len(one.problems) for one in report.appeared)
    head = f"New since {say_time(report.since)}: "
    if report.appeared_left_out:
        return f"{head}more than {format_count(number, 'problem')}, the newest are listed"
    where = format_count(len(report.appeared), "repository", "repositories")
    gone = max(0, report.totals.appeared - number)
    found = f"{format_count(number, 'problem')} in {where}" if number else "no problem"
    more = "more " if number else ""
    return f"{head}{found}" + (f" ({gone:,} {more}came and went)" if gone else "")


def say_time(time: str) -> str:
    """A time as people read it: to the minute."""
    return f"{time[:10]} {time[11:16]} UTC" if time else "never"


def say_sources(report: FleetReport) -> list[str]:
    """Web sources in a few lines; none where there are none."""
    counts = report.sources
    total = sum(counts.sources.values())
    if not total:
        return []
    states = ", ".join(f"{number:,} {escape_text(state)}" for state, number in counts.sources.items())
    hosts = format_count(counts.hosts, "host")
    lines = [f"{format_count(total, 'web source')} on {hosts}: {states}; {counts.due:,} due"]
    quoted = sum(counts.quotes.values())
    if quoted:
        lines.append(f"{format_count(quoted, 'quote')} from them: {escape_text(counts.said_quotes)}")
    return lines


def draw_sparkline(values: Sequence[int]) -> str:
    """Numbers as bars of one line; the lowest is the smallest of them, so that a change is seen."""
    low, high = min(values, default=0), max(values, default=0)
    if low == high:
        return _BARS[0] * len(values)
    return "".join(_BARS[(value - low) * (len(_BARS) - 1) // (high - low)] for value in values)


class _TextPage:
    def __init__(self, width: int, color: bool, most: int) -> None:
        self._width = width
        self._color = color
        self._most = most

    def lines(self, report: FleetReport) -> Iterator[str]:
        yield from self._paragraph(report)
        yield from self._trend(report)
        yield from self._ranked("Worst, by number of problems", report.worst)
        yield from self._ranked(
            f"Worst, by share of problems ({LEAST_FOR_SHARE} citations or more)", report.worst_by_share
        )
        yield from self._new(report)
        yield from self._teams(report)
        yield from self._failures(report)
        yield from self._stale(report)
        yield from self._sources(report)

    def _paragraph(self, report: FleetReport) -> Iterator[str]:
        first, *rest = say_totals(report)
        yield from (paint(line, _BOLD, self._color) for line in self._wrap(first, ""))
        for line in rest:
            yield from self._wrap(line, "  ")
        if not report.totals.repositories:
            yield "  Nothing is in the store yet: pincite fleet check REPOSITORY…"

    def _trend(self, report: FleetReport) -> Iterator[str]:
        days = report.trend
        if len(days) > 1:
            change = days[-1].problems - days[0].problems
            yield ""
            yield self._title(f"Problems over {min(len(days), TREND_DAYS)} days")
            yield (
                f"  {draw_sparkline([day.problems for day in days])} {days[-1].problems:,}"
                f" ({change:+,} since {days[0].day})"
            )

    def _ranked(self, title: str, rows: Sequence[RankedRepository]) -> Iterator[str]:
        if not rows:
            return
        cells = [
            (
                f"{row.problems:,}",
                f"{row.share:.1%}",
                f"+{row.appeared:,}" if row.appeared else "",
                row.repository,
                row.team,
            )
            for row in rows
        ]
        yield from self._table(title, ("problems", "share", "new", "repository", "team"), cells, numbers=3)

    def _new(self, report: FleetReport) -> Iterator[str]:
        yield from ("", self._title(say_new(report)))
        for one in report.appeared[: self._most]:
            yield from self._new_in(one)
        if len(report.appeared) > self._most:
            left = format_count(len(report.appeared) - self._most, "more repository", "more repositories")
            yield f"  … and {left}: --worst {len(report.appeared)} shows all"

    def _new_in(self, one: NewProblems) -> Iterator[str]:
        yield self._cut(f"  {self._plain(one.repository)} (team {self._plain(one.team)})")
        for problem in one.problems[:_MOST_PLACES]:
            yield self._cut(f"    {self._plain(problem.document)}:{problem.line}: {problem.outcome}")
            yield from self._wrap(problem.message or problem.written, "      ")
        if len(one.problems) > _MOST_PLACES:
            yield f"    … and {format_count(len(one.problems) - _MOST_PLACES, 'more problem')}"
        if one.command:
            # Not cut: it is there to be copied.
            yield paint(f"    $ {escape_text(one.command)}", _SOFT, self._color)

    def _teams(self, report: FleetReport) -> Iterator[str]:
        if len(report.teams) < 2:
            return
        cells = [
            (
                *(f"{one.totals.repositories:,}", f"{one.totals.citations:,}", f"{one.totals.problems:,}"),
                *(f"{one.totals.share:.1%}", f"+{one.totals.appeared:,}" if one.totals.appeared else "", one.team),
            )
            for one in report.teams
        ]
        heads = ("repositories", "citations", "problems", "share", "new", "team")
        yield from self._table("By team", heads, cells, numbers=5)

    def _failures(self, report: FleetReport) -> Iterator[str]:
        if not report.failures:
            return
        yield from ("", self._title("Could not be checked"))
        for one in report.failures[: self._most]:
            tries = format_count(one.tries, "try", "tries")
            yield self._cut(f"  {self._plain(one.repository)} ({tries}, last {say_time(one.failed)})")
            yield from self._wrap(one.trouble, "    ")
        yield from self._count_rest(len(report.failures))

    def _stale(self, report: FleetReport) -> Iterator[str]:
        if not report.stale:
            return
        cells = [(say_time(one.checked), one.repository, one.team) for one in report.stale[: self._most]]
        yield from self._table(
            f"Never checked, or not for {STALE_DAYS} days", ("last check", "repository", "team"), cells, 0
        )
        yield from self._count_rest(len(report.stale))

    def _sources(self, report: FleetReport) -> Iterator[str]:
        lines = say_sources(report)
        if lines:
            yield from ("", self._title("Web sources"))
        for line in lines:
            yield from self._wrap(line, "  ")
        for one in report.source_problems[: self._most]:
            yield self._cut(f"  {self._plain(one.url)}: {one.state}")
            yield from self._wrap(f"{one.cited_in}: {one.quote}" if one.quote else one.cited_in, "    ")

    def _count_rest(self, number: int) -> Iterator[str]:
        if number > self._most:
            yield f"  … and {number - self._most:,} more: --worst {number} shows all"

    def _table(self, title: str, heads: Sequence[str], rows: Sequence[Sequence[str]], numbers: int) -> Iterator[str]:
        """Columns as wide as their cells; the one before the last gives way where the line is too long."""
        shown = [[self._plain(cell) for cell in row] for row in rows]
        widths = [max(len(row[at]) for row in (heads, *shown)) for at in range(len(heads))]
        long = len(heads) - 2 if heads[-2] == "repository" else len(heads) - 1
        spare = self._width - 2 - 2 * (len(heads) - 1) - sum(widths)
        widths[long] = max(12, widths[long] + min(0, spare))
        yield from ("", self._title(title))
        if shown:
            yield paint(self._row(heads, widths, numbers), _SOFT, self._color)
        yield from (self._row(row, widths, numbers) for row in shown)

    def _row(self, cells: Iterable[str], widths: Sequence[int], numbers: int) -> str:
        parts = [
            f"{cell:>{width}}" if at < numbers else f"{escape_text(cell, width):{width}}"
            for at, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]
        return f"  {'  '.join(parts)}".rstrip()

    def _wrap(self, text: str, indent: str) -> list[str]:
        return wrap(escape_text(text), self._width, initial_indent=indent, subsequent_indent=indent)

    def _plain(self, text: str) -> str:
        return escape_text(text)

    def _cut(self, line: str) -> str:
        return escape_text(line, self._width)

    def _title(self, text: str) -> str:
        return paint(self._cut(text), _BOLD, self._color)
