"""
Receipts are required, and there is none for this citation.

Why: a citation may only be written from what was retrieved. `pincite corpus cite` retrieves, and leaves a receipt that
says what, from which file, and when; a citation without one was written from memory. A receipt is void once its source
changes. Lines of files are held to receipts where an agent's draft is checked with those that `pincite mcp` gave it.

Example: `[REF-043, p.15]` under `--require-receipts` where page 15 of REF-043 was never retrieved.

Remedy: `pincite corpus cite "the claim"`, and use the citation it gives. Lines of a file: read them with `show` or
`search` first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.model import Citation, Finding, Outcome, Severity
from ...papers.evidence import PaperEvidence

if TYPE_CHECKING:
    from ...text.document import Document
    from ...text.evidence import Evidence

OUTCOME = Outcome.MISSING
SEVERITY = Severity.ERROR


def check(document: Document, citation: Citation, evidence: Evidence) -> Finding | None:
    """Report a citation that was never retrieved; quotes that a corpus file keeps are no citations of it."""
    if not isinstance(evidence, PaperEvidence) or not evidence.reader.receipts or citation.dialect == "key-quote":
        return None
    missing = evidence.reader.receipt(evidence.paper, citation)
    return make_finding(missing) if missing else None


def make_finding(missing: str) -> Finding:
    """The finding for a citation that no receipt covers; `missing` says what is missing."""
    return Finding("receipt-missing", OUTCOME, SEVERITY, f"No receipt: {missing}")
