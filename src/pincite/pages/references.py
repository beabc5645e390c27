"""How many sources a page refers to, and where they can be counted."""

from __future__ import annotations

import re
from itertools import chain, islice
from typing import TYPE_CHECKING

from .domains import linked_host, registrable
from .short_text import line_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from turbohtml import Document
    from turbohtml import Element as Tag

    from .head import PageHead
    from .tag_scan import TagScan

_HEADING = re.compile(
    r"\W{0,4}(?:(?:[0-9A-Z]{1,3}\.){0,3}[0-9A-Z]{0,3}\s+)?"
    r"(?:(?:normative|informative|general|further|selected|cited|key|external)\s+)?"
    r"(?:references?(?: (?:cited|and notes))?|bibliography|works cited|literature(?: cited)?|citations?"
    r"|sources?|footnotes?|end ?notes?|notes(?: and references)?|literatur(?:verzeichnis)?|bibliographie|referencias"
    r"|références|einzelnachweise)\W{0,6}",
    re.IGNORECASE,
)
"""The whole of a heading above a list of sources."""
_DOI = re.compile(r"10\.\d{4,9}/[^\s\"'<>{}|\\^`\[\]]{1,200}")
_LOOKS_CITED = re.compile(r"\b(?:1[6-9]|20)\d\d\b|https?://|\bdoi\b|\bISBN\b|\bibid\b", re.IGNORECASE)
"""What an entry of a list of sources has: a year, an address, a number."""
_URL = re.compile(r"https?://[^\s<>\"'()\[\]{}]{4,500}", re.IGNORECASE)
_ENTRY = re.compile(r"[^\S\n]*(?:\[[^\]\n]{1,30}\]|\(?\d{1,3}[.)]|[-*•])[^\S\n]+\S")
_LINKS = 'a[href*="//"]'
_SOCIAL = frozenset(
    "facebook.com twitter.com x.com linkedin.com instagram.com youtube.com pinterest.com t.me bsky.app threads.net"
    " reddit.com tiktok.com whatsapp.com".split()
)
_SHARING = re.compile(r"share|url=|/intent/|u=http|/submit(?:link)?\?|/save\?|/send\?|/pin/create")
_IDENTIFIERS = "citation_doi dc.identifier dc.identifier.doi prism.doi dcterms.identifier bepress_citation_doi".split()
_NAMED = "data-pincite-sources"
_HOLDING = frozenset("aside div dd li p".split())
_RANKS = ("h1", "h2", "h3", "h4", "h5", "h6")
_MOST_LINKS = 50_000
_MOST_HEADINGS = 2000
_MOST_SIBLINGS = 5000
_MOST_SECTIONS = 20
_ENTRY_CHARS = 3000
_MOST_LINES = 20_000
_MOST_FOUND = 20_000


Counts = tuple[tuple[int, str], ...]


def count_by_markup(head: PageHead, document: Document, scan: TagScan) -> Counts:
    """What the markup tells: how many sources, and where each count was made."""
    return (
        (len(head.metas.get("citation_reference", ())), "citation_reference"),
        (_count_section_entries(document, scan), "references section"),
        (_count_external_links(head, document, scan), "links"),
    )


def count_sources(counts: Counts, head: PageHead, text: str) -> tuple[int, str]:
    """How many sources a page refers to, by the place where most are counted: 0 where there are none."""
    said = [value for name in _IDENTIFIERS for value in head.metas.get(name, ())]
    own = _find_dois(" ".join([*said, head.url, head.linked.text("@id", "url", "sameAs", "identifier")]))
    best = max(*counts, (len(_find_dois(text) - own), "DOIs"))
    if not best[0]:
        # Old documents are one text in the page.
        best = _count_listed_sources(text), "references section"
    return best if best[0] else (0, "links")


def _count_external_links(head: PageHead, document: Document, scan: TagScan) -> int:
    """Distinct links of the main text to other sites."""
    own = registrable(linked_host(head.url))
    separate: set[Tag] | None = None
    found: set[str] = set()
    judged: set[str] = set()
    for tag in document.select(_LINKS)[:_MOST_LINKS]:
        href = tag.attr("href") or ""
        if href in judged:
            continue
        host = linked_host(href)
        if not host or host == own or (domain := registrable(host)) == own or _is_share_link(domain, href):
            judged.add(href)
            continue
        if separate is None:
            separate = scan.beside("a[href]")
        if tag not in separate and _is_source_link(tag):
            found.add(href.strip().split("#")[0].split("//", 1)[1].rstrip("?/").lower())
            judged.add(href)
    return len(found)


def _is_share_link(domain: str, href: str) -> bool:
    """Whether a link hands the page on, or leads to an account, rather than to a source."""
    if domain in _SOCIAL and href.rstrip("/").count("/") < 4:
        return True
    return _SHARING.search(href) is not None


def _is_source_link(tag: Tag) -> bool:
    """Whether a reader sees where a link leads to a source: it has words, and is no advertisement."""
    paid = "sponsored" in (tag.attr("rel") or "").lower().split()
    return not paid and any(sign.isalnum() for sign in tag.text)


def _count_section_entries(document: Document, scan: TagScan) -> int:
    """Entries of lists of sources, known by their markup or by the heading above them."""
    best = _count_marked_entries(document, scan)
    sections = 0
    for heading in chain.from_iterable(islice(document.select(name), _MOST_HEADINGS) for name in _RANKS):
        title = line_of(heading, 80)
        if 4 < len(title) < 80 and _HEADING.fullmatch(title.strip("¶# ")):
            best = max(best, _count_entries_below(heading))
            sections += 1
            if sections == _MOST_SECTIONS:
                break
    return best


def _count_marked_entries(document: Document, scan: TagScan) -> int:
    """Entries of lists that are called lists of sources, else pieces of text that are called sources each."""
    named = scan.by["sources"]
    for tag in named:
        tag.attrs[_NAMED] = ""
    entries = document.select(f"[{_NAMED}] li, [{_NAMED}] dd, [{_NAMED}] .csl-entry") if named else []
    if not entries:
        entries = [tag for tag in named if tag.tag in _HOLDING]
    return sum(1 for tag in entries[:_MOST_SIBLINGS] if _cites(tag))


def _count_entries_below(heading: Tag) -> int:
    """Entries between a heading and the next of its rank."""
    count = loose = 0
    for tag in _following(heading):
        entries = tag.select("li, dd, tr") if tag.tag not in ("li", "dd", "tr") else [tag]
        if entries:
            count += sum(1 for entry in entries[:_MOST_SIBLINGS] if _cites(entry))
        elif tag.tag in ("p", "div", "dl", "pre"):
            loose += _cites(tag)
    return count or loose


def _following(heading: Tag) -> Iterator[Tag]:
    """The tags behind a heading, up to the next heading; out of the wrapper that holds nothing else."""
    from turbohtml import Element

    rank = heading.tag
    at: Tag | None = heading
    for _ in range(3):
        if at is None:
            return
        seen = False
        for node in islice(at.next_siblings, _MOST_SIBLINGS):
            if not isinstance(node, Element):
                continue
            if _ends(node, rank):
                return
            seen = True
            yield node
        if seen:
            return
        parent = at.parent
        at = parent if isinstance(parent, Element) and parent.tag in ("div", "header", "section") else None


def _ends(tag: Tag, rank: str) -> bool:
    """Whether a tag is or holds a heading that ends the section."""
    if tag.tag in _RANKS:
        return tag.tag <= rank
    return tag.select_one(", ".join(_RANKS[: int(rank[1])])) is not None


def _cites(tag: Tag) -> bool:
    """Whether an entry reads like a source: a year, an address, a link to judged."""
    text = line_of(tag, _ENTRY_CHARS)
    if not text:
        return False
    return _LOOKS_CITED.search(text) is not None or tag.select_one(_LINKS) is not None


def _find_dois(text: str) -> set[str]:
    """The DOIs in a text, in lower case."""
    found: set[str] = set()
    for match in _DOI.finditer(text):
        # Looking for the digits first is many times faster than for the edge of a word.
        if text[match.start() - 1 : match.start()].isalnum():
            continue
        found.add(match[0].rstrip(".,;:)").lower())
        if len(found) == _MOST_FOUND:
            break
    return found


def _count_listed_sources(text: str) -> int:
    """How many entries stand under the last heading of a list of sources; 0 where there is no such list."""
    lines = text.split("\n")
    start = next(
        (
            at
            for at in range(len(lines) - 1, -1, -1)
            if 4 < len(lines[at]) < 80 and _HEADING.fullmatch(lines[at].strip())
        ),
        None,
    )
    if start is None:
        return 0
    rest = lines[start + 1 : start + 1 + _MOST_LINES]
    marked = sum(1 for line in rest if _ENTRY.match(line))
    if marked:
        return marked if any(_LOOKS_CITED.search(line[:2000]) for line in rest) else 0
    return sum(1 for line in rest if _LOOKS_CITED.search(line[:2000]))


def count_references(texts: Iterable[str]) -> tuple[int | None, str]:
    """How many sources a text refers to and where they were counted; None where nothing tells."""
    whole = "\n".join(texts)
    found = _find_dois(whole)
    head = _find_dois(whole[:4000])
    if len(head) == 1:
        # The one on the first page is its own.
        found -= head
    links: set[str] = set()
    for match in _URL.finditer(whole):
        links.add(match[0].rstrip(".,;:"))
        if len(links) == _MOST_FOUND:
            break
    count, where = max(
        (_count_listed_sources(whole), "references section"), (len(found), "DOIs"), (len(links), "links")
    )
    return (count, where) if count else (None, "")
