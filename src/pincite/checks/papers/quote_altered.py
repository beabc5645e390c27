"""
The paper has a passage much like the quote, and not these words.

Why: a changed number, a dropped negation or a swapped name turns a source into its opposite and still looks like a
quotation. Those are named first. Line-end hyphens, ligatures, white space and the shape of quotation marks and dashes
are no alterations; omissions marked by `…` and words in square brackets are not either.

Example: `“improves quality by 25%” [REF-043, p.15]` where the paper says `15%` gives
`Misquoted (page 15): the number 25% is 15% there`.

Remedy: quote what the paper says, or mark what was left out or put in. `pincite fix --unsafe` puts the paper's words in
place of the quoted ones where these stand plainly beside the citation: read both before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.limits import LIMITS
from ...core.model import Citation, Finding, Outcome, Severity
from ...quotes.lookup import describe, mark_changes
from ...quotes.word_changes import show_marked_change
from ._paper import PaperFacts, check_facts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...quotes.word_changes import WordChange

OUTCOME = Outcome.MISMATCH
SEVERITY = Severity.ERROR


@check_facts
def check(citation: Citation, facts: PaperFacts) -> Finding | None:
    """Report a quote with changed words."""
    if facts.quote_kind != "altered" or facts.look is None:
        return None
    look = facts.look
    page = f" (page {facts.right_pages[0]})" if facts.right_pages and facts.right_pages[0] else ""
    detail = ""
    if look.passages:
        rows = mark_changes(facts.quoted, look.passages[0].text, look.edits)
        quoted, there = show_marked_change(*rows, LIMITS.shown_chars)
        detail = f"quoted  {quoted}\npaper   {there}"
    return make_finding(look.edits, page, detail)


def make_finding(edits: Sequence[WordChange], page: str = "", detail: str = "") -> Finding:
    """How the words of a quote differ from those of the paper or web page."""
    return Finding("quote-altered", OUTCOME, SEVERITY, f"Misquoted{page}: {describe(edits)}", detail)
