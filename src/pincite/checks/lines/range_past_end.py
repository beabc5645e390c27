"""
The cited range begins inside the file or the captured output and ends past its last line.

Why: part of the evidence is there and part is not, so the claim rests on less than it says.

Example: `【F:src/app.py†L90-L120】` in a file with 98 lines gives `Line 120 exceeds file length (98 lines); the range
starts inside`.

Remedy: shorten the range, or cite the text that was meant.
"""

from ...core.model import Citation, Finding, Outcome, Severity
from ...text.document import Document
from ...text.evidence import Evidence

OUTCOME = Outcome.MISMATCH
SEVERITY = Severity.ERROR


def check(document: Document, citation: Citation, evidence: Evidence) -> Finding | None:
    """Report a last line past the last one there is."""
    lines = citation.lines
    if lines is None or lines.last <= len(evidence.lines):
        return None
    what = "file length" if evidence.record is None else "the captured output"
    message = f"Line {lines.last} exceeds {what} ({len(evidence.lines)} lines); the range starts inside"
    return Finding("range-past-end", OUTCOME, SEVERITY, message)
