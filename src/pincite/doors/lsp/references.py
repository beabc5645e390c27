"""Citations of the lines of a file, as places and as code lenses, also where the file is being edited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from msgspec import Struct

from ...core.errors import Refused
from ...core.model import Lines
from ...history.line_matching import match_lines
from ...text.lines import decode, format_count, split_lines
from .locations import uri_of
from .positions import TextIndex

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ...engine.citing_index import CitingReference
    from ...project.project import Project

SHOW = "pincite.showReferences"
_MOST = 2000
"""References that are listed."""


class CitedLines(Struct, frozen=True):
    """Lines of a file as the editor has it, and a citation of them."""

    lines: Lines | None
    reference: CitingReference


def map_references(
    project: Project, key: str, buffer: str | None, references: Sequence[CitingReference]
) -> list[CitedLines]:
    """The citations of a file with the lines that they mean in the buffer; those whose lines were deleted have none."""
    places = _map_lines(project, key, buffer) if buffer is not None else None
    return [CitedLines(_place_lines(one.lines, places), one) for one in references]


def _map_lines(project: Project, key: str, buffer: str) -> list[int] | None:
    """For each line on disk the line of the buffer, both from 0; None where they are the same text."""
    try:
        saved = decode(project.root.read(key))
    except Refused:
        return None
    return None if saved == buffer else match_lines(split_lines(saved), split_lines(buffer))


def _place_lines(lines: Lines | None, places: list[int] | None) -> Lines | None:
    if lines is None or places is None:
        return lines
    there = [place for place in places[max(lines.first, 1) - 1 : lines.last] if place >= 0]
    return Lines(there[0] + 1, there[-1] + 1) if there else None


def find_touching(cited: Sequence[CitedLines], first: int, last: int) -> list[CitingReference]:
    """The citations of any of these lines of the buffer."""
    return [
        one.reference for one in cited if one.lines is not None and one.lines.first <= last and first <= one.lines.last
    ]


def make_locations(
    project: Project, references: Sequence[CitingReference], encoding: str, texts: Mapping[str, TextIndex]
) -> list[types.Location]:
    """Where the citations stand; documents that are open are read as the editor has them."""
    known: dict[str, TextIndex | None] = dict(texts)
    found = []
    for one in references[:_MOST]:
        if one.document not in known:
            known[one.document] = _read(project, one.document, encoding)
        text = known[one.document]
        if text is not None:
            start = text.start_of(one.line, one.column)
            place = text.range(start, start + len(one.raw))
            found.append(types.Location(uri_of(project.root.path, one.document), place))
    return found


def _read(project: Project, key: str, encoding: str) -> TextIndex | None:
    try:
        return TextIndex(decode(project.root.read(key, project.root.limits.document_bytes)), encoding)
    except Refused:
        return None


def make_lenses(uri: str, cited: Sequence[CitedLines], most: int) -> list[types.CodeLens]:
    """A lens above each line at which cited lines begin, as far as the file has so many lines."""
    by_line: dict[int, set[str]] = {}
    for one in cited:
        if one.lines is not None and 0 < one.lines.first <= most:
            by_line.setdefault(one.lines.first, set()).add(one.reference.document)
    lenses = []
    for line, documents in sorted(by_line.items()):
        place = types.Position(line - 1, 0)
        title = f"cited by {format_count(len(documents), 'document')}"
        arguments = [{"uri": uri, "position": {"line": line - 1, "character": 0}}]
        lenses.append(types.CodeLens(types.Range(place, place), types.Command(title, SHOW, arguments=arguments)))
    return lenses
