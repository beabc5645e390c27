"""Reads again what was written: an edit that does not lead where it should is none.

A path may hold anything, and so may what stands around a citation. Rather than to foresee all of it, the lines around
are read once more with the edit made.
"""

import re
from collections.abc import Iterator

from ..core.model import Citation, Edit, Place, Safety, Span
from ..text.document import Document
from . import get_dialect

_REACHES = (80, 400, 2000)
"""Characters on each side: an edit changes how its neighbours read. More is read only where these do not suffice."""
# More lines in a form that is not read: `12 to 14`, `12 and 14`, `12, 14`.
_GOES_ON = re.compile(
    r"`{0,2}(?:[ \t](?:to|through|until|or|and|&|[-–—])[ \t]|,[ \t]|[-–—])`{0,2}L?\d++(?![\w:%]|[.,/]\w| [a-z])"
)
_SMALL = 64 * 1024
"""Documents up to this size are read whole where a citation is not read the same without all that stands before it."""
# What ends a line, is not shown, shows something else than it is, or cannot be written in UTF-8.
_UNSHOWN = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]")

_CLOSING = ("*/", '"', "'", "-->", "-}", "]]", "*)", "|#", "\\", "?>")
"""What may end a comment."""


def make_verified_edit(document: Document, citation: Citation, place: Place, written: str) -> Edit | None:
    """The edit that writes a citation anew, if it then points at the place and nothing else changes; else None."""
    if set(_UNSHOWN.findall(written)) - set(_UNSHOWN.findall(citation.raw)):
        return None
    if document.has_marked_prose and any(mark in written and mark not in citation.raw for mark in _CLOSING):
        return None
    # Of `a.py:12 to 14` only the 12 is read: a reader has to look at the rest.
    whole = _GOES_ON.match(document.text, citation.span.end) is None
    edit = Edit(citation.span, written, Safety.SAFE if whole else Safety.UNSAFE)
    for window in _widen_windows(document, citation.span):
        leads = _check_reread(document, citation, place, edit, window)
        if leads is not None:
            return edit if leads else None
    return None


def _widen_windows(document: Document, span: Span) -> Iterator[Span]:
    """What stands around a citation, more and more of it, in whole lines where these are short."""
    text = document.text
    for reach in _REACHES:
        start, end = max(0, span.start - reach), min(len(text), span.end + reach)
        if start:
            line = max(text.rfind("\n", start, span.start), text.rfind("\r", start, span.start)) + 1
            start = line or start
        if end < len(text):
            ends = [at for at in (text.find("\n", span.end, end), text.find("\r", span.end, end)) if at >= 0]
            end = min(ends, default=end)
        yield Span(start, end)
    if len(text) <= _SMALL:
        yield Span(0, len(text))


def _check_reread(document: Document, citation: Citation, place: Place, edit: Edit, window: Span) -> bool | None:
    """Whether the citation then leads to the place and the others of its dialect stay; None where it is not read."""
    text = document.text
    before = _read(document, citation, text[window.start : window.end])
    at = citation.span.start - window.start
    written = next((one.source for one in before if one.span.start == at and one.raw == citation.raw), None)
    if written is None:
        return None
    made = text[window.start : edit.span.start] + edit.replacement + text[edit.span.end : window.end]
    after = _read(document, citation, made)
    grown = len(edit.replacement) - (edit.span.end - edit.span.start)
    if len(after) != len(before):
        return False
    for one, other in zip(before, after, strict=True):
        shift = grown if one.span.start > at else 0
        if one.span.start != at:
            # A line of the same list, or `:12` behind it, would be about another file then.
            same = other.source == one.source or (place.renamed and one.source == written)
            if (other.span.start, other.raw) != (one.span.start + shift, one.raw) or not same:
                return False
        elif other.span != Span(at, one.span.end + grown) or not _is_pointing_at(other, citation, place):
            return False
    return True


def _is_pointing_at(found: Citation, citation: Citation, place: Place) -> bool:
    """Whether a citation that was read again points at the place."""
    # Of two readings the second was meant before: it is meant now.
    second = citation.alternate == citation.source.key
    keys = (found.source.key, found.alternate) if second else (found.source.key,)
    key = found.source.key
    if found.source.scheme != citation.source.scheme or (found.lines, found.section) != (place.lines, citation.section):
        return False
    if found.source.scheme == "permalink":
        return key == f"{citation.source.key.partition(':')[0]}:{place.path}"
    if found.source.scheme == "path":
        return place.path in (key, found.alternate)
    if found.source.scheme == "symbol":
        return f"{place.path}::{citation.source.key.partition('::')[2]}" in keys
    if place.path == citation.source.key and citation.by_end and key == citation.by_end:
        return True
    return place.path in keys or place.path == citation.source.key == found.alternate


def _read(document: Document, citation: Citation, text: str) -> list[Citation]:
    # The window may begin inside a comment; what stands around it only has to stay as it is.
    reads_code = document.reads_code or document.has_marked_prose
    part = document.reread(text, reads_code)
    part.text = text
    return [item for item in get_dialect(citation.dialect).extract(part) if isinstance(item, Citation)]
