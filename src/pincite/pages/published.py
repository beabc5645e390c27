"""When a page was published, as it says itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .dates import date_within, read_date
from .model import LAST_CHANGE, Said
from .tidy import line_of

if TYPE_CHECKING:
    from turbohtml import Document

    from .head import Head
    from .scan import Scan

_PUBLISHED = (
    "citation_publication_date",
    "citation_date",
    "citation_online_date",
    "citation_cover_date",
    "article:published_time",
    "og:article:published_time",
    "article:published",
    "datepublished",
    "dc.date",
    "dc.date.issued",
    "dcterms.issued",
    "dcterms.date",
    "dcterms.created",
    "dc.date.created",
    "prism.publicationdate",
    "parsely-pub-date",
    "sailthru.date",
    "pubdate",
    "publishdate",
    "publish-date",
    "publication_date",
    "date.published",
    "govuk:first-published-at",
    "date",
)
_MODIFIED = (
    "article:modified_time",
    "og:updated_time",
    "datemodified",
    "dcterms.modified",
    "dc.date.modified",
    "last-modified",
    "revised",
    "govuk:public-updated-at",
)
_MOST = 20
_LONGEST = 300


def publication(head: Head, document: Document, scan: Scan) -> Said | None:
    """The day on which the page says it was published; of a change only where it says nothing else, and named so."""
    return _declared(head) or _marked(document, scan) or _shown(scan) or _modified(head, scan)


def _declared(head: Head) -> Said | None:
    day = read_date(head.linked.text("datePublished", "dateCreated", "uploadDate"))
    if day:
        key = "datePublished" if read_date(head.linked.text("datePublished")) else "dateCreated"
        return Said(day, f"JSON-LD {key}")
    for name in _PUBLISHED:
        for value in head.metas.get(name, ())[:3]:
            day = read_date(value)
            if day:
                return Said(day, f"meta {name}")
    return None


def _marked(document: Document, scan: Scan) -> Said | None:
    """A date that the markup of the text calls that of publication; of several times, the only one in the article."""
    properties = [tag for tag in scan.by["itemprop"] if "datePublished" in (tag.attr("itemprop") or "").split()]
    times = scan.main(document.select("time"), _MOST)
    changed = set(scan.by["changed"])
    for tag in [
        *scan.main(properties, _MOST),
        *(tag for tag in times if tag.attr("pubdate") is not None),
        *(tag for tag in scan.main(scan.by["dated"], _MOST) if tag not in changed or tag.tag == "time"),
    ]:
        day = read_date(tag.attr("datetime") or tag.attr("content") or tag.attr("title") or line_of(tag, _LONGEST))
        if day:
            return Said(day, "time" if tag.tag == "time" else "date in the text")
    known = [tag for tag in times if tag not in changed and "dateModified" not in (tag.attr("itemprop") or "")]
    days = {day for tag in known if (day := read_date(tag.attr("datetime") or ""))}
    return Said(days.pop(), "time") if len(days) == 1 else None


def _shown(scan: Scan) -> Said | None:
    """The date in a byline, where all bylines have the same one."""
    days = set()
    for tag in scan.main(scan.by["dateline"], _MOST):
        text = line_of(tag, _LONGEST)
        if len(text) <= _LONGEST and "updated" not in text.lower():
            days.add(date_within(text))
    days.discard("")
    return Said(days.pop(), "byline") if len(days) == 1 else None


def _modified(head: Head, scan: Scan) -> Said | None:
    day = read_date(head.linked.text("dateModified"))
    if day:
        return Said(day, f"JSON-LD dateModified {LAST_CHANGE}")
    for name in _MODIFIED:
        for value in head.metas.get(name, ())[:3]:
            day = read_date(value)
            if day:
                return Said(day, f"meta {name} {LAST_CHANGE}")
    properties = [tag for tag in scan.by["itemprop"] if "dateModified" in (tag.attr("itemprop") or "").split()]
    for tag in [*properties[:_MOST], *scan.by["changed"][:_MOST]]:
        day = read_date(tag.attr("datetime") or tag.attr("content") or line_of(tag, _LONGEST))
        if day:
            return Said(day, f"time {LAST_CHANGE}")
    return None
