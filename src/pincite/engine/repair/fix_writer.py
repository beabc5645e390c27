"""From a run to documents that are fixed: which of its reports offer something, and how a fix gets to the disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.errors import Conflict
from ...core.model import Report
from ...safe.temp_files import sweep
from ...store import FOLDER, LOCK
from .fix import write
from .shared_parts import Pool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ...core.model import Verdict
    from ..run import Progress, Run
    from .fix import Fix, Fixer


def list_offering_reports(
    run: Run, see: Callable[[Report], object] = bool, progress: Progress | None = None, every: bool = False
) -> Iterator[Report]:
    """The documents that offer something to change, without the citations that offer nothing; all with `every`.

    `see` is called with every report, in parts.
    """
    kept: list[Verdict] = []
    pool = Pool()
    for report in run.parts(progress):
        see(report)
        for verdict in report.verdicts:
            if every or any(finding.edit for finding in verdict.findings):
                kept.append(pool.share(verdict))
        if not report.more:
            if kept or every:
                yield Report(report.document, tuple(kept))
            kept = []


class FixWriter:
    """Puts fixed documents in place; what is locked follows them when all are written."""

    def __init__(self, run: Run, fixer: Fixer) -> None:
        self._run = run
        self.fixer = fixer
        self._written: list[Fix] = []
        """What was written, kept where locked evidence has to follow it."""
        self._locked = run.root.is_file(LOCK)

    def write(self, fix: Fix, asked: bool = False) -> None:
        """Put a fixed document in place; where it changed meanwhile, the same fix of what it is now.

        `asked` says that a reader agreed to each edit. Raises PinciteError where nothing was written.
        """
        try:
            write(self._run.root, fix)
        except Conflict:
            renewed = self.fixer.again(fix, asked)
            if renewed is None or len(renewed.changes) < len(fix.changes):
                raise
            write(self._run.root, renewed)
            fix = renewed
        if self._locked:
            self._written.append(fix)

    def follow_locks(self) -> None:
        """Let what is locked follow the citations that were written; raises PinciteError."""
        if self._written:
            from ..locking.carry import repoint

            repoint(self._run.root, self.fixer.engine, self._written)

    def sweep(self) -> None:
        """Remove what killed writers left where documents were written."""
        sweep(self._run.root, (*self._run.folders, FOLDER))
