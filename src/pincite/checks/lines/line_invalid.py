"""
The cited line number is zero or negative.

Why: lines are counted from 1, so there is no such line in any file.

Example: `line: 0` gives `Invalid line number: 0 (must be >= 1)`.

Remedy: use the number your editor shows.
"""

from ...core.model import Citation, Finding, Outcome, Severity
from ...text.document import Document
from ...text.evidence import Evidence

OUTCOME = Outcome.MISSING
SEVERITY = Severity.ERROR


def check(document: Document, citation: Citation, evidence: Evidence) -> Finding | None:
    """Report a first line below 1."""
    lines = citation.lines
    if lines is None or lines.first >= 1:
        return None
    return Finding("line-invalid", OUTCOME, SEVERITY, f"Invalid line number: {lines.first} (must be >= 1)")
