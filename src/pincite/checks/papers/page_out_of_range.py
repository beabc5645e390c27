"""
The cited page does not exist in the paper.

Why: a page number that is not in the document was guessed, or belongs to another edition. The pages of the paper are
its `page_range` (`81-97` in a journal), else its `total_pages`, else what its PDF says.

Example: `[REF-021, p.45]` of a paper with 32 pages gives `Page 45 is not in REF-021 (document has 32 pages)`.

Remedy: verify the correct page number. Where the citation quotes words that stand on another page, `pincite fix`
corrects it.
"""

from __future__ import annotations

from ...core.model import Citation, Finding, Outcome, Severity
from ._paper import PaperFacts, check_facts

OUTCOME = Outcome.MISSING
SEVERITY = Severity.WARNING


@check_facts
def check(citation: Citation, facts: PaperFacts) -> Finding | None:
    """Report a page outside the paper."""
    if facts.page_valid is not False or citation.pages is None:
        return None
    pages = citation.pages
    which = f"Page {pages.text} is" if pages.first == pages.last else f"Pages {pages.text} are"
    message = f"{which} not in {citation.source.key} ({facts.held_against})"
    return Finding("page-out-of-range", OUTCOME, SEVERITY, message)
