"""The fixes of a whole tree, as `pincite fix` makes them, for tests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pincite.core.errors import Refused
from pincite.core.model import Report
from pincite.engine.repair.citing_documents import CitingPlaces
from pincite.engine.repair.fix import Fix, Fixer
from pincite.engine.run import Request, Run
from pincite.safe.files import Root


def find_fixes(root: Root, reports: Iterable[Report], unsafe: bool = False) -> Iterator[Fix]:
    """The fixes of every document that has some: the safe ones, or all."""
    run, citers, known = Run(root, Request(cache=False)), CitingPlaces(), list[Report]()
    fixer = Fixer(root, run.engine, False, citers)
    for report in reports:
        citers.see(report)
        if any(finding.edit is not None for verdict in report.verdicts for finding in verdict.findings):
            known.append(report)
    if known:
        citers.find(fixer.engine, run.git(), [report.document for report in known])
    for report in known:
        try:
            offers = fixer.offers(report)
        except Refused:
            continue
        wanted = [change for change in offers.changes if unsafe or change.safe] if offers is not None else []
        fix = fixer.fix(offers, wanted) if offers is not None and wanted else None
        if fix is not None and fix.changes:
            yield fix
    fixer.close()
    run.close()
