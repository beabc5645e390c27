"""How many findings there are by check, by document and by folder, the worst first."""

from __future__ import annotations

from bisect import insort
from typing import TYPE_CHECKING

from msgspec import Struct

from ..core.model import Severity
from ._problems import problems, repairable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..core.model import Report
    from ._problems import ReportedProblem

    RankedRow = tuple[str, "FindingCounts"]


class FindingCounts(Struct, gc=False):
    """Findings by severity, and how many of them have a safe fix."""

    errors: int = 0
    warnings: int = 0
    notes: int = 0
    repairable: int = 0

    @property
    def problems(self) -> int:
        """Errors and warnings: what asks for work."""
        return self.errors + self.warnings

    @property
    def findings(self) -> int:
        """All of them."""
        return self.problems + self.notes

    def count(self, problem: ReportedProblem) -> None:
        """Count one finding."""
        self.errors += problem.severity is Severity.ERROR
        self.warnings += problem.severity is Severity.WARNING
        self.notes += problem.severity is Severity.NOTE
        self.repairable += repairable(problem)

    def add(self, other: FindingCounts) -> None:
        """Add the findings of another row."""
        self.errors += other.errors
        self.warnings += other.warnings
        self.notes += other.notes
        self.repairable += other.repairable


class Statistics:
    """Counts the findings of a run."""

    def __init__(self, loudness: Severity = Severity.NOTE) -> None:
        self._loudness = loudness
        """The least severity that counts."""
        self._checks: dict[str, FindingCounts] = {}
        self._documents: dict[str, FindingCounts] = {}

    def see(self, report: Report) -> None:
        """Count the findings of a document, or of a part of one."""
        self.count(problems(report))

    def count(self, found: Iterable[ReportedProblem]) -> None:
        """Count some findings."""
        for problem in found:
            if problem.severity >= self._loudness:
                self._checks.setdefault(problem.check, FindingCounts()).count(problem)
                self._documents.setdefault(problem.document, FindingCounts()).count(problem)

    def checks(self) -> list[RankedRow]:
        """The checks with their findings."""
        return _rank(self._checks)

    def documents(self) -> list[RankedRow]:
        """The documents with their findings."""
        return _rank(self._documents)

    def of_document(self, document: str) -> FindingCounts:
        """The findings of one document."""
        return self._documents.get(document) or FindingCounts()

    def folders(self) -> list[RankedRow]:
        """The folders with all findings below them; without the root, and without one that only leads to another."""
        totals: dict[str, FindingCounts] = {}
        for document, counts in self._documents.items():
            folder = document.rpartition("/")[0]
            if folder:
                totals.setdefault(folder, FindingCounts()).add(counts)
        waiting = sorted(totals, key=_depth)
        largest: dict[str, int] = {}
        while waiting:
            # The deepest first, so that each folder is complete when it is added to the one above.
            folder = waiting.pop()
            above = folder.rpartition("/")[0]
            if not above:
                continue
            if above not in totals:
                totals[above] = FindingCounts()
                insort(waiting, above, key=_depth)
            totals[above].add(totals[folder])
            largest[above] = max(largest.get(above, 0), totals[folder].findings)
        return _rank({name: row for name, row in totals.items() if row.findings > largest.get(name, 0)})


def _depth(folder: str) -> int:
    return folder.count("/")


def _rank(rows: dict[str, FindingCounts]) -> list[RankedRow]:
    """The worst first: by what asks for work, then by errors, then by notes."""
    return sorted(rows.items(), key=lambda row: (-row[1].problems, -row[1].errors, -row[1].notes, row[0]))
