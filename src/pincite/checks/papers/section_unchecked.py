"""
A section is cited, and nothing says where it is.

Why: neither the corpus file nor the PDF's outline lists sections, or none of them is known to hold the cited page.

Example: `[REF-018, Section 3]` where `REF-018-study.md` has no `sections`.

Remedy: record the sections with their pages in the corpus file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.model import Citation, Finding, Outcome, Severity
from ._paper import assess

if TYPE_CHECKING:
    from ...text.document import Document
    from ...text.evidence import Evidence

OUTCOME = Outcome.UNCHECKED
SEVERITY = Severity.NOTE


def check(document: Document, citation: Citation, evidence: Evidence) -> Finding | None:
    """Report a section that could not be compared."""
    answer = assess(citation, evidence)
    if answer is None or not answer.section_note:
        return None
    message = f"Section {citation.section!r} is not checked: {answer.section_note}"
    return Finding("section-unchecked", OUTCOME, SEVERITY, message)
