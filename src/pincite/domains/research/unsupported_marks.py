"""Marking the sentences of a report that nothing carries."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...text.sentences import NEEDED
from .report_audit import UNCITED, UNSUPPORTED

if TYPE_CHECKING:
    from .report_audit import ReportAudit

_MARKED = re.compile(rf"\s*{re.escape(NEEDED)}")
# Alone on its line it ends a sentence; with a mark behind it, it would begin an item of a list.
_BARE = re.compile(r"\n[ \t>]*(?:\d{1,9}[.)]|[-+*]|#{1,6})[ \t]*\Z")
_REACH = 40
_AS_CODE = ("code", "front", "seal")
"""Where a mark would be code, or the sentence is none."""


def mark(text: str, audit: ReportAudit) -> str:
    """The report with `[citation needed]` behind every sentence that is not grounded; all else stays byte for byte."""
    places: set[int] = set()
    for sentence in audit.sentences:
        if sentence.state not in (UNSUPPORTED, UNCITED) or sentence.kind in _AS_CODE:
            # What needs a reader has its citation.
            continue
        end = sentence.tail
        if (bare := _BARE.search(text, max(sentence.start, end - _REACH), end)) is not None:
            end = bare.start()
        if not _MARKED.match(text, end) and not text.endswith(NEEDED, 0, end):
            places.add(end)
    pieces: list[str] = []
    at = 0
    for end in sorted(places):
        pieces += text[at:end], f" {NEEDED}"
        at = end
    return "".join([*pieces, text[at:]])
