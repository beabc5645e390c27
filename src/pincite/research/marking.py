"""Marking the sentences of a report that nothing carries."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..claims import NEEDED
from .auditing import GROUNDED

if TYPE_CHECKING:
    from .auditing import Audit

_MARKED = re.compile(rf"\s*{re.escape(NEEDED)}")


def mark(text: str, audit: Audit) -> str:
    """The report with `[citation needed]` behind every sentence that is not grounded; all else stays byte for byte."""
    pieces: list[str] = []
    at = 0
    for sentence in audit.sentences:
        if sentence.state == GROUNDED or _MARKED.match(text, sentence.tail):
            continue
        pieces += text[at : sentence.tail], f" {NEEDED}"
        at = sentence.tail
    return "".join([*pieces, text[at:]])
