"""
Cited lines of captured output in which secrets were hidden.

Why: what looked like a credential was replaced by `[masked:…]` before the output was stored. The lines are evidence of
what was stored, not letter by letter of what was printed.

Example: `Authorization: Bearer [masked:bearer]` on a cited line.

Remedy: none is needed where the hidden part is no part of the claim. `pincite run --no-mask` stores everything; never
share such a store.
"""

from ...core.model import Citation, Finding, Outcome, Severity
from ...text.document import Document
from ...text.evidence import Evidence

OUTCOME = Outcome.HOLDS
SEVERITY = Severity.NOTE
_MARK = "[masked:"


def check(document: Document, citation: Citation, evidence: Evidence) -> Finding | None:
    """Report cited lines with something hidden in them."""
    record, lines = evidence.record, citation.lines
    if record is None or not record.masked or lines is None:
        return None
    # A command may print such a mark itself: no more of them count than there were secrets.
    hidden = min(record.masked, sum(line.count(_MARK) for line in evidence.block(lines)))
    if not hidden:
        return None
    what = "A secret was" if hidden == 1 else f"{hidden} secrets were"
    return Finding("output-masked", OUTCOME, SEVERITY, f"{what} hidden in the cited lines before they were stored")
