"""Who wrote, as the visible page says: what its markup calls an author, and the lines around its title."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from .dates import dates_within
from .names import begins_byline, clean_name, is_explicit_byline, is_name, is_personal_name, parse_byline, split_people
from .short_text import bare, line_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from turbohtml import Document, Element

    from .head import JsonLdAuthor
    from .tag_scan import TagScan
    from .visible_dates import TextLines

LONGEST_LINE = 400
MOST_TAGS = 60
MARKED, LINKED, CARD, BYLINE, NAMED = "microdata author", "rel=author", "h-card", "byline", "author tag"
TEXT, DATED = "byline in the text", "line with the date"
VISIBLE = (MARKED, LINKED, CARD, BYLINE, NAMED, TEXT, DATED)
"""The places that a reader sees; the others are seen by machines only."""
CLEAR = (BYLINE, TEXT, MARKED, CARD, LINKED)
"""Those of them that say in so many words who wrote."""
_FEW = 3
_INSIDE = re.compile(r"(?:\b(?:by|von|par|por|door|przez|av|af|verfasst von|posted by))\s+(?=[^\W\d_])", re.IGNORECASE)
_AROUND = re.compile(r"\s*(?:[|·•»/,;–—-]|\s@\s)+\s*|\s{2,}")
_TIMES = re.compile(r"\b\d{1,2}[:.]\d\d(?::\d\d)?\b(?:\s?(?:uhr|h|am|pm|a\.m\.|p\.m\.|[A-Z]{2,4}))?", re.IGNORECASE)
_BELOW, _ABOVE = 14, 5
_CLOSE = 5
_ROOM = 200
_SHORT = 120
_FIRST, _LAST = 150, 80
_HANDLE = re.compile(r"[^\W\d_][\w.-]{2,30}")


class FoundAuthors(Struct, frozen=True):
    """The authors of a page by the place that names them, in the order in which places are believed."""

    place: str
    names: tuple[str, ...]
    linked: tuple[JsonLdAuthor, ...] = ()


def read_signed(document: Document, scan: TagScan) -> tuple[list[FoundAuthors], list[str]]:
    """Whom the markup of the visible page calls its author, by place, and the lines that name them.

    Of each kind these are the lines that stand together first. Read before laying out the text changes the tree.
    """
    found: list[FoundAuthors] = []
    lines: list[str] = []
    for place, tags in _find_author_tags(document, scan).items():
        adjacent = _group_adjacent_tags(tags, place != MARKED)
        groups = [[(tag, line) for tag in group if (line := line_of(tag, LONGEST_LINE * 4))] for group in adjacent]
        groups = [group for group in groups if group]
        if groups and len({" ".join(line for _, line in group) for group in groups}) <= _FEW * 2:
            lines += [line for _, line in groups[0] if len(line) <= LONGEST_LINE * 4]
        named = [names for group in groups if (names := _combine_group_authors(place, group))]
        distinct = {bare(" ".join(names)) for names in named}
        # A page with many of them lists other pages; the first of a few is its own.
        if named and (len(distinct) <= _FEW or place == MARKED):
            found.append(FoundAuthors(place, named[0]))
    return found, lines


def _find_author_tags(document: Document, scan: TagScan) -> dict[str, list[Element]]:
    """What the markup calls an author: microdata, links, bylines."""
    marked = [tag for tag in scan.by["itemprop"] if "author" in (tag.attr("itemprop") or "").split()]
    linked = [tag for tag in document.select("a[rel]") if "author" in (tag.attr("rel") or "").lower().split()]
    cards = [tag for tag in scan.by["byline"] if "p-author" in (tag.attr("class") or "").lower()]
    others = [tag for tag in scan.by["byline"] if tag not in cards]
    places = {MARKED: marked, CARD: cards, LINKED: linked, BYLINE: others, NAMED: scan.by["author"]}
    return {place: scan.main(tags, MOST_TAGS) for place, tags in places.items()}


def _group_adjacent_tags(tags: list[Element], items: bool = True) -> Iterator[list[Element]]:
    """Tags that stand side by side, in order; also as items of one list, where that is not one of many texts."""
    group: list[Element] = []
    for tag in tags:
        if group and tag.parent is not group[-1].parent and not (items and _are_list_neighbours(group[-1], tag)):
            yield group
            group = []
        group.append(tag)
    if group:
        yield group


def _are_list_neighbours(one: Element, other: Element) -> bool:
    """Whether two tags are items of one list that has little else: not of a list of pages."""
    first, second = one.parent, other.parent
    if first is None or second is None or first.parent is None or first.parent is not second.parent:
        return False
    return len(line_of(first.parent, LONGEST_LINE)) <= LONGEST_LINE


def _combine_group_authors(place: str, group: list[tuple[Element, str]]) -> tuple[str, ...]:
    each = [tuple(_read_tag_authors(place, tag, line)) for tag, line in group[:20]]
    if len(set(each)) > 1 and sum(begins_byline(line) for _, line in group[:20]) > 1:
        # Two bylines are those of two texts.
        return ()
    return tuple(dict.fromkeys(name for names in each for name in names))


def _read_tag_authors(place: str, tag: Element, line: str) -> list[str]:
    """Whom a piece of the visible page names as its author."""
    inner = tag.select_one({MARKED: '[itemprop~="name"]', CARD: ".p-name"}.get(place, ".fn"))
    text = tag.attr("content") or (inner.attr("content") if inner is not None else "") or ""
    text = text or (line_of(inner, LONGEST_LINE) if inner is not None else line)
    if len(text) > LONGEST_LINE:
        return []
    if place in (MARKED, CARD, LINKED):
        return split_people(text)
    found = parse_byline(text)
    if not found and inner is not None:
        return split_people(text)
    if found or place != NAMED or tag.tag != "a":
        return found
    name = clean_name(text)
    return [name] if _HANDLE.fullmatch(name) and is_name(name) else []


def find_shown_authors(lines: TextLines, order: str) -> list[FoundAuthors]:
    """Whom the lines around the title name."""
    below, above = lines.lines_around(_BELOW, _ABOVE)
    labelled = [(at, names) for at, line in enumerate([*below, *above]) if (names := _read_labelled_byline(line))]
    if len(labelled) > 1 and labelled[1][0] == labelled[0][0] + 1 and labelled[0][1] != labelled[1][1]:
        # One above the other, they are those of two texts.
        return []
    found = [FoundAuthors(TEXT, names) for _, names in labelled[:1]]
    close = [*below[:_CLOSE], *above]
    return found + [FoundAuthors(DATED, names) for line in close if (names := _read_dated_byline(line, order))][:1]


def find_authors_elsewhere(lines: TextLines) -> list[FoundAuthors]:
    """Whom a line at the beginning or the end names; only where it says so in so many words."""
    main = lines.main
    ends = [*main[:_FIRST], *main[_FIRST:][-_LAST:]]
    return [
        FoundAuthors(TEXT, names)
        for line in ends
        if len(line) <= _SHORT
        and is_explicit_byline(line)
        and (names := _read_labelled_byline(line))
        # So far from the title, it has to be nothing but a byline.
        and len(line) <= sum(map(len, names)) + 30
    ][:1]


def _read_labelled_byline(line: str) -> tuple[str, ...]:
    """The people of a line that begins like a byline."""
    return tuple(parse_byline(line)) if len(line) <= LONGEST_LINE and begins_byline(line) else ()


def _read_dated_byline(line: str, order: str) -> tuple[str, ...]:
    """The person who stands in a short line with a date: `Jo Doe · 3 May 2020`, `posted on 3 May 2020 by Jo Doe`."""
    if len(line) > _ROOM or "@" in line or line.lstrip().startswith(("—", "–")):
        return ()
    whole = " ".join(line.split())
    if next(dates_within(whole, order), None) is None:
        return ()
    inside = _INSIDE.search(whole)
    if inside is not None:
        names = parse_byline(whole[inside.end() :])
        if names:
            return tuple(names)
    for part in _AROUND.split(_TIMES.sub("|", whole)):
        undated = re.split(r"\d", part, maxsplit=1)[0].strip(" ,.")
        if is_personal_name(undated) and len(undated.split()) <= 4 and not undated.isupper():
            return (undated,)
    return ()
