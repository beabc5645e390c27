"""
The quote stands in the paper, and the text of its PDF is damaged there.

Why: some PDFs show words that their text does not hold in full: ligatures are lost (`dene` for `define`), or spaces are
(`chunkgarbage`). The quote is what the page shows. What a search, a copy or another program finds there is not.

Example: "We define the rate of change" where the text of the PDF reads `We dene the rate of change`.

Remedy: none is needed for the citation. A better PDF of the paper, or `pincite corpus add --ocr`, gives a sound text.
"""

from __future__ import annotations

from ...core.model import Citation, Finding, Outcome, Severity
from ...quotes.pdf_damage import DAMAGES
from ._paper import PaperFacts, check_facts

OUTCOME = Outcome.HOLDS
SEVERITY = Severity.NOTE


@check_facts
def check(citation: Citation, facts: PaperFacts) -> Finding | None:
    """Report a quote that was found only by allowing for what the PDF's text has lost."""
    look = facts.look
    if look is None or look.kind != "verbatim":
        return None
    found = [name for name in look.folded if name in DAMAGES]
    if not found:
        return None
    message = f"The quote is verbatim; the PDF's text is damaged here ({', '.join(found)})"
    return Finding("pdf-text-damaged", OUTCOME, SEVERITY, message)
