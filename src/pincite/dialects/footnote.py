"""Footnotes that name a passage: `[^1a2b3c4d]: docs/guide.md:42`, with or without the line.

The label is the id of the passage or its beginning, 8 to 32 hex digits; `[^1]` and `[^note]` are ordinary footnotes.
The text is a path and nothing else: from the root (where there is no such file, from the document's folder), or
absolute. It has an ending or a slash; web addresses are not paths. In it `%3A` means `:`; a file whose name holds the
percent sign itself is found as well. With a space in it, or with neither a line nor an
ending that files have, the path counts only if the file exists now or once did.

Where the label is the id that `pincite` gives to a passage of the file, the passage is found by its words, wherever it
moved to, without history.
"""

import re
from collections.abc import Iterator

from ..core.model import Citation, Edit, Lines, Malformed, Place, SourceRef, Span
from ..text.citation_styles import footnote_path, looks_like_a_file, percent_decode
from ..text.document import Document
from ..text.lines import join

NAME = "footnote"
RANK = 50
OPENERS = (b"[^",)
EXAMPLE = "[^1a2b3c4d]: docs/guide.md:42"
NAMES_PASSAGES = True

_DEFINITION = re.compile(r"(?<![^\n\r]) {0,3}(\[\^([0-9A-Fa-f]{8,32})\]:[ \t]++)(?=\S)([^\n\r]{1,12300})(?![^\n\r])")
# A column behind the line is read over.
_LINES = re.compile(r":([0-9]{1,9})(?:[-–]([0-9]{1,9})|:[0-9]{1,9})?\Z")
_NO_PATH = re.compile(r"[`<\"'*_(]|.*(?:\]\(|\]\[|://)|.*[.,;]\Z|.*#L[0-9]+(?:[-–]L?[0-9]+)?\Z", re.DOTALL)

# A host, an address of mail, a number in some register.
_OTHER = re.compile(r"\.(?:com|org|net|io|dev|local)\Z|@|\A[A-Za-z]+:")


def extract(document: Document) -> Iterator[Citation | Malformed]:
    """Every such definition outside code."""
    text, prose = document.text, document.prose
    at = 0
    while (at := prose.find("[^", at)) >= 0:
        line = max(prose.rfind("\n", max(0, at - 4), at), prose.rfind("\r", max(0, at - 4), at)) + 1
        match = _DEFINITION.match(text, line if line or at <= 3 else at)
        at += 2
        if match is None or match.start(1) != at - 2:
            continue
        written = match[3].rstrip(" \t")
        item = _read(document, Span(match.start(1), match.start(3) + len(written)), written)
        if item is not None:
            yield item
            at = item.span.end


def _read(document: Document, span: Span, written: str) -> Citation | Malformed | None:
    """What a definition cites; None for an ordinary footnote."""
    numbered = _LINES.search(written)
    path = written[: numbered.start()] if numbered else written
    if _NO_PATH.match(path) or not ("/" in path or looks_like_a_file(path)) or path.endswith("/"):
        return None
    raw = document.text[span.start : span.end]
    lines = None
    if numbered is not None:
        lines = Lines(int(numbered[1]), int(numbered[2] or numbered[1]))
        if lines.last < lines.first:
            return Malformed(NAME, span, raw, f"the range ends before it starts ({lines.first}-{lines.last})")
    key, alternate = _keys(document, path)
    tentative = " " in path or (lines is None and (not looks_like_a_file(path) or _OTHER.search(path) is not None))
    return Citation(NAME, span, raw, SourceRef("file", key), lines, None, alternate, tentative)


def _keys(document: Document, path: str) -> tuple[str, str]:
    """What the path may mean, likelier first."""
    plain = percent_decode(path)
    if plain.startswith("/"):
        key, literal = document.below(plain), document.below(path)
        return key, "" if literal == key else literal
    if plain.startswith(("./", "../")) and document.folder:
        here, top = join(document.folder, plain), join("", plain)
        return here, "" if top == here or top.startswith("..") else top
    key = join("", plain)
    other = join("", path) if plain != path else join(document.folder, plain)
    return key, "" if other == key or other.startswith("/") else other


def render(citation: Citation) -> str:
    """The definition in a document at the root; a citation that was not read from one gets a label of zeros."""
    label = citation.raw[2:].partition("]")[0] if citation.raw.startswith("[^") else "0" * 8
    return f"[^{label}]: {footnote_path(citation.source.key)}{_range(citation.lines)}"


def repoint(document: Document, citation: Citation, place: Place) -> Edit | None:
    """The same label and way of writing, at another place."""
    match = _DEFINITION.fullmatch(citation.raw)
    if match is None:
        return None
    numbered = _LINES.search(match[3])
    written = match[3][: numbered.start()] if numbered else match[3]
    if place.path != citation.source.key:
        if written.startswith("/") and not document.top:
            return None
        top = document.top.rstrip("/") + "/" if written.startswith("/") else ""
        written = footnote_path(top + place.path)
        if document.folder and written.startswith("./"):
            return None
    from ._reread import make_verified_edit

    return make_verified_edit(document, citation, place, f"{match[1]}{written}{_range(place.lines)}")


def _range(lines: Lines | None) -> str:
    if lines is None:
        return ""
    return f":{lines.first}" if lines.first == lines.last else f":{lines.first}-{lines.last}"
