"""
The quoted words stand nowhere in the paper, nor anything much like them.

Why: the text of the whole paper was searched. A quotation that is not in its source is made up, or comes from another
source.

Example: `“All models are perfect” [REF-043, p.15]`.

Remedy: remove the quotation marks, or find out who said it. `pincite corpus search "…"` looks through the corpus.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.model import Citation, Finding, Outcome, Severity
from ...papers.evidence import PaperEvidence
from ._paper import assess

if TYPE_CHECKING:
    from ...text.document import Document
    from ...text.evidence import Evidence

OUTCOME = Outcome.MISSING
SEVERITY = Severity.ERROR


def check(document: Document, citation: Citation, evidence: Evidence) -> Finding | None:
    """Report a quote that is not in the paper."""
    answer = assess(citation, evidence)
    if answer is None or answer.quote_kind != "absent":
        return None
    message = f"The quote is not in {citation.source.key}: no passage comes near it"
    if isinstance(evidence, PaperEvidence) and evidence.reader.partial:
        message += " (not every other paper was looked through for it: time was up)"
    return Finding("quote-not-found", OUTCOME, SEVERITY, message)


def make_page_finding(url: str, why: str) -> Finding:
    """That a quote is not on the cited web page."""
    return Finding("quote-not-found", OUTCOME, SEVERITY, f"The quote is not on {url}: {why}")
