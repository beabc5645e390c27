"""What a claim names that a file has, and whether some lines, or those beside them, show it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from msgspec import Struct

from .claim import AROUND, NEAR
from .definitions import STRONG
from .file_lines import FileLines, TermLines

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...core.model import Lines
    from .claim import ClaimTerm

_LONGEST_COMMENT = 60
"""Lines of a comment that may stand above what it describes."""
_BESIDE = 8
"""Lines from a place within which a name may belong to the same statement."""


class Hit(Struct, gc=False):
    """A term of the claim that the file has, and what it is worth there."""

    kind: str
    term: str
    zone: int
    weight: float
    rarity: float
    at: TermLines


def find_hits(file: FileLines, terms: Iterable[ClaimTerm]) -> list[Hit]:
    """The terms of a claim that the file has; plain words count in the clause alone."""
    hits: list[Hit] = []
    for term in terms:
        if term.kind == "word" and term.zone != NEAR:
            continue
        found = file.find(term.kind, term.term)
        if found.lines:
            hits.append(Hit(term.kind, term.term, term.zone, term.weight, len(found.lines) ** -0.5, found))
    return hits


def list_shown(hits: list[Hit], lines: Lines, with_definition: bool = False) -> tuple[str, ...]:
    """What clause and sentence name that stands in some lines, or whose definition they lie in; best first."""
    found: list[tuple[int, float, str]] = []
    for hit in hits:
        if hit.kind == "word" or hit.zone == AROUND:
            continue
        at = bisect_left(hit.at.lines, lines.first)
        stands = at < len(hit.at.lines) and hit.at.lines[at] <= lines.last
        if not stands and with_definition:
            stands = any(line <= lines.last and lines.first <= end for line, (_, end) in hit.at.bodies.items())
        if stands:
            found.append((hit.zone, -hit.weight * hit.rarity, hit.term))
    return tuple(dict.fromkeys(term for _, _, term in sorted(found)))


def stands_beside(file: FileLines, hits: list[Hit], place: Lines) -> bool:
    """Whether something that clause or sentence name stands next to a place.

    A definition next to it is another thing, but for one whose comments or decorators the place is.
    """
    for hit in hits:
        if hit.kind == "word" or hit.zone == AROUND:
            continue
        lines = hit.at.lines
        if any(
            place.last < line <= place.last + _LONGEST_COMMENT and file.leads_to(place.first, line)
            for line in hit.at.bodies
        ):
            return True
        for line in lines[bisect_left(lines, place.first - _BESIDE) : bisect_right(lines, place.last + _BESIDE)]:
            sure, _ = hit.at.bodies.get(line, (0, 0))
            leads = place.last < line and file.leads_to(place.first, line)
            if leads or (sure < STRONG and file.are_in_one_block(place, line)):
                return True
    return False
