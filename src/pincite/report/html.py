"""For reading and sharing: one HTML page with the statistics first, then every problem by document.

The page needs nothing else: no script, no other file, no network. What was expected stands beside what is there, and
buttons at the top leave only one severity or one check. What could not be checked is only counted.
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from ..core.model import Outcome, Severity
from ..safe.escape import escape_html
from ..safe.spool import Spool
from ..text.html_page import CHART_STYLE, close_page, open_page, render_bar, render_tiles
from ..text.lines import format_count
from ._problems import blocks, detail_lines, format_citation, format_repair, is_unchecked, repairable
from ._statistics import Statistics
from ._words import asides, headline, hiding, mark

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..core.model import Report, Summary
    from . import Options
    from ._problems import ReportedProblem
    from ._statistics import FindingCounts, RankedRow

NEEDS_ALL = False

_LONGEST = 500
_ROWS = 20
"""Rows of a table that are open; the others are folded away."""
_OUTCOMES = {
    Outcome.HOLDS: "good",
    Outcome.UNCHECKED: "note",
    Outcome.MOVED: "warning",
    Outcome.AMBIGUOUS: "warning",
    Outcome.MISMATCH: "warning",
    Outcome.MISSING: "error",
    Outcome.BLOCKED: "error",
}
_COLUMNS = ("errors", "warnings", "notes", "repairable")
_EXPECTED, _THERE = "quoted  ", "paper   "
_STYLE = """
body { max-width: 70rem; font: 1rem/1.5 system-ui, sans-serif; } a { color: var(--link); }
h1 { font-size: 1.6rem; margin: 0.5rem 0; } h2 { font-size: 1.2rem; margin: 2rem 0 0.5rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 0.5rem; } p { margin: 0.3rem 0; } code, pre { font-size: 0.9em; }
b.good, rect.good, li.good { color: var(--good); fill: var(--good); }
b.warning, rect.warning, li.warning { color: var(--poor); fill: var(--poor); }
b.error, rect.error, li.error { color: var(--bad); fill: var(--bad); }
b.note, rect.note, li.note { color: var(--none); fill: var(--none); }
article { background: var(--card); border: 1px solid var(--line); border-radius: 0.5rem; padding: 0.4rem 0.75rem;
  margin: 0.5rem 0; } section { content-visibility: auto; contain-intrinsic-size: auto 20rem; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(18rem, 1fr)); gap: 0.5rem; }
.pair figure { margin: 0.2rem 0; } figcaption { font-size: 0.85rem; } pre { margin: 0; padding: 0.3rem 0.5rem;
  overflow-x: auto; background: var(--page); border: 1px solid var(--line); border-radius: 0.3rem; }
.filter { position: absolute; opacity: 0; } .filter + label { display: inline-block; border: 1px solid var(--line);
  border-radius: 1rem; padding: 0.1rem 0.6rem; margin: 0.15rem 0.1rem; cursor: pointer; }
.filter:checked + label { background: var(--ink); color: var(--page); } .filter:focus-visible + label { outline: 2px
  solid var(--link); }
@media print { body { max-width: none; } .filter + label { display: none; } article { break-inside: avoid; } }
"""


class HtmlReporter:
    """Keeps the sections of documents, in a file once they are long; writes the page at the end."""

    def __init__(self, write: Callable[[str], object], options: Options) -> None:
        self._write = write
        self._options = options
        self._loudness = Severity.NOTE
        if options.quiet:
            self._loudness = Severity.WARNING if options.strict else Severity.ERROR
        self._statistics = Statistics(self._loudness)
        self._sections = Spool()
        self._articles = Spool()
        self._classes: dict[str, None] = {}
        """Severities and checks of the document that is being read."""
        self._severities: set[Severity] = set()
        self._checks: dict[str, int] = {}
        self._places: dict[str, int] = {}
        """Documents that have a section, with its number."""

    def document(self, report: Report) -> None:
        """Take in the document's problems."""
        for block in blocks(report):
            self._statistics.count(block)
            if is_unchecked(block[0]) or block[0].severity < self._loudness:
                continue
            kinds = dict.fromkeys(kind for problem in block for kind in self._classify(problem))
            self._classes.update(kinds)
            self._articles.add("\n".join(_article(block, " ".join(kinds))) + "\n")
        if not report.more:
            self._finish(report.document)

    def _classify(self, problem: ReportedProblem) -> tuple[str, str]:
        """The classes that buttons choose a problem by."""
        self._severities.add(problem.severity)
        return problem.severity.label, f"c{self._checks.setdefault(problem.check, len(self._checks))}"

    def _finish(self, document: str) -> None:
        """End the section of a document."""
        if self._articles.pieces:
            number = self._places.setdefault(document, len(self._places))
            counts = _say_counts(self._statistics.of_document(document))
            heading = f'<h3><code>{_text(document)}</code> <span class="soft">{counts}</span></h3>'
            self._sections.add(f'<section class="{" ".join(self._classes)}" id="d{number}">\n{heading}\n')
            self._articles.write_to(self._sections.add)
            self._sections.add("</section>\n")
        self._classes.clear()

    def close(self, summary: Summary) -> None:
        """Write the page."""
        said = (asides(summary), hiding(summary))
        drift = f"Not compared with history: {summary.drift}" if summary.drift else ""
        version = f"pincite {self._options.version}".strip()
        header = (
            "<h1>Citations</h1>",
            f"<p>{mark(summary)} {_text(headline(summary))}</p>",
            *(f'<p class="soft">{_text(words)}</p>' for words in (*said, drift, version) if words),
        )
        style = CHART_STYLE + _STYLE + "".join(f"{rule}\n" for rule in self._filter_rules())
        self._write(open_page("Citations", style, header))
        self._write("".join(f"{line}\n" for line in self._overview(summary)))
        self._sections.write_to(self._write)
        self._write(close_page())

    def _overview(self, summary: Summary) -> Iterator[str]:
        """The statistics, and the buttons above the problems."""
        parts = [(_OUTCOMES[one], one.label, summary.outcomes.get(one.label, 0)) for one in Outcome]
        if summary.citations:
            shown = [part for part in parts if part[2]]
            yield from render_tiles([("", "citations", summary.citations), *shown])
            yield from render_bar("outcomes", "Citations by outcome", shown)
        statistics = self._statistics
        yield from _table("check", statistics.checks(), _code)
        yield from _table("document", statistics.documents(), self._link)
        yield from _table("folder", statistics.folders(), _code)
        if self._places:
            yield "<h2>Problems</h2>"
            for name, label in self._filters():
                checked = " checked" if name == "all" else ""
                yield f'<input class="filter" type="radio" name="show" id="show-{name}"{checked}>'
                yield f'<label for="show-{name}">{label}</label>'

    def _filters(self) -> Iterator[tuple[str, str]]:
        """The buttons: what they are called in the page, and what they say."""
        found = {name: counts.findings for name, counts in self._statistics.checks()}
        yield "all", "all"
        for severity in sorted(self._severities, reverse=True):
            yield severity.label, f"{severity.label}s"
        for check, number in self._checks.items():
            yield f"c{number}", f"{_text(check)} {found[check]:,}"

    def _filter_rules(self) -> Iterator[str]:
        for name, _ in self._filters():
            chosen = f"#show-{name}:checked ~ section"
            if name != "all":
                yield f"{chosen}:not(.{name}), {chosen} article:not(.{name}) {{ display: none; }}"

    def _link(self, document: str) -> str:
        number = self._places.get(document)
        return _code(document) if number is None else f'<a href="#d{number}">{_code(document)}</a>'


def _table(noun: str, rows: list[RankedRow], render: Callable[[str], str]) -> Iterator[str]:
    """The findings by something, the worst first."""
    if rows:
        yield f"<h2>By {noun}</h2>"
    heads = "".join(f'<th class="number">{name}</th>' for name in _COLUMNS)
    head = f'<div class="wide"><table><thead><tr>{heads}<th>{noun}</th></tr></thead><tbody>'
    more = f"<details><summary>{format_count(len(rows) - _ROWS, f'more {noun}')}</summary>"
    for part, before, after in ((rows[:_ROWS], "", ""), (rows[_ROWS:], more, "</details>")):
        if part:
            yield before + head
            for name, row in part:
                cells = "".join(f'<td class="number">{getattr(row, column):,}</td>' for column in _COLUMNS)
                yield f"<tr>{cells}<td>{render(name)}</td></tr>"
            yield "</tbody></table></div>" + after


def _say_counts(counts: FindingCounts) -> str:
    parts = ((counts.errors, "error"), (counts.warnings, "warning"), (counts.notes, "note"))
    return ", ".join(format_count(number, noun) for number, noun in parts if number)


def _article(block: tuple[ReportedProblem, ...], kinds: str) -> Iterator[str]:
    """Everything that is said about one citation."""
    first = block[0]
    place = f"{first.line}:{first.column} " if first.line else ""
    yield f'<article class="{kinds}">'
    checks = ", ".join(dict.fromkeys(_code(problem.check) for problem in block))
    yield f'<p><span class="soft">{place}</span><b class="{first.severity.label}">{first.label}</b> {checks}</p>'
    yield from (f"<p>{_text(problem.message)}</p>" for problem in block)
    if first.raw:
        yield f'<p><span class="soft">cited</span> {_code(format_citation(first))}</p>'
    for problem in block:
        yield from _evidence(problem)
        if problem.edit is not None:
            hint = "safe" if repairable(problem) else "needs a reader"
            repaired = format_repair(problem)
            new = _code(repaired) if repaired else "(removed)"
            yield f'<p><span class="soft">fix</span> {new} <span class="soft">({hint})</span></p>'
    yield "</article>"


def _evidence(problem: ReportedProblem) -> Iterator[str]:
    """What was expected beside what is there, and what else the finding has to say."""
    lines = detail_lines(problem)
    compared = list(takewhile(lambda line: line[:1] in {"-", "+", " "} or line[:8] in {_EXPECTED, _THERE}, lines))
    before = [_bare(line) for line in compared if line[:1] != "+" and line[:8] != _THERE]
    after = [_bare(line) for line in compared if line[:1] != "-" and line[:8] != _EXPECTED]
    rest = lines[len(compared) :]
    if before == after:
        # No comparison, or one that shows nothing: what was cited, and what stands at the cited place.
        rest = lines
        before = list(problem.then)
        after = list(problem.verdict.excerpt) if problem.verdict is not None and problem.then else []
    if before != after:
        yield f'<div class="pair">{_column("expected", before)}{_column("there now", after)}</div>'
    if rest:
        yield f"<pre>{_join(rest)}</pre>"


def _bare(line: str) -> str:
    return line[8:] if line[:8] in {_EXPECTED, _THERE} else line[1:]


def _column(title: str, lines: list[str]) -> str:
    shown = f"<pre>{_join(lines)}</pre>" if lines else '<p class="soft">nothing</p>'
    return f"<figure><figcaption>{title}</figcaption>{shown}</figure>"


def _join(lines: list[str]) -> str:
    return "\n".join(_text(line.replace("\t", "    ")) for line in lines)


def _code(text: str) -> str:
    return f"<code>{_text(text)}</code>"


def _text(text: str) -> str:
    return escape_html(text, _LONGEST)


Reporter = HtmlReporter
