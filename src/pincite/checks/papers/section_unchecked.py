"""
A section is cited, and nothing says where it is.

Why: neither the corpus file nor the PDF's outline lists sections, or none of them is known to hold the cited page.

Example: `[REF-018, Section 3]` where `REF-018-study.md` has no `sections`.

Remedy: record the sections with their pages in the corpus file.
"""

from __future__ import annotations

from ...core.model import Citation, Finding, Outcome, Severity
from ._paper import PaperFacts, check_facts

OUTCOME = Outcome.UNCHECKED
SEVERITY = Severity.NOTE


@check_facts
def check(citation: Citation, facts: PaperFacts) -> Finding | None:
    """Report a section that could not be compared."""
    if not facts.section_note:
        return None
    message = f"Section {citation.section!r} is not checked: {facts.section_note}"
    return Finding("section-unchecked", OUTCOME, SEVERITY, message)
