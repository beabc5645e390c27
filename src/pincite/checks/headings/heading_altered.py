"""
The cited heading stands in the file with other letter case or punctuation.

Why: the words are the same, their writing is not. Headings are cited by the words they have, so either the citation was
typed from memory or the heading was edited since.

Example: `[guide.md, §First steps]` of a file that has `## First Steps!`.

Remedy: read the section; where it is the one that is meant, write the heading as it stands. `pincite fix --unsafe`
does that.
"""

from ...core.limits import LIMITS
from ...core.model import Citation, Finding, Outcome, Severity
from ...text.document import Document
from ...text.evidence import Evidence
from ...text.lines import shorten
from ._headings import look

OUTCOME = Outcome.MISMATCH
SEVERITY = Severity.WARNING


def check(document: Document, citation: Citation, evidence: Evidence) -> Finding | None:
    """Report a heading that differs from exactly one of the file in case or punctuation alone."""
    altered = look(evidence, citation.section).altered if citation.section else ""
    if not altered:
        return None
    title = shorten(altered, LIMITS.shown_chars)
    return Finding("heading-altered", OUTCOME, SEVERITY, f"The heading in {evidence.source.key} reads {title!r}")
