"""Entries of a bibliography by key: `[@smith2020]`, `[@smith2020, p. 15]`, `[see @a, pp. 3-4; @b]`, `@a [p. 3]`.

They are read where a bibliography is in force: a `.bib`, RIS or CSL-JSON file named in the settings, lying in the
corpus folder, or named by the document's own `bibliography:`. A key outside brackets (`@smith2020 says`) counts only
where the bibliography knows it: elsewhere it is a user name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.model import Citation, Edit, Malformed, Place

# What reads and writes them takes long to load, and most runs meet none: each function asks for it.
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..text.document import Document

NAME = "key"
RANK = 45
OPENERS = (b"@",)
EXAMPLE = "Voice consistency improves quality [@smith2020, p. 15]."
NEEDS = "bibliography"
"""Read only where a bibliography is in force: `@` stands in every address and every handle."""
WITHOUT = (b"bibliography:",)
"""Elsewhere only documents are looked at that may name one themselves."""


def extract(document: Document) -> list[Citation | Malformed]:
    """Every key outside code, with its pages, and the quote beside it."""
    from . import _bibliography_keys

    return _bibliography_keys.extract(document)


def scan(document: Document) -> Iterator[Citation | Malformed]:
    """The same one by one."""
    from . import _bibliography_keys

    return _bibliography_keys.scan(document)


def render(citation: Citation) -> str:
    """The bracket, after the quote if there is one."""
    from . import _bibliography_keys

    return _bibliography_keys.render(citation)


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
