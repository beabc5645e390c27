"""Where citations stand in a document: in which brackets, and whether anything forbids taking them out of there."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from msgspec import Struct

from ...text.lines import line_starts
from ...text.prose import ProseSpans

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...core.model import Span
    from ...text.document import Document

_REACH = 400
"""How far before an id its bracket may open."""
_CLOSING = {"[": "]", "(": ")"}
_SEPARATOR = re.compile(r"[ \t]*(;)?,?[ \t]*(?:and[ \t]+)?")
_END = re.compile(r"[ \t,]*")
_DEFINITION = re.compile(r"[ \t>]*+(?:[-*+][ \t]+)?\[[^\[\]\n]{1,200}\]:")
_TAG = re.compile(r"[ \t>]{0,8}<(?:/?[A-Za-z][\w-]*(?=[\s/>])|[!?])")
_RAW = re.compile(r"[ \t>]{0,8}<(pre|script|style|textarea)\b", re.IGNORECASE)
_MARKUP = frozenset("`<>|*~\\#")
_HEADING = re.compile(r"[ \t>]*+#{1,6}(?:[ \t]|\Z)")


class BracketItem(Struct, frozen=True):
    """One citation in brackets, with the words of its own around it (`see`)."""

    index: int
    """Which citation of the document it is."""
    start: int
    end: int


class Enclosure(Struct, frozen=True):
    """A bracket or parenthesis that holds nothing but citations."""

    start: int
    end: int
    items: tuple[BracketItem, ...]


def enclosures(prose: str, spans: Sequence[Span], keyed: Sequence[bool]) -> list[Enclosure | None]:
    """For each citation the brackets that hold it, one object for all of a row; None for one in a sentence.

    `keyed` says which of them are keys of a bibliography: these may have words of their own before them.
    """
    found: list[Enclosure | None] = [None] * len(spans)
    at = 0
    while at < len(spans):
        one = _enclose(prose, spans, keyed, at)
        if one is None:
            at += 1
            continue
        for item in one.items:
            found[item.index] = one
        at = one.items[-1].index + 1
    return found


def _enclose(prose: str, spans: Sequence[Span], keyed: Sequence[bool], at: int) -> Enclosure | None:
    span = spans[at]
    if prose[span.start] in "[(":
        return Enclosure(span.start, span.end, (BracketItem(at, span.start, span.end),))
    floor = max(0, span.start - _REACH)
    opening = max(prose.rfind(mark, floor, span.start) for mark in "[](){}\n\r\0;")
    if opening < 0 or prose[opening] not in _CLOSING or (at and spans[at - 1].end > opening):
        return None
    closing = _CLOSING[prose[opening]]
    begin = opening + 1
    if not keyed[at] and prose[begin : span.start].strip(" \t"):
        return None
    items = [BracketItem(at, begin, span.end)]
    while True:
        rest = _END.match(prose, span.end)
        end = rest.end() if rest else span.end
        if prose[end : end + 1] == closing:
            return Enclosure(opening, end + 1, tuple(items))
        at += 1
        if at == len(spans):
            return None
        between = _between(prose, span.end, spans[at].start, keyed[at])
        if between is None:
            return None
        span = spans[at]
        items.append(BracketItem(at, between, span.end))


def _between(prose: str, end: int, start: int, keyed: bool) -> int | None:
    """Where the next item of a row begins, behind what separates it; None where something else stands between."""
    gap = prose[end : min(start, end + _REACH)]
    mark = _SEPARATOR.match(gap)
    if mark is None or not gap or start - end > _REACH:
        return None
    rest = gap[mark.end() :]
    if rest and not (keyed and mark[1] and not set(rest) & set("[](){}\n\r\0;")):
        return None
    return end + mark.end()


class ProtectedPlaces:
    """What may not be touched in one document: code, headings, links, definitions, markup, frontmatter."""

    def __init__(self, document: Document) -> None:
        """The document's lines all end in LF; see `markdown.unify_line_ends`."""
        self._document = document
        self._prose = document.prose
        self._running = ProseSpans(document)
        self._starts = line_starts(self._prose)
        self._special = _special_lines(self._prose) if document.is_markdown else {}

    def objection(self, start: int, end: int) -> str:
        """Why the brackets between two places stay as they are; empty where nothing is against it."""
        before, after = self._prose[max(0, start - 1) : start], self._prose[end : end + 1]
        if found := self.kind(start, end):
            return found
        if before in ("[", "]", "!", "^", "\\") or after in ("(", "[", "]", ":", "{"):
            return "its brackets belong to a link"
        if (before == ">" and self._prose.rfind("<", max(0, start - _REACH), start) >= 0) or after == "<":
            return "it stands in HTML"
        if not _MARKUP.isdisjoint(self._prose[start:end]):
            return "it holds markup, which would break"
        if "\n" in self._prose[start:end]:
            return "it runs over the end of a line, which would be lost"
        return ""

    def kind(self, start: int, end: int) -> str:
        """What the words between two places are where they are no running text."""
        prose = self._prose
        front = self._document.frontmatter
        if front is not None and start < front.end:
            return "it stands in the frontmatter"
        if "\0" in prose[start:end]:
            return "it stands in code"
        row = bisect_right(self._starts, start) - 1
        if row in self._special:
            return self._special[row]
        if self._document.is_markdown and _HEADING.match(prose, self._starts[row]):
            return "it stands in a heading"
        if not self._running.holds(start, end):
            return "it stands in a heading, a link, a comment or a block that is no running text"
        return ""

    def line_before(self, start: int) -> str:
        """What stands before a place on its line."""
        return self._prose[self._starts[bisect_right(self._starts, start) - 1] : start]


def _special_lines(prose: str) -> dict[int, str]:
    """The lines of footnote and link definitions and of HTML blocks, each with what it is."""
    found: dict[int, str] = {}
    if "]:" not in prose and "<" not in prose:
        return found
    defining = html = blank = False
    until = ""
    for row, line in enumerate(prose.split("\n")):
        empty = not line.strip(" \t>")
        raw = _RAW.match(line) if not until else None
        if raw is not None:
            until = f"</{raw[1].lower()}"
        html = not empty and (html or _TAG.match(line) is not None)
        if not empty and _DEFINITION.match(line):
            defining = True
        elif not empty and blank and not line.startswith(("  ", "\t")):
            # What is indented below a blank line still belongs to a footnote.
            defining = False
        blank = empty
        if html or until:
            found[row] = "it stands in HTML"
        elif defining and not empty:
            found[row] = "it stands in a footnote or the definition of a link"
        if until and until in line.lower():
            until = ""
    return found
