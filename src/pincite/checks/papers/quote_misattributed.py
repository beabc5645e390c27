"""
The quoted words stand in another paper of the corpus, not in the cited one.

Why: the words are genuine, the source is not theirs.

Example: `“attention is all you need” [REF-010, p.2]` where the words stand in REF-004 on page 1.

Remedy: cite the paper that says it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.model import Citation, Finding, Outcome, Severity
from ._paper import PaperFacts, check_facts

if TYPE_CHECKING:
    from collections.abc import Sequence


OUTCOME = Outcome.MISMATCH
SEVERITY = Severity.ERROR
_NAMED_PAGES = 3


@check_facts
def check(citation: Citation, facts: PaperFacts) -> Finding | None:
    """Report a quote of another paper."""
    if facts.quote_kind != "misattributed":
        return None
    page = f", page {facts.right_pages[0]}" if facts.right_pages else ""
    message = f"Misattributed: the quote is not in {citation.source.key}, it stands in {facts.other}{page}"
    return Finding("quote-misattributed", OUTCOME, SEVERITY, message)


def make_page_finding(url: str, there: Sequence[str]) -> Finding:
    """That a quote stands on other web pages than the cited one."""
    message = f"The quote is not on {url}: it stands on {' and on '.join(there[:_NAMED_PAGES])}"
    return Finding("quote-misattributed", OUTCOME, SEVERITY, message)
