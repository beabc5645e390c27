"""Sentences: a stop ends one unless a word is cut short there or what follows goes on; and which a citation supports.

Everything that looks for the ends of sentences asks here, but for `judge.tokens`, which breaks between words that it
has already read; it shares the list of words that are cut short.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..core.model import Span
from .markdown import paragraph, unify_line_ends

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .document import Document

LONGEST = 1200
"""A sentence that runs on is cut here."""

SHORT_WORDS = frozenset(
    "e.g i.e vs cf ca approx etc resp incl excl fig figs eq eqs sec secs ref refs no nos nr tab tabs ch chs chap p pp"
    " vol vols ed eds op dr mr mrs ms prof st inc ltd al dept gen gov sen rep rev hon capt lt col sgt mt jan feb mar"
    " apr jun jul aug sep sept oct nov dec".split()
)
"""Words cut short, in lower case, whose stop ends no sentence."""
# A lone letter is an initial.
_ABBREVIATED = re.compile(
    rf"(?:^|[\s(\[\"“*_])(?:[A-Za-z](?:\.[A-Za-z])*|{'|'.join(map(re.escape, sorted(SHORT_WORDS)))})\.\Z", re.IGNORECASE
)
_LONGEST_SHORT = 8
# A run of stops is read once, whole: one that nothing follows must not cost its length at each of its stops.
_STOP = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’»)\]*_~]{0,8}+(?=\s)|[。！？｡।॥؟۔]++[」』”）]{0,4}+|\n[^\S\n]*+\n")
# The same between a quote and its citation: not where nothing but `See` leads to the citation.
_STOP_BESIDE = re.compile(
    r"(?:[.!?](?=[\s)\]])(?!\s{1,3}[a-zß-ÿ])|[。！？](?!\Z))"
    r"(?!\s{1,3}(?:[Ss]ee(?: also)?|[Cc]f\.?|[Ff]rom|[Ii]n|[Ss]ource:?)\s{0,3}\Z)"
    r"|\n[ \t]*(?:(?:[-*+]|\d{1,9}[.)]|#{1,6})[ \t]|\|)"
)
_CLOSING = "\"'”’»"
"""Behind them what is said may go on: “Is it?” he asked."""
_NEXT = re.compile(r"\s*[\"'“‘(\[*_]{0,3}([a-zà-öø-ÿ,;])")
# A numbered heading, or a line of capitals, is no part of the sentence below it.
_HEADING = re.compile(
    r"(?:[0-9]{1,2}(?:\.[0-9]{1,2}){0,3}\.?|[IVX]{1,4}\.)[^\S\n]+[A-Z][^\n]{1,60}(?<![.,;:])|[A-Z][A-Z ]{3,60}"
)
_WELL_KNOWN = re.compile(
    r"(?:abstract|introduction|background|related work|methods?|materials and methods|results|results and discussion"
    r"|discussion|conclusions?|limitations|acknowledge?ments|references|evaluation|experiments)",
    re.IGNORECASE,
)
NEEDED = "[citation needed]"
"""What stands behind a claim for which nothing may be cited."""
REACH = 2000
"""How many code points before a citation are looked at: a bound, so that many citations of one text stay cheap."""

# What a line may begin with before its text does: list, quote and heading marks, tick boxes.
_MARKER = re.compile(r"(?:[ \t>]++|(?:[-*+]|#{1,6}|\d{1,9}[.)])(?=\s)|\[[ xX]\](?=\s))*+")
# Ends a claim before its sentence does: another citation, the edge of a table cell, a tag that is no part of a line.
_EDGE = re.compile(
    # Examples: `【F:a.py†L1】`, `<br>`, `<!-- x -->`.
    r"""
    【[^【】\n]{0,1000}†[^【】\n]{0,1000}】|(?<!\\)\||<!--(?:(?!<!--).){0,1000}?-->
    |</?(?:br|p|li|ul|ol|td|th|tr|table|div|h[1-6]|hr|details|summary|blockquote)\b[^<>\n]{0,200}>
    """,
    re.IGNORECASE | re.DOTALL | re.VERBOSE,
)
# A fenced block is one run of blanked text, its line ends too.
_FENCED = re.compile(r"(?:\A|(?<=\n))\0+\n")
_WORD = re.compile(r"[^\W_]|\0")


def split_sentences(text: str, longest: int = LONGEST) -> Iterator[tuple[int, int]]:
    """Where each sentence of a text begins and ends, cut where longer than `longest`, without white space around."""
    for begin, end in _blocks(text):
        at = begin
        for stop in _STOP.finditer(text, begin, end):
            if (stop[0][0] in ".…" or stop[0][-1] in _CLOSING) and not _ends(text, at, stop):
                continue
            yield from _cut(text, at, stop.end(), longest)
            at = stop.end()
        yield from _cut(text, at, end, longest)


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Stretches between headings."""
    at = begin = 0
    for line in text.split("\n"):
        end = at + len(line)
        bare = line.strip()
        if len(bare) < 80 and (_HEADING.fullmatch(bare) or _WELL_KNOWN.fullmatch(bare)):
            yield begin, at
            yield at, end
            begin = end
        at = end + 1
    yield begin, len(text)


def _ends(text: str, begin: int, stop: re.Match[str]) -> bool:
    """Whether a stop ends its sentence."""
    return not (_NEXT.match(text, stop.end()) or is_abbreviated(text, begin, stop.start() + 1))


def is_abbreviated(text: str, begin: int, end: int) -> bool:
    """Whether the full stop in front of `end` belongs to a word that is cut short."""
    return _ABBREVIATED.search(text, max(begin, end - _LONGEST_SHORT), end) is not None


def has_stop(text: str, start: int = 0, end: int | None = None) -> bool:
    """Whether a sentence, an item or a row ends between two places, of which one may be a citation's."""
    stops = _STOP_BESIDE.finditer(text, start, len(text) if end is None else end)
    return any(stop[0] != "." or not is_abbreviated(text, 0, stop.end()) for stop in stops)


def _cut(text: str, begin: int, end: int, longest: int) -> Iterator[tuple[int, int]]:
    while begin < end and text[begin].isspace():
        begin += 1
    while end > begin and text[end - 1].isspace():
        end -= 1
    while end - begin > longest:
        space = text.rfind(" ", begin + longest // 2, begin + longest)
        middle = space if space > 0 else begin + longest
        yield begin, middle
        begin = middle + 1 if space > 0 else middle
    if begin < end:
        yield begin, end


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
