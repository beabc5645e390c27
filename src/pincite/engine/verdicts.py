"""Verdicts: a citation, what was found about it, and the evidence that it rests on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import checks
from ..core.model import Seen, Verdict
from ..papers.evidence import PaperEvidence
from ..text.evidence import Evidence, SymbolEvidence

if TYPE_CHECKING:
    from ..core.model import Citation, Finding, Obstacle

_EXCERPT = 3


def make_verdict(
    citation: Citation,
    evidence: Evidence | Obstacle,
    line: int,
    column: int,
    findings: list[Finding],
    silent: list[Finding],
) -> Verdict:
    """The verdict on a citation; `silent` are findings that are not reported."""
    seen = None
    excerpt: tuple[str, ...] = ()
    if isinstance(evidence, PaperEvidence):
        # Words were looked for in the PDF; all else the corpus file says.
        path, digest = evidence.reader.seen(evidence.paper) if citation.quote is not None else ("", "")
        excerpt, folded = checks.quoted_passage(citation, evidence)
        seen = Seen(path or evidence.paper.path, digest or evidence.digest, evidence.retrieved, folded)
    elif isinstance(evidence, SymbolEvidence):
        excerpt = tuple(evidence.block(evidence.cited)[:_EXCERPT])
        seen = Seen(evidence.source.key, evidence.digest, evidence.retrieved)
    elif isinstance(evidence, Evidence) and (citation.lines is not None or (citation.section and evidence.data)):
        excerpt = tuple(evidence.block(citation.lines)[:_EXCERPT]) if citation.lines is not None else ()
        seen = Seen(evidence.source.key, evidence.digest, evidence.retrieved)
    return Verdict(citation, line, column, tuple(findings), seen, excerpt, tuple(silent))
