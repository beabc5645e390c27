"""One walk over the tags of a page that sorts them by what their names say they hold."""

from __future__ import annotations

import re
from itertools import chain, islice
from typing import TYPE_CHECKING

from .short_text import line_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Set

    from turbohtml import Document, Element

USUAL = (
    "hidden visually-hidden visuallyhidden sr-only screen-reader-text screen-reader-only d-none hide is-hidden u-hidden"
    " display-none element-invisible invisible offscreen assistive-text a11y-hidden"
).split()
"""What is called so is for machines, or not for now."""
_SHOWN = re.compile(r"(?:\A|\s)(?:(?:sm|md|lg|xl|xxl|2xl|print|desktop|tablet)[:-]|d-\w{1,8}-(?!none)|hidden-|visible)")
"""Classes of what is seen on other screens, though it has one of those names."""
_HIDES = ("display:none", "display: none", "visibility:hidden", "visibility: hidden")
_SIMPLE = re.compile(r"\s*(?:[a-z]{1,10}[1-6]?)?\.([A-Za-z_][\w-]{0,60})\s*")
_SHOWS = re.compile(r"display\s{0,3}:\s{0,3}(?!none)\w|visibility\s{0,3}:\s{0,3}visible")
_MOST_SHEETS = 40
_MOST_RULES = 50
_LONGEST_BODY = 2000
_MOST_SIGNS = 300_000
_LONGEST_SELECTOR = 400
_MOST_CLASSES = 60
BESIDE = "data-pincite-beside"
"""The attribute that everything gets that stands beside the main text, with one of these values."""
NEAR, OTHERS, ALIEN = "near", "others", "alien"
"""What may belong to the text all the same; parts that name other texts; what readers wrote, or no reader sees."""
_ALWAYS = ("nav", "footer", "aside")
_ROLES = frozenset("navigation contentinfo complementary search".split())
_MAIN = ("h1", "main", "article")
_SMALL = frozenset("span code em i b strong small a tt svg path".split())
_HANDLES = "headerlink anchor mark hash-link anchor-link anchorjs-link permalink header-anchor".split()
_PATTERNS = {
    "beside": r"share|social|navbar|sidebar|navigation|related|breadcrumb|promo|advert|cookie|comment|recommend"
    r"|teaser|answer|license|copyright|newsletter|subscribe|trending|most-?read|popular|read-?next|up-?next|you-may"
    r"|more-from|more-stories|outbrain|taboola|see-also|also-like|(?<![\w-])(?:site-|page-|global-|main-)?footer",
    "byline": r"byline|\bp-author\b",
    "author": r"author|contrib|creator",
    "dated": r"(?<![\w-])(?:dt-published|published|entry-date)(?![\w-])",
    "changed": r"(?<![\w-])(?:updated|modified|dt-updated)(?![\w-])",
    "dateline": r"byline|dateline|post-date|pubdate|published",
    "sources": r"(?<![\w-])(?:references|reflist|footnotes|bibliography|ref-list|reference-list|citation-list"
    r"|csl-bib-body|footnote|citation|biblioentry)(?![\w-])",
    "handle": rf"(?<![\w-])(?:{'|'.join(_HANDLES)})(?![\w-])",
    "hidden": rf"(?<![\w-])(?:{'|'.join(USUAL)})(?![\w-])",
    "forum": r"topic-post|postbody|message--post|question-header|question-page",
    "technical": r"rst-content|md-typeset|theme-doc-markdown|rfcmarkup|sphinxsidebar|programlisting",
    "blog": r"h-entry|blog-post|single-post|post-content|entry-content",
}
_ANY = re.compile(
    "share|social|nav|sidebar|related|foot|breadcrumb|promo|advert|cookie|comment|recommend|teaser|answer|license"
    "|copyright|newsletter|subscribe|trending|read|popular|next|you-may|more-|outbrain|taboola|also|byline|author|contrib|creat|publish|date|modified|refe|refl|ref-|biblio|citation|csl-"
    "|headerlink|anchor|mark|hash-link|permalink|post|question|message|rst-|md-typ|theme-doc|rfc|sphinx|programl|h-entry"
    "|hid|sr-only|screen-r|d-none|-none|invisible|offscreen|assistive"
)
_EACH = {name: re.compile(pattern) for name, pattern in _PATTERNS.items()}
_IDS = {
    **dict.fromkeys(
        "comments comment-list disqus_thread respond sidebar nav navigation footer related related-posts share".split(),
        "beside",
    ),
    **dict.fromkeys("references bibliography reflist footnotes endnotes works-cited".split(), "sources"),
}
_COMMENTS = re.compile(
    r"(?:[a-z]{1,20}[-_])?comments?(?:[-_]?(?:\d{1,12}|list|section|area|wrap\w{0,8}|container|box|block|thread|form))?\Z"
)
_COMMENTED = re.compile(r"(?<![^\W_])comments?(?![^\W_])|(?<![^\W_])comment(?:list|s?area|body|er|author|form|thread)")
# Most of all tags with a class are links, list items, pictures and the words of highlighted code.
_PLENTY = "span, a, li, img, svg, path, use, g, i, b, em, strong, code, input, button, td, th, tr, option, label"
_SPANS = ("author", "byline", "publish", "date")
_CLASSED = ", ".join(
    [
        f":not(:is({_PLENTY}))[class]",
        *(f':is(span, a)[class*="{name}" i]' for name in _SPANS),
        *(f"a.{name}" for name in _HANDLES),
        ':is(li, td)[class*="comment" i]',
        *(f':is(span, a)[class*="{name}"]' for name in ("hidden", "sr-only", "screen-reader")),
    ]
)
_ALIEN = ", ".join(
    [
        '[aria-hidden="true"]:not(:is(svg, i, path, img, use))',
        *('[itemprop~="comment"]', '[itemprop~="review"]', '[itemtype$="/Comment"]', '[itemtype$="/UserComments"]'),
    ]
)
_OTHER_TEXTS = re.compile(
    r"comment|related|recommend|teaser|trending|most-?read|popular|read-?next|up-?next|you-may|more-from|more-stories"
    r"|outbrain|taboola|see-also|also-like|footer"
)
_HEADINGS = "h2, h3, h4, h5"
_HEADS = re.compile(
    # Examples: `12 Comments`, `Read next`, `Das könnte Sie interessieren`.
    r"""
    \W{0,3}(?:\d{1,5}\ )?
    (?:(?P<comments>comments?\b|responses?\b|repl(?:y|ies)\b|leave\ a|discussion\b|kommentare?\b
        |commentaires?\b|comentarios?\b|commenti\b|reacties\b)
      |related\b|recommended\b|read\ (?:more|next|also)\b|more\ (?:from|stories|articles|news|on|like)\b  # English
      |you\ (?:may|might)\b|see\ also\b|also\ (?:on|read)\b|up\ next\b|most\ (?:read|popular)\b|popular\b
      |trending\b|latest\b|recent\b|top\ stories\b
      |ähnliche\b|verwandte\b|weitere\b|mehr\ (?:zum|aus|von)\b|auch\ interessant|das\ könnte|meistgelesen  # German
      |à\ lire\b|sur\ le\ même|articles?\ (?:liés|similaires)                                            # French
      |relacionad[oa]s?\b|te\ puede|más\ (?:de|leíd)                                                     # Spanish
      |leggi\ anche|correlat[io]\b                                                                       # Italian
      |gerelateerd\b|lees\ ook)                                                                          # Dutch
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""How the headings of parts begin that name other texts, or what readers wrote."""
_LONGEST_NAME = 400
_MOST_KNOWN = 20_000
_MOST_MAIN = 4
_MOST_ANCESTORS = 10_000
_MOST_HEADINGS = 100
_LONGEST_HEADING = 60
_MOST_SEPARATE = 5000
_MOST_SIBLINGS = 40
_MOST_HIDDEN = 1000

_known: dict[str, tuple[str, ...]] = {}


def hiding_classes(document: Document) -> list[str]:
    """The classes that the style sheets in a page hide, whatever the screen; asked before they are removed."""
    found: dict[str, None] = {}
    sheets: list[str] = []
    size = 0
    for tag in document.select("style")[:_MOST_SHEETS]:
        sheet = tag.text
        size += len(sheet)
        if size > _MOST_SIGNS:
            break
        sheets.append(sheet)
        found.update(dict.fromkeys(_hidden_in(sheet)))
    used = [name for name in list(found)[:_MOST_CLASSES] if document.select_one(f".{name}") is not None]
    return [name for name in used if not any(_shows(sheet, name) for sheet in sheets)]


def _shows(sheet: str, name: str) -> bool:
    """Whether any rule for a class shows it again, as on other screens."""
    at = sheet.find(f".{name}")
    for _ in range(_MOST_RULES):
        if at < 0:
            return False
        opening = sheet.find("{", at)
        body = sheet[opening : sheet.find("}", opening)] if opening >= 0 else ""
        if _SHOWS.search(body[:_LONGEST_BODY]):
            return True
        at = sheet.find(f".{name}", at + 1)
    return True


def _places(sheet: str) -> Iterator[int]:
    """Where a style sheet hides something; looking for fixed words is many times faster than for a pattern."""
    for words in _HIDES:
        at = sheet.find(words)
        while at >= 0:
            yield at
            at = sheet.find(words, at + 1)


def _hidden_in(sheet: str) -> list[str]:
    """The classes of rules that hide, outside of `@media` and its like; of plain selectors only."""
    found: list[str] = []
    depth = at = 0
    for start in sorted(_places(sheet)):
        opening = sheet.rfind("{", at, start)
        if opening < 0:
            continue
        depth += sheet.count("{", at, opening) - sheet.count("}", at, opening)
        at = opening
        if depth > 0:
            continue
        selectors = sheet[max(0, opening - _LONGEST_SELECTOR) : opening].rpartition("}")[2].rpartition("*/")[2]
        found += [simple[1] for one in selectors.split(",") if (simple := _SIMPLE.fullmatch(one))]
    return found


class TagScan:
    """The tags of a page by what they are called, in the order of the page."""

    __slots__ = ("_document", "_separate", "by")

    def __init__(self, document: Document, hiding: Iterable[str] = ()) -> None:
        self._document = document
        self._separate: dict[str, set[Element]] = {}
        self.by: dict[str, list[Element]] = {name: [] for name in (*_PATTERNS, "itemprop", "property")}
        """Tags by the keys above; those with an `itemprop` or, as in RDFa, a `property` separately."""
        roles: list[Element] = []
        known, by = _known, self.by
        for tag in document.select(_CLASSED):
            name = tag.attr("class") or ""
            keys = known.get(name)
            for key in _keys(name) if keys is None else keys:
                by[key].append(tag)
        for tag in document.select("[id]"):
            low = (tag.attr("id") or "")[:_LONGEST_NAME].lower()
            key = _IDS.get(low) or ("beside" if "comment" in low and _COMMENTS.match(low) else "")
            if key:
                by[key].append(tag)
        for tag in document.select("[itemprop], [role], [property]:not(meta)"):
            if tag.attr("itemprop"):
                self.by["itemprop"].append(tag)
            if tag.attr("property"):
                self.by["property"].append(tag)
            role = tag.attr("role")
            if role in _ROLES:
                roles.append(tag)
            elif role in ("doc-bibliography", "doc-endnotes"):
                self.by["sources"].append(tag)
        self._set_separate(roles, hiding)

    def _set_separate(self, roles: list[Element], hiding: Iterable[str]) -> None:
        """Marks what stands beside the main text. Of names on what holds the text itself nothing is concluded."""
        holders: set[object] = set()
        select = self._document.select
        inner = set(select("article article")[:_MOST_SEPARATE]) if len(select("article")) > 1 else set()
        mains = (tag for name in _MAIN for tag in select(name) if tag not in inner)
        for tag in islice(mains, _MOST_MAIN):
            # Bodies are called `has-sidebar`.
            holders.update(islice(chain((tag,), tag.ancestors), _MOST_ANCESTORS))
        # Nor of those on lines that say who wrote; but they may be hidden.
        around = frozenset(holders)
        holders.update(self.by["byline"])
        for tag in self.by["beside"]:
            name = (tag.attr("class") or tag.attr("id") or "").lower()
            if "comment" in name and _COMMENTED.search(name):
                self._mark(tag, holders, ALIEN)
            elif tag.tag not in _SMALL:
                self._mark(tag, holders, OTHERS if _OTHER_TEXTS.search(name) else NEAR)
        for tag in chain(roles, *(select(name) for name in _ALWAYS)):
            tag.attrs[BESIDE] = OTHERS
        for tag in inner:
            self._mark(tag, holders, OTHERS)
        for tag, value in self._find_headed_parts(holders):
            self._mark(tag, holders, value)
        named = select(", ".join([_ALIEN, *(f".{name}" for name in hiding)]))
        for tag in islice(chain(self.by["hidden"], named), _MOST_SEPARATE):
            # A whole page may be hidden until it is loaded, and a part of it on small screens only.
            if not _SHOWN.search(tag.attr("class") or "") and len(line_of(tag, _MOST_HIDDEN)) <= _MOST_HIDDEN:
                self._mark(tag, around, ALIEN)

    def _mark(self, tag: Element, holders: Set[object], value: str) -> None:
        if tag.tag not in ("html", "body") and tag not in holders:
            tag.attrs[BESIDE] = value

    def _find_headed_parts(self, holders: set[object]) -> Iterator[tuple[Element, str]]:
        """The parts under headings that announce other texts, or comments."""
        from turbohtml import Element as Tag

        for heading in self._document.select(_HEADINGS)[:_MOST_HEADINGS]:
            said = _HEADS.match(heading.text[:_LONGEST_HEADING].strip())
            if said is None:
                continue
            value = ALIEN if said["comments"] else OTHERS
            around = heading.parent
            if isinstance(around, Tag) and around.tag != "body" and around not in holders:
                yield around, value
                continue
            for tag in islice(heading.next_siblings, _MOST_SIBLINGS):
                if isinstance(tag, Tag):
                    if tag.tag == heading.tag:
                        break
                    yield tag, value

    def main(self, tags: Iterable[Element], limit: int) -> list[Element]:
        """At most so many of the tags, without those that stand beside the main text."""
        return [tag for tag in islice(tags, limit) if tag.closest(f"[{BESIDE}]") is None]

    def beside(self, what: str) -> set[Element]:
        """Which of the tags that a selector names stand beside the main text."""
        if what not in self._separate:
            self._separate[what] = set(self._document.select(f"[{BESIDE}] {what}, header {what}"))
        return self._separate[what]


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
