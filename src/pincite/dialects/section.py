"""A document and a heading of it: `[guide.md, §Installing]`.

The document is a path (from the root or from the citing document's folder) or only a file's name, which is looked for
in the whole tree. The heading is the words of the heading line; a backslash keeps `[`, `]` and other marks from meaning
anything, and so do backticks. `[guide.md]` alone names a whole document: it is read where the name ends as documents do
(`.md`, `.rst`, `.txt`, `.html`, `.pdf` and their like) and the brackets are no link, no reference that the document
defines, and no part of a word. Words in brackets that name no file (`[BGB, §823]`) are no citation, nor is the text of
a link.
"""

import re
from collections import deque
from collections.abc import Iterator

from ..core.model import Citation, Edit, Malformed, Place, Safety, SourceRef, Span
from ..text.citation_styles import fold, inline, percent_decode, unescape_markdown
from ..text.document import Document

NAME = "section"
RANK = 58
_ENDINGS = ("md", "markdown", "mdx", "qmd", "rst", "txt", "adoc", "html", "htm", "pdf")
"""Of the documents that are cited by their names alone."""
OPENERS = (", §".encode(), ",§".encode(), ",\n§".encode(), *(f".{ending}]".encode() for ending in _ENDINGS))
EXAMPLE = "It is set once, at the start [guide.md, §Installing]."

_TOKEN = re.compile(r"\\.|[\[\]]|,[ \n]?§|\n[ \t]*\n|\r", re.DOTALL)
_SIGN = re.compile(r"((?:\\.|[^\\])*?),[ \n]?§", re.DOTALL)
"""A citation up to the sign before its heading; the name is the first group."""
_ALONE = re.compile(rf"[^\W_](?:[^\n\0]*[^\s\0])?\.(?:{'|'.join(_ENDINGS)})\Z")
_DEFINED = re.compile(r"^[ \t>]*\[([^\[\]\n]{1,999})\]:", re.MULTILINE)
_LONGEST_ALONE = 255
_LONGEST_NAME = 4096
_LONGEST_HEADING = 4096


def extract(document: Document) -> Iterator[Citation | Malformed]:
    """Every bracket with a name and a heading, outside code."""
    prose = document.prose
    last = -1
    """Where the citation before began."""
    # What is opened further out than a citation is long cannot be one: brackets of any depth take no more than this.
    opened: deque[tuple[int, int, int]] = deque(maxlen=_LONGEST_NAME + _LONGEST_HEADING)
    """For each open bracket its place, and where the name before the first section sign ends and the heading begins."""
    for token in _TOKEN.finditer(prose):
        sign = token[0]
        if sign == "[":
            opened.append((token.start(), -1, -1))
        elif sign == "]":
            if opened:
                start, comma, heading = opened.pop()
                if last <= start:
                    if comma >= 0:
                        item = _read(document, start, comma, heading, token.start())
                    else:
                        item = _read_alone(document, start, token.start())
                    if item is not None:
                        yield item
                        last = start
        elif sign[0] == ",":
            if opened and opened[-1][1] < 0:
                opened[-1] = opened[-1][0], token.start(), token.end()
        elif sign[0] != "\\":
            # No bracket reaches into the next paragraph.
            opened.clear()


def _read(document: Document, start: int, comma: int, heading: int, end: int) -> Citation | None:
    """The citation between two brackets; None where it is a link, or nothing that could be one."""
    text, prose = document.text, document.prose
    if comma - start > _LONGEST_NAME or end - heading > _LONGEST_HEADING:
        return None
    after = prose[end + 1 : end + 2]
    if after in ("(", "[") or (after == ":" and _at_margin(prose, start)):
        return None
    name = _name(text[start + 1 : comma], prose[start + 1 : comma])
    title = fold(unescape_markdown(text[heading:end], prose[heading:end]))
    if not name or not title or "\n" in name or "://" in name or name.endswith("/"):
        return None
    key = percent_decode(name)
    if key.startswith("/"):
        key = document.below(key)
    span = Span(start, end + 1)
    source = SourceRef("section", key)
    return Citation(NAME, span, text[start : end + 1], source, None, None, "" if key == name else name, section=title)


def _read_alone(document: Document, start: int, end: int) -> Citation | None:
    """The citation of a whole document between two brackets; None where they are anything else."""
    text, prose = document.text, document.prose
    if end - start > _LONGEST_ALONE or _ALONE.match(prose, start + 1, end) is None:
        return None
    before, after = prose[max(0, start - 1) : start], prose[end + 1 : end + 2]
    if after in ("(", "[", "_") or (after == ":" and _at_margin(prose, start)):
        return None
    if before and (before in "]!\\_" or (before.isascii() and before.isalnum())):
        return None
    name = unescape_markdown(text[start + 1 : end], prose[start + 1 : end]).strip()
    key = percent_decode(name)
    if "://" in name or not key or key.startswith("/") or _is_defined(prose, text[start + 1 : end]):
        return None
    span = Span(start, end + 1)
    alternate = "" if key == name else name
    return Citation(NAME, span, text[start : end + 1], SourceRef("section", key), None, None, alternate)


def _is_defined(prose: str, label: str) -> bool:
    """Whether the document says where a reference of that label leads."""
    wanted = " ".join(label.split()).casefold()
    return any(" ".join(match[1].split()).casefold() == wanted for match in _DEFINED.finditer(prose))


def _at_margin(prose: str, start: int) -> bool:
    """Whether nothing stands before it on its line: there `[words]:` defines where a link leads."""
    before = prose[max(0, start - 4) : start].rstrip(" ")
    return before.endswith(("\n", "\r")) or (not before and start < 4)


def _name(written: str, shown: str) -> str:
    """The name before the heading; it may stand in backticks."""
    if shown[:1] == "\0" and not shown.strip("\0"):
        return written.strip("`").strip()
    return unescape_markdown(written, shown).strip()


def render(citation: Citation) -> str:
    """The bracket."""
    return inline(citation.source.key, citation.section)


def repoint(document: Document, citation: Citation, place: Place) -> Edit | None:
    """The same heading of another document; lines and pages cannot be written in this form."""
    match = _SIGN.match(citation.raw)
    if place.lines is not None or place.pages is not None or (match is None and citation.section):
        return None
    from ._reread import make_verified_edit

    written = inline(place.path, None)
    if match is not None:
        # The heading stays as it is written: joining its lines could make code of what is prose.
        written = written[:-1] + citation.raw[match.end(1) :]
    return make_verified_edit(document, citation, place, written)


def retitle(document: Document, citation: Citation, title: str) -> Edit | None:
    """The same document, another heading."""
    match = _SIGN.match(citation.raw)
    if match is None:
        return None
    return Edit(citation.span, citation.raw[: match.end()] + inline("", title)[4:], Safety.UNSAFE)
