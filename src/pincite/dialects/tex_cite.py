r"""Entries of a bibliography in LaTeX: `\cite{smith2020}`, `\cite[p.~15]{smith2020}`, `\citep[see][pp.~3--5]{a,b}`.

The commands of LaTeX, natbib and biblatex are read in `.tex` files (`\citet`, `\parencite`, `\autocite`, `\textcite`,
`\footcite` and the like). A number alone in the last pair of brackets is a page, as biblatex takes it. With several
keys it is not known whose page it is, and none is checked. Read where a bibliography is in force: one named in the
settings, lying in the corpus folder, or named by the document with `\bibliography{refs}` or
`\addbibresource{refs.bib}`. Entries of its own (`\bibitem`) are not looked up. Comments, `\verb` and verbatim
environments are no citations. Words that are quoted beside a citation are not compared: LaTeX writes them with commands
of its own.
"""

import re
from collections.abc import Iterator

from ..core.model import Citation, Edit, Malformed, Pages, Place, Safety, SourceRef, Span
from ..papers.ranges import CITED
from ..text.document import Document
from ..text.shown_code import TEX
from . import _pages

NAME = "tex-cite"
RANK = 46
OPENERS = (b"cite", b"Cite")
EXAMPLE = r"Voice consistency improves quality \cite[p.~15]{smith2020}."
PATH = "paper.tex"
"""Where the example would stand: other documents are not read."""
NEEDS = "bibliography"
WITHOUT = (b"\\bibliography", b"\\addbibresource")
"""Elsewhere only documents are looked at that may name one themselves."""

_COMMAND = re.compile(
    r"""
    (?<!\\)\\(?:[cC]ite(?:p|t|alp|alt|author|year|yearpar|title|date|url|num)?|(?:no|foot|full|footfull|super|smart|auto
      |text|paren|block|online|inline)cite|(?:Auto|Text|Paren|Smart|Foot)cite|footcitetext)\*?
    (?P<notes>(?:\s?\[[^\[\]{}\0]{0,200}\]){0,2})
    \s?\{(?P<keys>[^{}\[\]\\\0]{1,2000})\}
    """,
    re.VERBOSE,
)
_ITEM = re.compile(r"\\bibitem\s?(?:\[[^\[\]]{0,200}\])?\{([^{}\s,]{1,200})\}")
_KEY = re.compile(r"[^\s,]+")
_NOTE = re.compile(r"\[([^\[\]]*)\]\s*\Z")
_BARE = re.compile(r"\s*\d")
_NUMBERS = re.compile(rf"({CITED})(?:(\s?(?:--?|[–—])\s?)({CITED}))?")
_SPACES = re.compile(r"~|\\[,; ]")


def extract(document: Document) -> Iterator[Citation | Malformed]:
    """Every key of every command outside code and comments."""
    if not document.path.lower().endswith(TEX):
        return
    text = document.text
    own = set(_ITEM.findall(document.prose)) if "\\bibitem" in text else set()
    for match in _COMMAND.finditer(document.prose):
        keys = [found for found in _KEY.finditer(text, *match.span("keys")) if found[0] not in ("*", *own)]
        if len(keys) == 1:
            yield _read(text, match, keys[0][0])
            continue
        for key in keys:
            yield Citation(NAME, Span(*key.span()), key[0], SourceRef("bibliography", key[0]))


def _read(text: str, match: re.Match[str], key: str) -> Citation | Malformed:
    """The citation of a command with one key: its pages are those of the entry."""
    span = Span(*match.span())
    note = _NOTE.search(match["notes"])
    pages, section, fault = _pages.locate(_tidy(note[1])) if note is not None else (None, "", "")
    if fault:
        return Malformed(NAME, span, match[0], fault)
    source = SourceRef("bibliography", key)
    return Citation(NAME, span, match[0], source, None, None, "", False, pages, section)


def _tidy(note: str) -> str:
    """What a note says without the commands that only space it."""
    words = _SPACES.sub(" ", note).replace("--", "-").strip()
    return f"p. {words}" if _BARE.match(words) else words


def render(citation: Citation) -> str:
    """The command, with the page or the section in brackets."""
    where = _pages.format_locator(citation.pages, citation.section).removeprefix(", ")
    note = f"[{where.replace('p.', 'p.~', 1)}]" if where else ""
    return f"\\cite{note}{{{citation.source.key}}}"


def repoint(document: Document, citation: Citation, place: Place) -> Edit | None:
    """The same command with another page, where it cites one page and so does the place."""
    if citation.pages is None or place.pages is None or citation.raw[:1] != "\\":
        return None
    one, new = citation.pages, place.pages
    note = citation.raw.rfind("[", 0, citation.raw.find("{"))
    found = [match for match in _NUMBERS.finditer(citation.raw, note) if match[1] == one.first]
    if (
        len(found) != 1
        or (found[0][3] is None) != (new.first == new.last)
        or (one.first == one.last) != (found[0][3] is None)
    ):
        return None
    written = new.first if found[0][3] is None else f"{new.first}{found[0][2]}{new.last}"
    start, end = found[0].span()
    made = citation.raw[:start] + written + citation.raw[end:]
    again = next(extract(Document(document.path, made)), None)
    if not isinstance(again, Citation) or again.pages != Pages(new.first, new.last) or again.raw != made:
        return None
    return Edit(Span(citation.span.start + start, citation.span.start + end), written, Safety.SAFE)
