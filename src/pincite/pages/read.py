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
from .hidden import hiding_classes
from .model import Page, Said
from .names import names_in, split_people
from .page_kind import Scripts, signed_kind
from .publication_date import DatePlaces, script_date
from .references import count_by_markup, count_references, count_sources
from .short_text import tidy
from .tag_scan import TagScan
from .visible import extract_visible_text, remove_hidden_tags
from .visible_dates import TextLines

if TYPE_CHECKING:
    from turbohtml import Document

__all__ = ["from_pdf", "read_html", "read_plain"]

_FIRST_PAGE = 4000
_TITLED = re.compile(r"\s*(?:#\s+(\S[^\n]{0,200})|(\S[^\n]{0,200})\n(?:={3,}|-{3,})\s*\n)")
_FIELD = re.compile(r"[^\S\n]*(authors?|date|published)[^\S\n]*:[^\S\n]*(\S[^\n]{0,200})", re.IGNORECASE)


def read_html(data: bytes, charset: str, url: str, changed: str = "", seen: str = "") -> Page:
    """A web page; the charset is what came with it, else the page's own or a guess. Unreadable without turbohtml.

    `changed` is when its server says that it was changed last, `seen` the day on which it was got (`YYYY-MM-DD`):
    a later day is to come, and none of publication.
    """
    document = _parse_html(data, charset)
    head = read_head(document, url)
    scripts = Scripts(document)
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
        signed_kind=signed_kind(head, document, scan),
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


def _read_stated_metadata(text: str) -> tuple[str, Said | None, Said | None]:
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
            author = author or (Said("; ".join(names[:10]), "line of the text") if names else None)
        else:
            day = read_date(field[2])
            published = published or (Said(day, "line of the text") if day else None)
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
        author=Said("; ".join(names[:10]), "PDF author") if names else None,
        author_confirmed=Said(shown, "first page") if shown else None,
        published=Said(day, "PDF creation date") if day else None,
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
