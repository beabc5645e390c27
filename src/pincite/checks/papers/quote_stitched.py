"""
The quote joins words from different places as if they followed one another.

Why: each piece is genuine, the sentence they make is not in the paper.

Example: the beginning of a sentence on page 3 and the end of another on page 9 between one pair of quotation marks.

Remedy: quote the pieces separately, each with its page, or mark what was left out with `…`.
"""

from __future__ import annotations

from ...core.model import Citation, Finding, Outcome, Severity
from ._paper import PaperFacts, check_facts

OUTCOME = Outcome.MISMATCH
SEVERITY = Severity.ERROR


@check_facts
def check(citation: Citation, facts: PaperFacts) -> Finding | None:
    """Report a quote made of pieces."""
    if facts.quote_kind != "stitched" or facts.look is None:
        return None
    pieces = [
        f"  page {page or '?'}: {passage.text}"
        for page, passage in zip(facts.right_pages, facts.look.passages, strict=False)
    ]
    message = f"Stitched together from {len(facts.look.passages)} places of {citation.source.key}"
    return Finding("quote-stitched", OUTCOME, SEVERITY, message, "\n".join(pieces))
