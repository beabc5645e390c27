"""
A snippet is given without the line it stands on.

Why: without a line the snippet is not compared with anything, so the citation proves only that the file exists.

Example: a memory with `path: src/app.py` and `snippet: "retry = 3"` but no `line`.

Remedy: add the line; `pincite fix` does it where the snippet stands on exactly one line.
"""

from ...core.model import Citation, Finding, Outcome, Severity
from ...text.document import Document
from ...text.evidence import Evidence
from ...text.snippets import has_snippet

OUTCOME = Outcome.UNCHECKED
SEVERITY = Severity.WARNING


def check(document: Document, citation: Citation, evidence: Evidence) -> Finding | None:
    """Report a quote that has no line to be compared with."""
    quote = citation.quote
    if quote is None or citation.lines is not None or not quote.exact.strip():
        return None
    found = [number for number, line in enumerate(evidence.lines, 1) if has_snippet(quote.exact, line)][:4]
    where = "it stands on no line of the file" if not found else "it stands on line " + ", ".join(map(str, found))
    return Finding("snippet-without-line", OUTCOME, SEVERITY, f"Snippet without a line is not compared; {where}")
