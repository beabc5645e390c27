"""When a page was published, as it says itself: every place that names a day, weighed against the others."""

from __future__ import annotations

import re
from datetime import date
from itertools import islice
from typing import TYPE_CHECKING

from msgspec import Struct

from .dates import DAY_FIRST, MONTH_FIRST, Day, add_days, order_in, read_date, read_day, read_seconds
from .domains import linked_host
from .labels import CHANGED, OTHER, SAYS_CHANGED, meaning_of, named_days
from .model import LAST_CHANGE, PageStatement
from .short_text import bare, line_of
from .visible_dates import BESIDE_TITLE, find_change_date, find_day_beside_title, find_day_elsewhere, has_numbers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from turbohtml import Document, Element

    from .head import PageHead
    from .tag_scan import TagScan
    from .visible_dates import TextLines, VisibleDate

TIME, RDFA = "time", "RDFa"
"""Places that name the only day of their kind, without saying that it is that of publication."""
_STATED = frozenset("datepublished date.issued issued date created publicationdate".split())
"""What RDFa calls a day of publication, without the prefix; Drupal says `dc:date dc:created`."""
_EVENTS = frozenset(
    "startdate enddate doortime validfrom validthrough pricevaliduntil expires birthdate deathdate foundingdate"
    " availabilitystarts availabilityends".split()
)
_LABELLING = 60
_NEAR = 5
_PUBLISHED = (
    "citation_publication_date citation_date citation_online_date citation_cover_date article:published_time"
    " og:article:published_time article:published og:published_time datepublished dc.date.issued dcterms.issued"
    " dc.date.publication dcterms.available prism.publicationdate rnews:datepublished parsely-pub-date sailthru.date"
    " cxenseparse:recs:publishtime cxenseparse:publishtime bt:pubdate shareaholic:article_published_time"
    " article.published article_date_original originalpublicationdate pubdate pub_date pubname_date publishdate"
    " publish-date publish_date published_time publication_date publicationdate published-date published_at published"
    " date.published date_published displaydate dateposted ptime govuk:first-published-at"
).split()
_VAGUE = "dc.date dcterms.date dcterms.created dc.date.created datecreated created creation_date timestamp date".split()
"""What was done on that day is unknown; programs write into them when they made the file."""
_UNSAID = [f"meta {name}" for name in _VAGUE]
_MODIFIED = (
    "article:modified_time og:updated_time og:modified_time datemodified dcterms.modified dc.date.modified"
    " last-modified lastmod revised date.modified govuk:public-updated-at"
).split()
_SCRIPTED = re.compile(
    # Example: `"datePublished": "2023-11-03T08:00"`.
    r"""
    \\?"(?:datePublished|date_published|publishedAt|published_at|publishDate|publish_date|publishedDate
    |published_time
    |publishedTime|publicationDate|pubDate|pub_date|firstPublished|firstPublishedAt|first_published_at|datePosted
    |originalPublicationDate)\\?"\s{0,4}:\s{0,4}\\?"?([^"\\,}]{8,40})
    """,
    re.IGNORECASE | re.VERBOSE,
)
_ADDRESS = (
    re.compile(r"/(?P<y>(?:19|20)\d\d)[/_-](?P<m>\d{1,2}|[a-z]{3,9})[/_-](?P<d>\d{1,2})(?=[/_.?#-]|\Z)", re.IGNORECASE),
    re.compile(r"(?<![\d])(?P<y>20\d\d)-(?P<m>[01]\d)-(?P<d>[0-3]\d)(?!\d)"),
    re.compile(r"(?<![\d])(?P<y>20[0-4]\d)(?P<m>[01]\d)(?P<d>[0-3]\d)(?!\d)"),
    re.compile(r"[/_-](?P<d>[0-3]\d)[/_-](?P<m>[01]\d)[/_-](?P<y>20\d\d)(?=[/_.-]|\Z)"),
)
_ABROAD = frozenset("uk ie au nz in za ng ke pk gh sg my hk ca eu".split())
_ORDERLESS = frozenset("us jp cn kr tw io co tv me ai fm to cc ly gg so ph".split())
"""Countries that write the month or the year first, and those whose names are used all over the world."""
_FIRST_PAGES = 1991
_MOST = 20
_MOST_SCRIPTS = 40
_MOST_SCRIPTED = 1_000_000
_LONGEST = 300


class MarkedDay(Struct, frozen=True):
    """A day, and the place that names it."""

    day: Day
    place: str


def marked_days(document: Document, scan: TagScan, order: str) -> Iterator[MarkedDay]:
    """Dates that the markup of the text calls those of publication; of several times, the only one in the article."""
    properties = [tag for tag in scan.by["itemprop"] if has_property(tag, "datepublished")]
    times = [tag for tag in scan.main(document.select("time"), _MOST) if not _is_other(tag)]
    changed = set(scan.by["changed"])
    for tag in [
        *scan.main(properties, _MOST),
        *(tag for tag in times if tag.attr("pubdate") is not None),
        *(tag for tag in scan.main(scan.by["dated"], _MOST) if tag not in changed or tag.tag == "time"),
    ]:
        day = _day_of(tag, order)
        if day is not None:
            yield MarkedDay(day, "time" if tag.tag == "time" else "date in the text")
            return
    stated = scan.main((tag for tag in scan.by["property"] if _states(tag)), _MOST)
    known = [tag for tag in times if tag not in changed and not has_property(tag, "datemodified")]
    for place, tags in ((RDFA, stated), (TIME, known), (TIME, _near_title(document, known))):
        days = {day.iso: day for tag in tags if (day := _day_of(tag, order)) is not None}
        if len(days) == 1:
            yield MarkedDay(next(iter(days.values())), place)
            return
    days = {day.iso: day for tag in scan.main(scan.by["dateline"], _MOST) if (day := _line_day(tag, order)) is not None}
    if len(days) == 1:
        yield MarkedDay(next(iter(days.values())), "byline")


def _states(tag: Element) -> bool:
    """Whether RDFa calls it a day of publication, or a day and nothing more."""
    names = (tag.attr("property") or "").lower().split()
    return any(name.rpartition(":")[2].rpartition("/")[2] in _STATED for name in names)


def _is_other(tag: Element) -> bool:
    """Whether a time is that of an event, a deadline, a change or the like, by its name or by the words before it."""
    if not _EVENTS.isdisjoint((tag.attr("itemprop") or "").lower().split()):
        return True
    around: object = tag
    for _ in range(_NEAR - 2):
        before = getattr(around, "previous_siblings", ())
        said = " ".join(
            reversed([text for one in islice(before, 3) if (text := " ".join(one.text[:_LABELLING].split()))])
        )
        if said:
            return meaning_of(f"{said.lower()} ") in (OTHER, CHANGED)
        around = getattr(around, "parent", None)
    return False


def has_property(tag: Element, name: str) -> bool:
    """Whether microdata calls a tag so, in lower case."""
    return name in (tag.attr("itemprop") or "").lower().split()


def _day_of(tag: Element, order: str) -> Day | None:
    for text in (tag.attr("datetime"), tag.attr("content"), tag.attr("title")):
        day = read_day(text, order) if text else None
        if day is not None:
            return day
    return _line_day(tag, order)


def _line_day(tag: Element, order: str) -> Day | None:
    """The only day in a short line."""
    text = line_of(tag, _LONGEST)
    if len(text) > _LONGEST:
        return None
    named = named_days(text, order)
    days = {one.day for one in named if one.meaning not in (CHANGED, OTHER)}
    return Day(days.pop()) if len(days) == 1 and not (SAYS_CHANGED.search(text.lower()) and len(named) == 1) else None


def _near_title(document: Document, times: list[Element]) -> list[Element]:
    """The times in the smallest part of the page that holds its heading and any of them."""
    heading = document.select_one("h1")
    if heading is None or not times:
        return []
    known = set(times)
    for around in islice(heading.ancestors, _NEAR):
        inside = [tag for tag in around.select("time")[:_MOST] if tag in known]
        if inside:
            return inside
    return []


class PublicationDate(Struct, frozen=True):
    """When a page was published, and why that is not certain."""

    said: PageStatement | None = None
    unsure: str = ""
    other: str = ""
    """The day that another place says."""


class DatePlaces:
    """Every place in the markup of a page that names a day; taken before the text is laid out."""

    __slots__ = ("_changed", "_found", "_last", "_sent", "_weak", "order", "titles")

    def __init__(
        self, head: PageHead, document: Document, scan: TagScan, scripted: str, changed: str = "", seen: str = ""
    ) -> None:
        self.titles = _titles(head)
        self.order = _page_order(head, document)
        self._found = [*_read_declared_dates(head, self.order), *marked_days(document, scan, self.order)]
        self._found += _find_url_date(head.url)
        # Somewhere it is tomorrow already.
        self._last = add_days(seen[:10], 1) if seen else ""
        self._weak = [MarkedDay(Day(scripted), "script")] if scripted else []
        created = read_day(head.linked.text("dateCreated"), self.order)
        self._weak += [MarkedDay(created, "JSON-LD dateCreated")] if created is not None else []
        self._weak += _read_meta_dates(head, _VAGUE, self.order)
        self._changed = _find_modified_date(head, scan, self.order)
        self._sent = read_date(changed)
        if self._last:
            # What is to come is an event, or a slip.
            self._found = [one for one in self._found if one.day.iso <= self._last]
            self._weak = [one for one in self._weak if one.day.iso <= self._last]

    def decide(self, lines: TextLines) -> PublicationDate:
        """The day on which the page says it was published; of a change only where it says nothing else."""
        if not self.order and has_numbers(lines):
            self.order = order_in("\n".join(lines.dated))
        beside = find_day_beside_title(lines, self.order, self._last)
        shown = [MarkedDay(Day(beside.day), beside.place)] if beside is not None else []
        far = beside is not None and beside.far and not beside.said
        found = [*self._found, *shown, *self._weak]
        if not found:
            return self._guess_date(lines)
        best = found[0]
        if beside is not None and self._prefers(beside, best):
            best = shown[0]
        others = found if beside is None or beside.clear or best in shown else [*self._found, *self._weak]
        day = _local_day(best, [*shown, *others] if beside is not None and (beside.clear or beside.close) else others)
        answer = _note_conflicting_date(day, best, others)
        agreed = sum(one.day.iso == day for one in others) > 1
        if answer.unsure or agreed or best.place not in (*_UNSAID, *((BESIDE_TITLE,) if far else ())):
            return answer
        return PublicationDate(answer.said, f"{best.place} says {day}, and not that it is the day of publication")

    def _prefers(self, beside: VisibleDate, best: MarkedDay) -> bool:
        """Whether the day beside the title is believed before another place.

        It is before a time somewhere in the page, and before a day of publication that is that of the last change: a
        program wrote the one into both.
        """
        if not beside.clear or not beside.close or beside.day == best.day.iso:
            return False
        if best.place in (TIME, RDFA):
            return True
        change = self._changed.value if self._changed is not None else ""
        return change == best.day.iso and beside.day < change

    def _guess_date(self, lines: TextLines) -> PublicationDate:
        """What only stands somewhere in the text; else the last change."""
        self.order = self.order or order_in("\n".join(lines.dated))
        shown = find_day_elsewhere(lines, self.order, self._last)
        changed = self._changed
        if changed is None and (day := find_change_date(lines, self.order, self._last)):
            changed = PageStatement(day, f"text {LAST_CHANGE}")
        elif changed is None and self._sent:
            changed = PageStatement(self._sent, f"Last-Modified {LAST_CHANGE}")
        if shown is None or (changed is not None and not shown.clear):
            return PublicationDate(changed)
        if shown.clear:
            return PublicationDate(PageStatement(shown.day, shown.place))
        doubt = f"{shown.day} is the only date in the text, which does not say that it is the day of publication"
        return PublicationDate(PageStatement(shown.day, shown.place), doubt)


def _local_day(best: MarkedDay, others: list[MarkedDay]) -> str:
    """Of a moment that is another day elsewhere, the day that the page shows its readers."""
    day = best.day.iso
    local = [one.day.iso for one in others if not one.day.others]
    if not best.day.others or day in local:
        return day
    return next((other for other in local if other in best.day.others), day)


def _titles(head: PageHead) -> list[str]:
    """What may stand above the text: headings that the title has too, the titles, other headings."""
    given = [head.meta("og:title")[0], head.linked.text("headline"), head.title]
    known = [bare(one) for one in given if one]
    first = [one for one in head.headings if any(bare(one) and bare(one) in title for title in known)]
    return [*sorted(first, key=len, reverse=True), *filter(None, given), *head.headings]


def _note_conflicting_date(day: str, best: MarkedDay, found: list[MarkedDay]) -> PublicationDate:
    """The day, and another place that is more than a day away from it where there is one."""
    at = date.fromisoformat(day)
    for other in found:
        if other.place != "script" and abs((date.fromisoformat(other.day.iso) - at).days) > 1:
            doubt = f"{best.place} says {best.day.iso}, {other.place} says {other.day.iso}"
            return PublicationDate(PageStatement(day, best.place), doubt, other.day.iso)
    return PublicationDate(PageStatement(day, best.place))


def script_date(document: Document, head: PageHead) -> str:
    """The only day that the scripts of a page call that of publication; asked only where its head has none."""
    if head.linked.text("datePublished") or not head.metas.keys().isdisjoint(_PUBLISHED):
        return ""
    days: set[str] = set()
    size = 0
    for tag in document.select("script:not([src])")[:_MOST_SCRIPTS]:
        text = tag.text
        size += len(text)
        if size > _MOST_SCRIPTED:
            break
        days.update(read_date(found[1]) or read_seconds(found[1]) for found in _SCRIPTED.finditer(text))
    days.discard("")
    return days.pop() if len(days) == 1 else ""


def _page_order(head: PageHead, document: Document) -> str:
    """Whether the page's readers write the day or the month first; empty where its language does not tell."""
    top = document.select_one("html")
    given = (top.attr("lang") or top.attr("xml:lang") or "") if top is not None else ""
    language = (given or head.meta("og:locale", "content-language", "language")[0]).strip().lower().replace("_", "-")
    country = linked_host(head.url).rpartition(".")[2]
    if not language:
        return DAY_FIRST if len(country) == 2 and country not in _ORDERLESS else ""
    name, _, region = language.partition("-")
    if name != "en":
        return "" if name in ("ja", "zh", "ko") or not name.isalpha() else DAY_FIRST
    if region[:2] == "us" and country not in _ABROAD:
        return MONTH_FIRST
    return DAY_FIRST if region[:2] in ("gb", *_ABROAD) or country in _ABROAD else ""


def _read_declared_dates(head: PageHead, order: str) -> Iterator[MarkedDay]:
    """What the head says, the most telling first."""
    for key in ("datePublished", "uploadDate"):
        day = read_day(head.linked.text(key), order)
        if day is not None:
            yield MarkedDay(day, f"JSON-LD {key}")
            break
    yield from _read_meta_dates(head, _PUBLISHED, order)


def _read_meta_dates(head: PageHead, names: list[str], order: str) -> Iterator[MarkedDay]:
    for name in names:
        for value in head.metas.get(name, ())[:3]:
            day = read_day(value, order)
            seconds = "" if day is not None else read_seconds(value)
            if day is not None or seconds:
                yield MarkedDay(day or Day(seconds), f"meta {name}")
                break


def _find_url_date(url: str) -> Iterator[MarkedDay]:
    """The day in the address of the page."""
    path = url.partition("://")[2].partition("/")[2].partition("?")[0][:500]
    for pattern in _ADDRESS:
        found = pattern.search(f"/{path}")
        if found is None:
            continue
        parts = ("d", "m", "y") if found["m"].isalpha() else ("y", "m", "d")
        day = read_date(("-" if parts[0] == "y" else " ").join(found[part] for part in parts))
        if day and int(day[:4]) >= _FIRST_PAGES:
            yield MarkedDay(Day(day), "address")
            return


def _find_modified_date(head: PageHead, scan: TagScan, order: str) -> PageStatement | None:
    day = read_date(head.linked.text("dateModified"))
    if day:
        return PageStatement(day, f"JSON-LD dateModified {LAST_CHANGE}")
    for name in _MODIFIED:
        for value in head.metas.get(name, ())[:3]:
            day = read_date(value, order)
            if day:
                return PageStatement(day, f"meta {name} {LAST_CHANGE}")
    properties = [tag for tag in scan.by["itemprop"] if has_property(tag, "datemodified")]
    for tag in [*properties[:_MOST], *scan.by["changed"][:_MOST]]:
        day = read_date(tag.attr("datetime") or tag.attr("content") or line_of(tag, _LONGEST), order)
        if day:
            return PageStatement(day, f"time {LAST_CHANGE}")
    return None
