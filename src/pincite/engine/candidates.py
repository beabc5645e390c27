"""The places that an ambiguous citation may mean, and the edits that choose one of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ..core.model import Edit, Lines, Obstacle, Place, Safety, Span
from ..dialects import get_dialect
from .pipeline import Engine

if TYPE_CHECKING:
    from ..core.model import Finding, Verdict
    from ..project.project import Project
    from ..text.document import Document

_LISTED = re.compile(r"\s*(\S.*?):(\d{1,9})(?:-(\d{1,9}))?\Z")
_DEFINED = re.compile(r"\S.*?:\d{1,9} \w+ (\S+)\Z")
_MOST = 10


def list_candidate_places(finding: Finding) -> list[Place]:
    """The places that an ambiguous finding lists."""
    if finding.check != "lines-ambiguous":
        return []
    matches = filter(None, map(_LISTED.match, finding.detail.split("\n")))
    return [Place(match[1], Lines(int(match[2]), int(match[3] or match[2]))) for match in matches]


def list_candidate_edits(
    project: Project, document: Document, verdict: Verdict, finding: Finding
) -> list[tuple[str, Edit]]:
    """What each candidate is called, and the edit that makes the citation mean it. All need a reader."""
    citation = verdict.citation
    repoint = get_dialect(citation.dialect).repoint
    found: list[tuple[str, Edit | None]] = []
    if finding.check == "lines-ambiguous":
        places = list_candidate_places(finding)
        found = [(_name(place), repoint(document, citation, place)) for place in places]
    elif finding.check == "file-ambiguous":
        engine = Engine(project.root, project.config, project.git)
        settled = engine.settle(citation, document)
        engine.close()
        paths = settled[1].paths if settled is not None and isinstance(settled[1], Obstacle) else ()
        places = [Place(path, citation.lines) for path in paths]
        found = [(_name(place), repoint(document, citation, place)) for place in places]
    elif finding.check == "symbol-ambiguous":
        names = [match[1] for match in map(_DEFINED.match, finding.detail.split("\n")) if match is not None]
        found = [(name, _rename_symbol(verdict, name)) for name in dict.fromkeys(names)]
    return [(name, replace(edit, safety=Safety.UNSAFE)) for name, edit in found[:_MOST] if edit is not None]


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
