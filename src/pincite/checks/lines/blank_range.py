"""
The cited lines, or the snippet, hold nothing but white space.

Why: blank lines prove nothing, so the number is most likely off by a few. A blank snippet stands on every line.

Example: `【F:src/app.py†L7】` where line 7 is empty.

Remedy: cite the lines that carry the evidence.
"""

from ...core.model import Citation, Finding, Outcome, Severity
from ...text.document import Document
from ...text.evidence import Evidence

OUTCOME = Outcome.UNCHECKED
SEVERITY = Severity.WARNING

_BLANK_SNIPPET = "The snippet is blank: a blank snippet proves nothing"


def check(document: Document, citation: Citation, evidence: Evidence) -> Finding | None:
    """Report a range or a snippet without a visible character."""
    lines = citation.lines
    if citation.quote is not None:
        blank = not citation.quote.exact.strip()
        return Finding("blank-range", OUTCOME, SEVERITY, _BLANK_SNIPPET) if blank else None
    if lines is None:
        return None
    for line in evidence.lines[lines.first - 1 : lines.last]:
        if line and not line.isspace():
            return None
    which = f"Line {lines.first} is" if lines.first == lines.last else f"Lines {lines.first}-{lines.last} are"
    return Finding("blank-range", OUTCOME, SEVERITY, f"{which} blank: a blank range proves nothing")
