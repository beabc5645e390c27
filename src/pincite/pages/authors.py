"""Who wrote a page: every place that names an author, people before organisations, and what confirms it."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from .bylines import (
    CLEAR,
    LONGEST_LINE,
    MOST_TAGS,
    TEXT,
    VISIBLE,
    FoundAuthors,
    find_authors_elsewhere,
    find_shown_authors,
    read_signed,
)
from .domains import linked_host, registrable
from .head import same_address, site_names
from .model import PageStatement
from .names import (
    MOST,
    begins_byline,
    clean_name,
    is_organisation,
    is_personal_name,
    names_in,
    parse_byline,
    same_name,
    split_people,
)
from .short_text import bare, line_of, tidy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from turbohtml import Document

    from .head import PageHead
    from .tag_scan import TagScan
    from .visible_dates import TextLines

_METAS = (
    "author article:author og:article:author article:author_name og:author dc.creator dcterms.creator dc.contributor"
    " dc.author eprints.creators_name parsely-author sailthru.author cxenseparse:author rbauthors"
    " shareaholic:article_author_name creator byl twitter:creator:name"
).split()
_PUBLISHERS = ("citation_publisher", "dc.publisher", "dcterms.publisher", "article:publisher", "publisher")
_CITED = "meta citation_author"
_AUTHOR_LINKS = (
    'a[rel~="author"], a[href*="/aut"], a[href*="/people/"], a[href*="/profile"], a[href*="/staff/"],'
    ' a[href*="/contributor"], a[href*="/expert"]'
)
_AUTHOR_PAGES = re.compile(
    # Example: `/authors/jo-doe`.
    r"""
    /(?:authors?|autor(?:en|es|in)?|auteurs?|autori|people|person|profiles?|staff|contributors?|experts?|users?
    |team|by)/
    ([^/?#]+)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_ORCID = re.compile(r"(?:(https?://(?:www\.)?orcid\.org/)|\A)((?:[0-9]{4}-){3}[0-9]{3}[0-9X])(?![\w-])", re.IGNORECASE)
_SIGNED = ("article", "posting", "review", "report")
_MOST_LINKS = 400
_FIRST_LINES = 60


class Writers:
    """Every place that names who wrote a page; the markup is asked before the text is laid out."""

    def __init__(self, head: PageHead, document: Document, scan: TagScan, site: PageStatement | None) -> None:
        self._head = head
        self._document = document
        self._site = site
        self._own = registrable(linked_host(head.url))
        self._called = site_names(head, site)
        self._declared = [found for found in _read_declared_authors(head) if found.names]
        self._publishers = [found for found in _read_publishers(head) if found.names]
        self._marked, self._signed = read_signed(document, scan)

    def decide(self, lines: TextLines, order: str) -> list[FoundAuthors]:
        """Every place that names who wrote the page, the most telling first: a person, who is not the site."""
        visible = [*self._marked, *find_shown_authors(lines, order)]
        ranked = self._people([*self._declared, *visible])
        if not ranked:
            visible += find_authors_elsewhere(lines)
            ranked = self._people(visible)
        everyone = [*self._declared, *visible]
        if ranked and ranked[0].place not in VISIBLE and ranked[0].place != _CITED:
            ranked = self._prefer_seen(ranked, visible)
        rest = [found for found in everyone if not any(found is one for one in ranked)]
        # What names nothing but the site comes last.
        rest.sort(key=lambda found: all(map(self._is_site, found.names)))
        return [*ranked, *rest, *self._publishers]

    def _people(self, places: list[FoundAuthors]) -> list[FoundAuthors]:
        return [found for found in places if any(map(self._is_person, found.names))]

    def _prefer_seen(self, ranked: list[FoundAuthors], visible: list[FoundAuthors]) -> list[FoundAuthors]:
        """The byline first where the metadata names an author whom no reader sees."""
        shown = [name for found in visible for name in found.names]
        lines = " \n ".join(shown)
        if any(names_in(name, lines) or any(same_name(name, one) for one in shown) for name in ranked[0].names):
            return ranked
        clear = [found for found in visible if found.place in CLEAR and found in ranked]
        return [clear[0], *(found for found in ranked if found is not clear[0])] if clear else ranked

    def _is_person(self, name: str) -> bool:
        return is_personal_name(name) and not self._is_site(name)

    def _is_site(self, name: str) -> bool:
        return bare(name) in self._called

    def confirm(self, found: list[FoundAuthors], lines: TextLines) -> PageStatement | None:
        """A second place on the page that confirms who wrote it; None where there is none."""
        if not found:
            return None
        first = found[0]
        named = list(dict.fromkeys(first.names))[:10]
        people = [name for name in named if self._is_person(name)]
        if not people:
            return self._by_site(first, named, found, lines)
        if _is_contradicted(people, found):
            return None
        return (
            _by_other(first, people, found)
            or self._by_line(first, people, lines)
            or self._by_page(first, people)
            or self._by_identity(people, found)
        )

    def _by_line(self, first: FoundAuthors, named: list[str], lines: TextLines) -> PageStatement | None:
        """A visible line that names the author; not the one that named him in the first place."""
        if first.place in VISIBLE:
            return None
        for line in self._signed:
            name = next((name for name in named if names_in(name, line)), "")
            if name:
                return PageStatement(name, "byline")
        for line in lines.main[:_FIRST_LINES]:
            if len(line) <= LONGEST_LINE * 2 and begins_byline(line):
                # A sentence may begin so too: the line has to be a byline as a whole.
                name = next((name for name in named if any(same_name(name, one) for one in parse_byline(line))), "")
                if name:
                    return PageStatement(name, "byline")
        return None

    def _by_page(self, first: FoundAuthors, named: list[str]) -> PageStatement | None:
        """A link to the author's page on the same site."""
        for tag in self._document.select(_AUTHOR_LINKS)[:_MOST_LINKS]:
            href = tag.attr("href") or ""
            host = linked_host(href)
            found = _AUTHOR_PAGES.search(href)
            if found is None or (host and registrable(host) != self._own):
                continue
            slug = " ".join(re.split(r"[-_.+]|%20", found[1]))
            for name in named:
                shown = names_in(name, line_of(tag, LONGEST_LINE))
                # The link may itself be what named the author: then its address has to say so too.
                if (shown and first.place not in VISIBLE) or names_in(name, slug):
                    return PageStatement(name, "author page")
        return None

    def _by_identity(self, named: list[str], found: list[FoundAuthors]) -> PageStatement | None:
        """An ORCID, or addresses elsewhere that JSON-LD gives for the author."""
        for one in (one for other in found for one in other.linked):
            name = next((name for name in named if same_name(name, one.name)), "")
            if not name or one.organisation:
                continue
            if any(map(is_orcid, one.same_as)):
                return PageStatement(name, "ORCID")
            # The page itself, or an impossible ORCID, is no other place.
            if any(not same_address(link, self._head.url) and "orcid.org/" not in link for link in one.same_as):
                return PageStatement(name, "JSON-LD sameAs")
        metas = self._head.metas
        if metas.get("citation_author") and any(map(is_orcid, metas.get("citation_author_orcid", ()))):
            return PageStatement(named[0], "ORCID")
        for tag in self._document.select('a[href*="orcid.org/"]')[:MOST_TAGS]:
            if not is_orcid(tag.attr("href") or ""):
                continue
            for around in islice(tag.ancestors, 2):
                line = line_of(around, LONGEST_LINE)
                name = next((name for name in named if len(line) <= LONGEST_LINE and names_in(name, line)), "")
                if name:
                    return PageStatement(name, "ORCID")
        return None

    def _by_site(
        self, first: FoundAuthors, named: list[str], found: list[FoundAuthors], lines: TextLines
    ) -> PageStatement | None:
        """A byline of an organisation; where nothing names a person, the site's own name or that of its domain."""
        if self._people(found):
            return None
        near = [*self._signed, *lines.main[:_FIRST_LINES]]
        signed = [line for line in near if len(line) <= LONGEST_LINE and begins_byline(line)]
        for name in named:
            known = is_organisation(name) or self._is_site(name)
            if known and first.place not in VISIBLE and any(bare(clean_name(line)) == bare(name) for line in signed):
                return PageStatement(name, "byline")
        if signed or self._signed or any(kind.endswith(_SIGNED) for kind in self._head.linked.types):
            # An article has a writer, and its byline may say who; that its site has a name says nothing about it.
            return None
        label = self._own.split(".")[0] if "." in self._own else ""
        other = tidy(self._head.meta("og:site_name", "application-name")[0])
        site = self._site
        places = {first.place, site.place if site is not None else ""}
        one_place = len(places) == 1 or all(place.startswith("JSON-LD") for place in places)
        for name in named:
            if other and first.place != "meta og:site_name" and same_name(name, other):
                return PageStatement(name, "site name")
            if label and bare(name) == bare(label):
                return PageStatement(name, "domain")
            # All of JSON-LD is one statement, written by one hand.
            if site is not None and not one_place and same_name(name, site.value):
                return PageStatement(name, "publisher")
        return None


def _read_declared_authors(head: PageHead) -> Iterator[FoundAuthors]:
    """What machines read."""
    metas = head.metas
    given = [name for text in metas.get("citation_author", ())[:MOST] if (name := clean_name(text))]
    given = given or [name for text in metas.get("citation_authors", ())[:1] for name in split_people(text)]
    yield FoundAuthors(_CITED, tuple(given))
    for key in ("author", "creator"):
        found = head.linked.authors(key)
        yield FoundAuthors(f"JSON-LD {key}", tuple(one.name for one in found), tuple(found))
    for name in _METAS:
        people = [one for text in metas.get(name, ())[:MOST] for one in split_people(text)]
        yield FoundAuthors(f"meta {name}", tuple(people[:MOST]))


def _read_publishers(head: PageHead) -> Iterator[FoundAuthors]:
    for key in ("publisher", "sourceOrganization"):
        found = head.linked.authors(key)[:1]
        yield FoundAuthors(f"JSON-LD {key}", tuple(one.name for one in found), tuple(found))
    for name in _PUBLISHERS:
        named = [one for text in head.metas.get(name, ())[:1] if (one := clean_name(text))]
        yield FoundAuthors(f"meta {name}", tuple(named))


def format_authors(found: list[FoundAuthors]) -> PageStatement | None:
    """The author as one text: several names with semicolons between them."""
    if not found:
        return None
    names = list(dict.fromkeys(found[0].names))
    shown = "; ".join(names[:10]) + (f"; and {len(names) - 10} more" if len(names) > 10 else "")
    return PageStatement(shown, found[0].place)


def _is_contradicted(named: list[str], found: list[FoundAuthors]) -> bool:
    """Whether a byline near the title, in so many words, names people of whom none is the author."""
    return any(
        other.place == TEXT
        and any(is_personal_name(name) for name in other.names)
        # Pieces of a line may stand close together: `Jo DoeMay 3`.
        and not any(same_name(name, one) or bare(name) in bare(one) for name in named for one in other.names)
        for other in found[1:]
    )


def _by_other(first: FoundAuthors, named: list[str], found: list[FoundAuthors]) -> PageStatement | None:
    """A place of the other sort that names the same: of what machines read and what readers see, each is one hand."""
    for other in found[1:]:
        if _CITED in (first.place, other.place):
            independent = first.place != other.place
        else:
            independent = (first.place in VISIBLE) != (other.place in VISIBLE)
        name = next((name for name in named if any(same_name(name, one) for one in other.names)), "")
        if independent and name:
            return PageStatement(name, "byline" if other.place in VISIBLE else other.place)
    return None


def is_orcid(text: str) -> bool:
    """Whether a text is a possible ORCID, alone or as an address: its last sign is a check."""
    found = _ORCID.match(text.strip())
    if found is None:
        return False
    signs = found[2].replace("-", "").upper()
    total = 0
    for digit in signs[:-1]:
        total = (total + int(digit)) * 2
    return signs[-1] == "0123456789X"[(12 - total % 11) % 11]
