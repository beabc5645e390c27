"""Who cites which file, and which of its lines: every citation of the documents, by the file that it leads to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ..core.model import CURRENT_REVISIONS, Lines, Report, Verdict
from ..text.lines import join
from .run import Request, Run
from .settings import merge_settings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..project.project import Project
    from .run import Progress


class CitingReference(Struct, frozen=True, gc=False):
    """A citation of a file, and where it stands."""

    document: str
    line: int
    column: int
    raw: str
    path: str
    """The file that it leads to, or would lead to."""
    lines: Lines | None
    outcome: str
    """The outcome as reports spell it."""


class CitingIndex:
    """Citations by the file that they lead to; a document can be taken in again after it changed."""

    def __init__(self, references: Iterable[CitingReference] = ()) -> None:
        self._by_path: dict[str, list[CitingReference]] = {}
        self._paths_of: dict[str, set[str]] = {}
        for reference in references:
            self._add(reference)

    def find(self, path: str, lines: Lines | None = None) -> list[CitingReference]:
        """The citations of a file, or of any of these lines of it, in the order of documents and lines."""
        found = self._by_path.get(path, [])
        if lines is not None:
            found = [one for one in found if one.lines is not None and _overlap(one.lines, lines)]
        return sorted(found, key=lambda one: (one.document, one.line, one.column))

    def paths(self) -> list[str]:
        """Every file that is cited."""
        return sorted(path for path, found in self._by_path.items() if found)

    def update(self, report: Report) -> None:
        """Take in what a document cites now; the report must have a verdict on every citation."""
        for path in self._paths_of.pop(report.document, ()):
            self._by_path[path] = [one for one in self._by_path[path] if one.document != report.document]
        for reference in list_references(report):
            self._add(reference)

    def _add(self, reference: CitingReference) -> None:
        self._by_path.setdefault(reference.path, []).append(reference)
        self._paths_of.setdefault(reference.document, set()).add(reference.path)


def build_citing_index(project: Project, progress: Progress | None = None) -> CitingIndex:
    """The index of all documents of a project; what an earlier run found is used where it still stands."""
    request = Request(config=merge_settings(project.config), every=True)
    reports = Run(project.root, request).reports(progress)
    return CitingIndex(reference for report in reports for reference in list_references(report))


def list_references(report: Report) -> list[CitingReference]:
    """The citations of files in a document of which every citation has a verdict."""
    found = []
    for verdict in report.verdicts:
        path = _find_path(verdict)
        if path:
            cited = verdict.citation
            place = (report.document, verdict.line, verdict.column)
            found.append(CitingReference(*place, cited.raw, path, cited.lines, verdict.outcome.label))
    return found


def _find_path(verdict: Verdict) -> str:
    """The file of the work tree that a citation leads to; empty where it is none."""
    source = verdict.citation.source
    if source.scheme == "permalink":
        revision, _, path = source.key.partition("@")[2].partition(":")
        return path if revision in CURRENT_REVISIONS else ""
    if source.scheme not in ("file", "section", "symbol", "path"):
        return ""
    return verdict.seen.path if verdict.seen is not None else join("", source.key.partition("::")[0])


def _overlap(one: Lines, other: Lines) -> bool:
    return one.first <= other.last and other.first <= one.last
