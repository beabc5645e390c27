"""Parts: a document with many citations is checked and reported some thousand at a time.

Every report but the last of a document says that more follows. What is in memory does not grow with the citations.
"""

from collections.abc import Iterable, Iterator

from .. import checks
from ..core.errors import Refused
from ..core.model import Report, Severity, Summary
from ..store import UNSETTLED
from ..text.document import Document

_MOST_TOUCHED = 100_000
"""Keys that one document may depend on and still be remembered."""


def find_cut(document: Document, rows: list[checks.CheckedCitation], captured: bool, part: int) -> int:
    """Whether a part may end before the last row: 0 where that is judged together with the one before, 2 where it would
    be but for their number."""
    if len(rows) < 2:
        return 1
    before, last = rows[-2].citation, rows[-1].citation
    if last.quote is not None and last.quote is before.quote:
        return 0
    if not captured or not checks.are_chained(document.text, before, last):
        return 1
    return 2 if len(rows) >= 8 * part else 0


def choose_exit_code(report: Report, strict: bool) -> int:
    """The exit code one document deserves: 2 it could not be read, 1 something is wrong with it, else 0."""
    if (report.error and not report.doubtful) or any(defect.malformed.fatal for defect in report.malformed):
        return 2
    if report.doubtful and strict:
        return 1
    bar = Severity.WARNING if strict else Severity.ERROR
    if report.malformed:
        return 1
    return int(any(one.severity >= bar for verdict in report.verdicts for one in verdict.findings))


def count_problems(summary: Summary, report: Report) -> None:
    """Add to a summary what a report says beside what holds."""
    for verdict in report.verdicts:
        if not verdict.findings and not verdict.silenced:
            continue  # It plainly holds, and was counted as held.
        summary.citations += 1
        summary.outcomes[verdict.outcome.label] += 1
        if not verdict.findings:
            continue
        severity = verdict.severity
        summary.errors += severity == Severity.ERROR
        summary.warnings += severity == Severity.WARNING
        summary.notes += severity == Severity.NOTE
    summary.malformed += len(report.malformed)
    summary.ignored += report.ignored
    summary.known += report.known
    summary.accepted += report.accepted
    summary.skipped += report.skipped
    summary.unread += len(report.unread)
    summary.unreadable += bool(report.error)
    summary.warnings += report.doubtful


def is_plain(report: Report) -> bool:
    """Whether a report says nothing but how many citations hold."""
    said = report.verdicts or report.malformed or report.error or report.silenced
    return not (said or report.ignored or report.known or report.skipped or report.unread)


def merge_count_only_parts(parts: Iterable[Report]) -> Iterator[Report]:
    """Parts of documents without those that only count: the part after takes their number over."""
    held = compared = 0
    for report in parts:
        report.held += held
        report.compared += compared
        counts_only = report.more and is_plain(report)
        held, compared = (report.held, report.compared) if counts_only else (0, 0)
        if not counts_only:
            yield report


def join_reports(parts: Iterable[Report]) -> Report:
    """One report of a document that came in parts."""
    first, *rest = parts
    if not rest:
        return first
    every = [first, *rest]
    return Report(
        first.document,
        tuple(verdict for part in every for verdict in part.verdicts),
        tuple(defect for part in every for defect in part.malformed),
        sum(part.held for part in every),
        sum(part.ignored for part in every),
        sum(part.known for part in every),
        skipped=sum(part.skipped for part in every),
        unread=tuple(text for part in every for text in part.unread),
        compared=sum(part.compared for part in every),
        silenced=tuple(defect for part in every for defect in part.silenced),
        accepted=sum(part.accepted for part in every),
    )


def limit_dependencies(touched: dict[str, None]) -> dict[str, None]:
    """What a document depends on; where that is too much to be remembered, something that never is."""
    return touched if len(touched) <= _MOST_TOUCHED else {UNSETTLED: None}


def make_unread_report(path: str, error: Refused) -> Report:
    """The report of a document that cannot be read."""
    from ..checks.files.unreadable_document import describe_refusal

    return Report(path, error=describe_refusal(error))
