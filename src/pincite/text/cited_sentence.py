"""Which sentence a citation supports: the one before it, in its own paragraph, list item, heading or table cell."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..core.model import Span
from .markdown import paragraph, unify_line_ends
from .sentences import split_sentences

if TYPE_CHECKING:
    from .document import Document

NEEDED = "[citation needed]"
"""What stands behind a claim for which nothing may be cited."""
REACH = 2000
"""How many code points before a citation are looked at: a bound, so that many citations of one text stay cheap."""

# What a line may begin with before its text does: list, quote and heading marks, tick boxes.
_MARKER = re.compile(r"(?:[ \t>]++|(?:[-*+]|#{1,6}|\d{1,9}[.)])(?=\s)|\[[ xX]\](?=\s))*+")
# Ends a claim before its sentence does: another citation, the edge of a table cell, a tag that is no part of a line.
_EDGE = re.compile(
    r"【[^【】\n]{0,1000}†[^【】\n]{0,1000}】|(?<!\\)\||<!--(?:(?!<!--).){0,1000}?-->"
    r"|</?(?:br|p|li|ul|ol|td|th|tr|table|div|h[1-6]|hr|details|summary|blockquote)\b[^<>\n]{0,200}>",
    re.IGNORECASE | re.DOTALL,
)
# A fenced block is one run of blanked text, its line ends too.
_FENCED = re.compile(r"(?:\A|(?<=\n))\0+\n")
_WORD = re.compile(r"[^\W_]|\0")


def claim_before(document: Document, start: int, floor: int = 0) -> Span | None:
    """The sentence that a citation at `start` supports, looking back no further than `floor`; None where there is none.

    Chained citations share it: `start` is where the first of them begins.
    """
    floor = max(floor, start - REACH, 0)
    # Code is blanked out in the prose, so that nothing in it ends a sentence or a cell.
    window = unify_line_ends(document.prose[floor:start])
    begin = _block(window, document.text[floor:start])
    for edge in _EDGE.finditer(window, begin):
        begin = edge.end()
    end = len(window.rstrip(" \t\n([*_~\"'“‘"))
    begin += max((first for first, _ in split_sentences(window[begin:end], REACH + 1)), default=0)
    if begin == 0 and floor and floor == start - REACH:
        # Cut off somewhere: what is left of the first word would say something else.
        cut = re.compile(r"\s").search(window)
        begin = cut.end() if cut else end
    while begin < end and window[begin].isspace():
        begin += 1
    return Span(floor + begin, floor + end) if _WORD.search(window, begin, end) else None


def _block(window: str, text: str) -> int:
    """Where the text of the paragraph, item, heading or row begins that the window ends in."""
    # The citation's own bracket: without it, a citation on a line of its own would seem to follow a blank line.
    begin = paragraph(f"{window}【", len(window), 0, len(window) + 1).start
    for code in _FENCED.finditer(window, begin):
        if not {"\n", "\r"}.isdisjoint(text[code.start() : code.end() - 1]):
            begin = code.end()
    marker = _MARKER.match(window, begin)
    return marker.end() if marker else begin
