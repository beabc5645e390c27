"""
Captured output that was found by the id another tool gave it.

Why: such an id is not the start of a digest. The text was taken in under it, but the id cannot prove that this text is
the one that was meant.

Example: `【d05d1b†L1-L6】` after `pincite capture session.jsonl --transcript`, whose ids are random.

Remedy: none is needed. To have a citation that proves its text, cite the id that `pincite show` prints for it.
"""

from ...core.model import Citation, Finding, Outcome, Severity
from ...text.document import Document
from ...text.evidence import Evidence

OUTCOME = Outcome.HOLDS
SEVERITY = Severity.NOTE
_SHOWN = 12


def check(document: Document, citation: Citation, evidence: Evidence) -> Finding | None:
    """Report an id that is not the start of the text's digest."""
    record = evidence.record
    if record is None or not record.given:
        return None
    message = (
        f"{record.given} is another tool's id, not a digest: it cannot prove that this text "
        f"({evidence.digest[:_SHOWN]}) is the one that was meant"
    )
    return Finding("external-id", OUTCOME, SEVERITY, message)
