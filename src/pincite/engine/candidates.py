"""The places that a citation may mean where they are several, and the edits that choose one of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ..core.model import Edit, Lines, Obstacle, Place, Safety, Span
from ..dialects import get_dialect
from .pipeline import Engine

if TYPE_CHECKING:
    from ..core.model import Finding, Verdict
    from ..project.project import Project
    from ..safe.files import Root
    from ..text.document import Document

_LISTED = re.compile(r"\s*(\S.*?):(\d{1,9})(?:-(\d{1,9}))?\Z")
_DEFINED = re.compile(r"\S.*?:\d{1,9} \w+ (\S+)\Z")
_ELSEWHERE = re.compile(r"  (\S.*?):(\d{1,9})(?:-(\d{1,9}))?\Z")
"""A row of the list of places that a search of all files ends a finding with."""
_MORE = "  … "
_MOST = 10


class RepairCandidate(Struct, frozen=True):
    """One of several things that a citation may mean."""

    name: str
    edit: Edit
    place: Place | None = None
    """Where it leads; None for a symbol, which is found by its name."""


def list_candidate_places(finding: Finding) -> list[Place]:
    """The places that an ambiguous finding lists."""
    if finding.check != "lines-ambiguous":
        return []
    return [_read_place(match) for match in map(_LISTED.match, finding.detail.split("\n")) if match is not None]


def list_places_elsewhere(root: Root, finding: Finding) -> list[Place]:
    """The places in other files that a finding about lost words ends with, as far as those files are there."""
    found: list[Place] = []
    for row in reversed(finding.detail.split("\n")):
        match = _ELSEWHERE.match(row)
        if match is not None:
            found.append(_read_place(match))
        elif found or not row.startswith(_MORE):
            break
    # The last row of a diff may read like a place; it seldom names a file.
    return [place for place in reversed(found) if root.is_file(place.path)]


def list_candidate_edits(
    project: Project, document: Document, verdict: Verdict, finding: Finding
) -> list[tuple[str, Edit]]:
    """What each candidate is called, and the edit that makes the citation mean it. All need a reader."""
    return [(one.name, one.edit) for one in list_candidates(project, document, verdict, finding)]


def list_candidates(project: Project, document: Document, verdict: Verdict, finding: Finding) -> list[RepairCandidate]:
    """What a citation may mean, by a finding about it."""
    citation = verdict.citation
    if finding.check == "symbol-ambiguous":
        names = [match[1] for match in map(_DEFINED.match, finding.detail.split("\n")) if match is not None]
        edits = [(name, _rename_symbol(verdict, name)) for name in dict.fromkeys(names)]
        return [RepairCandidate(name, edit) for name, edit in edits if edit is not None][:_MOST]
    places: list[Place] = []
    if finding.check == "lines-ambiguous":
        places = list_candidate_places(finding)
    elif finding.check == "file-ambiguous" and citation.source.scheme != "repository":
        engine = Engine(project.root, project.config, project.git)
        settled = engine.settle(citation, document)
        engine.close()
        paths = settled[1].paths if settled is not None and isinstance(settled[1], Obstacle) else ()
        places = [Place(path, citation.lines) for path in paths]
    elif finding.edit is None and citation.source.scheme != "mirror":
        places = list_places_elsewhere(project.root, finding)
    # A place of another repository is no place below this root.
    repository = f"{citation.source.key.partition(':')[0]}:" if citation.source.scheme == "mirror" else ""
    repoint = get_dialect(citation.dialect).repoint
    found = [(place, repoint(document, citation, place)) for place in places[:_MOST]]
    return [
        RepairCandidate(
            _name(place), replace(edit, safety=Safety.UNSAFE), replace(place, path=f"{repository}{place.path}")
        )
        for place, edit in found
        if edit is not None
    ]


def _read_place(match: re.Match[str]) -> Place:
    return Place(match[1], Lines(int(match[2]), int(match[3] or match[2])))


def _name(place: Place) -> str:
    return f"{place.path}:{place.lines.text}" if place.lines is not None else place.path


def _rename_symbol(verdict: Verdict, name: str) -> Edit | None:
    """The edit that writes more of a symbol's name; None where it is not written just once."""
    citation = verdict.citation
    short = citation.source.key.partition("::")[2]
    if not short or name == short or citation.raw.count(f"::{short}") != 1:
        return None
    start = citation.span.start + citation.raw.index(f"::{short}") + 2
    return Edit(Span(start, start + len(short)), name, Safety.UNSAFE)
