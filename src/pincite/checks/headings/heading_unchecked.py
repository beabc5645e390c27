"""
The file exists, but whether it has the cited heading is unknown.

Why: it is a PDF, plain text or another kind of file in which nothing marks a heading, or it cannot be read as what its
name says; or a number is cited, and no heading of the file bears one. That is *unchecked*, never *there*.

Example: `[report.pdf, §Results]`.

Remedy: cite a line of a text file, or a page of a paper in the corpus.
"""

from ...core.model import Citation, Finding, Outcome, Severity
from ...text.document import Document
from ...text.evidence import Evidence
from ._headings import look

OUTCOME = Outcome.UNCHECKED
SEVERITY = Severity.NOTE


def check(document: Document, citation: Citation, evidence: Evidence) -> Finding | None:
    """Report a file whose headings cannot be known."""
    reason = look(evidence, citation.section).unknown if citation.section else ""
    message = f"The heading {citation.section!r} was not looked for: {reason}"
    return Finding("heading-unchecked", OUTCOME, SEVERITY, message) if reason else None
