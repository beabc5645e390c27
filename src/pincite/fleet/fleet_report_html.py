"""The report on a fleet as one HTML file: no script, no server, no other file; light and dark, wide and narrow."""

from __future__ import annotations

from calendar import timegm
from time import strptime
from typing import TYPE_CHECKING, NamedTuple

from ..safe.escape import escape_html
from ..text.html_page import CHART_STYLE, make_page, render_bar, render_tiles
from ..text.lines import format_count
from ..text.trend_plot import draw_trend, format_day
from .fleet_report import LEAST_FOR_SHARE
from .fleet_report_text import say_new, say_sources, say_time, say_totals
from .fleet_totals import OUTCOMES, STALE_DAYS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..text.trend_plot import PlotLine, TrendPlot
    from .fleet_report import FleetReport, RankedRepository
    from .fleet_totals import TrendDay
    from .new_problems import NewProblem, NewProblems

_LONGEST = 500
_ROWS = 20
"""Rows of a list that are open; the others are folded away."""
_CLASSES = {
    "holds": "good",
    "unchecked": "note",
    **dict.fromkeys(("moved", "ambiguous", "mismatch"), "warning"),
    **dict.fromkeys(("missing", "blocked", "malformed"), "error"),
}
_STYLE = """
body { max-width: 70rem; font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; margin: 0.5rem 0; } h2 { font-size: 1.2rem; margin: 2rem 0 0.5rem; }
h3 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; } p { margin: 0.3rem 0; } code, pre { font-size: 0.9em; }
.good { color: var(--good); } .warning { color: var(--poor); } .error { color: var(--bad); }
.note { color: var(--none); } rect.good { fill: var(--good); } rect.warning { fill: var(--poor); }
rect.error { fill: var(--bad); } rect.note { fill: var(--none); }
article { background: var(--card); border: 1px solid var(--line); border-radius: 0.5rem; padding: 0.5rem 0.75rem;
  margin: 0.5rem 0; } article ul { padding-left: 1.1rem; margin: 0.3rem 0; }
pre { margin: 0.3rem 0; padding: 0.3rem 0.5rem; overflow-x: auto; background: var(--page); border-radius: 0.3rem;
  border: 1px solid var(--line); white-space: pre-wrap; } td { overflow-wrap: anywhere; }
@media (max-width: 30rem) { th, td { padding: 0.35rem 0.3rem; } }
svg.plot { height: auto; border: 1px solid var(--line); min-width: 34rem; }
.plot text { fill: var(--ink); font-size: 13px; }
.plot .grid { stroke: var(--line); fill: none; } .plot .line { fill: none; stroke: currentColor; stroke-width: 2; }
.plot .dot, .plot .name { fill: currentColor; } .plot .name { font-weight: 600; }
:is(summary, .wide):focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
@media print { body { max-width: none; } article { break-inside: avoid; } }
"""


class _DayPoint(NamedTuple):
    time: int
    commit: str
    outcomes: dict[str, int]


def render_html(report: FleetReport) -> str:
    """The whole page; everything that is not ours is escaped."""
    name = f"Citations of team {_text(report.team)}" if report.team else "Citations of the fleet"
    header = (
        f"<h1>{name}</h1>",
        *(f"<p>{_text(line)}</p>" for line in say_totals(report)),
        f'<p class="soft">{say_time(report.made)} · pincite {_text(report.version)}</p>',
    )
    return make_page(name, CHART_STYLE + _STYLE, header, _list_parts(report))


def _list_parts(report: FleetReport) -> Iterator[str]:
    totals = report.totals
    shown = [(_CLASSES[label], label, number) for label, number in totals.outcomes.items()]
    tiles = [("", "repositories", totals.repositories), ("", "citations", totals.citations)]
    yield from render_tiles([*tiles, ("error", "problems", totals.problems), ("warning", "new", totals.appeared)])
    if totals.citations:
        yield from render_bar("outcomes", "Citations by outcome", shown)
    yield from _draw(report.trend)
    yield from _rank("Worst, by number of problems", report.worst)
    yield from _rank(f"Worst, by share of problems ({LEAST_FOR_SHARE} citations or more)", report.worst_by_share)
    yield f"<h2>{_text(say_new(report))}</h2>"
    yield from _fold([part for one in report.appeared for part in _add_problems(one)], "repository", "repositories")
    yield from _add_rest(report)
    sources = say_sources(report)
    if sources:
        yield from ("<h2>Web sources</h2>", *(f"<p>{_text(line)}</p>" for line in sources))
    problems = [
        (one.state, f"<code>{_text(one.url)}</code><br>{_text(one.quote)}", _code(one.cited_in))
        for one in report.source_problems
    ]
    if problems:
        yield from _table(("state", "page and quote", "cited in"), problems, "Quotes that no longer stand", ())


def _draw(days: Sequence[TrendDay]) -> Iterator[str]:
    points = [_DayPoint(timegm(strptime(one.day, "%Y-%m-%d")), "", one.outcomes) for one in days]
    plot = draw_trend(points, OUTCOMES, format_day)
    if plot is None:
        return
    yield f"<h2>The last {len(days)} days</h2>"
    yield '<div class="wide" tabindex="0" role="region" aria-label="Plot of the last days">'
    yield from _draw_plot(plot)
    yield "</div><details><summary>The figures as a table</summary>"
    rows = [(one.day, f"{one.citations:,}", f"{one.problems:,}") for one in reversed(days)]
    yield from (*_table(("day", "citations", "problems"), rows, "Figures of the last days", (1, 2)), "</details>")


def _draw_plot(plot: TrendPlot) -> Iterator[str]:
    yield (
        f'<svg class="plot" viewBox="0 0 {plot.width} {plot.height}" role="img" aria-labelledby="plot-t plot-d">'
        '<title id="plot-t">Outcomes over time</title>'
        f'<desc id="plot-d">Above, the share of citations that hold: {plot.share.label} at the end. Below, the numbers '
        f"of the others at the end: {', '.join(line.label for line in plot.lines) or 'none'}.</desc>"
    )
    for mark in (*plot.share_marks, *plot.number_marks):
        yield f'<path class="grid" d="M{plot.left} {mark.at}H{plot.right}"/>'
        yield f'<text x="{plot.left - 6}" y="{mark.at + 4}" text-anchor="end">{mark.label}</text>'
    anchors = ("start", *["middle"] * (len(plot.dates) - 2), "end")
    for mark, anchor in zip(plot.dates, anchors, strict=True):
        yield f'<text x="{mark.at}" y="{plot.height - 16}" text-anchor="{anchor}">{mark.label}</text>'
    yield from (_draw_line(line, plot.right + 8) for line in (plot.share, *plot.lines))
    yield "</svg>"


def _draw_line(line: PlotLine, x: int) -> str:
    dashes = f' stroke-dasharray="{line.dashes}"' if line.dashes else ""
    dots = "".join(
        f'<circle class="dot" cx="{dot.x}" cy="{dot.y}" r="3"><title>{dot.title}</title></circle>' for dot in line.dots
    )
    return (
        f'<g class="{_CLASSES[line.outcome]}"><path class="line" d="{line.path}"{dashes}/>{dots}'
        f'<text class="name" x="{x}" y="{line.label_y + 4}">{line.label}</text></g>'
    )


def _rank(title: str, rows: Sequence[RankedRepository]) -> Iterator[str]:
    if rows:
        yield f"<h2>{title}</h2>"
        cells = [
            (f"{row.problems:,}", f"{row.share:.1%}", f"{row.appeared:,}", _name(row.repository, row.team))
            for row in rows
        ]
        yield from _table(("problems", "share", "new", "repository"), cells, title, (0, 1, 2))


def _add_problems(one: NewProblems) -> Iterator[str]:
    head = f"<h3>{_name(one.repository, one.team)}</h3>"
    places = "".join(f"<li>{_place(problem)}</li>" for problem in one.problems)
    command = f"<pre>{escape_html(one.command)}</pre>" if one.command else ""
    yield f"<article>{head}<ul>{places}</ul>{command}</article>"


def _place(problem: NewProblem) -> str:
    label = f'<b class="{_CLASSES[problem.outcome]}">{problem.outcome}</b>'
    return f"{label} {_code(f'{problem.document}:{problem.line}')} {_text(problem.message or problem.written)}"


def _add_rest(report: FleetReport) -> Iterator[str]:
    if len(report.teams) > 1:
        yield "<h2>By team</h2>"
        teams = [
            (
                *(_text(one.team), f"{one.totals.repositories:,}", f"{one.totals.citations:,}"),
                *(f"{one.totals.problems:,}", f"{one.totals.share:.1%}", f"{one.totals.appeared:,}"),
            )
            for one in report.teams
        ]
        heads = ("team", "repositories", "citations", "problems", "share", "new")
        yield from _table(heads, teams, "By team", (1, 2, 3, 4, 5))
    if report.failures:
        yield "<h2>Could not be checked</h2>"
        failures = [
            (_name(one.repository, one.team), f"{one.tries:,}", f"{say_time(one.failed)}<br>{_text(one.trouble)}")
            for one in report.failures
        ]
        yield from _table(("repository", "tries", "last try, and why"), failures, "Could not be checked", (1,))
    if report.stale:
        title = f"Never checked, or not for {STALE_DAYS} days"
        yield f"<h2>{title}</h2>"
        stale = [(_name(one.repository, one.team), say_time(one.checked)) for one in report.stale]
        yield from _table(("repository", "last check"), stale, title, ())


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], label: str, numbers: tuple[int, ...]) -> Iterator[str]:
    """A table that scrolls by itself where the window is narrow; rows after the first ones are folded."""
    kinds = [' class="number"' if at in numbers else "" for at in range(len(heads))]
    head = "".join(f'<th scope="col"{kind}>{name}</th>' for name, kind in zip(heads, kinds, strict=True))
    for at, (part, before, after) in enumerate(_split(rows)):
        name = f"{label}: more" if at else label
        yield f'{before}<div class="wide" tabindex="0" role="region" aria-label="{name}">'
        yield f"<table><thead><tr>{head}</tr></thead><tbody>"
        for row in part:
            yield "<tr>" + "".join(f"<td{kind}>{cell}</td>" for cell, kind in zip(row, kinds, strict=True)) + "</tr>"
        yield f"</tbody></table></div>{after}"


def _split(rows: Sequence[Sequence[str]]) -> Iterator[tuple[Sequence[Sequence[str]], str, str]]:
    yield rows[:_ROWS], "", ""
    if len(rows) > _ROWS:
        yield rows[_ROWS:], f"<details><summary>{len(rows) - _ROWS:,} more</summary>", "</details>"


def _fold(parts: Sequence[str], noun: str, several: str) -> Iterator[str]:
    yield from parts[:_ROWS]
    if len(parts) > _ROWS:
        more = format_count(len(parts) - _ROWS, f"more {noun}", f"more {several}")
        yield from (f"<details><summary>{more}</summary>", *parts[_ROWS:], "</details>")


def _name(repository: str, team: str) -> str:
    return f'{_code(repository)} <span class="soft">{_text(team)}</span>'


def _code(text: str) -> str:
    return f"<code>{_text(text)}</code>"


def _text(text: str) -> str:
    return escape_html(text, _LONGEST)
