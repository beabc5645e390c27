"""Finding ids of papers in a text, with what follows and surrounds them. Loaded once a document holds one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from ..core.model import Citation, Malformed, Pages, SourceRef, Span
from ..papers.ids import is_number
from ..text.document import Document
from ..text.quotations import QuotationFinder
from . import _pages

NAME = "ref"

# Begins with its letters and nothing else, so that it is looked for as fast as they are; what may not stand before them
# is checked afterwards. `REF-043-voice` goes on, `REF-043.` ends a sentence. A page and a bracket are taken in passing.
_ID = re.compile(r"REF-([0-9]{1,20})(?:(?:, ?p\. ?([0-9]{1,9}))?(\])(?![(\[:]))?(?![\w/\\]|-\w|\.\w)")
_NAMED = re.compile(r"REF-([0-9]{3,6})(?![0-9])")
_INSIDE = re.compile(r"[\w/.#@=\\-]")
# What may stand between an id in brackets and their end; another id of the row ends it too.
_WITHIN = re.compile(
    # Example: `, p. 15]`.
    rf"""
    (?:[ \t]*+(?:[,:]|;?(?={_pages.GAP}{_pages.PLACE})){_pages.GAP}
    ((?:(?!REF-[0-9])(?:{_pages.WORDS}|;(?={_pages.GAP}{_pages.PLACE}))){{0,120}}+))?[ \t]*+(?=([\]);]|REF-[0-9]))
    """,
    re.VERBOSE,
)
_AFTER = re.compile(rf"(?:[ \t]*,)?{_pages.GAP}({_pages.PAGE})(?![\w])|[ \t]?\(({_pages.PAGE})\)")
_NEXT = re.compile(rf"(?:;{_pages.GAP})?(?:and[ \t]+)?(?=REF-[0-9])")
_NUMBERED = re.compile(_pages.PLACE)
_DIGITS = 3
_LINKED = ("!", "]")


def extract(document: Document, spans: list[tuple[int, int]] | None = None) -> Iterator[Citation | Malformed]:
    """Every id outside code, with its page or section, and the quote beside it.

    Where words are quoted is put into a list, if one is given.
    """
    return QuotationFinder(document, spans).attach(_scan(document))


def _scan(document: Document) -> Iterator[Citation | Malformed]:
    """The ids without what is quoted."""
    text = document.text
    prose = document.prose
    enclosed = _Enclosed(prose)
    own = _own(document.path)
    for match in _ID.finditer(prose):
        digits, page, closed = match.groups()
        if digits == own:
            continue
        start, end = match.span()
        before = prose[start - 1] if start else ""
        if closed is None or before != "[" or len(digits) != _DIGITS or prose[start - 2 : start - 1] in _LINKED:
            if not _INSIDE.match(before):
                yield _other(text, prose, start, match.end(1), digits, enclosed)
            continue
        start -= 1
        source, pages = _read_plain(digits, page)
        yield Citation(NAME, Span(start, end), prose[start:end], source, None, None, "", False, pages)


@lru_cache(maxsize=20_000)
def _read_plain(digits: str, page: str | None) -> tuple[SourceRef, Pages | None]:
    """What a plain bracket means: the same few stand in many documents."""
    return SourceRef("ref", f"REF-{digits}"), None if page is None else Pages(page, page)


def render(citation: Citation) -> str:
    """The bracket, after the quote if there is one."""
    bracket = f"[{citation.source.key}{_pages.format_locator(citation.pages, citation.section)}]"
    return _pages.format_quotes(citation.quote) + bracket


def _own(path: str) -> str:
    """The digits of the id that a file is named after: it does not cite itself."""
    name = path[path.rfind("/") + 1 :]
    named = _NAMED.match(name) if name.startswith("REF-") else None
    return named[1] if named is not None else ""


def _other(text: str, prose: str, start: int, end: int, digits: str, enclosed: _Enclosed) -> Citation | Malformed:
    """An id that is not alone in its bracket with a page."""
    locator, span = enclosed.read(start, end)
    if locator is None:
        after = _AFTER.match(prose, end)
        locator = (after[1] or after[2]) if after else ""
        span = Span(start, after.end() if after else end)
    raw = text[span.start : span.end]
    source = SourceRef("ref", f"REF-{digits}")
    if not is_number(digits):
        # Whether this is a slip or another project's numbering depends on whether there is a corpus.
        return Citation(NAME, span, raw, source, tentative=True)
    pages, section, fault = _pages.locate(locator) if locator else (None, "", "")
    if fault:
        return Malformed(NAME, span, raw, fault)
    if section[:1].islower() and enclosed.in_prose(span.end) and not _NUMBERED.match(section):
        # `(REF-043, as we saw)` goes on with the sentence.
        section = ""
    # Other projects number things as `REF-2024`: only a corpus tells that a paper is meant.
    tentative = raw[0] != "[" or len(digits) != _DIGITS
    return Citation(NAME, span, raw, source, None, None, "", tentative, pages, section)


class _Enclosed:
    """Ids inside brackets or parentheses, alone or in a row."""

    def __init__(self, prose: str) -> None:
        self._prose = prose
        self._row = -1
        """Where the next id of a row begins."""
        self._close = ""

    def in_prose(self, end: int) -> bool:
        """Whether a citation that ends there stands in parentheses, as words do."""
        return ")" in (self._prose[end - 1], self._prose[end : end + 1], self._close * (self._row >= end))

    def read(self, start: int, end: int) -> tuple[str | None, Span]:
        """The locator of the id at a place and the span of its citation; None where nothing encloses it."""
        prose = self._prose
        before = prose[start - 1] if start else ""
        first = before in ("[", "(")
        within = _WITHIN.match(prose, end) if first or start == self._row else None
        if within is None:
            return None, Span(start, end)
        close = "]" if before == "[" else ")" if before == "(" else self._close
        locator = (within[1] or "").strip(" \t\r\n,")
        at = within.end()
        stop = end + len(prose[end:at].rstrip(" \t\r\n,"))
        if within[2] in ";R":
            onward = _NEXT.match(prose, at)
            self._row, self._close = onward.end() if onward else -1, close
            return locator, Span(start, stop)
        if within[2] != close:
            return None, Span(start, end)
        if first and not _is_link(prose, start - 1, at + 1, close):
            return locator, Span(start - 1, at + 1)
        return locator, Span(start, stop)


def _is_link(prose: str, start: int, end: int, close: str) -> bool:
    """Whether brackets belong to a link or a footnote, whose own marks are not the citation's."""
    if close != "]":
        return False
    return prose[end : end + 1] in ("(", "[", ":") or prose[max(0, start - 1) : start] in _LINKED
