"""Who wrote a page, as its metadata says, and which second place on the page confirms it."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from msgspec import Struct

from .domains import linked_host, registrable
from .linked import same_address
from .model import Said
from .names import MOST, begins_byline, cleaned, names_in, people, personal, same_name, signed
from .scan import BESIDE
from .tidy import bare, line_of, tidy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from turbohtml import Document, Element

    from .head import Head
    from .linked import Author
    from .scan import Scan

_METAS = (
    "author",
    "article:author",
    "og:article:author",
    "dc.creator",
    "dcterms.creator",
    "dc.contributor",
    "eprints.creators_name",
    "parsely-author",
    "sailthru.author",
    "byl",
    "twitter:creator:name",
)
_PUBLISHERS = ("citation_publisher", "dc.publisher", "dcterms.publisher", "article:publisher", "publisher")
_AUTHOR_PAGES = re.compile(
    r"/(?:authors?|people|person|profiles?|staff|contributors?|experts?|users?|team|by)/([^/?#]+)", re.I
)
_ORCID = re.compile(r"(?:(https?://(?:www\.)?orcid\.org/)|\A)((?:[0-9]{4}-){3}[0-9]{3}[0-9X])(?![\w-])", re.IGNORECASE)
_MOST_TAGS = 60
_MOST_LINKS = 400
_LONGEST_LINE = 400
_FIRST_LINES = 60


class Found(Struct, frozen=True):
    """The authors of a page by the place that names them, in the order in which places are believed."""

    place: str
    names: tuple[str, ...]
    linked: tuple[Author, ...] = ()


def authors(head: Head, document: Document, scan: Scan) -> list[Found]:
    """Every place that names who wrote the page, the most telling first."""
    return [found for found in _places(head, document, scan) if found.names]


def _places(head: Head, document: Document, scan: Scan) -> Iterator[Found]:
    metas = head.metas
    given = [name for text in metas.get("citation_author", ())[:MOST] if (name := cleaned(text))]
    given = given or [name for text in metas.get("citation_authors", ())[:1] for name in people(text)]
    yield Found("meta citation_author", tuple(given))
    for key in ("author", "creator"):
        found = head.linked.authors(key)
        yield Found(f"JSON-LD {key}", tuple(one.name for one in found), tuple(found))
    for name in _METAS:
        yield Found(f"meta {name}", tuple(one for text in metas.get(name, ())[:MOST] for one in people(text))[:MOST])
    yield from _agreed([_written(tag) for tag in _signed(document, scan)])
    for key in ("publisher", "sourceOrganization"):
        found = head.linked.authors(key)
        yield Found(f"JSON-LD {key}", tuple(one.name for one in found[:1]), tuple(found[:1]))
    for name in _PUBLISHERS:
        yield Found(f"meta {name}", tuple(one for text in metas.get(name, ())[:1] if (one := cleaned(text))))


def _agreed(found: list[Found]) -> list[Found]:
    """Of microdata the first, which opens a thread; of links and lines those that all name the same people."""
    kept: list[Found] = []
    for place in ("microdata author", "h-card", "rel=author", "byline"):
        named = [one for one in found if one.place == place and one.names]
        if named and (place == "microdata author" or len({bare(" ".join(one.names)) for one in named}) == 1):
            kept.append(named[0])
    return kept


def _signed(document: Document, scan: Scan) -> list[Element]:
    """What the markup calls an author: microdata, links, bylines."""
    marked = (tag for tag in scan.by["itemprop"] if "author" in (tag.attr("itemprop") or "").split())
    linked = (tag for tag in document.select("a[rel]") if "author" in (tag.attr("rel") or "").lower().split())
    return [tag for tags in (marked, linked, scan.by["byline"]) for tag in scan.main(tags, _MOST_TAGS)]


def _written(tag: Element) -> Found:
    """Whom a piece of the visible page names as its author."""
    classes = (tag.attr("class") or "").lower()
    if tag.tag == "a" and "author" in (tag.attr("rel") or "").lower().split():
        return Found("rel=author", tuple(people(line_of(tag, _LONGEST_LINE))))
    if "author" in (tag.attr("itemprop") or "").lower():
        inner = tag.select_one('[itemprop~="name"]')
        text = tag.attr("content") or (inner.attr("content") if inner is not None else "")
        text = text or line_of(inner if inner is not None else tag, _LONGEST_LINE)
        return Found("microdata author", tuple(people(text)))
    if "p-author" in classes:
        inner = tag.select_one(".p-name")
        return Found("h-card", tuple(people(line_of(inner if inner is not None else tag, _LONGEST_LINE))))
    text = line_of(tag, _LONGEST_LINE)
    return Found("byline", tuple(signed(text)) if len(text) <= _LONGEST_LINE else ())


def said(found: list[Found]) -> Said | None:
    """The author as one text: several names with semicolons between them."""
    if not found:
        return None
    names = list(dict.fromkeys(found[0].names))
    shown = "; ".join(names[:10]) + (f"; and {len(names) - 10} more" if len(names) > 10 else "")
    return Said(shown, found[0].place)


def confirmed(
    found: list[Found], head: Head, document: Document, scan: Scan, text: str, site: Said | None
) -> Said | None:
    """A second place on the page that confirms who wrote it; None where there is none."""
    if not found:
        return None
    first = found[0]
    named = list(dict.fromkeys(first.names))[:10]
    return (
        _by_citation(first, named, found)
        or _by_line(first, named, document, scan, text)
        or _by_page(first, named, head, document)
        or _by_identity(named, found, head, document)
        or _by_site(first, named, head, site)
    )


def _by_citation(first: Found, named: list[str], found: list[Found]) -> Said | None:
    """`citation_author` and another place that agree."""
    if first.place != "meta citation_author":
        return None
    for other in found[1:]:
        for name in named:
            if any(same_name(name, one) for one in other.names):
                return Said(name, other.place)
    return None


def _by_line(first: Found, named: list[str], document: Document, scan: Scan, text: str) -> Said | None:
    """A visible line that names the author; not the one that named him in the first place."""
    if first.place in ("byline", "rel=author", "microdata author", "h-card"):
        return None
    for tag in [*_signed(document, scan), *scan.main(scan.by["author"], _MOST_TAGS)]:
        line = line_of(tag, _LONGEST_LINE * 4)
        if len(line) > _LONGEST_LINE * 4:
            continue
        name = next((name for name in named if names_in(name, line)), "")
        if name:
            return Said(name, "byline")
    others = {
        line_of(tag, _LONGEST_LINE)
        for tag in [*scan.by["byline"][:_MOST_TAGS], *scan.by["author"][:_MOST_TAGS]]
        if tag.closest(f"[{BESIDE}]") is not None
    }
    for line in [line for line in text[:20_000].split("\n") if line and line not in others][:_FIRST_LINES]:
        if len(line) <= _LONGEST_LINE * 2 and begins_byline(line):
            name = next((name for name in named if names_in(name, line)), "")
            if name:
                return Said(name, "byline")
    return None


def _by_page(first: Found, named: list[str], head: Head, document: Document) -> Said | None:
    """A link to the author's page on the same site."""
    own = registrable(linked_host(head.url))
    for tag in document.select(
        'a[rel~="author"], a[href*="/author"], a[href*="/people/"], a[href*="/profile"], '
        'a[href*="/staff/"], a[href*="/contributor"], a[href*="/expert"]'
    )[:_MOST_LINKS]:
        href = tag.attr("href") or ""
        host = linked_host(href)
        found = _AUTHOR_PAGES.search(href)
        if found is None or (host and registrable(host) != own):
            continue
        slug = " ".join(re.split(r"[-_.+]|%20", found[1]))
        for name in named:
            shown = names_in(name, line_of(tag, _LONGEST_LINE))
            # The link may itself be what named the author: then its address has to say so too.
            if (shown and first.place != "rel=author") or (personal(name) and names_in(name, slug)):
                return Said(name, "author page")
    return None


def _by_identity(named: list[str], found: list[Found], head: Head, document: Document) -> Said | None:
    """An ORCID, or addresses elsewhere that JSON-LD gives for the author."""
    for other in found:
        for one in other.linked:
            name = next((name for name in named if same_name(name, one.name)), "")
            if not name:
                continue
            if any(map(is_orcid, one.same_as)):
                return Said(name, "ORCID")
            # The page itself, or an ORCID that nobody can have, is no other place.
            if any(not same_address(link, head.url) and "orcid.org/" not in link for link in one.same_as):
                return Said(name, "JSON-LD sameAs")
    if head.metas.get("citation_author") and any(map(is_orcid, head.metas.get("citation_author_orcid", ()))):
        return Said(named[0], "ORCID")
    for tag in document.select('a[href*="orcid.org/"]')[:_MOST_TAGS]:
        if not is_orcid(tag.attr("href") or ""):
            continue
        for around in islice(tag.ancestors, 2):
            line = line_of(around, _LONGEST_LINE)
            name = next((name for name in named if len(line) <= _LONGEST_LINE and names_in(name, line)), "")
            if name:
                return Said(name, "ORCID")
    return None


def is_orcid(text: str) -> bool:
    """Whether a text is an ORCID that somebody can have, alone or as an address: its last sign is a check."""
    found = _ORCID.match(text.strip())
    if found is None:
        return False
    signs = found[2].replace("-", "").upper()
    total = 0
    for digit in signs[:-1]:
        total = (total + int(digit)) * 2
    return signs[-1] == "0123456789X"[(12 - total % 11) % 11]


def _by_site(first: Found, named: list[str], head: Head, site: Said | None) -> Said | None:
    """The site's own name, or that of its domain, for an organisation."""
    host = registrable(linked_host(head.url))
    label = host.split(".")[0] if "." in host else ""
    bodies = {one.name for one in first.linked if one.organisation}
    for name in named:
        if personal(name) and name not in bodies and not first.place.endswith("publisher"):
            continue
        other = tidy(head.meta("og:site_name", "application-name")[0])
        if other and first.place != "meta og:site_name" and same_name(name, other):
            return Said(name, "site name")
        if label and bare(name) == bare(label):
            return Said(name, "domain")
        if site is not None and not _one_place(site.place, first.place) and same_name(name, site.value):
            return Said(name, "publisher")
    return None


def _one_place(one: str, other: str) -> bool:
    """Whether two places are one, or written by one hand: all of JSON-LD is one statement."""
    return one == other or (one.startswith("JSON-LD") and other.startswith("JSON-LD"))
