"""Which citations of a draft rest on lines that were read: a receipt names lines of one version of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ..checks.papers.receipt_missing import make_finding
from ..core.errors import Refused
from ..core.model import CURRENT_REVISIONS, Lines, Outcome, Report, Severity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..core.model import Summary, Verdict
    from ..safe.files import Root

_LISTED = 5
"""Receipts of a file that a message names."""


class ReadReceipt(Struct, frozen=True, gc=False):
    """Lines of a file that were shown."""

    path: str
    digest: str
    """SHA-256 of the whole file as it was then."""
    lines: Lines


def demand_receipts(root: Root, report: Report, summary: Summary, receipts: Sequence[ReadReceipt]) -> Report:
    """The report of a draft with citations of lines that no receipt covers as missing; the summary is counted anew.

    The report must have a verdict on every citation. What fails anyway stays as it is.
    """
    verdicts = []
    for verdict in report.verdicts:
        missing = _find_missing(root, verdict, receipts)
        if missing:
            finding = make_finding(missing)
            summary.outcomes[verdict.outcome.label] -= 1
            summary.outcomes[max(verdict.outcome, finding.outcome).label] += 1
            summary.errors += 1
            if verdict.findings:
                # It was counted by what is said of it: now it is an error.
                summary.warnings -= verdict.severity is Severity.WARNING
                summary.notes -= verdict.severity is Severity.NOTE
            summary.exit_code = max(summary.exit_code, 1)
            report.held -= verdict.outcome is Outcome.HOLDS and not verdict.findings
            verdict = replace(verdict, findings=(*verdict.findings, finding))
        verdicts.append(verdict)
    return replace(report, verdicts=tuple(verdicts))


def _find_missing(root: Root, verdict: Verdict, receipts: Sequence[ReadReceipt]) -> str:
    """What is missing for a citation of lines of a file of the work tree; empty where nothing is, or it is none."""
    seen = verdict.seen
    fails = any(finding.severity is Severity.ERROR for finding in verdict.findings)
    if seen is None or fails or not _is_of_tree(verdict):
        return ""
    cited = verdict.citation.lines or _find_symbol_line(root, seen.path, verdict)
    if cited is None:
        return ""
    of_file = [one for one in receipts if one.path == seen.path]
    same = [one for one in of_file if one.digest == seen.digest]
    if _are_covered(cited, [one.lines for one in same]):
        return ""
    if same:
        listed = ", ".join(dict.fromkeys(one.lines.text for one in same[:_LISTED]))
        return f"receipts of {seen.path} cover only lines {listed}"
    return f"{seen.path} changed since it was retrieved" if of_file else f"nothing was retrieved from {seen.path}"


def _are_covered(cited: Lines, shown: list[Lines]) -> bool:
    """Whether lines were shown, be it piece by piece."""
    following = cited.first
    for lines in sorted(shown, key=lambda one: one.first):
        if lines.first <= following <= lines.last:
            following = lines.last + 1
    return following > cited.last


def _find_symbol_line(root: Root, path: str, verdict: Verdict) -> Lines | None:
    """The line that names a definition which is cited by its name; None for anything else."""
    if verdict.citation.source.scheme != "symbol":
        return None
    from .. import symbols

    name = verdict.citation.source.key.partition("::")[2]
    try:
        found = symbols.find(path, root.read(path, root.limits.source_bytes), name)
    except Refused:
        return None
    return Lines(found[0].line, found[0].line) if found else None


def _is_of_tree(verdict: Verdict) -> bool:
    source = verdict.citation.source
    if source.scheme == "permalink":
        return source.key.partition("@")[2].partition(":")[0] in CURRENT_REVISIONS
    return source.scheme in ("file", "symbol")
