"""
The quoted words stand in the paper, word for word, on another page.

Why: the quote is genuine; only the page is wrong.

Example: `“Voice consistency improves quality” [REF-043, p.14]` where the words stand on page 15 gives
`The quote is not on page 14: it stands on page 15`.

Remedy: `pincite fix` corrects the page where the words stand on one page only. Of several quotes in a sentence, each
must stand on the page, or on the two that follow each other.
"""

from __future__ import annotations

from ...core.model import Citation, Finding, Outcome, Severity
from ._paper import PaperFacts, check_facts

OUTCOME = Outcome.MOVED
SEVERITY = Severity.WARNING


@check_facts
def check(citation: Citation, facts: PaperFacts) -> Finding | None:
    """Report a quote that stands on another page."""
    if facts.quote_kind != "elsewhere" or citation.pages is None:
        return None
    where = ", ".join(facts.right_pages)
    word = "page" if len(facts.right_pages) == 1 else "pages"
    there = f"it stands on {word} {where}" if where else "it stands on a page whose number is not known"
    if facts.is_counted:
        there += f" as printed, which is page {citation.pages.first} of the PDF"
    return Finding("quote-elsewhere", OUTCOME, SEVERITY, f"The quote is not on page {citation.pages.first}: {there}")
