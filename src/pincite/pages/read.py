"""A web page, a text or a PDF as a page: what a reader sees of it, and what it says of itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.errors import Unreadable
from .author_witness import AuthorWitness as Asked
from .author_witness import confirmed
from .authors import Writers, said
from .bylines import Signed
from .dates import read_date
from .domains import linked_host, registrable
from .head import page_title, read_head, site_name, site_names
from .hidden import hiding_classes
from .model import Page, Said
from .names import names_in, people
from .page_kind import Scripts, signed_kind
from .plain_text import decoded, references, stated
from .publication_date import DatePlaces, script_date
from .references import counted, referred
from .short_text import tidy
from .tag_scan import TagScan
from .visible import show, visible
from .visible_dates import TextLines

if TYPE_CHECKING:
    from turbohtml import Document

__all__ = ["from_pdf", "read_html", "read_plain"]

_FIRST_PAGE = 4000


def read_html(data: bytes, charset: str, url: str, changed: str = "", seen: str = "") -> Page:
    """A web page; the charset is what came with it, else the page's own or a guess. Unreadable without turbohtml.

    `changed` is when its server says that it was changed last, `seen` the day on which it was got (`YYYY-MM-DD`):
    a later day is to come, and none of publication.
    """
    document = _parsed(data, charset)
    head = read_head(document, url)
    scripts = Scripts(document)
    scripted = script_date(document, head)
    hiding = hiding_classes(document)
    show(document)
    scan = TagScan(document, hiding)
    site = site_name(head)
    host = registrable(linked_host(url))
    places = DatePlaces(head, document, scan, scripted, changed, seen)
    signed = Signed(document, scan)
    called = site_names(head, site)
    writers = Writers(head, signed, called)
    asked = Asked(head, document, scan, signed, site, called)
    counts = counted(head, document, scan)
    # Laying out the text changes the tree: lists and tables are counted before.
    text, marks, apart = visible(document, scan)
    lines = TextLines(text, places.titles, apart)
    published = places.decide(lines)
    found = writers.decide(lines, places.order)
    needs_script = scripts.needed(text, document)
    count, where = (None, "") if needs_script else referred(counts, head, text)
    return Page(
        "html",
        (text,),
        marks=marks,
        title=page_title(head, site.value if site is not None else "", host.split(".")[0]),
        author=said(found),
        author_confirmed=confirmed(found, asked, lines),
        published=published.said,
        date_unsure=published.unsure,
        date_other=published.other,
        site=site,
        references=count,
        references_from=where,
        needs_script=needs_script,
        signed_kind=signed_kind(head, document, scan),
    )


def _parsed(data: bytes, charset: str) -> Document:
    try:
        from turbohtml import parse
    except ImportError:
        raise Unreadable("HTML needs turbohtml: pip install pincite[research]") from None
    if charset:
        try:
            return parse(data, encoding=charset)
        except (LookupError, ValueError):
            # A name that nobody knows says nothing.
            pass
    return parse(data, detect_encoding=True)


def read_plain(data: bytes, charset: str) -> Page:
    """A text without markup; the charset is what came with it."""
    text = decoded(data, charset)
    title, author, published = stated(text)
    count, where = references((text,))
    return Page(
        "text",
        (text,),
        title=title,
        author=author,
        published=published,
        references=count,
        references_from=where,
    )


def from_pdf(pages: tuple[str, ...], title: str, authors: str, created: str, boxes: tuple[bytes, ...] = ()) -> Page:
    """A PDF whose text was extracted, with what its own metadata says."""
    names = people(authors)
    first = pages[0][:_FIRST_PAGE] if pages else ""
    shown = next((name for name in names if names_in(name, first)), "")
    day = read_date(created)
    count, where = references(pages)
    return Page(
        "pdf",
        pages,
        boxes=boxes,
        title=_named(title),
        author=Said("; ".join(names[:10]), "PDF author") if names else None,
        author_confirmed=Said(shown, "first page") if shown else None,
        published=Said(day, "PDF creation date") if day else None,
        references=count,
        references_from=where,
    )


def _named(title: str) -> str:
    """The title of a PDF, unless it is what a program called the file."""
    text = tidy(title)
    low = text.lower()
    if low.startswith(("microsoft word", "untitled", "microsoft powerpoint")) or low.endswith(
        (".doc", ".docx", ".pdf", ".tex", ".dvi", ".indd", ".ppt", ".pptx", ".qxd")
    ):
        return ""
    return text
