"""Captured output: the command, when it ran and how it ended, and the cited lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....core.model import Lines
from ....domains.capture.shown_output import CapturedView, list_candidates
from ....engine.shown_evidence import CONTEXT
from ....safe.escape import escape_text
from .excerpts import make_excerpt
from .view import EvidenceCandidate, EvidenceFact, EvidenceView

if TYPE_CHECKING:
    from ....core.model import Citation
    from ....text.evidence import CaptureRecord, Evidence
    from .lookup import EvidenceLookup

_MOST_CANDIDATES = 10


def show_output(lookup: EvidenceLookup, citation: Citation, evidence: Evidence, record: CaptureRecord) -> EvidenceView:
    """The lines of captured output with everything that is known about them."""
    with CapturedView(lookup.engine.world, citation, evidence, record) as view:
        id = escape_text(view.context.id)
        facts = [EvidenceFact(name, value) for name, value in view.facts() if value]
    total = len(evidence.lines)
    facts.append(EvidenceFact("sha256", evidence.digest[:12]))
    if citation.lines is None:
        title = f"{id}, {total} line{'s' * (total != 1)}"
        excerpt = make_excerpt(evidence.lines, Lines(1, max(total, 1)), title, context=0) if total else None
        return EvidenceView("output", lookup.row.id, title, facts=tuple(facts), excerpt=excerpt)
    title = f"{id}, line{'s' * (citation.lines.first != citation.lines.last)} {citation.lines.text} of {total}"
    if citation.lines.first > total:
        statement = "The output ends before the cited lines."
        return EvidenceView("output", lookup.row.id, title, statement, facts=tuple(facts))
    excerpt = make_excerpt(evidence.lines, citation.lines, title, context=CONTEXT)
    return EvidenceView("output", lookup.row.id, title, facts=tuple(facts), excerpt=excerpt)


def list_output_candidates(lookup: EvidenceLookup, citation: Citation) -> tuple[EvidenceCandidate, ...]:
    """The texts that an id may mean, each with the citation that means it alone."""
    found = []
    for name, origin, line in list_candidates(lookup.engine.world, citation.source.key):
        written = citation.raw.replace(citation.source.key, name, 1)
        found.append(EvidenceCandidate(f"{name}  {origin}  {line}", "", escape_text(written, 400)))
        if len(found) == _MOST_CANDIDATES:
            break
    return tuple(found)
