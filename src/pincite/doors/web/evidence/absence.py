"""Where there is no evidence: the reason, what the author saw, and what may be meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from ....checks import obstacle as describe_obstacle
from ....safe.escape import escape_text
from .code import show_missing_lines
from .output import list_output_candidates
from .view import EvidenceCandidate, EvidenceView

if TYPE_CHECKING:
    from ....core.model import Citation, Obstacle
    from .lookup import EvidenceLookup

_MOST_PATHS = 20
_TITLE = "No evidence"


def show_absence(lookup: EvidenceLookup, citation: Citation, obstacle: Obstacle) -> EvidenceView:
    """Why there is nothing to look at, in the words of the check that reports it."""
    finding = describe_obstacle(citation, obstacle)
    then, moved = show_missing_lines(lookup, citation, obstacle)
    candidates: tuple[EvidenceCandidate, ...] = ()
    if obstacle.kind == "chunk-ambiguous":
        candidates = list_output_candidates(lookup, citation)
    elif obstacle.paths:
        is_file = lookup.project.root.is_file
        candidates = tuple(
            EvidenceCandidate(escape_text(path), path if is_file(path) else "") for path in obstacle.paths[:_MOST_PATHS]
        )
    view = EvidenceView("none", lookup.row.id, _TITLE, escape_text(finding.message))
    return replace(view, then=then, moved=moved, candidates=candidates)


def show_nothing(id: str, reason: str) -> EvidenceView:
    """What was meant as a citation and is none."""
    return EvidenceView("none", id, _TITLE, reason)
