"""Papers of the corpus by id: `[REF-043]`, `(REF-043)`, `[REF-043, p.15]`, `[REF-018, Section 3]`.

An id is `REF-` and three digits, or four and more from `REF-1000` on, not inside a longer word. Pages are written
`p.15`, `p. 15` or `pp. 15-17`, sections `Section 3` or `§3`, several papers in one bracket `[REF-001; REF-002, p.3]`.
An id in running text counts as well, with a page where one follows (`REF-043, p. 15` or `REF-043 (p. 15)`), but not in
the file of that name. Words in quotation marks beside a citation, and the block quote it ends, must stand on the cited
page. File names (`REF-043-voice.md`) are no citations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.model import Citation, Edit, Malformed, Place

# What reads and writes them takes long to load, and most runs meet none: each function asks for it.
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..text.document import Document

NAME = "ref"
RANK = 25
PLAIN_PAGES = True
OPENERS = (b"REF-",)
EXAMPLE = "Voice consistency improves quality [REF-043, p.15]."


def extract(document: Document) -> list[Citation | Malformed]:
    """Every id outside code, with its page or section, and the quote beside it."""
    from . import _ids

    return _ids.extract(document)


def scan(document: Document) -> Iterator[Citation | Malformed]:
    """The same one by one."""
    from . import _ids

    return _ids.scan(document)


def render(citation: Citation) -> str:
    """The bracket, after the quote if there is one."""
    from . import _pages

    bracket = f"[{citation.source.key}{_pages.format_locator(citation.pages, citation.section)}]"
    return _pages.format_quotes(citation.quote) + bracket


def repoint(document: Document, citation: Citation, place: Place) -> Edit | None:
    """The same citation with another page; everything but the page stays as it was written."""
    from . import _pages

    return _pages.repoint(citation, place)


def requote(document: Document, citation: Citation, quoted: str, there: str) -> tuple[Edit, str] | None:
    """The edit that puts the paper's words in place of quoted ones, and what is quoted then."""
    from . import _quote_edit

    return _quote_edit.requote(document, citation, quoted, there)


def retitle(document: Document, citation: Citation, title: str) -> Edit | None:
    """The same citation with another section."""
    from . import _quote_edit

    return _quote_edit.retitle(document, citation, title)
