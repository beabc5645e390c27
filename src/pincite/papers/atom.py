"""The Atom feed that arXiv answers with: each entry a paper."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from ..text.lines import shorten
from .bibliography import ENTRIES, BibliographyBuilder

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_ATOM = "{http://www.w3.org/2005/Atom}"
_ARXIV = "{http://arxiv.org/schemas/atom}"
_DECLARED = re.compile(r"<!\s*(?:DOCTYPE|ENTITY)", re.IGNORECASE)
_ABOUT = re.compile(
    r"https?://(?:export\.)?arxiv\.org/abs/([a-z-]{0,20}(?:\.[A-Z]{2})?/?[0-9]{4}[0-9.]{0,8}[0-9])(?:v[0-9]{1,3})?"
)
_MOST_AUTHORS = 5000


def read_atom(builder: BibliographyBuilder, text: str) -> None:
    """Put the entries of a feed into a builder; refuses a document that declares entities, since they may never end."""
    if _DECLARED.search(text):
        builder.complain(
            1, "file", "file: expected an Atom feed, got XML with a document type; such files are not read"
        )
        return
    try:
        root = ElementTree.fromstring(text)  # noqa: S314 - without a document type there are no entities to expand
    except (ElementTree.ParseError, ValueError) as error:
        builder.complain(1, "file", f"file: expected an Atom feed, got {shorten(str(error), 120)}")
        return
    entries = [root] if root.tag == f"{_ATOM}entry" else root.findall(f"{_ATOM}entry")
    if not entries:
        builder.complain(1, "file", "file: expected an Atom feed with entries, got none")
    for entry in entries[:ENTRIES]:
        _add(builder, entry)


def _add(builder: BibliographyBuilder, entry: Element) -> None:
    about = _text(entry, f"{_ATOM}id")
    if "/api/errors" in about:
        builder.complain(1, "entry", f"entry: arXiv says: {shorten(_text(entry, f'{_ATOM}summary'), 200)}")
        return
    found = _ABOUT.fullmatch(about)
    names = [_text(author, f"{_ATOM}name") for author in entry.findall(f"{_ATOM}author")[:_MOST_AUTHORS]]
    paper = builder.paper(
        1,
        found[1] if found else "(no id)",
        title=_text(entry, f"{_ATOM}title"),
        authors=names,
        year=_text(entry, f"{_ATOM}published")[:4],
        doi=_text(entry, f"{_ARXIV}doi"),
        url=f"https://arxiv.org/abs/{found[1]}" if found else about,
    )
    if found:
        builder.add(1, found[1], paper)
    elif paper.title:
        builder.add_nameless(1, paper)
    else:
        builder.complain(1, "entry", "entry: expected a title, got none")


def _text(element: Element, name: str) -> str:
    return " ".join((element.findtext(name) or "").split())
