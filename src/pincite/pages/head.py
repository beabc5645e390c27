"""What the head of a page says: meta tags, its title, and JSON-LD, which is read within bounds."""

from __future__ import annotations

import re
from collections import deque
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from .domains import linked_host, registrable
from .model import PageStatement
from .names import MOST, clean_name, split_people
from .short_text import bare, tidy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from turbohtml import Document

_MOST_BLOCKS = 64
_LARGEST_BLOCK = 512 * 1024
_MOST_BYTES = 2 * 1024 * 1024
_MOST_THINGS = 4000
_MOST_AT_TOP = 200
_DEEPEST = 6
_RANKS = ("article", "posting", "report", "review", "question", "qapage", "dataset", "softwaresourcecode", "book")
_LISTS = frozenset(
    "itemlist breadcrumblist website organization person imageobject searchaction blog collection".split()
)
_TRAILING = re.compile(r",\s{0,200}([}\]])")
_PICKED = re.compile(r'"(datePublished|dateModified)"\s{0,20}:\s{0,20}"([^"\\]{1,100})"')
_TYPE = re.compile(r'"@type"\s{0,20}:\s{0,20}"(\w{0,20}(?:Article|Posting|Report|Review))"')
_INSIDE = ("@graph", "mainEntity", "mainEntityOfPage")
_MOST_METAS = 2000
_MOST_HEADINGS = 20
_LONGEST_VALUE = 4000
_PARTED = (" | ", " - ", " – ", " — ", " · ", " • ", " :: ", " » ", " « ", " ‹ ", " › ", " // ")
_PREFIXES = ("dc", "dcterms", "prism", "eprints")
_HANGING = "¶#§🔗⚓ "


class JsonLdAuthor(Struct, frozen=True):
    """A person or organisation that JSON-LD names."""

    name: str
    same_as: tuple[str, ...] = ()
    """Addresses that say who it is."""
    organisation: bool = False


class JsonLdFields(Struct, frozen=True):
    """What the page's scripts say; empty means not said."""

    main: dict[str, Any] = {}
    """The thing that the page is about."""
    things: dict[str, dict[str, Any]] = {}
    """Things by their `@id`."""
    site: str = ""
    types: frozenset[str] = frozenset()
    """Of everything at the top, in lower case."""

    def text(self, *keys: str) -> str:
        """The first of these properties of the main thing that is a text."""
        return next((text for key in keys for text in _texts(self.main.get(key)) if text), "")

    def authors(self, key: str) -> list[JsonLdAuthor]:
        """Who stands under a property of the main thing."""
        return self._people(self.main.get(key), 0)[:MOST]

    def _people(self, value: object, depth: int) -> list[JsonLdAuthor]:
        if isinstance(value, str):
            return [JsonLdAuthor(name) for name in split_people(value)]
        if isinstance(value, list):
            return [one for item in value[:MOST] for one in self._people(item, depth + 1)] if depth < 3 else []
        if not isinstance(value, dict):
            return []
        if "name" not in value:
            value = self.things.get(str(value.get("@id")), value)
        links = tuple(link for link in _texts(value.get("sameAs")) + _texts(value.get("identifier")) if "//" in link)
        names = [name for text in _texts(value.get("name")) if (name := clean_name(text))]
        if not names:
            joined = f"{tidy(value.get('givenName'))} {tidy(value.get('familyName'))}".strip()
            names = [joined] if clean_name(joined) else []
        body = any(kind.endswith(("organization", "corporation", "agency", "project")) for kind in kinds(value))
        return [JsonLdAuthor(name, links, body) for name in names[:1]]


def read_linked(blocks: Iterable[str], url: str = "", titles: Iterable[str] = ()) -> JsonLdFields:
    """What JSON-LD says about the page at this address, or with one of these titles; never raises."""
    tops: list[dict[str, Any]] = []
    size = 0
    for count, block in enumerate(blocks):
        size += len(block)
        if count == _MOST_BLOCKS or size > _MOST_BYTES:
            break
        if len(block) <= _LARGEST_BLOCK:
            tops += _find_top_things(_parse_block(block))
    tops = tops[:_MOST_AT_TOP]
    if not tops:
        return JsonLdFields()
    things = {key: thing for thing in _walk_things(tops) if isinstance(key := thing.get("@id"), str) and len(thing) > 1}
    site = next((text for thing in tops if "website" in kinds(thing) for text in _texts(thing.get("name")) if text), "")
    types = frozenset(kind for thing in tops for kind in kinds(thing))
    return JsonLdFields(_find_main_thing(tops, url, titles), things, site, types)


def kinds(thing: dict[str, Any]) -> set[str]:
    """The types of a thing, in lower case and without the address of their vocabulary."""
    given = thing.get("@type")
    names = given if isinstance(given, list) else [given]
    return {name.rsplit("/", 1)[-1].rsplit(":", 1)[-1].lower() for name in names[:20] if isinstance(name, str)}


def _parse_block(block: str) -> object:
    """What a block holds; None where it is unknown."""
    text = block.strip().removeprefix("<!--").removesuffix("-->").strip()
    text = (
        text.removeprefix("//<![CDATA[").removeprefix("<![CDATA[").removesuffix("]]>").removesuffix("//").strip("; \n")
    )
    if not text.startswith(("{", "[")):
        return None
    import json

    for attempt in (text, _TRAILING.sub(r"\1", text)):
        try:
            # Line ends inside of strings are common, and everybody reads them; so is something behind the end.
            return json.JSONDecoder(strict=False).raw_decode(attempt)[0]
        except (ValueError, RecursionError):
            continue
    return _extract_dates(text)


def _extract_dates(text: str) -> object:
    """Of a broken block the dates, which can be read without the rest; nothing where one of them has two values."""
    found: dict[str, Any] = {}
    for match in _PICKED.finditer(text):
        if found.setdefault(match[1], match[2]) != match[2]:
            return None
    kind = _TYPE.search(text)
    if not found or kind is None:
        return None
    return {"@type": kind[1], **found}


def _find_top_things(value: object) -> list[dict[str, Any]]:
    """The things that a block is about: not those that they mention."""
    found: list[dict[str, Any]] = []
    waiting: deque[tuple[object, int]] = deque([(value, 0)])
    while waiting and len(found) < _MOST_AT_TOP:
        item, depth = waiting.popleft()
        if isinstance(item, list):
            waiting += [(one, depth + 1) for one in item[:_MOST_AT_TOP]] if depth < _DEEPEST else []
        elif isinstance(item, dict):
            if "@graph" not in item or "@type" in item:
                found.append(item)
            if depth < _DEEPEST:
                waiting += [(item[key], depth + 1) for key in _INSIDE if isinstance(item.get(key), (list, dict))]
    return found


def _walk_things(tops: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Every thing inside of these, as far as the bounds go."""
    waiting: list[object] = list(reversed(tops))
    count = 0
    while waiting and count < _MOST_THINGS:
        item = waiting.pop()
        count += 1
        if isinstance(item, dict):
            yield item
            waiting += [value for value in item.values() if isinstance(value, (dict, list))]
        elif isinstance(item, list):
            waiting += [value for value in item[:_MOST_THINGS] if isinstance(value, (dict, list))]


def _rank(thing: dict[str, Any]) -> int:
    types = kinds(thing)
    if any(kind.endswith(_RANKS) or kind == "apireference" for kind in types):
        return 0
    if any(kind.endswith("page") for kind in types):
        return 1
    if types & _LISTS or not types:
        return 9
    return 2


def _find_main_thing(tops: list[dict[str, Any]], url: str, titles: Iterable[str]) -> dict[str, Any]:
    """What the page is about; nothing where several could be, and none has the page's address or title."""
    best = min(map(_rank, tops))
    if best == 9:
        return {}
    ranked = [thing for thing in tops if _rank(thing) == best]
    if len(ranked) > 1:
        here = [thing for thing in ranked if url and any(same_address(url, one) for one in _addresses(thing))]
        named = [bare(next(iter(_texts(thing.get("headline")) + _texts(thing.get("name"))), "")) for thing in ranked]
        known = {bare(title) for title in titles} - {""}
        same = [thing for thing, name in zip(ranked, named, strict=True) if name in known]
        if here:
            ranked = here
        elif len(set(named) - {""}) > 1:
            if not same:
                return {}
            ranked = same
    merged: dict[str, Any] = {}
    for thing in [*ranked, *(thing for thing in tops if best == 0 and _rank(thing) == 1)]:
        # The page that holds an article often says what the article itself does not.
        for key, value in thing.items():
            merged.setdefault(key, value)
    return merged


def _addresses(thing: dict[str, Any]) -> list[str]:
    page = thing.get("mainEntityOfPage")
    inner = page.get("@id") if isinstance(page, dict) else page
    return [one for one in (thing.get("url"), thing.get("@id"), inner) if isinstance(one, str)]


def same_address(one: str, other: str) -> bool:
    """Whether two addresses are those of one page, however they are written."""
    return _path(one) == _path(other)


def _path(url: str) -> str:
    return url.split("#")[0].split("?")[0].split("//", 1)[-1].removeprefix("www.").rstrip("/").lower()


def _texts(value: object) -> list[str]:
    """The texts of a property: one, several, or with their language beside them."""
    if isinstance(value, str):
        return [tidy(value)]
    if isinstance(value, dict):
        return [tidy(inner) for key in ("@value", "value", "name", "@id") if isinstance(inner := value.get(key), str)][
            :1
        ]
    if isinstance(value, list):
        return [text for item in value[:50] if not isinstance(item, list) for text in _texts(item)]
    return []


class PageHead(Struct, frozen=True):
    """A page's words about itself, where they stand."""

    url: str
    metas: dict[str, list[str]]
    """By name or property in lower case; empty values are left out."""
    title: str
    """The `<title>`."""
    headings: tuple[str, ...]
    """The texts of the first `<h1>`s."""
    linked: JsonLdFields

    def meta(self, *names: str) -> tuple[str, str]:
        """The first value of the first of these tags that has one, and the tag's name."""
        return next(((values[0], name) for name in names if (values := self.metas.get(name))), ("", ""))


def read_head(document: Document, url: str) -> PageHead:
    """The meta tags, the title, the first headings and the JSON-LD of a page; never raises."""
    metas: dict[str, list[str]] = {}
    for tag in document.select("meta[content]")[:_MOST_METAS]:
        name = tag.attr("name") or tag.attr("property") or tag.attr("itemprop") or ""
        value = tidy((tag.attr("content") or "")[:_LONGEST_VALUE])
        if name and value:
            metas.setdefault(_normalise_tag_name(name), []).append(value)
    title = document.select_one("head > title") or document.select_one("title")
    headings = [tidy(tag.text[:_LONGEST_VALUE]).strip(_HANGING) for tag in document.select("h1")[:_MOST_HEADINGS]]
    blocks = (tag.text for tag in document.select('script[type*="ld+json" i]'))
    titles = [*metas.get("og:title", ())[:1], *headings[:3]]
    shown = tidy(title.text[:_LONGEST_VALUE]) if title is not None else ""
    return PageHead(url, metas, shown, tuple(filter(None, headings)), read_linked(blocks, url, titles))


def _normalise_tag_name(name: str) -> str:
    """The name of a tag in lower case; with the prefixes of RDFa as with those of plain tags."""
    low = name.strip().lower()
    for prefix in _PREFIXES:
        if low.startswith(f"{prefix}:"):
            return f"{prefix}.{low[len(prefix) + 1 :]}"
    return low.removeprefix("schema:")


def page_title(head: PageHead, site: str, label: str) -> str:
    """The title of the page, without the name of its site where that is known."""
    cited = head.meta("citation_title", "dc.title", "dcterms.title", "eprints.title")[0]
    if cited:
        return cited
    said = [
        head.linked.text("headline"),
        *head.meta("og:title", "twitter:title")[:1],
        head.linked.text("name"),
        head.title,
    ]
    titles = [title for given in said if (title := _without_site(given, head.headings, site, label))]
    own = [title for title in titles if bare(title) not in (bare(site), bare(label))]
    shown = {bare(heading) for heading in head.headings}
    # A headline may be a description: what also stands above the text is the title.
    best = next((title for title in own if bare(title) in shown), "")
    return best or next(iter(own or titles or head.headings), "")


def _without_site(title: str, headings: tuple[str, ...], site: str, label: str) -> str:
    if not title:
        return ""
    mark = next((mark for mark in _PARTED if mark in title), "")
    known = {name for name in (bare(site), bare(label)) if name}
    shown = [heading for heading in headings if bare(heading) not in known]
    if not mark:
        return title
    parts = title.split(mark)
    # A heading that is the first part is what the rest was added to.
    if bare(parts[0]) and any(bare(parts[0]) == bare(heading) for heading in shown):
        return parts[0].strip()
    while len(parts) > 1 and bare(parts[-1]) in known:
        parts.pop()
    while len(parts) > 1 and bare(parts[0]) in known:
        parts.pop(0)
    return mark.join(parts).strip()


def site_names(head: PageHead, site: PageStatement | None) -> set[str]:
    """What the site is called, in bare letters: its name, its domain, its publisher."""
    host = registrable(linked_host(head.url))
    names = [site.value if site is not None else "", head.linked.site, *head.metas.get("og:site_name", ())]
    names += [one.name for one in head.linked.authors("publisher")[:2]]
    return {bare(name) for name in (*names, host, host.split(".")[0]) if bare(name)}


def site_name(head: PageHead) -> PageStatement | None:
    """The name of the site or of its publisher, and where it stands."""
    found, name = head.meta("og:site_name")
    if found:
        return PageStatement(found, f"meta {name}")
    publishers = head.linked.authors("publisher")
    if publishers:
        return PageStatement(publishers[0].name, "JSON-LD publisher")
    if head.linked.site:
        return PageStatement(head.linked.site, "JSON-LD WebSite")
    found, name = head.meta(
        "application-name",
        "citation_publisher",
        "dc.publisher",
        "dcterms.publisher",
        "apple-mobile-web-app-title",
        "citation_journal_title",
    )
    return PageStatement(found, f"meta {name}") if found else None
