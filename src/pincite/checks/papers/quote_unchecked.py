"""
Words are quoted, and the text of the paper cannot tell whether they are its own, or they may not be quoted from it.

Why: the paper has no PDF in the corpus, or the PDF cannot be read, or the page is a picture. The quote may be genuine;
it was not checked. Where the library that reads PDFs is missing or damaged, this is a warning. Also: the words
stand on both sides of a break of columns or pages, and the layout does not tell whether the text goes on there. Words
that may belong to a citation or to something else (an unclosed quotation mark, another quote of the paragraph,
the rest of a block quote behind it) are looked up too: where they do not stand in the paper, they are unchecked.

Example: a quote from `REF-043` where only `REF-043-voice.md` is at hand.

Remedy: put the PDF beside the corpus file, or have a person validate the key quote (`pincite corpus pages
REF-043 --mark --validator @name`). Where a break is named, look at the page. Where it is in doubt what a quote belongs
to, put its citation right behind it.
"""

from __future__ import annotations

from ...core.libraries import is_missing_library
from ...core.model import Citation, Finding, Outcome, Severity
from ._paper import PaperFacts, check_facts

OUTCOME = Outcome.UNCHECKED
SEVERITY = Severity.NOTE


@check_facts
def check(citation: Citation, facts: PaperFacts) -> Finding | None:
    """Report a quote that could not be looked up."""
    if facts.quote_kind != "unchecked":
        return None
    # A machine that lacks the extractor would let every quote pass in silence.
    severity = Severity.WARNING if is_missing_library(facts.quote_note) else SEVERITY
    return make_finding(facts.quote_note, severity)


def make_finding(why: str, severity: Severity = SEVERITY) -> Finding:
    """That a quote of a paper or a web page could not be looked up, and why."""
    return Finding("quote-unchecked", OUTCOME, severity, f"The quote is not checked: {why}")
