"""One walk over the tags of a page that sorts them by what their names say they hold."""

from __future__ import annotations

import re
from itertools import chain, islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from turbohtml import Document, Element

BESIDE = "data-pincite-beside"
"""The attribute that everything gets that stands beside the main text."""
_ALWAYS = ("nav", "footer", "aside")
_ROLES = frozenset("navigation contentinfo complementary search".split())
_MAIN = ("h1", "main", "article")
_SMALL = frozenset("span code em i b strong small a tt svg path".split())
_HANDLES = "headerlink anchor mark hash-link anchor-link anchorjs-link permalink header-anchor".split()
_PATTERNS = {
    "beside": r"share|social|navbar|sidebar|navigation|related|breadcrumb|promo|advert|cookie|comment|recommend"
    r"|teaser|answer|license|copyright|newsletter|subscribe|(?<![\w-])(?:site-|page-|global-|main-)?footer",
    "byline": r"byline|\bp-author\b",
    "author": r"author|contrib|creator",
    "dated": r"(?<![\w-])(?:dt-published|published|entry-date)(?![\w-])",
    "changed": r"(?<![\w-])(?:updated|modified|dt-updated)(?![\w-])",
    "dateline": r"byline|dateline|post-date|pubdate|published",
    "sources": r"(?<![\w-])(?:references|reflist|footnotes|bibliography|ref-list|reference-list|citation-list"
    r"|csl-bib-body|footnote|citation|biblioentry)(?![\w-])",
    "handle": rf"(?<![\w-])(?:{'|'.join(_HANDLES)})(?![\w-])",
    "forum": r"topic-post|postbody|message--post|question-header|question-page",
    "technical": r"rst-content|md-typeset|theme-doc-markdown|rfcmarkup|sphinxsidebar|programlisting",
    "blog": r"h-entry|blog-post|single-post|post-content|entry-content",
}
_ANY = re.compile(
    "share|social|nav|sidebar|related|foot|breadcrumb|promo|advert|cookie|comment|recommend|teaser|answer|license"
    "|copyright|newsletter|subscribe|byline|author|contrib|creat|publish|date|modified|refe|refl|ref-|biblio|citation|csl-"
    "|headerlink|anchor|mark|hash-link|permalink|post|question|message|rst-|md-typ|theme-doc|rfc|sphinx|programl|h-entry"
)
_EACH = {name: re.compile(pattern) for name, pattern in _PATTERNS.items()}
_IDS = {
    **dict.fromkeys(
        "comments comment-list disqus_thread respond sidebar nav navigation footer related related-posts share".split(),
        "beside",
    ),
    **dict.fromkeys("references bibliography reflist footnotes endnotes works-cited".split(), "sources"),
}
# Most of all tags with a class are links, list items, pictures and the words of highlighted code.
_PLENTY = "span, a, li, img, svg, path, use, g, i, b, em, strong, code, input, button, td, th, tr, option, label"
_SPANS = ("author", "byline", "publish", "date")
_CLASSED = ", ".join(
    [
        f":not(:is({_PLENTY}))[class]",
        *(f':is(span, a)[class*="{name}" i]' for name in _SPANS),
        *(f"a.{name}" for name in _HANDLES),
    ]
)
_LONGEST_NAME = 400
_MOST_KNOWN = 20_000
_MOST_MAIN = 4
_MOST_ANCESTORS = 10_000

_known: dict[str, tuple[str, ...]] = {}


class Scan:
    """The tags of a page by what they are called, in the order of the page."""

    __slots__ = ("_apart", "_document", "by")

    def __init__(self, document: Document) -> None:
        self._document = document
        self._apart: dict[str, set[Element]] = {}
        self.by: dict[str, list[Element]] = {name: [] for name in (*_PATTERNS, "itemprop")}
        """Tags by the keys above; those with an `itemprop` apart."""
        roles: list[Element] = []
        known, by = _known, self.by
        for tag in document.select(_CLASSED):
            name = tag.attr("class") or ""
            keys = known.get(name)
            for key in _keys(name) if keys is None else keys:
                by[key].append(tag)
        for tag in document.select("[id]"):
            key = _IDS.get((tag.attr("id") or "").lower(), "")
            if key:
                by[key].append(tag)
        for tag in document.select("[itemprop], [role]"):
            if tag.attr("itemprop"):
                self.by["itemprop"].append(tag)
            role = tag.attr("role")
            if role in _ROLES:
                roles.append(tag)
            elif role in ("doc-bibliography", "doc-endnotes"):
                self.by["sources"].append(tag)
        self._set_apart(roles)

    def _set_apart(self, roles: list[Element]) -> None:
        """Marks what stands beside the main text. Of names on what holds the text itself nothing is concluded."""
        holders: set[object] = set()
        for tag in islice(chain.from_iterable(self._document.select(name) for name in _MAIN), _MOST_MAIN):
            # Bodies are called `has-sidebar`.
            holders.update(islice(chain((tag,), tag.ancestors), _MOST_ANCESTORS))
        # Nor of those on lines that say who wrote.
        holders.update(self.by["byline"])
        for tag in self.by["beside"]:
            if tag.tag not in _SMALL and tag.tag not in ("html", "body") and tag not in holders:
                tag.attrs[BESIDE] = ""
        for tag in chain(roles, *(self._document.select(name) for name in _ALWAYS)):
            tag.attrs[BESIDE] = ""

    def main(self, tags: Iterable[Element], limit: int) -> list[Element]:
        """At most so many of the tags, without those that stand beside the main text."""
        return [tag for tag in islice(tags, limit) if tag.closest(f"[{BESIDE}]") is None]

    def beside(self, what: str) -> set[Element]:
        """Which of the tags that a selector names stand beside the main text."""
        if what not in self._apart:
            self._apart[what] = set(self._document.select(f"[{BESIDE}] {what}, header {what}"))
        return self._apart[what]


def _keys(name: str) -> tuple[str, ...]:
    """What a class says; the same few make up most of a page."""
    # Patterns that ignore case are several times slower.
    short = name[:_LONGEST_NAME].lower()
    keys = tuple(key for key, pattern in _EACH.items() if pattern.search(short)) if _ANY.search(short) else ()
    if len(_known) > _MOST_KNOWN:
        _known.clear()
    if len(name) <= _LONGEST_NAME:
        _known[name] = keys
    return keys
