"""For GitHub Actions: workflow commands that put each problem beside its line in the pull request.

GitHub shows ten errors, ten warnings and ten notices of a step. The gravest become annotations, the others are plain
lines of the log, as many as `--limit` allows, and a last notice gives the totals. What could not be checked is only
counted.
"""

from __future__ import annotations

from bisect import insort
from typing import TYPE_CHECKING

from ..core.model import Severity
from ..safe.escape import escape_text
from ._problems import ReportedProblem, break_brackets, describe_problem, format_place, inert, is_unchecked, problems
from ._words import asides, headline, hiding

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..core.model import Report, Summary
    from . import Options

NEEDS_ALL = False

ANNOTATIONS = 10

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}
# The totals need one notice of their own.
_ROOM = {Severity.ERROR: ANNOTATIONS, Severity.WARNING: ANNOTATIONS, Severity.NOTE: ANNOTATIONS - 1}


class GithubReporter:
    """Holds back the gravest few of each kind; the others go to the log at once."""

    def __init__(self, write: Callable[[str], object], options: Options) -> None:
        self._write = write
        self._gravest: dict[Severity, list[ReportedProblem]] = {severity: [] for severity in _COMMANDS}
        self._logged = 0
        self._limit = options.limit
        self._log: list[str] = []
        """Lines that wait for the end, where a limit says how many there may be beside the annotations."""

    def document(self, report: Report) -> None:
        """Log what will get no annotation."""
        for problem in problems(report):
            if is_unchecked(problem):
                continue
            kept = self._gravest[problem.severity]
            insort(kept, problem, key=lambda one: -one.outcome)
            if len(kept) > _ROOM[problem.severity]:
                self._logged += 1
                least = kept.pop()
                said = f"{_COMMANDS[least.severity]}: {least.message} ({least.check})"
                if not self._limit:
                    self._write(inert(f"{format_place(least)}: {said}") + "\n")
                elif len(self._log) < self._limit:
                    self._log.append(inert(f"{format_place(least)}: {said}") + "\n")

    def close(self, summary: Summary) -> None:
        """Write the annotations and the totals."""
        left_out = self._apply_limit()
        self._write("".join(self._log))
        if hidden := hiding(summary):
            # First, since GitHub drops what is too many at the end.
            self._write(f"::warning title=pincite::{_data(hidden)}\n")
        for kept in self._gravest.values():
            self._write("".join(_annotation(problem) for problem in kept))
        said = [headline(summary), asides(summary)]
        if self._logged:
            said.append(f"{self._logged:,} more without annotation: see the log of this step")
        if left_out:
            said.append(f"{left_out:,} more not shown: --limit 0 shows all")
        if summary.drift:
            said.append(f"not compared with history: {escape_text(summary.drift)}")
        told = break_brackets("; ".join(part for part in said if part))
        self._write(f"::notice title=pincite::{_data(told)}\n")

    def _apply_limit(self) -> int:
        """Drop what the limit has no room for, the least grave first; how many that is."""
        if not self._limit:
            return 0
        room, found = self._limit, self._logged + sum(map(len, self._gravest.values()))
        for severity, kept in self._gravest.items():
            self._gravest[severity] = kept[:room]
            room -= len(self._gravest[severity])
        self._log = self._log[:room]
        self._logged = len(self._log)
        return found - sum(map(len, self._gravest.values())) - self._logged


def _annotation(problem: ReportedProblem) -> str:
    properties = [f"file={_property(escape_text(problem.document))}"]
    if problem.line:
        properties.append(f"line={problem.line},col={problem.column}")
        if problem.raw and "\n" not in problem.raw and "\r" not in problem.raw:
            properties.append(f"endLine={problem.line},endColumn={problem.column + len(problem.raw)}")
    properties.append(f"title={_property(f'{problem.label} ({escape_text(problem.check)})')}")
    said = _data("\n".join(describe_problem(problem)))
    # Another runner than GitHub's may read the log, too.
    return break_brackets(f"::{_COMMANDS[problem.severity]} {','.join(properties)}::{said}\n")


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


Reporter = GithubReporter
