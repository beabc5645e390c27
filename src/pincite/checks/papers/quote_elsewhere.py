"""
The quoted words stand in the paper, word for word, on another page.

Why: the quote is genuine; only the page is wrong.

Example: `“Voice consistency improves quality” [REF-043, p.14]` where the words stand on page 15 gives
`The quote is not on page 14: it stands on page 15`.

Remedy: `pincite fix` corrects the page where the words stand on one page only. Of several quotes in a sentence, each
must stand on the page, or on the two that follow each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.model import Citation, Finding, Outcome, Severity
from ._paper import assess

if TYPE_CHECKING:
    from ...text.document import Document
    from ...text.evidence import Evidence

OUTCOME = Outcome.MOVED
SEVERITY = Severity.WARNING


def check(document: Document, citation: Citation, evidence: Evidence) -> Finding | None:
    """Report a quote that stands on another page."""
    answer = assess(citation, evidence)
    if answer is None or answer.quote_kind != "elsewhere" or citation.pages is None:
        return None
    where = ", ".join(answer.right_pages)
    word = "page" if len(answer.right_pages) == 1 else "pages"
    there = f"it stands on {word} {where}" if where else "it stands on a page whose number is not known"
    if answer.is_counted:
        there += f" as printed, which is page {citation.pages.first} of the PDF"
    return Finding("quote-elsewhere", OUTCOME, SEVERITY, f"The quote is not on page {citation.pages.first}: {there}")
