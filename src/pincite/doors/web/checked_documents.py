"""What is known of all documents at one moment: the pages read it from many threads, and it never changes."""

from __future__ import annotations

from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING

from ...core.model import Defect, Outcome, Report, Safety, Severity, Summary, Verdict, target_of
from ...engine.citing_index import CitingIndex, list_references
from ...report._fingerprint import Fingerprints
from ...report._problems import MALFORMED, gravity
from ...safe.escape import escape_text
from .records import CitationRow, DocumentRow

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_LONGEST_SHOWN = 200
_UNREADABLE = "unreadable"
_MALFORMED = "malformed"
_GRAVEST_FIRST = (_MALFORMED, *(outcome.label for outcome in sorted(Outcome, reverse=True)))


class CheckedDocuments:
    """The reports of all documents that cite, with what pages ask of them. Made anew for every change."""

    def __init__(self, version: int, reports: Mapping[str, Report], summary: Summary, is_complete: bool) -> None:
        self.version = version
        self.summary = summary
        self.is_complete = is_complete
        """Whether every document was checked; else the first check is still under way, or was stopped."""
        self._reports = reports
        self._rows: dict[str, tuple[CitationRow, ...]] = {}
        self._counted: dict[str, DocumentRow] = {}

    def report(self, document: str) -> Report | None:
        """What is true of one document; None for one without citations, and for one that is not known."""
        return self._reports.get(document)

    def names(self) -> list[str]:
        """The documents that cite, in order."""
        return self._names

    def rows(self, document: str) -> tuple[CitationRow, ...]:
        """The citations of one document, in order."""
        rows = self._rows.get(document)
        if rows is None:
            report = self._reports.get(document)
            rows = self._rows[document] = tuple(_list_rows(report)) if report is not None else ()
        return rows

    def all_rows(self) -> Iterator[CitationRow]:
        """Every citation, in the order of documents and lines."""
        for name in self._names:
            yield from self.rows(name)

    def find(self, id: str) -> CitationRow | None:
        """The citation with an id."""
        return self._by_id.get(id)

    def verdict(self, row: CitationRow) -> Verdict | None:
        """What was found about a citation; None for a malformed one."""
        report = self._reports.get(row.document)
        for verdict in report.verdicts if report is not None else ():
            if (verdict.line, verdict.column, verdict.citation.raw) == (row.line, row.column, row.raw):
                return verdict
        return None

    @cached_property
    def documents(self) -> list[DocumentRow]:
        """The documents in numbers, in order."""
        return [self._counted.get(name) or self._count(name) for name in self._names]

    def _count(self, name: str) -> DocumentRow:
        row = self._counted[name] = _count(name, self._reports[name], self.rows(name))
        return row

    def prepare(self) -> None:
        """Compute what most pages need, so that no page waits for it."""
        _ = self.documents

    @cached_property
    def citing(self) -> CitingIndex:
        """Who cites which file."""
        return CitingIndex(one for name in self._names for one in list_references(self._reports[name]))

    @cached_property
    def _names(self) -> list[str]:
        return sorted(self._reports)

    @cached_property
    def _by_id(self) -> dict[str, CitationRow]:
        return {row.id: row for row in self.all_rows()}

    def update(
        self, version: int, changed: Mapping[str, Report | None], summary: Summary, is_complete: bool = True
    ) -> CheckedDocuments:
        """The same with other reports for some documents; None stands for one that is gone."""
        reports = {name: report for name, report in self._reports.items() if name not in changed}
        reports.update({name: report for name, report in changed.items() if report is not None})
        fresh = CheckedDocuments(version, reports, summary, is_complete)
        # Threads may be adding to what is copied here.
        fresh._rows = {name: rows for name, rows in self._rows.copy().items() if name not in changed}
        fresh._counted = {name: row for name, row in self._counted.copy().items() if name not in changed}
        return fresh


def show_citation(verdict: Verdict) -> str:
    """A citation for readers: `src/app.py L10-L25` where it names lines, else its target, on one line.

    Brackets such as 【F:…】 are missing in many fonts.
    """
    cited = verdict.citation
    if cited.lines is not None and cited.source.scheme != "chunk":
        first, last = cited.lines.first, cited.lines.last
        lines = f"L{first}" if first == last else f"L{first}-L{last}"
        return escape_text(f"{cited.source.key} {lines}", _LONGEST_SHOWN)
    return escape_text(target_of(cited) or cited.raw, _LONGEST_SHOWN)


def _list_rows(report: Report) -> Iterator[CitationRow]:
    seen: dict[str, int] = {}
    names = Fingerprints()
    found: list[Verdict | Defect] = [*report.verdicts, *report.malformed, *report.silenced]
    for item in sorted(found, key=lambda one: (one.line, one.column)):
        raw = item.citation.raw if isinstance(item, Verdict) else item.malformed.raw
        occurrence = seen[raw] = seen.get(raw, -1) + 1
        id = _make_id(report.document, raw, occurrence)
        if isinstance(item, Verdict):
            yield _describe_verdict(report.document, id, item, names)
        else:
            yield _describe_defect(report.document, id, item, names)


def _describe_verdict(document: str, id: str, verdict: Verdict, names: Fingerprints) -> CitationRow:
    cited = verdict.citation
    findings = sorted(verdict.findings, key=gravity)
    every = (*verdict.findings, *verdict.silenced)
    return CitationRow(
        id=id,
        document=document,
        line=verdict.line,
        column=verdict.column,
        raw=cited.raw,
        shown=show_citation(verdict),
        outcome=verdict.outcome.label,
        severity=verdict.severity.label if findings else "",
        checks=tuple(dict.fromkeys(finding.check for finding in findings)),
        message=escape_text(findings[0].message) if findings else "",
        dialect=cited.dialect,
        scheme=cited.source.scheme,
        source=verdict.seen.path if verdict.seen is not None else cited.source.key,
        fixable=any(
            one.edit is not None and one.edit.safety is Safety.SAFE and not one.edit.withheld for one in findings
        ),
        accepted=next((escape_text(one.accepted) for one in every if one.accepted), ""),
        fingerprints=tuple(names.of(document, one.check, cited.raw) for one in every),
    )


def _describe_defect(document: str, id: str, defect: Defect, names: Fingerprints) -> CitationRow:
    bad = defect.malformed
    return CitationRow(
        id=id,
        document=document,
        line=defect.line,
        column=defect.column,
        raw=bad.raw,
        shown=escape_text(bad.raw, _LONGEST_SHOWN),
        outcome=_MALFORMED,
        severity="" if defect.silenced_by is not None else Severity.ERROR.label,
        checks=() if defect.silenced_by is not None else (MALFORMED,),
        message="" if defect.silenced_by is not None else escape_text(bad.reason),
        dialect=bad.dialect,
        scheme=bad.source.scheme if bad.source is not None else "",
        source=bad.source.key if bad.source is not None else "",
        fixable=False,
        accepted="",
        fingerprints=(names.of(document, MALFORMED, bad.raw),),
    )


def _make_id(document: str, raw: str, occurrence: int) -> str:
    named = f"{len(document)} {occurrence} {document}{raw}"
    return blake2b(named.encode(errors="surrogatepass"), digest_size=8).hexdigest()


def _count(name: str, report: Report, rows: tuple[CitationRow, ...]) -> DocumentRow:
    outcomes: dict[str, int] = {}
    for row in rows:
        outcomes[row.outcome] = outcomes.get(row.outcome, 0) + 1
    if report.error:
        return DocumentRow(name, len(rows), outcomes, _UNREADABLE, escape_text(report.error))
    worst = next((label for label in _GRAVEST_FIRST if label in outcomes), Outcome.HOLDS.label)
    return DocumentRow(name, len(rows), outcomes, worst)
