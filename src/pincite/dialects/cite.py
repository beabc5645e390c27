"""Cite links: `[cite:file](path:42)`, `[cite:file](path:42-50)`, `[cite:file](path)`, `[cite:function](path::name)`.

Paths are read from the root. A function or class citation names a definition of the file instead of a line:
`[cite:class](src/net.py::Server)`, `[cite:function](src/net.py::Server.start)`.
"""

import re
from collections.abc import Iterator

from ..core.model import Citation, Edit, Lines, Malformed, Place, Safety, SourceRef, Span
from ..text.document import Document

NAME = "cite"
RANK = 30
OPENERS = (b"[cite:",)
EXAMPLE = "The limit is fixed [cite:file](src/limits.py:42)."

_CITE = re.compile(r"\[cite:([^\]\[\n\r]{0,40})\](?:\(([^()\n\r]{0,1000})\))?")
_LINES = re.compile(r"(.*?):(\d{1,9})(?:[-–](\d{1,9}))?\Z")
_WITH_LINES = re.compile(r"\[cite:file\]\(([^()\n\r]*?):\d+(?:[-–]\d+)?\s*\)")
_TYPES = ("class", "struct", "interface", "trait", "enum")
_KIND = re.compile(r"[a-z]+\Z")
_WANTED = "expected [cite:file](path:line) or [cite:function](path::name)"


def extract(document: Document) -> Iterator[Citation | Malformed]:
    """Every cite link, outside code."""
    text = document.text
    for match in _CITE.finditer(document.prose):
        written = text[slice(*match.span())]
        yield _read(Span(*match.span()), written, match[1], match[2] and text[slice(*match.span(2))])


def _read(span: Span, raw: str, kind: str, target: str | None) -> Citation | Malformed:
    if not _KIND.match(kind):
        return Malformed(NAME, span, raw, f"{kind!r} is no kind of citation ({_WANTED})")
    if not target or not target.strip():
        return Malformed(NAME, span, raw, f"no target ({_WANTED})")
    target = target.strip()
    path, colons, name = target.partition("::")
    if colons:
        if not path or not name:
            return Malformed(NAME, span, raw, f"{target!r} names no symbol of a file ({_WANTED})")
        return Citation(NAME, span, raw, SourceRef("symbol", target))
    if kind != "file":
        return Malformed(NAME, span, raw, f"[cite:{kind}] needs a symbol ({_WANTED})")
    match = _LINES.match(target)
    if match is None:
        if ":" in target:
            return Malformed(NAME, span, raw, f"{target.rpartition(':')[2]!r} is no line number ({_WANTED})")
        return Citation(NAME, span, raw, SourceRef("file", target))
    if not match[1].strip():
        return Malformed(NAME, span, raw, f"no path before the line ({_WANTED})")
    first = int(match[2])
    last = int(match[3] or first)
    if last < first:
        return Malformed(NAME, span, raw, f"the range ends before it starts ({first}-{last})")
    return Citation(NAME, span, raw, SourceRef("file", match[1]), Lines(first, last))


def render(citation: Citation) -> str:
    """The cite link."""
    if citation.source.scheme == "symbol":
        return f"[cite:function]({citation.source.key})"
    lines = citation.lines
    if lines is None:
        return f"[cite:file]({citation.source.key})"
    last = "" if lines.last == lines.first else f"-{lines.last}"
    return f"[cite:file]({citation.source.key}:{lines.first}{last})"


def repoint(document: Document, citation: Citation, place: Place) -> Edit | None:
    """The same link at another place; a citation of a definition keeps its name and has no lines."""
    if any(mark in place.path for mark in "()\n\r") or place.path != place.path.strip():
        return None
    from ._reread import make_verified_edit

    if citation.source.scheme == "symbol":
        kind, _, target = citation.raw.partition("](")
        written = f"{kind}]({place.path}::{target.partition('::')[2]}"
    else:
        written = render(Citation(NAME, citation.span, "", SourceRef("file", place.path), place.lines))
    return make_verified_edit(document, citation, place, written)


def cite_name(citation: Citation, name: str, kind: str) -> Edit | None:
    """The definition by its name: `[cite:function](src/app.py::main)`."""
    match = _WITH_LINES.fullmatch(citation.raw)
    written = "class" if kind in _TYPES else "function"
    return Edit(citation.span, f"[cite:{written}]({match[1]}::{name})", Safety.SAFE) if match else None
