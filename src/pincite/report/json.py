"""For programs: every citation with its verdict, as one JSON object of the published schema `pincite.report/1`.

`citations` holds one object per citation, one per line, also for those that hold; `malformed` what was meant as a
citation and is none; `errors` the documents that could not be read; `summary` the run in numbers. Keys may come in any
order, and keys may be added within version 1: readers ignore what they do not know. Text stands as it was found, with
invisible characters as `\\uXXXX`; only bytes of a file name that are not UTF-8 are shown as `\\u{dcff}`.
"""

from __future__ import annotations

from functools import lru_cache
from time import gmtime, strftime
from typing import TYPE_CHECKING, Any

from msgspec import UNSET, Struct, UnsetType
from msgspec.json import Encoder

from ..core.model import Defect, EvidenceStamp, Finding, Outcome, SourceRef, Verdict, target_of
from ..safe.escape import json_safe, json_text
from ..safe.spool import Spool
from ._words import hidden_parts

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..core.model import Report, Summary
    from . import Options

NEEDS_ALL = True

SCHEMA = "pincite.report/1"
_HOLDS = Outcome.HOLDS.label
_NUMBERS = (
    "errors",
    "warnings",
    "notes",
    "malformed",
    "ignored",
    "known",
    "accepted",
    "unreadable",
    "skipped",
    "unread",
    "fixable",
)


class JsonReporter:
    """Writes citations as documents come; holds back only what has no verdict."""

    def __init__(self, write: Callable[[str], object], options: Options) -> None:
        self._write = write
        self._between = "\n"
        self._malformed = Spool()
        self._errors = Spool()
        self._unread = Spool()
        write(f'{{"schema":"{SCHEMA}","version":{json_text(options.version)},\n"citations":[')

    def document(self, report: Report) -> None:
        """Write the document's citations."""
        path = report.document
        if report.verdicts:
            self._write(self._between + _encode([_citation(path, verdict) for verdict in report.verdicts]))
            self._between = ",\n"
        for defect in report.malformed:
            _list(self._malformed, json_text(_defect(path, defect)))
        if report.error:
            _list(self._errors, json_text({"document": path, "message": report.error}))
        for text in report.unread:
            row = {"document": path, "line": text.line, "column": text.column, "raw": text.raw, "reason": text.reason}
            _list(self._unread, json_text(row))

    def close(self, summary: Summary) -> None:
        """Write the rest of the object."""
        self._write("\n],\n")
        for name, rows in (("malformed", self._malformed), ("errors", self._errors), ("unread", self._unread)):
            self._write(f'"{name}":[')
            closing = "\n]" if rows.pieces else "]"
            rows.write_to(self._write)
            self._write(f"{closing},\n")
        self._write(f'"summary":{json_text(format_summary(summary))}}}\n')


class _Row(Struct, gc=False):
    """One citation, in the order of the schema's keys: a record is written faster than a dictionary."""

    document: str
    line: int
    column: int
    raw: str
    dialect: str
    target: str
    source: SourceRef
    lines: tuple[int, int] | None
    quote: str | None
    outcome: str
    evidence: dict[str, Any] | None
    findings: list[dict[str, Any]]
    silenced: list[dict[str, Any]]
    further_quotes: tuple[str, ...] | UnsetType = UNSET
    pages: tuple[str, str] | UnsetType = UNSET
    section: str | UnsetType = UNSET


_NONE: list[dict[str, Any]] = []
_KEPT = 1024
"""Sources whose stamps are kept as they are written."""
_encoder = Encoder()


def _encode(rows: list[_Row]) -> str:
    """Rows as JSON that is safe to print."""
    try:
        return json_safe(b",\n".join(map(_encoder.encode, rows)).decode())
    except UnicodeEncodeError:
        return ",\n".join(map(json_text, rows))


def _citation(path: str, verdict: Verdict) -> _Row:
    citation, found, silent = verdict.citation, verdict.findings, verdict.silenced
    lines, quote = citation.lines, citation.quote
    row = _Row(
        path,
        verdict.line,
        verdict.column,
        citation.raw,
        citation.dialect,
        target_of(citation),
        citation.source,
        None if lines is None else (lines.first, lines.last),
        None if quote is None else quote.exact,
        verdict.outcome.label if found or silent else _HOLDS,
        None if verdict.seen is None else _evidence(verdict.seen),
        [_finding(finding) for finding in found] if found else _NONE,
        [_finding(finding) for finding in silent] if silent else _NONE,
    )
    if quote is not None and quote.others:
        row.further_quotes = quote.others
    if citation.pages is not None:
        row.pages = citation.pages.first, citation.pages.last
    if citation.section:
        row.section = citation.section
    return row


@lru_cache(_KEPT)
def _evidence(seen: EvidenceStamp) -> dict[str, Any]:
    second, rest = divmod(int(seen.retrieved * 1000), 1000)
    read = f"{_format_second(second)}.{rest:03d}Z"
    found: dict[str, Any] = {"path": seen.path, "digest": seen.digest, "retrieved": read}
    if seen.folded:
        found["folded"] = seen.folded
    return found


@lru_cache(maxsize=1)
def _format_second(second: int) -> str:
    """A second in ISO 8601, UTC; thousands of sources are read within one."""
    return strftime("%Y-%m-%dT%H:%M:%S", gmtime(second))


def _finding(finding: Finding) -> dict[str, Any]:
    found: dict[str, Any] = {
        "check": finding.check,
        "outcome": finding.outcome.label,
        "severity": finding.severity.label,
        "message": finding.message,
    }
    if finding.detail:
        found["detail"] = finding.detail
    if finding.accepted:
        found["accepted"] = finding.accepted
    edit = finding.edit
    if edit is not None:
        place = {"start": edit.span.start, "end": edit.span.end}
        found["edit"] = {**place, "replacement": edit.replacement, "safety": edit.safety.value}
        if edit.withheld:
            found["edit"]["withheld"] = edit.withheld
    if finding.silenced_by is not None:
        found["silenced_by"] = finding.silenced_by.value
    return found


def _defect(path: str, defect: Defect) -> dict[str, Any]:
    bad, place = defect.malformed, {"document": path, "line": defect.line, "column": defect.column}
    return {**place, "raw": bad.raw, "dialect": bad.dialect, "reason": bad.reason}


def format_summary(summary: Summary) -> dict[str, Any]:
    """The numbers of a run under the names that the schema gives them."""
    numbers = {name: getattr(summary, name) for name in _NUMBERS}
    return {
        "documents": summary.documents,
        "citations": summary.citations,
        **summary.outcomes,
        "outcomes": summary.outcomes,
        **numbers,
        "hidden": None if summary.hidden is None else hidden_parts(summary.hidden),
        "seconds": round(summary.seconds, 3),
        "drift": summary.drift,
        "root": summary.root,
        "exit_code": summary.exit_code,
    }


def _list(rows: Spool, row: str) -> None:
    rows.add(f",\n{row}" if rows.pieces else f"\n{row}")


Reporter = JsonReporter
