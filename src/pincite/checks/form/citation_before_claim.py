"""
A bracket citation stands before any text it could support.

Why: a bracket supports the sentence before it. One that opens its paragraph supports nothing a reader can name.

Example: a paragraph that begins `【F:src/app.py†L7】 The limit is fixed.`

Remedy: put the citation after the sentence.
"""

import re

from ...core.model import Citation, Finding, Outcome, Severity
from ...text.document import Document
from ...text.evidence import Evidence

OUTCOME = Outcome.HOLDS
SEVERITY = Severity.WARNING

_CHAIN = re.compile(r"【[^【】\n]*】")
# Two letters are no list marker and no tick box: they belong to a claim.
_CLAIM = re.compile(r"[^\W\d_]{2}[^\n\r】]*\Z")
_NEAR = 40
_WORD = re.compile(r"[^\W_]")
# A list marker, quote mark or number alone is no sentence.
_MARKER = re.compile(r"\s*+(?:(?:[-*+>]|\d{1,9}[.)]|\[[ xX]\])\s*+)*+")
_FAR = 4000


def check(document: Document, citation: Citation, evidence: Evidence) -> Finding | None:
    """Report a bracket with no word before it in its paragraph."""
    if citation.dialect != "bracket":
        return None
    text, start = document.text, citation.span.start
    # Nearly every citation follows its sentence directly: one look decides.
    if _CLAIM.search(text, max(0, start - _NEAR), start):
        return None
    floor = max(0, start - _FAR)
    begin = max(floor, *(text.rfind(blank, floor, start) for blank in ("\n\n", "\n\r\n", "\r\r")))
    before = _CHAIN.sub("", text[begin:start])
    last = before[max(before.rfind("\n"), before.rfind("\r")) + 1 :]
    if last.strip() and _MARKER.fullmatch(last):
        # A list item of its own: what stands above it belongs to another item, unless it introduces the list.
        return _report(citation)
    marker = _MARKER.match(before)
    return None if _WORD.search(before, marker.end() if marker else 0) else _report(citation)


def _report(citation: Citation) -> Finding:
    message = f"{citation.raw} stands before any text: a citation comes after the sentence it supports"
    return Finding("citation-before-claim", OUTCOME, SEVERITY, message)
