"""What the head of a page says: meta tags, its title, JSON-LD."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from .domains import linked_host, registrable
from .json_ld import Linked, read_linked
from .model import Said
from .short_text import bare, tidy

if TYPE_CHECKING:
    from turbohtml import Document

_MOST_METAS = 2000
_MOST_HEADINGS = 20
_LONGEST_VALUE = 4000
_PARTED = (" | ", " - ", " – ", " — ", " · ", " • ", " :: ", " » ", " « ", " ‹ ", " › ", " // ")
_PREFIXES = ("dc", "dcterms", "prism", "eprints")
_HANGING = "¶#§🔗⚓ "


class PageHead(Struct, frozen=True):
    """A page's words about itself, where they stand."""

    url: str
    metas: dict[str, list[str]]
    """By name or property in lower case; empty values are left out."""
    title: str
    """The `<title>`."""
    headings: tuple[str, ...]
    """The texts of the first `<h1>`s."""
    linked: Linked

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


def site_names(head: PageHead, site: Said | None) -> set[str]:
    """What the site is called, in bare letters: its name, its domain, its publisher."""
    host = registrable(linked_host(head.url))
    names = [site.value if site is not None else "", head.linked.site, *head.metas.get("og:site_name", ())]
    names += [one.name for one in head.linked.authors("publisher")[:2]]
    return {bare(name) for name in (*names, host, host.split(".")[0]) if bare(name)}


def site_name(head: PageHead) -> Said | None:
    """The name of the site or of its publisher, and where it stands."""
    found, name = head.meta("og:site_name")
    if found:
        return Said(found, f"meta {name}")
    publishers = head.linked.authors("publisher")
    if publishers:
        return Said(publishers[0].name, "JSON-LD publisher")
    if head.linked.site:
        return Said(head.linked.site, "JSON-LD WebSite")
    found, name = head.meta(
        "application-name",
        "citation_publisher",
        "dc.publisher",
        "dcterms.publisher",
        "apple-mobile-web-app-title",
        "citation_journal_title",
    )
    return Said(found, f"meta {name}") if found else None
