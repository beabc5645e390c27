"""A web page, a text or a PDF as a page: what a reader sees of it, and what it says of itself."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..core.errors import Unreadable
from ..core.libraries import describe_missing
from .authors import Writers, format_authors
from .body import MARKS, codec_name
from .dates import read_date
from .domains import linked_host, registrable
from .head import page_title, read_head, site_name
from .model import Page, PageStatement
from .names import names_in, split_people
from .publication_date import DatePlaces, script_date
from .references import count_by_markup, count_references, count_sources
from .short_text import tidy
from .tag_scan import TagScan, hiding_classes
from .visible import extract_visible_text, remove_hidden_tags
from .visible_dates import TextLines

if TYPE_CHECKING:
    from turbohtml import Document

    from .head import PageHead

__all__ = ["from_pdf", "read_html", "read_plain"]

_FIRST_PAGE = 4000
_TITLED = re.compile(r"\s*(?:#\s+(\S[^\n]{0,200})|(\S[^\n]{0,200})\n(?:={3,}|-{3,})\s*\n)")
_FIELD = re.compile(r"[^\S\n]*(authors?|date|published)[^\S\n]*:[^\S\n]*(\S[^\n]{0,200})", re.IGNORECASE)
_FORUM = re.compile(
    r"discourse|phpbb|vbulletin|xenforo|mybb|invision|flarum|nodebb|vanilla forum|simple machines", re.I
)
_TECHNICAL = re.compile(
    r"sphinx|mkdocs|docusaurus|doxygen|javadoc|gitbook|antora|asciidoctor|vuepress|vitepress|rustdoc|pdoc|docfx|docbook"
    r"|docutils|mdbook|starlight|readthedocs|read the docs|xml2rfc|bikeshed|respec|makeinfo|texinfo|gtk-doc|pandoc",
    re.IGNORECASE,
)
_BLOG = re.compile(
    r"wordpress|ghost|blogger|hugo|jekyll|medium|substack|movable type|typepad|eleventy|hexo|pelican", re.I
)
_FEW_CODE_BLOCKS = 2
_MOUNTS = (
    "#root, #app, #__next, #___gatsby, #__nuxt, #svelte, #app-root, #react-root, #main-app, [ng-app], [ng-version], "
    "app-root, [data-reactroot], #ember-app, #q-app"
)
_WITHOUT = re.compile(
    # Examples: `Please enable JavaScript`, `JavaScript is required`.
    r"""
    (?:enable|requires?|needs?|turn(?:ed)?\ on|activate|without|support)[^.]{0,40}\bjava\s?script\b
    |\bjava\s?script\b[^.]{0,40}(?:enabled?|required|disabled|turned\ off|activated|needed)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_FEW_WORDS = 60
_HARDLY_ANY = 25
_MUCH_SCRIPT = 20_000


def read_html(data: bytes, charset: str, url: str, changed: str = "", seen: str = "") -> Page:
    """A web page; the charset is what came with it, else the page's own or a guess. Unreadable without turbohtml.

    `changed` is when its server says that it was changed last, `seen` the day on which it was got (`YYYY-MM-DD`):
    a later day is to come, and none of publication.
    """
    document = _parse_html(data, charset)
    head = read_head(document, url)
    scripts = _Scripts(document)
    scripted = script_date(document, head)
    hiding = hiding_classes(document)
    remove_hidden_tags(document)
    scan = TagScan(document, hiding)
    site = site_name(head)
    host = registrable(linked_host(url))
    places = DatePlaces(head, document, scan, scripted, changed, seen)
    writers = Writers(head, document, scan, site)
    counts = count_by_markup(head, document, scan)
    # Laying out the text changes the tree: lists and tables are counted before.
    text, marks, separate = extract_visible_text(document, scan)
    lines = TextLines(text, places.titles, separate)
    published = places.decide(lines)
    found = writers.decide(lines, places.order)
    needs_script = scripts.needed(text, document)
    count, where = (None, "") if needs_script else count_sources(counts, head, text)
    return Page(
        "html",
        (text,),
        marks=marks,
        title=page_title(head, site.value if site is not None else "", host.split(".")[0]),
        author=format_authors(found),
        author_confirmed=writers.confirm(found, lines),
        published=published.said,
        date_unsure=published.unsure,
        date_other=published.other,
        site=site,
        references=count,
        references_from=where,
        needs_script=needs_script,
        signed_kind=_signed_kind(head, document, scan),
    )


def _parse_html(data: bytes, charset: str) -> Document:
    try:
        from turbohtml import parse
    except ImportError:
        raise Unreadable(describe_missing("turbohtml")) from None
    if charset:
        try:
            return parse(data, encoding=charset)
        except (LookupError, ValueError):
            # An unknown name says nothing.
            pass
    return parse(data, detect_encoding=True)


def read_plain(data: bytes, charset: str) -> Page:
    """A text without markup; the charset is what came with it."""
    known = next((name for mark, name in MARKS if data.startswith(mark)), "") or codec_name(charset)
    try:
        text = data.decode(known or "utf-8")
    except UnicodeDecodeError:
        text = data.decode(known or "cp1252", "replace")
    title, author, published = _read_stated_metadata(text)
    count, where = count_references((text,))
    return Page(
        "text",
        (text,),
        title=title,
        author=author,
        published=published,
        references=count,
        references_from=where,
    )


def _read_stated_metadata(text: str) -> tuple[str, PageStatement | None, PageStatement | None]:
    """Title, author and date that the first lines of a text state in so many words."""
    titled = _TITLED.match(text)
    title = tidy(titled[1] or titled[2]) if titled is not None else ""
    author = published = None
    for line in text[:8000].split("\n")[:40]:
        field = _FIELD.match(line)
        if field is None:
            continue
        if field[1].lower().startswith("author"):
            names = split_people(field[2])
            author = author or (PageStatement("; ".join(names[:10]), "line of the text") if names else None)
        else:
            day = read_date(field[2])
            published = published or (PageStatement(day, "line of the text") if day else None)
    return title, author, published


def from_pdf(pages: tuple[str, ...], title: str, authors: str, created: str, boxes: tuple[bytes, ...] = ()) -> Page:
    """A PDF whose text was extracted, with what its own metadata says."""
    names = split_people(authors)
    first = pages[0][:_FIRST_PAGE] if pages else ""
    shown = next((name for name in names if names_in(name, first)), "")
    day = read_date(created)
    count, where = count_references(pages)
    return Page(
        "pdf",
        pages,
        boxes=boxes,
        title=_clean_pdf_title(title),
        author=PageStatement("; ".join(names[:10]), "PDF author") if names else None,
        author_confirmed=PageStatement(shown, "first page") if shown else None,
        published=PageStatement(day, "PDF creation date") if day else None,
        references=count,
        references_from=where,
    )


def _clean_pdf_title(title: str) -> str:
    """The title of a PDF, unless it is what a program called the file."""
    text = tidy(title)
    low = text.lower()
    if low.startswith(("microsoft word", "untitled", "microsoft powerpoint")) or low.endswith(
        (".doc", ".docx", ".pdf", ".tex", ".dvi", ".indd", ".ppt", ".pptx", ".qxd")
    ):
        return ""
    return text


def _signed_kind(head: PageHead, document: Document, scan: TagScan) -> str:
    """`forum`, `technical`, `blog` or empty, by the program that made the page and by its markup."""
    generator = " ".join(head.metas.get("generator", ()))[:500]
    types = head.linked.types
    if _FORUM.search(generator) or types & {"discussionforumposting", "qapage"} or scan.by["forum"]:
        return "forum"
    if (
        _TECHNICAL.search(generator)
        or types & {"techarticle", "apireference", "softwaresourcecode"}
        or scan.by["technical"]
        or len(document.select("pre")) >= _FEW_CODE_BLOCKS
    ):
        return "technical"
    if _BLOG.search(generator) or types & {"blogposting", "blog"} or scan.by["blog"]:
        return "blog"
    return ""


class _Scripts:
    """What the scripts of a page tell, taken before they are removed."""

    __slots__ = ("_asks", "_bundles", "_size")

    def __init__(self, document: Document) -> None:
        noscript = " ".join(tag.text[:2000] for tag in document.select("noscript")[:20])
        self._asks = _WITHOUT.search(noscript[:8000]) is not None
        scripts = [tag for tag in document.select("script")[:500] if "json" not in (tag.attr("type") or "")]
        self._bundles = sum(1 for tag in scripts if tag.attr("src"))
        self._size = sum(len(tag.text) for tag in scripts)

    def needed(self, text: str, document: Document) -> bool:
        """Whether this text is only what is there before the scripts ran."""
        words = len(text[:4000].split())
        if words > _FEW_WORDS or not (self._bundles or self._size):
            return False
        if self._asks or _WITHOUT.search(text[:2000]):
            return True
        if words > _HARDLY_ANY:
            return False
        return self._size > _MUCH_SCRIPT or document.select_one(_MOUNTS) is not None
