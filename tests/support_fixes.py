"""The fixes of a whole tree, as `pincite fix` makes them, for tests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pincite.core.model import Report
from pincite.engine.repair.fix import Fix
from pincite.engine.repair.plan import FixPlanner
from pincite.engine.run import Request, Run
from pincite.safe.files import Root


def find_fixes(root: Root, reports: Iterable[Report], unsafe: bool = False) -> Iterator[Fix]:
    """The fixes of every document that has some: the safe ones, or all."""
    run = Run(root, Request(cache=False))
    planner = FixPlanner(run)
    known = [
        report
        for report in reports
        if any(finding.edit is not None for verdict in report.verdicts for finding in verdict.findings)
    ]
    for plan in planner.plan(known, unsafe):
        if plan.fix is not None and plan.fix.changes:
            yield plan.fix
    planner.close()
    run.close()
