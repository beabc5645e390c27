"""Which sentence a citation supports: the one before it, in its own paragraph, list item, heading or table cell."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..core.model import Span
from .markdown import paragraph, unify_line_ends

if TYPE_CHECKING:
    from .document import Document

NEEDED = "[citation needed]"
"""What stands behind a claim for which nothing may be cited."""
REACH = 2000
"""How many code points before a citation are looked at: a bound, so that many citations of one text stay cheap."""

ABBREVIATED = re.compile(
    r"(?:^|[\s(\[\"“*_])(?:e\.g|i\.e|[A-Za-z](?:\.[A-Za-z])*|vs|cf|ca|approx|etc|resp|incl|figs?|eqs?|secs?|refs?|nos?"
    r"|tabs?|chs?|pp?|vols?|eds?|dr|mr|mrs|ms|prof|inc|ltd|st|al|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.\Z",
    re.IGNORECASE,
)
"""A word cut short, with the stop that ends no sentence, as papers and answers have it: a lone letter is an initial."""

# What a line may begin with before its text does: list, quote and heading marks, tick boxes.
_MARKER = re.compile(r"(?:[ \t>]++|(?:[-*+]|#{1,6}|\d{1,9}[.)])(?=\s)|\[[ xX]\](?=\s))*+")
# Ends a claim before its sentence does: another citation, the edge of a table cell, a tag that is no part of a line.
_EDGE = re.compile(
    r"【[^【】\n]{0,1000}†[^【】\n]{0,1000}】|(?<!\\)\||<!--(?:(?!<!--).){0,1000}?-->"
    r"|</?(?:br|p|li|ul|ol|td|th|tr|table|div|h[1-6]|hr|details|summary|blockquote)\b[^<>\n]{0,200}>",
    re.IGNORECASE | re.DOTALL,
)
# A sentence ends at a mark that white space follows, closing quotes and emphasis in between; and at a wide mark.
_STOP = re.compile(r"[.!?…]+[\"'”’»)\]*_~]{0,8}(?=\s)|[。！？]+[」』”）]{0,4}")
_SHORTENED = re.compile(
    r"(?:^|[\s(\"“*_])(?:e\.g|i\.e|[a-z]\.[a-z]|vs|cf|ca|approx|etc|resp|incl|excl|max|min|avg|no|nr|fig|sec|ch|p|pp"
    r"|vol|ver|v|dr|mr|mrs|ms|prof|inc|ltd|st|al)\.\Z",
    re.IGNORECASE,
)
_LONGEST_SHORT = 8
# A fenced block is one run of blanked text, its line ends too.
_FENCED = re.compile(r"(?:\A|(?<=\n))\0+\n")
_NEXT = re.compile(r"\s*+([a-zà-öø-ÿ])")
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
    begin = _sentence(window, begin, end)
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


def _sentence(window: str, begin: int, end: int) -> int:
    """Where the last sentence between two places begins; a mark at the very end belongs to it."""
    at = begin
    for stop in _STOP.finditer(window, begin, end):
        if stop.end() >= end:
            break
        if stop[0][0] in ".…" and (_NEXT.match(window, stop.end()) or _is_short(window, begin, stop.start() + 1)):
            continue
        at = stop.end()
    return at


def _is_short(window: str, begin: int, end: int) -> bool:
    """Whether the full stop before `end` belongs to a shortened word."""
    return _SHORTENED.search(window, max(begin, end - _LONGEST_SHORT), end) is not None
