"""
The cited line lies past the end of the file or of the captured output.

Why: the file became shorter since the citation was written, or the number was never right. Captured output never
changes: there the number was never right, or the lines are in another chunk of the same run.

Example: a citation of line 102 of a file with 98 lines gives `Line 102 exceeds file length (98 lines)`; of captured
output, `Line 102 exceeds the captured output (98 lines)`.

Remedy: find the text and correct the number. Where history shows what stood there and it now stands elsewhere, the
citation is reported as moved instead and `pincite fix` corrects it.
"""

from ...core.model import Citation, Finding, Outcome, Severity
from ...text.document import Document
from ...text.evidence import Evidence

OUTCOME = Outcome.MISSING
SEVERITY = Severity.ERROR


def check(document: Document, citation: Citation, evidence: Evidence) -> Finding | None:
    """Report a first line past the last one there is."""
    lines = citation.lines
    if lines is None or lines.first <= len(evidence.lines):
        return None
    what = "file length" if evidence.record is None else "the captured output"
    message = f"Line {lines.first} exceeds {what} ({len(evidence.lines)} lines)"
    return Finding("line-out-of-range", OUTCOME, SEVERITY, message)
