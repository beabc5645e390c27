"""A passage of a document that is cited by its id: its lines, the headings it stands under, its page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....core.model import Lines
from ....safe.escape import escape_text
from ....search import passages
from ....text.lines import decode
from .excerpts import describe_lines, make_excerpt
from .view import EvidenceFact, EvidenceView

if TYPE_CHECKING:
    from ....search.passages.model import Passage
    from ....text.evidence import Evidence


def show_passage(id: str, path: str, evidence: Evidence, line: int) -> EvidenceView:
    """The passage of a file that begins on a line."""
    found = _find_passage(path, evidence, line)
    lines = Lines(found.first, found.last) if found is not None else Lines(line, line)
    title = describe_lines(path, lines, len(evidence.lines))
    facts = [EvidenceFact("passage in", escape_text(path))]
    if found is not None and found.headings:
        facts.append(EvidenceFact("under", escape_text(" › ".join(found.headings), 400)))
    if found is not None and found.page:
        facts.append(EvidenceFact("page", str(found.page)))
    excerpt = make_excerpt(evidence.lines, lines, title, path)
    return EvidenceView("passage", id, title, path=path, facts=tuple(facts), excerpt=excerpt)


def _find_passage(path: str, evidence: Evidence, line: int) -> Passage | None:
    kind = passages.find_kind(path)
    if kind is None or not evidence.data:
        return None
    read = passages.read(kind, decode(evidence.data), path)
    return next((one for one in read.passages if one.first <= line <= one.last), None)
