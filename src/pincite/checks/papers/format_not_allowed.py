"""
A paper is cited in a form that the project's policy does not allow.

Why: `allowed_citation_formats` in `citation-integrity.yaml` lists how papers may be cited, so that people and tools
find every citation.

Example: `(REF-043)` where the policy allows only `[REF-XXX]` and `[REF-XXX, p.XX]`.

Remedy: write the citation in an allowed form. An id in running text is not held to a form.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.model import Citation, Finding, Outcome, Severity
from ...papers.evidence import PaperEvidence

if TYPE_CHECKING:
    from ...text.document import Document
    from ...text.evidence import Evidence

OUTCOME = Outcome.HOLDS
SEVERITY = Severity.WARNING

_WRITTEN = {
    "bracket": "[REF-XXX]",
    "parenthesis": "(REF-XXX)",
    "page": "[REF-XXX, p.XX]",
    "section": "[REF-XXX, Section X]",
}


def check(document: Document, citation: Citation, evidence: Evidence) -> Finding | None:
    """Report a form that is not allowed."""
    if not isinstance(evidence, PaperEvidence) or citation.dialect != "ref":
        return None
    allowed = evidence.reader.allowed
    for form in _forms(citation):
        if form not in allowed:
            listed = ", ".join(written for name, written in _WRITTEN.items() if name in allowed) or "none"
            message = f"{citation.raw} is not an allowed form of citation (allowed: {listed})"
            return Finding("format-not-allowed", OUTCOME, SEVERITY, message)
    return None


def _forms(citation: Citation) -> tuple[str, ...]:
    """The forms a citation is written in."""
    if citation.raw[0] not in "[(":
        return ()
    if citation.raw[0] == "(":
        return ("parenthesis",)
    with_page = ("page",) if citation.pages is not None else ()
    with_section = ("section",) if citation.section else ()
    return with_page + with_section or ("bracket",)
