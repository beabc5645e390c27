"""
The paper has no section of the cited name or number.

Why: its corpus file, or the outline of its PDF, lists the sections, and the cited one is not among them.

Example: `[REF-018, Section 9]` of a paper with six sections.

Remedy: correct the section, or add it to the corpus file. A slip in its name is corrected by `pincite fix --unsafe`.
"""

from __future__ import annotations

from ...core.model import Citation, Finding, Outcome, Severity
from ._paper import PaperFacts, check_facts

OUTCOME = Outcome.MISSING
SEVERITY = Severity.WARNING


@check_facts
def check(citation: Citation, facts: PaperFacts) -> Finding | None:
    """Report a section that the paper does not have."""
    if facts.section_known:
        return None
    return Finding("section-unknown", OUTCOME, SEVERITY, f"{citation.source.key} has no section {citation.section!r}")
