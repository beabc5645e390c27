"""What waits for a reader: citations that moved, were edited, are ambiguous, or do not show what is claimed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ...checks import CLAIM_CHECKS, READER_DECIDES
from ...core.model import Outcome
from .write_journal import get_journal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...core.model import Finding, Report
    from .records import CitationRow
    from .site import Site

_KEY = "review"
_DECIDED_BY_READER = (Outcome.MOVED, Outcome.AMBIGUOUS, Outcome.MISMATCH)


class QueueFilter(Struct, frozen=True, kw_only=True):
    """Which part of the queue is wanted."""

    outcome: str = ""
    check: str = ""
    folder: str = ""
    """A folder of documents, with all below it."""


class QueuePlace(QueueFilter, frozen=True, kw_only=True):
    """Which part of the queue a page belongs to: its fields go from page to page, back to the queue."""

    review: bool = False
    """Whether the queue goes on afterwards."""


def list_waiting(site: Site) -> list[CitationRow]:
    """Every citation that waits for a reader, in the order of documents and lines, but for those just settled."""
    # Before the verdicts: a write that they take into account meanwhile counts as one that they do not.
    shown = site.keeper.shown_writes
    documents = site.documents
    kept: dict[str, tuple[Report, tuple[CitationRow, ...]]] = site.kept.get(_KEY, {})
    fresh: dict[str, tuple[Report, tuple[CitationRow, ...]]] = {}
    for name in documents.names():
        report = documents.report(name)
        if report is not None:
            known = kept.get(name)
            same = known is not None and known[0] is report
            fresh[name] = known if known is not None and same else (report, _find_waiting(report, documents.rows(name)))
    site.kept[_KEY] = fresh
    settled = get_journal(site).find_settled(shown)
    return [row for _, rows in fresh.values() for row in rows if row.id not in settled]


def choose_waiting(rows: Sequence[CitationRow], wanted: QueueFilter) -> list[CitationRow]:
    """The part of a queue that is wanted."""
    below = f"{wanted.folder.rstrip('/')}/" if wanted.folder else ""
    return [
        row
        for row in rows
        if (not wanted.outcome or row.outcome == wanted.outcome)
        and (not wanted.check or wanted.check in row.checks)
        and row.document.startswith(below)
    ]


def find_position(rows: Sequence[CitationRow], id: str) -> int:
    """Where a citation stands in a queue, from 0; -1 where it is not there."""
    return next((number for number, row in enumerate(rows) if row.id == id), -1)


def is_waiting(finding: Finding) -> bool:
    """Whether a reader is wanted for a finding."""
    if finding.outcome in _DECIDED_BY_READER or finding.check in CLAIM_CHECKS:
        return True
    # What is gone without a trace is for the author, who has to write something else.
    return finding.outcome is Outcome.MISSING and (finding.check in READER_DECIDES or finding.edit is not None)


def _find_waiting(report: Report, rows: Sequence[CitationRow]) -> tuple[CitationRow, ...]:
    found = {
        (verdict.line, verdict.column, verdict.citation.raw)
        for verdict in report.verdicts
        if any(map(is_waiting, verdict.findings))
    }
    return tuple(row for row in rows if (row.line, row.column, row.raw) in found)


def list_folders(rows: Sequence[CitationRow]) -> Iterator[str]:
    """The folder of each citation's document and all around it; nothing for the root."""
    for row in rows:
        folder = row.document.rpartition("/")[0]
        while folder:
            yield folder
            folder = folder.rpartition("/")[0]
