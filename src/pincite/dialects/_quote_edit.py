"""Quotes and sections of papers written anew in a document, beside the citation that they belong to.

What is put in comes from a paper and could mean anything in a document: it could end the quote, or be a citation. So
the lines around are read again, and an edit that changes more than it should is none.
"""

import re

from ..core.model import Citation, Edit, Malformed, Safety, Span
from ..quotes.rewording import find_written, is_shown, wordings
from ..text.document import Document
from . import dialects, extract

_REACH = 3100
"""How far around a citation the words that it quotes may stand, and a little more."""
_END = re.compile(r"[\r\n]")


def requote(
    document: Document, citation: Citation, quoted: str, there: str, within: bool = False
) -> tuple[Edit, str] | None:
    """The edit that puts the words of the source in place of some that a citation quotes, and what it then quotes.

    They stand beside the citation, or `within` it where it is all of a quote and its page.
    """
    span = citation.span
    if citation.quote is None or not is_shown(there):
        return None
    around = span if within else _around(document, span, span)
    found = find_written(document.text, quoted, around.start, around.end)
    # Words inside the citation are not those it quotes.
    if found is None or (not within and found[0] < span.end and span.start < found[1]):
        return None
    old = citation.quote.exact, *citation.quote.others
    for words in wordings(document.text[found[0] : found[1]], there):
        edit = Edit(Span(*found), words, Safety.UNSAFE)
        again = _reread(document, citation, edit)
        new = (again.quote.exact, *again.quote.others) if again is not None and again.quote is not None else ()
        changed = [(one, other) for one, other in zip(old, new, strict=False) if one != other]
        if len(old) == len(new) and len(changed) == 1 and changed[0][0] == quoted:
            return edit, changed[0][1]
    return None


def retitle(document: Document, citation: Citation, title: str) -> Edit | None:
    """The edit that makes a citation name another section of its paper."""
    found = find_written(citation.raw, citation.section, 0, len(citation.raw))
    if found is None or not is_shown(title):
        return None
    start = citation.span.start
    edit = Edit(Span(start + found[0], start + found[1]), title, Safety.UNSAFE)
    again = _reread(document, citation, edit)
    return edit if again is not None and (again.section, again.quote) == (title, citation.quote) else None


def _around(document: Document, one: Span, other: Span) -> Span:
    """Two places and what stands around them, in whole lines."""
    text = document.text
    start = max(0, min(one.start, other.start) - _REACH)
    end = _END.search(text, min(len(text), max(one.end, other.end) + _REACH))
    return Span(
        max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1, end.start() if end is not None else len(text)
    )


def _reread(document: Document, citation: Citation, edit: Edit) -> Citation | None:
    """The citation as it is read once an edit is made; None unless all else that is cited there stays what it was."""
    near = _around(document, citation.span, edit.span)
    text = document.text
    before = text[near.start : near.end]
    after = text[near.start : edit.span.start] + edit.replacement + text[edit.span.end : near.end]
    old, new = (_read(document, part) for part in (before, after))
    if len(old) != len(new):
        return None
    found: Citation | None = None
    shared: list[Citation] = []
    for one, other in zip(old, new, strict=True):
        if isinstance(one, Malformed) or isinstance(other, Malformed):
            if type(one) is not type(other) or (one.dialect, one.raw) != (other.dialect, other.raw):
                return None
        elif one.span.start == citation.span.start - near.start and one.dialect == citation.dialect:
            if _places(one) != _places(citation) or (one.section, one.quote) != (citation.section, citation.quote):
                return None
            found = other
        elif (_places(one), one.section) != (_places(other), other.section):
            return None
        elif one.quote != other.quote:
            # Citations in a row share a quote.
            if one.quote != citation.quote:
                return None
            shared.append(other)
    if found is None or _places(found) != _places(citation):
        return None
    return found if all(other.quote == found.quote for other in shared) else None


def _read(document: Document, text: str) -> list[Citation | Malformed]:
    part = type(document)(document.path, text, document.reads_code, document.memories, document.top)
    return extract(part, dialects())


def _places(citation: Citation) -> tuple[object, ...]:
    return citation.dialect, citation.source, citation.lines, citation.pages
