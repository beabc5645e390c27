"""The plan of a fix: which of the edits that findings offer are made. `check` promises what `fix` plans, no more.

A plan depends on the document, on what its findings offer and on the project, and not on which other documents a run
looks at: `fix` of one document makes what `check` of the whole project promised for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ...core.errors import Refused
from ...core.model import Report
from .citing_documents import CitingPlaces
from .fix import DocumentFixes, Fix, Fixer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..run import Run


_BY_READER = "; `pincite fix --interactive` makes it anyway"


class DocumentPlan(Struct, frozen=True):
    """What can be changed in one document, and what is."""

    report: Report
    offers: DocumentFixes | None
    """None where nothing is offered, or the document cannot be read."""
    fix: Fix | None = None
    """None where nothing of it is wanted."""
    error: Refused | None = None
    """Why the document cannot be read."""


class FixPlanner:
    """Plans the fixes of documents that a run reported on; a new text is judged as the run judges documents."""

    def __init__(self, run: Run, to_symbols: bool = False) -> None:
        self._run = run
        self.fixer = Fixer(run.root, run.engine, to_symbols)

    def close(self) -> None:
        """Let go of what is kept open."""
        self.fixer.close()

    def offer(self, report: Report) -> DocumentPlan:
        """What a document offers, of which nothing is wanted yet."""
        stdin = self._run.request.stdin
        try:
            return DocumentPlan(report, self.fixer.offers(report, stdin[1] if stdin is not None else None))
        except Refused as error:
            return DocumentPlan(report, None, error=error)

    def plan(self, reports: Sequence[Report], unsafe: bool = False) -> Iterator[DocumentPlan]:
        """The plan of each document, in order: its safe edits, or all, as far as they do no harm.

        Nothing may be written before the last one: a plan sees the documents as they are.
        """
        if reports:
            self.fixer.citers = CitingPlaces(self.fixer.engine)
            self.fixer.citers.find([report.document for report in reports], self._run.list_documents())
        for report in reports:
            offered = self.offer(report)
            changes = offered.offers.changes if offered.offers is not None else ()
            wanted = [change for change in changes if unsafe or change.safe]
            if offered.offers is None or not wanted:
                yield offered
            else:
                yield replace(offered, fix=self.fixer.fix(offered.offers, wanted))


def count_fixed(fix: Fix | None) -> int:
    """The citations that a fix changes; some by more than one edit."""
    return 0 if fix is None else len({id(change.verdict) for change in fix.changes})


def find_reasons(plan: DocumentPlan) -> dict[int, str]:
    """Why safe edits of a document are not made, by the identity of the edit."""
    if plan.offers is None:
        found = (finding.edit for verdict in plan.report.verdicts for finding in verdict.findings)
        return {id(edit): f"{plan.error}" for edit in found if edit is not None}
    left = (*plan.offers.left, *(plan.fix.left if plan.fix is not None else ()))
    return {id(one.change.edit): one.reason + (_BY_READER if one.reader else "") for one in left}
