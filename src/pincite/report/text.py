"""For people: every problem with its place, what was expected, what is there, and what to type next.

Each problem begins with `document:line:column`, which terminals and editors make clickable, followed by the outcome and
the name of the check (`pincite explain CHECK` tells more). Notes are counted in the summary and printed only when
there are three or fewer. The last lines sum up the run; a run that found no citation says that nothing was checked.
`--quiet` leaves only what fails the run and what a change hides, and nothing at all where there is neither.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..core.model import Severity
from ..safe.escape import escape_text
from ..text.lines import format_count
from ._problems import ReportedProblem, blocks, detail_lines, format_citation, format_repair, inert, repairable
from ._words import asides, headline, hiding, mark

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..core.model import Report, Summary
    from . import Options

NEEDS_ALL = False

_NOTES_SHOWN = 3
_PLAIN_PATH = re.compile(r"[\w./][\w./+@-]*\Z")
_PAINT = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}
_HUES = {"-": "red", "+": "green", "quoted  ": "red", "paper   ": "green"}
"""Lines of a detail, by how they begin."""
_MARK_HUE = {"✗": "red", "⚠": "yellow", "✓": "green", "–": "yellow"}
_HUE = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}


class TextReporter:
    """Writes problems as documents come and keeps only counts and the first few notes."""

    def __init__(self, write: Callable[[str], object], options: Options) -> None:
        self._write = write
        self._options = options
        self._width = max(options.width - 9, 40)
        self._loudness = Severity.NOTE
        if options.quiet:
            self._loudness = Severity.WARNING if options.strict else Severity.ERROR
        self._fixes = 0
        self._held_back: list[str] = []
        self._notes = 0
        self._skipped: list[str] = []

    def document(self, report: Report) -> None:
        """Print the document's problems."""
        if self._options.skipped:
            for text in report.unread:
                place = f"{_path(report.document)}:{text.line}:{text.column}"
                self._skipped.append(f"  {place}  {inert(text.raw, self._width)}: {inert(text.reason)}\n")
        for block in blocks(report):
            severity = block[0].severity
            self._fixes += any(repairable(problem) for problem in block)
            if severity < self._loudness:
                continue
            if severity > Severity.NOTE:
                self._write(self._block(block))
                continue
            self._notes += 1
            if self._notes <= _NOTES_SHOWN:
                self._held_back.append(self._block(block))

    def close(self, summary: Summary) -> None:
        """Print the notes if they are few, then the summary."""
        if self._options.quiet and not summary.exit_code:
            self._write("".join(f"{line}\n" for line in self._hiding(summary)))
            return
        if self._notes <= _NOTES_SHOWN:
            self._write("".join(self._held_back))
        if self._skipped:
            self._write("Looks like a citation and was not read:\n" + "".join(self._skipped) + "\n")
        self._write("".join(f"{line}\n" for line in self._closing(summary)))

    def _paint(self, text: str, *styles: str) -> str:
        if not self._options.color:
            return text
        return f"\x1b[{';'.join(_PAINT[style] for style in styles)}m{text}\x1b[0m"

    def _block(self, block: tuple[ReportedProblem, ...]) -> str:
        first = block[0]
        place = _path(first.document) + (f":{first.line}:{first.column}" if first.line else "")
        heading = f"{self._paint(place, 'bold')}  {self._paint(first.label, 'bold', _HUE[first.severity])}"
        if first.verdict is not None:
            checks = ", ".join(dict.fromkeys(escape_text(problem.check) for problem in block))
            heading = f"{heading}  {self._paint(checks, 'dim')}"
        lines = [heading]
        lines += [f"  {inert(problem.message)}" for problem in block]
        if first.raw:
            lines.append(f"  {self._paint('cited', 'dim')}  {inert(format_citation(first), self._width)}")
        for problem in block:
            lines += [f"    {line}" for line in self._detail(problem)]
            if problem.edit is not None:
                lines.append(self._fix(problem))
        return "\n".join(lines) + "\n\n"

    def _detail(self, problem: ReportedProblem) -> Iterator[str]:
        bar = self._paint("│", "dim")
        for line in detail_lines(problem):
            hue = _HUES.get(line[:1]) or _HUES.get(line[:8], "dim")
            yield f"{bar} {self._paint(inert(line, self._width), hue)}".rstrip()

    def _fix(self, problem: ReportedProblem) -> str:
        new = inert(format_repair(problem), self._width) or "(removed)"
        if repairable(problem):
            hint = f"run `pincite fix --write{_argument(problem.document)}`"
        else:
            hint = "needs a reader: it may not be what the author meant"
        return f"  {self._paint('fix', 'green')}    {new}  {self._paint(f'({hint})', 'dim')}"

    def _closing(self, summary: Summary) -> Iterator[str]:
        if summary.citations:
            symbol = mark(summary)
            yield f"{self._paint(symbol, 'bold', _MARK_HUE[symbol])} {headline(summary)}"
        else:
            more = " `pincite suggest` proposes some." if summary.documents else ""
            yield self._paint(f"{headline(summary)}{more}", "bold", "yellow")
        rest = asides(summary)
        if rest:
            yield f"  {rest}"
        yield from self._hiding(summary)
        if self._fixes:
            yield f"  {self._fixes:,} may be repaired: `pincite fix` shows which, `pincite fix --write` does it"
        if self._notes > _NOTES_SHOWN:
            yield self._paint(f"  {format_count(self._notes, 'note')} not shown: `--format json` has them all", "dim")
        if summary.drift:
            yield self._paint(f"  Not compared with history: {inert(summary.drift)}", "dim")

    def _hiding(self, summary: Summary) -> Iterator[str]:
        if hidden := hiding(summary):
            yield f"{self._paint('⚠', 'bold', 'yellow')} {hidden}"


def _path(document: str) -> str:
    """The path so that nothing reads it as an option or a command."""
    path = inert(document)
    if path == "-":
        return path  # standard input
    return f"./{path}" if path[:1] in {"-", "\\", " "} else path


def _argument(document: str) -> str:
    """The path as a shell takes it, after a space; nothing where it cannot be typed."""
    if inert(document) != document:
        return ""
    if _PLAIN_PATH.match(document):
        return f" {document}"
    quoted = document.replace("'", "'\\''")
    return f" '{'./' if document.startswith('-') else ''}{quoted}'"


Reporter = TextReporter
