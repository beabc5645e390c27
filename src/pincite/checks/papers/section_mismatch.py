"""
The cited page lies in another section than the one that is cited.

Why: one of the two is wrong, so the claim may rest on a part of the paper that does not say it. Where the citation
names no section, the one that the corpus file declares for the quote on that page is compared.

Example: `[REF-018, Introduction, p.8]` where page 8 lies in Methods gives `Cited as Introduction, actually Methods`.

Remedy: verify the section reference; correct the page, the citation, or the corpus file. Where the quoted words stand
on the cited page, `pincite fix --unsafe` offers the section that holds it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.model import Citation, Finding, Outcome, Severity
from ._paper import assess

if TYPE_CHECKING:
    from ...text.document import Document
    from ...text.evidence import Evidence

OUTCOME = Outcome.MISMATCH
SEVERITY = Severity.WARNING


def check(document: Document, citation: Citation, evidence: Evidence) -> Finding | None:
    """Report a page outside its section."""
    answer = assess(citation, evidence)
    if answer is None or answer.section_consistent is not False:
        return None
    message = f"Cited as {answer.section_cited}, actually {' or '.join(answer.sections_there)}"
    return Finding("section-mismatch", OUTCOME, SEVERITY, message)
