"""Links of org to a line of a file: `[[file:src/app.py::12]]`, `[[file:src/app.py::12][the limit]]`.

They are read in `.org` files, from the document's folder first, as org does, and from the root second.
`[[./app.py::12]]` is the same. What else may follow `::` (a heading, an id, words to look for) is no line, and is not
read.
"""

import re
from collections.abc import Iterator

from ..core.model import Citation, Edit, Lines, Malformed, Place, SourceRef, Span
from ..text.document import Document
from ..text.lines import join
from ..text.shown_code import ORG
from ._relative import rewrite_path

NAME = "org-link"
RANK = 61
OPENERS = (b"::",)
EXAMPLE = "The limit is [[file:src/limits.py::42][set here]]."
PATH = "notes.org"
"""Where the example would stand: other documents are not read."""

_LINK = re.compile(r"\[\[((?:file:)?)([^\[\]\n\r\0:*]{1,500})::(\d{1,7})\](?:\[([^\[\]\n\r]{0,500})\])?\]")


def extract(document: Document) -> Iterator[Citation | Malformed]:
    """Every link with a line outside code."""
    if not document.path.lower().endswith(ORG):
        return
    for match in _LINK.finditer(document.prose):
        marked, path = match[1], match[2]
        if path.startswith(("/", "~")) or not (marked or path.startswith(("./", "../"))) or path != path.strip():
            continue
        near, key = join(document.folder, path), join("", path)
        number = int(match[3])
        # The text of the link may hold code, which is blanked out.
        raw = document.text[match.start() : match.end()]
        alternate = "" if key == near else key
        yield Citation(NAME, Span(*match.span()), raw, SourceRef("file", near), Lines(number, number), None, alternate)


def render(citation: Citation) -> str:
    """The link without a text."""
    lines = citation.lines or Lines(1, 1)
    return f"[[file:{citation.source.key}::{lines.first}]]"


def repoint(document: Document, citation: Citation, place: Place) -> Edit | None:
    """The same link, at another line or file; a path that was written from the document's folder stays one."""
    match = _LINK.fullmatch(citation.raw)
    lines = place.lines
    if match is None or lines is None or lines.first != lines.last:
        return None
    from ._reread import make_verified_edit

    path = match[2]
    if place.path != citation.source.key:
        path = rewrite_path(document.folder, path, citation.source.key, place.path)
    text = f"[{match[4]}]" if match[4] is not None else ""
    return make_verified_edit(document, citation, place, f"[[{match[1]}{path}::{lines.first}]{text}]")
