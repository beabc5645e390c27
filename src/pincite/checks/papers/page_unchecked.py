"""
A page is cited, and nothing says which pages the paper has.

Why: the corpus file has neither `page_range` nor `total_pages`, and there is no PDF to count. The page may be right;
it was not checked.

Example: `[REF-043, p.15]` where `REF-043-voice.md` names no pages.

Remedy: record `total_pages` or `page_range` in the corpus file, or put the PDF beside it.
"""

from __future__ import annotations

from ...core.model import Citation, Finding, Outcome, Severity
from ._paper import PaperFacts, check_facts

OUTCOME = Outcome.UNCHECKED
SEVERITY = Severity.NOTE


@check_facts
def check(citation: Citation, facts: PaperFacts) -> Finding | None:
    """Report a page that could not be compared."""
    if citation.pages is None or facts.page_valid is not None:
        return None
    message = f"Page {citation.pages.first} is not checked: nothing says which pages {citation.source.key} has"
    return Finding("page-unchecked", OUTCOME, SEVERITY, message)
