"""References that begin with the name of a repository: what stands behind it is read as `path:12` is.

The name is blanked out first, so that all rules for references to lines hold unchanged: of code spans, ranges, lists
of lines, times and ports.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from io import StringIO

from ..core.model import Citation, Edit, Malformed, Place, SourceRef, Span
from ..text.document import Document
from . import path_line

NAME = "repository-path"
_PREFIX = re.compile(
    # Examples: `owner/name:`, `owner/name@v2.1:`, `github.com/owner/name:`.
    r"""
    (?<![\w./@:+~$%\\&=\#\-])
    ([A-Za-z0-9_.\-]{1,100}+(?:/[A-Za-z0-9_.\-]{1,100}+){1,4}+)
    (?:@([A-Za-z0-9_.\-/+]{1,200}+))?+
    :
    """,
    re.VERBOSE,
)
# Not `./` or `../`: a path of another repository is one from its root.
_REST = re.compile(r"(?!\.\.?/)[\w./@+\-]{1,240}+[:#]L?\d")
_LETTER = re.compile(r"[^\W\d]")
_LIST_MEMBER = re.compile(r"\d{1,7}(?:[-–]\d{1,7})?")
_BLANK = "\u00a0"
"""A space that indents nothing."""
_NEAR = 4096
"""Characters on each side within which an edit may change how something is read."""


def extract(document: Document) -> Iterator[Citation | Malformed]:
    """Every such reference to a repository that is at hand; of a document that is read alone, to any."""
    text = document.text
    starts, ends, blanked = _blank_out(document, 0, len(text))
    if not ends:
        return
    number, prefix = 0, ""
    for item in path_line.extract(blanked):
        start = item.span.start
        while number < len(ends) and ends[number] < start:
            number += 1
        if number < len(ends) and ends[number] == start:
            start = starts[number]
            prefix = text[start : ends[number]]
        elif item.raw[0] != ":" and not _LIST_MEMBER.fullmatch(item.raw):
            prefix = ""
        if not prefix or item.source is None:
            continue
        span = Span(start, item.span.end)
        raw, source = text[span.start : span.end], SourceRef("repository", prefix + item.source.key)
        if isinstance(item, Citation):
            yield Citation(NAME, span, raw, source, item.lines, tentative=True)
        else:
            yield Malformed(NAME, span, raw, item.reason, False, source)


def render(citation: Citation) -> str:
    """The reference as `owner/name:path:first-last`."""
    return path_line.render(citation)


def repoint(document: Document, citation: Citation, place: Place) -> Edit | None:
    """The same reference to another path or other lines of the same repository."""
    prefix = _PREFIX.match(citation.raw)
    start = citation.span.start + (prefix.end() if prefix is not None else 0)
    source = citation.source
    path = source.key if source.scheme == "file" else source.key.partition(":")[2]
    raw = document.text[start : citation.span.end]
    span, source = Span(start, citation.span.end), SourceRef("file", path)
    inner = Citation(path_line.NAME, span, raw, source, citation.lines, by_end=citation.by_end)
    blanked = _blank_out(document, max(0, start - _NEAR), start + _NEAR)[2]
    return path_line.repoint(blanked, inner, place)


def _blank_out(document: Document, first: int, last: int) -> tuple[array[int], array[int], Document]:
    """The document without the names of repositories that are at hand; with these, where each began and ended.

    Every offset means the same place in both documents.
    """
    text, mirrored = document.text, document.mirrored
    starts: array[int] = array("q")
    ends: array[int] = array("q")
    blank = StringIO()
    at = 0
    for match in _PREFIX.finditer(text, first, min(last, len(text))):
        start, end = match.span()
        rest = _REST.match(text, end)
        if rest is None or not _LETTER.search(rest[0], 0, len(rest[0]) - 2):
            continue
        if mirrored is None or mirrored(match[1]):
            starts.append(start)
            ends.append(end)
            blank.write(text[at:start])
            blank.write(_BLANK * (end - start))
            at = end
    if not ends:
        return starts, ends, document
    blank.write(text[at:])
    made = blank.getvalue()
    other = document.reread(made, document.reads_code)
    other.text = made
    return starts, ends, other
