"""
A bracket citation stands before any text it could support.

Why: a bracket supports the sentence before it. One that opens its paragraph supports nothing a reader can name.

Example: a paragraph that begins `【F:src/app.py†L7】 The limit is fixed.`

Remedy: put the citation after the sentence.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..model import Citation, Finding, Outcome, Severity

if TYPE_CHECKING:
    from ..document import Document
    from ..evidence import Evidence

OUTCOME = Outcome.HOLDS
SEVERITY = Severity.WARNING

_CHAIN = re.compile(r"【[^【】\n]*】")
# A letter right before the citation, but for what ends a sentence: a claim, whatever else there is.
_CLAIM = re.compile(r"[^\W\d_][.,;:!?)*]{0,2}[ \t]?\Z")
_WORD = re.compile(r"[^\W_]")
# A list marker, quote mark or number alone is no sentence.
_MARKER = re.compile(r"\s*(?:[-*+>]|\d{1,9}[.)]|\[[ xX]\])\s*")


def check(document: Document, citation: Citation, evidence: Evidence) -> Finding | None:
    """Report a bracket with no word before it in its paragraph."""
    if citation.dialect != "bracket":
        return None
    text, start = document.text, citation.span.start
    # Nearly every citation follows its sentence directly: one look decides.
    if _CLAIM.search(text[max(0, start - 4) : start]):
        return None
    begin = max(text.rfind("\n\n", 0, start), text.rfind("\n\r\n", 0, start), start - 4000, 0)
    before = _CHAIN.sub("", text[begin:start])
    last = before.rpartition("\n")[2]
    if _MARKER.fullmatch(last):
        # A list item of its own: what stands above it belongs to another item, unless it introduces the list.
        return _report(citation)
    return None if _WORD.search(_MARKER.sub("", before, count=1)) else _report(citation)


def _report(citation: Citation) -> Finding:
    message = f"{citation.raw} stands before any text: a citation comes after the sentence it supports"
    return Finding("citation-before-claim", OUTCOME, SEVERITY, message)
