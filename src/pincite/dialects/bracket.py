"""Inline brackets: `【F:path†L10-L25】` for lines of a file, `【abc123†L1-L7】` for lines of captured output.

Reads the canonical form and the variants found in real documents: an en dash in the range, a range without its second
`L`, a path without its `F:` where such a file exists or nothing but a path can be meant (`src/app.py`: a folder, a name
and an ending). Writes only the canonical form. References that other tools
leave behind (`【4:0†source】`, `【24†source】`) are *opaque*: they point at nothing that can be looked up. Brackets
inside fenced code or code spans are examples, not citations. In comments of source code only those count that name a
file of the repository, now or in its history.
"""

import re
from collections.abc import Iterator

from msgspec.structs import replace

from ..core.model import Citation, Edit, Lines, Malformed, Place, SourceRef, Span
from ..text.document import Document

NAME = "bracket"
RANK = 20
OPENERS = ("【".encode(),)
EXAMPLE = "The gauge is reset on start. 【F:src/gauge.py†L10-L25】"
IN_SOURCE = ("【F:".encode(),)

# The canonical file citation is tried first and alone; everything else falls to the second, slower half.
_BRACKET = re.compile(r"【(?:F:([^†【】\n\r]+)†L(\d{1,9})(?:-L(\d{1,9}))?】|([^【】\n\r]{0,1000})(】)?)")
_LOOSE = re.compile(r"(F:)?([^†]*)†\s*L?(\d{1,9})(?:\s*[-–—]\s*L?(\d{1,9}))?\s*\Z")
_CHUNK = re.compile(r"[0-9a-f]{6,64}\Z")
# What can be nothing but a path: a folder, a name and an ending.
_PATH = re.compile(r"(?![a-z+]+://)[^\s†]+/[^\s/†]*\.[A-Za-z][A-Za-z0-9]{0,7}\Z")
_CAPTURED = re.compile(r"【[0-9a-f]{6,64}†")
_OPAQUE = re.compile(r"\d+(?::\d+)?\Z|turn\d+\w*\Z")


def extract(document: Document) -> Iterator[Citation | Malformed]:
    """Every bracket outside code; in source code those that name a file of the repository."""
    if not document.is_source:
        yield from _scan(document)
        return
    for item in _scan(document):
        # Comments of a program that writes brackets show what they look like.
        if isinstance(item, Citation) and item.source.scheme == "file":
            yield replace(item, tentative=True)


def _scan(document: Document) -> Iterator[Citation | Malformed]:
    text = document.text
    for match in _BRACKET.finditer(document.prose):
        if document.is_source and document.line_of(match.start())[: document.position(match.start())[1]].count("`") % 2:
            # Between backticks a comment shows how something is written.
            continue
        raw, path, first, last = match.group(0, 1, 2, 3)
        span = Span(*match.span())
        if "\0" in raw:
            # Code inside the brackets: what was blanked out belongs to the citation.
            raw = text[span.start : span.end]
            path = path and text[match.start(1) : match.end(1)]
        if path is None:
            item = _read_noncanonical(span, raw, text[match.start(4) : match.end(4)], match[5] is not None)
            if item is not None:
                yield item
            continue
        start = int(first)
        end = start if last is None else int(last)
        if end < start or path.isspace():
            wrong = "no path after F:" if path.isspace() else f"the range ends before it starts (L{start}-L{end})"
            yield Malformed(NAME, span, raw, wrong)
        else:
            yield Citation(NAME, span, raw, SourceRef("file", path), Lines(start, end))


def cites_captured(text: str) -> bool:
    """Whether a text may cite captured output."""
    return _CAPTURED.search(text) is not None


def _read_noncanonical(span: Span, raw: str, inner: str, closed: bool) -> Citation | Malformed | None:
    """What is not canonical: a variant, a chunk, an opaque reference, a mistake, or plain text in such brackets."""
    if not closed:
        # Only what names a file is surely meant; a lone bracket is punctuation in several languages.
        wrong = Malformed(NAME, span, raw, "the bracket is not closed on its line (】 is missing)")
        return wrong if inner.startswith("F:") else None
    match = _LOOSE.match(inner)
    if match is None:
        return _read_without_range(span, raw, inner)
    prefix, key, first, last = match.groups()
    start = int(first)
    end = start if last is None else int(last)
    if not key.strip():
        return Malformed(NAME, span, raw, "no path after F:" if prefix else "no file or chunk before †")
    if end < start:
        return Malformed(NAME, span, raw, f"the range ends before it starts (L{start}-L{end})")
    if prefix:
        return Citation(NAME, span, raw, SourceRef("file", key), Lines(start, end))
    if _CHUNK.match(key):
        return Citation(NAME, span, raw, SourceRef("chunk", key), Lines(start, end))
    if "/" in key or "." in key:
        return Citation(NAME, span, raw, SourceRef("file", key), Lines(start, end), tentative=not _PATH.match(key))
    if _OPAQUE.match(key):
        return Citation(NAME, span, raw, SourceRef("opaque", key), Lines(start, end))
    return Malformed(NAME, span, raw, f"{key!r} is neither F: and a path nor a chunk id of six or more hex digits")


def _read_without_range(span: Span, raw: str, inner: str) -> Citation | Malformed | None:
    key, dagger, rest = inner.partition("†")
    if inner.startswith("F:"):
        missing = f"{rest!r} is no line range" if rest else "no line range after the path"
        return Malformed(NAME, span, raw, f"{missing} (expected †L<start> or †L<start>-L<end>)")
    if not dagger:
        return None
    if _OPAQUE.match(key):
        return Citation(NAME, span, raw, SourceRef("opaque", key))
    if _CHUNK.match(key):
        return Malformed(NAME, span, raw, f"{rest!r} is no line range (expected L<start> or L<start>-L<end>)")
    return None


def render(citation: Citation) -> str:
    """The canonical bracket."""
    lines = citation.lines or Lines(1, 1)
    prefix = "F:" if citation.source.scheme == "file" else ""
    if citation.source.scheme == "opaque" and citation.lines is None:
        return f"【{citation.source.key}†source】"
    last = "" if lines.last == lines.first else f"-L{lines.last}"
    return f"【{prefix}{citation.source.key}†L{lines.first}{last}】"


def repoint(document: Document, citation: Citation, place: Place) -> Edit | None:
    """The same bracket, at another place."""
    if any(mark in place.path for mark in "†【】\n\r") or place.lines is None:
        return None
    from ._reread import make_verified_edit

    moved = Citation(NAME, citation.span, "", SourceRef("file", place.path), place.lines)
    return make_verified_edit(document, citation, place, render(moved))
