"""Days that the markup of a page's text names: microdata, RDFa, `<time>`, and classes that speak of dates."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from msgspec import Struct

from .dates import Day, read_day
from .labels import CHANGED, OTHER, SAYS_CHANGED, meaning_of, named_days
from .short_text import line_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from turbohtml import Document, Element

    from .tag_scan import TagScan

TIME, RDFA = "time", "RDFa"
"""Places that name the only day of their kind, without saying that it is that of publication."""
_STATED = frozenset("datepublished date.issued issued date created publicationdate".split())
"""What RDFa calls a day of publication, without the prefix; Drupal says `dc:date dc:created`."""
_EVENTS = frozenset(
    "startdate enddate doortime validfrom validthrough pricevaliduntil expires birthdate deathdate foundingdate"
    " availabilitystarts availabilityends".split()
)
_LABELLING = 60
_MOST = 20
_LONGEST = 300
_NEAR = 5


class Dated(Struct, frozen=True):
    """A day, and the place that names it."""

    day: Day
    place: str


def marked_days(document: Document, scan: TagScan, order: str) -> Iterator[Dated]:
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
            yield Dated(day, "time" if tag.tag == "time" else "date in the text")
            return
    stated = scan.main((tag for tag in scan.by["property"] if _states(tag)), _MOST)
    known = [tag for tag in times if tag not in changed and not has_property(tag, "datemodified")]
    for place, tags in ((RDFA, stated), (TIME, known), (TIME, _near_title(document, known))):
        days = {day.iso: day for tag in tags if (day := _day_of(tag, order)) is not None}
        if len(days) == 1:
            yield Dated(next(iter(days.values())), place)
            return
    days = {day.iso: day for tag in scan.main(scan.by["dateline"], _MOST) if (day := _line_day(tag, order)) is not None}
    if len(days) == 1:
        yield Dated(next(iter(days.values())), "byline")


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
    for count, around in enumerate(heading.ancestors):
        if count == _NEAR:
            break
        inside = [tag for tag in _times_in(around) if tag in known]
        if inside:
            return inside
    return []


def _times_in(tag: object) -> Iterable[Element]:
    from turbohtml import Element as Tag

    return tag.select("time")[:_MOST] if isinstance(tag, Tag) else ()
