"""Who wrote a page: every place that names an author, people before organisations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .bylines import (
    BYLINE,
    CARD,
    LINKED,
    MARKED,
    TEXT,
    VISIBLE,
    FoundAuthors,
    find_authors_elsewhere,
    find_shown_authors,
)
from .model import Said
from .names import MOST, clean_name, is_personal_name, names_in, same_name, split_people
from .short_text import bare

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .bylines import Signed
    from .head import PageHead
    from .visible_dates import TextLines

_METAS = (
    "author article:author og:article:author article:author_name og:author dc.creator dcterms.creator dc.contributor"
    " dc.author eprints.creators_name parsely-author sailthru.author cxenseparse:author rbauthors"
    " shareaholic:article_author_name creator byl twitter:creator:name"
).split()
_PUBLISHERS = ("citation_publisher", "dc.publisher", "dcterms.publisher", "article:publisher", "publisher")
_CLEAR = (BYLINE, TEXT, MARKED, CARD, LINKED)
"""What readers see and what says in so many words that it names who wrote."""


class Writers:
    """Every place that names who wrote a page; the markup is asked before the text is laid out."""

    __slots__ = ("_declared", "_marked", "_publishers", "_site")

    def __init__(self, head: PageHead, signed: Signed, called: set[str]) -> None:
        self._declared = [found for found in _read_declared_authors(head) if found.names]
        self._marked = signed.found
        self._publishers = [found for found in _publishers(head) if found.names]
        self._site = called

    def decide(self, lines: TextLines, order: str) -> list[FoundAuthors]:
        """Every place that names who wrote the page, the most telling first: a person, who is not the site."""
        visible = [*self._marked, *find_shown_authors(lines, order)]
        ranked = self._people([*self._declared, *visible])
        if not ranked:
            visible += find_authors_elsewhere(lines)
            ranked = self._people(visible)
        everyone = [*self._declared, *visible]
        if ranked and ranked[0].place not in VISIBLE and ranked[0].place != "meta citation_author":
            ranked = self._seen(ranked, visible)
        rest = [found for found in everyone if not any(found is one for one in ranked)]
        single = [found for found in rest if not self._is_site(found)]
        return [*ranked, *single, *(found for found in rest if self._is_site(found)), *self._publishers]

    def _people(self, places: list[FoundAuthors]) -> list[FoundAuthors]:
        return [found for found in places if any(self._is_person(name) for name in found.names)]

    def _seen(self, ranked: list[FoundAuthors], visible: list[FoundAuthors]) -> list[FoundAuthors]:
        """The byline first where the metadata names an author whom no reader sees."""
        first = ranked[0]
        lines = " \n ".join(name for found in visible for name in found.names)
        if any(
            names_in(name, lines) or any(same_name(name, one) for found in visible for one in found.names)
            for name in first.names
        ):
            return ranked
        clear = [found for found in visible if found.place in _CLEAR and found in ranked]
        return [clear[0], *(found for found in ranked if found is not clear[0])] if clear else ranked

    def _is_person(self, name: str) -> bool:
        return is_personal_name(name) and bare(name) not in self._site

    def _is_site(self, found: FoundAuthors) -> bool:
        return all(bare(name) in self._site for name in found.names)


def _read_declared_authors(head: PageHead) -> Iterator[FoundAuthors]:
    """What machines read."""
    metas = head.metas
    given = [name for text in metas.get("citation_author", ())[:MOST] if (name := clean_name(text))]
    given = given or [name for text in metas.get("citation_authors", ())[:1] for name in split_people(text)]
    yield FoundAuthors("meta citation_author", tuple(given))
    for key in ("author", "creator"):
        found = head.linked.authors(key)
        yield FoundAuthors(f"JSON-LD {key}", tuple(one.name for one in found), tuple(found))
    for name in _METAS:
        if name in metas:
            yield FoundAuthors(
                f"meta {name}", tuple(one for text in metas[name][:MOST] for one in split_people(text))[:MOST]
            )


def _publishers(head: PageHead) -> Iterator[FoundAuthors]:
    for key in ("publisher", "sourceOrganization"):
        found = head.linked.authors(key)
        yield FoundAuthors(f"JSON-LD {key}", tuple(one.name for one in found[:1]), tuple(found[:1]))
    for name in _PUBLISHERS:
        yield FoundAuthors(
            f"meta {name}", tuple(one for text in head.metas.get(name, ())[:1] if (one := clean_name(text)))
        )


def format_authors(found: list[FoundAuthors]) -> Said | None:
    """The author as one text: several names with semicolons between them."""
    if not found:
        return None
    names = list(dict.fromkeys(found[0].names))
    shown = "; ".join(names[:10]) + (f"; and {len(names) - 10} more" if len(names) > 10 else "")
    return Said(shown, found[0].place)
