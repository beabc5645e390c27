"""Finding keys of a bibliography in a text. Loaded once a document may hold one."""

import re
from collections.abc import Iterator

from ..core.model import Citation, Malformed, Pages, SourceRef, Span
from ..text.document import Document
from ..text.quotations import QuotationFinder
from . import _pages

NAME = "key"

_KEY = re.compile(r"(?<![\w@/.\\])-?@(?:([\w](?:[\w]|[:.#$%&+?<>~/-](?=\w)){0,200})|\{([^{}\s\0]{1,200})\})(?![\w@])")
_REST = re.compile(
    # Example: `, p. 15]`.
    rf"""
    (?:[ \t]*+(?:,|(?={_pages.GAP}{_pages.PLACE})){_pages.GAP}((?:(?!@)(?:{_pages.WORDS}|[(){{}}])){{0,120}}+))?
    [ \t]*+(?=[\];])
    """,
    re.VERBOSE,
)
_AFTER = re.compile(rf"[ \t]?\[({_pages.PAGE})\]")
_OPEN = re.compile(r"\[[^\[\]\n\r\0]{0,400}\Z")


def extract(document: Document, spans: list[tuple[int, int]] | None = None) -> Iterator[Citation | Malformed]:
    """Every key outside code, with its pages, and the quote beside it.

    Where words are quoted is put into a list, if one is given.
    """
    return QuotationFinder(document, spans).attach(_scan(document))


def _scan(document: Document) -> Iterator[Citation | Malformed]:
    """The keys without what is quoted."""
    text, prose = document.text, document.prose
    for match in _KEY.finditer(prose):
        start, end = match.span()
        source = SourceRef("bibliography", match[1] or match[2])
        enclosed = _OPEN.search(prose, max(0, start - 400), start) is not None
        rest = _REST.match(prose, end) if enclosed else None
        pages: Pages | None = None
        section = fault = ""
        if rest is not None:
            pages, section, fault = _pages.locate(rest[1]) if rest[1] else (None, "", "")
            if prose[start - 1] == "[" and prose[rest.end()] == "]":
                start, end = start - 1, rest.end() + 1
            else:
                end += len(prose[end : rest.end()].rstrip())
        elif (after := _AFTER.match(prose, end)) is not None:
            pages, section, fault = _pages.locate(after[1])
            end = after.end()
        span = Span(start, end)
        raw = text[start:end]
        if fault:
            yield Malformed(NAME, span, raw, fault)
        else:
            yield Citation(NAME, span, raw, source, None, None, "", not enclosed, pages, section)


def render(citation: Citation) -> str:
    """The bracket, after the quote if there is one."""
    key = citation.source.key
    plain = _KEY.fullmatch(f"@{key}")
    name = f"@{key}" if plain is not None and plain[1] == key else f"@{{{key}}}"
    bracket = f"[{name}{_pages.format_locator(citation.pages, citation.section)}]"
    return _pages.format_quotes(citation.quote) + bracket
