"""
The quote joins words from different places as if they followed one another.

Why: each piece is genuine, the sentence they make is not in the paper.

Example: the beginning of a sentence on page 3 and the end of another on page 9 between one pair of quotation marks.

Remedy: quote the pieces separately, each with its page, or mark what was left out with `…`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.model import Citation, Finding, Outcome, Severity
from ._paper import assess

if TYPE_CHECKING:
    from ...text.document import Document
    from ...text.evidence import Evidence

OUTCOME = Outcome.MISMATCH
SEVERITY = Severity.ERROR


def check(document: Document, citation: Citation, evidence: Evidence) -> Finding | None:
    """Report a quote made of pieces."""
    answer = assess(citation, evidence)
    if answer is None or answer.quote_kind != "stitched" or answer.look is None:
        return None
    pieces = [
        f"  page {page or '?'}: {passage.text}"
        for page, passage in zip(answer.right_pages, answer.look.passages, strict=False)
    ]
    message = f"Stitched together from {len(answer.look.passages)} places of {citation.source.key}"
    return Finding("quote-stitched", OUTCOME, SEVERITY, message, "\n".join(pieces))
