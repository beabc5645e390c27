"""
The cited page lies in another section than the one that is cited.

Why: one of the two is wrong, so the claim may rest on a part of the paper that does not say it. Where the citation
names no section, the one that the corpus file declares for the quote on that page is compared.

Example: `[REF-018, Introduction, p.8]` where page 8 lies in Methods gives `Cited as Introduction, actually Methods`.

Remedy: verify the section reference; correct the page, the citation, or the corpus file. Where the quoted words stand
on the cited page, `pincite fix --unsafe` offers the section that holds it.
"""

from __future__ import annotations

from ...core.model import Citation, Finding, Outcome, Severity
from ._paper import PaperFacts, check_facts

OUTCOME = Outcome.MISMATCH
SEVERITY = Severity.WARNING


@check_facts
def check(citation: Citation, facts: PaperFacts) -> Finding | None:
    """Report a page outside its section."""
    if facts.section_consistent is not False:
        return None
    message = f"Cited as {facts.section_cited}, actually {' or '.join(facts.sections_there)}"
    return Finding("section-mismatch", OUTCOME, SEVERITY, message)
