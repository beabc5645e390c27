"""CSL-JSON, and the JSON that DOI agencies answer with: Crossref's `message`, DataCite's `data`."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

from ..text.lines import shorten
from .attachments import MOST_FILES
from .bibliography import ENTRIES, BibliographyBuilder
from .people import Person

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    Item = dict[str, Any]

_TAG = re.compile(
    # Examples: `<sub>`, `</jats:italic>`, `<span class="small">`.
    r"""
    </?(?:i|b|em|strong|italic|bold|sub|sup|sc|scp|tt|u|p|span|(?:jats|mml):\w{1,20})
    (?:\s{1,3}[\w:-]{1,30}=(?:"[^"<>]{0,200}"|'[^'<>]{0,200}')){0,5}\s?/?>
    """,
    re.I | re.VERBOSE,
)
_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|nbsp|#[0-9]{1,6}|#x[0-9a-f]{1,5});", re.I)
_SPACE = re.compile(r"[ \t\r\n]*+")


def plain_title(text: str) -> str:
    """A title without the markup that CSL-JSON and Crossref allow in it: `H<sub>2</sub>O &amp; tea` is `H2O & tea`."""
    if "<" in text:
        text = _TAG.sub("", text)
    if "&" in text:
        text = _ENTITY.sub(lambda found: unescape(found[0]), text)
    return " ".join(text.split())


def marked_up_title(text: str) -> str:
    """A title as CSL-JSON from which `plain_title` reads the same."""
    return text if plain_title(text) == text else text.replace("&", "&amp;").replace("<", "&lt;")


def read_csl(builder: BibliographyBuilder, text: str, metadata: bool = False) -> None:
    """Put the items of CSL-JSON into a builder; `metadata` allows what DOI agencies send, and items without an id."""
    for line, whole in _items(builder, text):
        for item in _unwrap_items(whole) if metadata else (whole,):
            _add(builder, line, item, metadata)


def _items(builder: BibliographyBuilder, text: str) -> Iterator[tuple[int, Any]]:
    """Each item of a list with its line, or the one that is not in a list; what is no JSON ends it."""
    from json import JSONDecoder

    decoder = JSONDecoder()
    at = _skip(text, 0)
    listed = text[at : at + 1] == "["
    at = _skip(text, at + listed)
    line, counted, count = 1, 0, 0
    while not (listed and count == 0 and text[at : at + 1] == "]"):
        line += text.count("\n", counted, at)
        counted = at
        if count == ENTRIES:
            builder.complain(line, "file", f"file: expected at most {ENTRIES:,} entries, got more")
            return
        try:
            item, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            reason = getattr(error, "msg", "") or "values that are nested too deeply"
            builder.complain(line, "file", f"file: expected CSL-JSON, got {shorten(reason, 200)}")
            return
        yield line, item
        count += 1
        at = _skip(text, at)
        if not listed or text[at : at + 1] != ",":
            break
        at = _skip(text, at + 1)
    rest = text[at + listed :].strip()
    if rest or (listed and text[at : at + 1] != "]"):
        builder.complain(line, "file", f'file: expected the end of CSL-JSON, got "{shorten(text[at : at + 100], 60)}"')


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _unwrap_items(whole: Any) -> list[Any]:
    """The items that an answer holds."""
    if isinstance(whole, list):
        return whole[:ENTRIES]
    if not isinstance(whole, dict):
        return [whole]
    message = whole.get("message")
    if isinstance(message, dict):
        items = message.get("items")
        return items[:ENTRIES] if isinstance(items, list) else [message]
    data = whole.get("data")
    if isinstance(data, dict | list):
        found = data[:ENTRIES] if isinstance(data, list) else [data]
        return [_from_datacite(item.get("attributes")) for item in found if isinstance(item, dict)]
    return [_from_datacite(whole)] if isinstance(whole.get("titles"), list) else [whole]


def _from_datacite(attributes: Any) -> Item:
    """DataCite's words for what CSL calls otherwise."""
    given = attributes if isinstance(attributes, dict) else {}
    titles, creators = given.get("titles"), given.get("creators")
    names = [
        {"family": one.get("familyName"), "given": one.get("givenName"), "literal": one.get("name")}
        for one in (creators if isinstance(creators, list) else ())
        if isinstance(one, dict)
    ]
    first = titles[0].get("title") if isinstance(titles, list) and titles and isinstance(titles[0], dict) else ""
    held = given.get("container")
    box: Item = held if isinstance(held, dict) else {}
    pages = f"{_text(box.get('firstPage'))}-{_text(box.get('lastPage'))}".strip("-")
    year = {"date-parts": [[given.get("publicationYear")]]}
    return {
        "title": first,
        "author": names,
        "issued": year,
        "DOI": given.get("doi"),
        "URL": given.get("url"),
        "page": pages,
    }


def _add(builder: BibliographyBuilder, line: int, item: Any, nameless: bool) -> None:
    if not isinstance(item, dict):
        builder.complain(line, "item", f"item: expected an object with an id, got {type(item).__name__}")
        return
    key = _text(item.get("id"))
    if not key and not nameless:
        builder.complain(
            line, "id", f"id: expected a key, got {'none' if item.get('id') is None else 'something else'}"
        )
        return
    people = item.get("author") or item.get("editor")
    paper = builder.paper(
        line,
        key or "(no id)",
        title=plain_title(_text(item.get("title"))),
        authors=[_name(one) for one in people] if isinstance(people, list) else (),
        year=_year(item),
        doi=_text(item.get("DOI") or item.get("doi")),
        url=_text(item.get("URL") or item.get("url")),
        pages=_text(item.get("page")),
        total=_text(item.get("number-of-pages")),
        pdf=_list_attachments(item),
    )
    if key:
        builder.add(line, key, paper)
    elif paper.title or paper.doi:
        builder.add_nameless(line, paper)
    else:
        builder.complain(line, "item", "item: expected a title or a DOI, got neither")


def _list_attachments(item: Item) -> str:
    """What plugins of Zotero write beside CSL: `file` as in BibTeX, or `attachments` with paths."""
    listed = item.get("attachments")
    rows = (
        [_text(one.get("path")) for one in listed[:MOST_FILES] if isinstance(one, dict)]
        if isinstance(listed, list)
        else []
    )
    paths = [path.replace("\\", "\\\\").replace(":", "\\:").replace(";", "\\;") for path in rows]
    return ";".join(part for part in (_text(item.get("file")), *paths) if part)


def _year(item: Item) -> str:
    for name in ("issued", "published", "published-print", "published-online"):
        date = item.get(name)
        if isinstance(date, dict):
            parts = date.get("date-parts")
            while isinstance(parts, list) and parts:
                parts = parts[0]
            year = _text(parts) or _text(date.get("raw")) or _text(date.get("literal"))
            if year:
                return year
        elif _text(date):
            return _text(date)
    return ""


def _name(person: Any) -> str:
    """`Given van Family Jr.`, or the name of a body; a family name of several words comes first, before a comma."""
    if not isinstance(person, dict):
        return _text(person)
    given, family, suffix = (" ".join(_text(person.get(key)).split()) for key in ("given", "family", "suffix"))
    particles = (_text(person.get(key)) for key in ("dropping-particle", "non-dropping-particle"))
    particle = " ".join(part for part in particles if part)
    if not family:
        whole = " ".join(part for part in (given, particle, suffix) if part)
        return _text(person.get("literal") or person.get("name")) or whole
    if "," in given + family + suffix + particle or not (given or particle or suffix):
        return " ".join(part for part in (given, particle, family, suffix) if part)
    return Person(family, given, particle, suffix).name


def _text(value: Any) -> str:
    """A string or number as text, the first of a list; empty for anything else."""
    if isinstance(value, list):
        value = value[0] if value else ""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode().strip()
    return str(value) if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**15 else ""
