"""Which second place on a page confirms who wrote it."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from .bylines import LONGEST_LINE, MOST_TAGS, TEXT, VISIBLE
from .domains import linked_host, registrable
from .json_ld import same_address
from .model import Said
from .names import begins_byline, clean_name, is_organisation, is_personal_name, names_in, parse_byline, same_name
from .short_text import bare, line_of, tidy

if TYPE_CHECKING:
    from turbohtml import Document

    from .bylines import FoundAuthors, Signed
    from .head import PageHead
    from .tag_scan import TagScan
    from .visible_dates import TextLines

_AUTHOR_PAGES = re.compile(
    r"/(?:authors?|autor(?:en|es|in)?|auteurs?|autori|people|person|profiles?|staff|contributors?|experts?|users?|team|by)/"
    r"([^/?#]+)",
    re.IGNORECASE,
)
_ORCID = re.compile(r"(?:(https?://(?:www\.)?orcid\.org/)|\A)((?:[0-9]{4}-){3}[0-9]{3}[0-9X])(?![\w-])", re.IGNORECASE)
_SIGNED = ("article", "posting", "review", "report")
_MOST_LINKS = 400
_FIRST_LINES = 60


class AuthorWitness:
    """What is asked of a page to confirm its author."""

    __slots__ = ("called", "document", "head", "lines", "own", "scan", "site")

    def __init__(
        self, head: PageHead, document: Document, scan: TagScan, signed: Signed, site: Said | None, called: set[str]
    ) -> None:
        self.head = head
        self.document = document
        self.scan = scan
        self.site = site
        self.called = called
        self.own = registrable(linked_host(head.url))
        self.lines = signed.lines

    def is_site(self, name: str) -> bool:
        """Whether a name is that of the site."""
        return bare(name) in self.called


def confirm_author(found: list[FoundAuthors], page: AuthorWitness, lines: TextLines) -> Said | None:
    """A second place on the page that confirms who wrote it; None where there is none."""
    if not found:
        return None
    first = found[0]
    named = list(dict.fromkeys(first.names))[:10]
    people = [name for name in named if is_personal_name(name) and not page.is_site(name)]
    if people:
        if _is_contradicted(people, found):
            return None
        return (
            _by_other(first, people, found)
            or _by_line(first, people, page, lines)
            or _by_page(first, people, page)
            or _by_identity(people, found, page)
        )
    return _by_site(first, named, found, page, lines)


def _is_contradicted(named: list[str], found: list[FoundAuthors]) -> bool:
    """Whether a byline near the title, in so many words, names people of whom none is the author."""
    return any(
        other.place == TEXT
        and any(is_personal_name(name) for name in other.names)
        # Pieces of a line may stand close together: `Jo DoeMay 3`.
        and not any(same_name(name, one) or bare(name) in bare(one) for name in named for one in other.names)
        for other in found[1:]
    )


def _by_other(first: FoundAuthors, named: list[str], found: list[FoundAuthors]) -> Said | None:
    """A place of the other sort that names the same: of what machines read and what readers see, each is one hand."""
    for other in found[1:]:
        if not _independent(first.place, other.place):
            continue
        for name in named:
            if any(same_name(name, one) for one in other.names):
                return Said(name, "byline" if other.place in VISIBLE else other.place)
    return None


def _independent(one: str, other: str) -> bool:
    if "meta citation_author" in (one, other):
        return one != other
    return (one in VISIBLE) != (other in VISIBLE)


def _by_line(first: FoundAuthors, named: list[str], page: AuthorWitness, lines: TextLines) -> Said | None:
    """A visible line that names the author; not the one that named him in the first place."""
    if first.place in VISIBLE:
        return None
    for line in page.lines:
        name = next((name for name in named if names_in(name, line)), "")
        if name:
            return Said(name, "byline")
    for line in lines.main[:_FIRST_LINES]:
        if len(line) <= LONGEST_LINE * 2 and begins_byline(line):
            # A sentence may begin so too: the line has to be a byline as a whole.
            name = next((name for name in named if any(same_name(name, one) for one in parse_byline(line))), "")
            if name:
                return Said(name, "byline")
    return None


def _by_page(first: FoundAuthors, named: list[str], page: AuthorWitness) -> Said | None:
    """A link to the author's page on the same site."""
    for tag in page.document.select(
        'a[rel~="author"], a[href*="/aut"], a[href*="/people/"], a[href*="/profile"], '
        'a[href*="/staff/"], a[href*="/contributor"], a[href*="/expert"]'
    )[:_MOST_LINKS]:
        href = tag.attr("href") or ""
        host = linked_host(href)
        found = _AUTHOR_PAGES.search(href)
        if found is None or (host and registrable(host) != page.own):
            continue
        slug = " ".join(re.split(r"[-_.+]|%20", found[1]))
        for name in named:
            shown = names_in(name, line_of(tag, LONGEST_LINE))
            # The link may itself be what named the author: then its address has to say so too.
            if (shown and first.place not in VISIBLE) or names_in(name, slug):
                return Said(name, "author page")
    return None


def _by_identity(named: list[str], found: list[FoundAuthors], page: AuthorWitness) -> Said | None:
    """An ORCID, or addresses elsewhere that JSON-LD gives for the author."""
    for other in found:
        for one in other.linked:
            name = next((name for name in named if same_name(name, one.name)), "")
            if not name or one.organisation:
                continue
            if any(map(is_orcid, one.same_as)):
                return Said(name, "ORCID")
            # The page itself, or an impossible ORCID, is no other place.
            if any(not same_address(link, page.head.url) and "orcid.org/" not in link for link in one.same_as):
                return Said(name, "JSON-LD sameAs")
    metas = page.head.metas
    if metas.get("citation_author") and any(map(is_orcid, metas.get("citation_author_orcid", ()))):
        return Said(named[0], "ORCID")
    for tag in page.document.select('a[href*="orcid.org/"]')[:MOST_TAGS]:
        if not is_orcid(tag.attr("href") or ""):
            continue
        for around in islice(tag.ancestors, 2):
            line = line_of(around, LONGEST_LINE)
            name = next((name for name in named if len(line) <= LONGEST_LINE and names_in(name, line)), "")
            if name:
                return Said(name, "ORCID")
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


def _by_site(
    first: FoundAuthors, named: list[str], found: list[FoundAuthors], page: AuthorWitness, lines: TextLines
) -> Said | None:
    """A byline of an organisation; where nothing names a person, the site's own name or that of its domain."""
    if any(is_personal_name(name) and not page.is_site(name) for other in found for name in other.names):
        return None
    near = [*page.lines, *lines.main[:_FIRST_LINES]]
    signed = [line for line in near if len(line) <= LONGEST_LINE and begins_byline(line)]
    for name in named:
        known = is_organisation(name) or page.is_site(name)
        if known and first.place not in VISIBLE and any(bare(clean_name(line)) == bare(name) for line in signed):
            return Said(name, "byline")
    if signed or page.lines or any(kind.endswith(_SIGNED) for kind in page.head.linked.types):
        # An article has a writer, and its byline may say who; that its site has a name says nothing about it.
        return None
    label = page.own.split(".")[0] if "." in page.own else ""
    for name in named:
        other = tidy(page.head.meta("og:site_name", "application-name")[0])
        if other and first.place != "meta og:site_name" and same_name(name, other):
            return Said(name, "site name")
        if label and bare(name) == bare(label):
            return Said(name, "domain")
        site = page.site
        if site is not None and not _one_place(site.place, first.place) and same_name(name, site.value):
            return Said(name, "publisher")
    return None


def _one_place(one: str, other: str) -> bool:
    """Whether two places are one, or written by one hand: all of JSON-LD is one statement."""
    return one == other or (one.startswith("JSON-LD") and other.startswith("JSON-LD"))
