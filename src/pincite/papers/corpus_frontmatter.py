"""The frontmatter of a corpus file: what it declares about its paper, or which field holds what it must not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ..core.limits import LIMITS
from ..core.model import Span
from ..text.lines import shorten
from ..text.yaml import Mapping, Node, Scalar, YamlList, is_null, value_of
from .fields import WANTED, normal_doi, normal_pdf, normal_url, normal_year, split_authors
from .model import KeyQuote, Section
from .ranges import normal_ranges

if TYPE_CHECKING:
    from typing import Any

PAPER_LIMITS = replace(LIMITS, frontmatter_bytes=1024 * 1024)
"""A corpus file keeps its quotes in the frontmatter: that may be long."""
MOST_PAGES = 1_000_000
_DATE = re.compile(r"[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])(?:[T ][0-9:.]{4,20}(?:Z|[+-][0-9:]{2,6})?)?")
_SHOWN = 60
_IDS = ("id", "ref_id", "ref")
_MAY_BE_UNSURE = ("title", "authors", "year", "doi", "url", "page_range")


class FrontmatterFields:
    """What one tree of frontmatter says: values by field, and complaints with their places."""

    def __init__(self, tree: Mapping) -> None:
        self.values: dict[str, Any] = {}
        """Fields of a Paper; one that could not be read is not there."""
        self.id = ""
        self.id_at = 0
        self.complaints: list[tuple[int, str, str]] = []
        """Offset, field, message; in the order of the file."""
        for key, node in tree.values.items():
            reader = _READERS.get(key)
            if reader is not None and not is_null(node):
                reader(self, node, key)
        self.complaints.sort(key=lambda item: item[0])

    def complain(self, node: Node, field: str, wanted: str, hint: str = "") -> None:
        """Note that a field does not hold what it should."""
        self.complaints.append((node.start, field, f"{field}: expected {wanted}, got {_got(node)}{hint}"))

    def lacks(self, node: Node, field: str, wanted: str) -> None:
        """Note that a field which must be there is not."""
        self.complaints.append((node.start, field, f"{field}: expected {wanted}, got none"))

    def text(self, node: Node, field: str) -> str:
        """A scalar's text; empty, with a complaint, where it is a collection or a truth value."""
        if isinstance(node, Scalar) and not isinstance(value_of(node), bool | None):
            return node.text
        if not is_null(node):
            self.complain(node, field, "a string")
        return ""

    def normal(self, node: Node, field: str, wanted: str, rule: Any) -> str:
        """A text in its one spelling; empty, with a complaint, where it has none."""
        text = self.text(node, field)
        value: str = rule(text) if text else ""
        if not value and isinstance(node, Scalar) and not isinstance(value_of(node), bool | None):
            self.complain(node, field, wanted)
        return value


def _read_id(said: FrontmatterFields, node: Node, key: str) -> None:
    if not said.id:
        said.id, said.id_at = said.text(node, key).strip(), node.start


def _read_text(said: FrontmatterFields, node: Node, key: str) -> None:
    text = said.text(node, key)
    if text.strip():
        said.values[key] = text


def _read_authors(said: FrontmatterFields, node: Node, key: str) -> None:
    if isinstance(node, YamlList):
        names = [_author(said, item, f"{key}[{at}]") for at, item in enumerate(node.items)]
    elif isinstance(node, Mapping):
        said.complain(node, key, f"a list of names, or {WANTED['authors']}")
        return
    else:
        names = list(split_authors(said.text(node, key)))
    if any(names):
        said.values["authors"] = tuple(name for name in names if name)


def _author(said: FrontmatterFields, node: Node, field: str) -> str:
    """One author: a name, or a map with `name`, or with `given` and `family`."""
    if isinstance(node, Mapping):
        parts = {key: value.text for key, value in node.values.items() if isinstance(value, Scalar)}
        whole = parts.get("name") or " ".join(
            part for part in (parts.get("given", ""), parts.get("family", parts.get("last", ""))) if part.strip()
        )
        if whole.strip():
            return whole.strip()
        said.complain(node, field, "a name")
        return ""
    name = said.text(node, field)
    if not name.strip() and isinstance(node, Scalar):
        said.complain(node, field, "a name")
    return name if name.strip() else ""


def _read_normal(said: FrontmatterFields, node: Node, key: str) -> None:
    """A field that has one spelling."""
    value = said.normal(node, key, WANTED[key], _NORMAL[key])
    if value:
        said.values[key] = value


def _read_total(said: FrontmatterFields, node: Node, key: str) -> None:
    value = value_of(node) if isinstance(node, Scalar) else None
    if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= MOST_PAGES:
        said.values[key] = value
    else:
        hint = " (write it without quotes)" if isinstance(value, str) and value.isdigit() else ""
        said.complain(node, key, "a whole number of pages from 1 up", hint)


def _read_sections(said: FrontmatterFields, node: Node, key: str) -> None:
    if not isinstance(node, YamlList):
        said.complain(node, key, "a list of sections, each with name and pages")
        return
    found: list[Section] = []
    for at, item in enumerate(node.items):
        field = f"{key}[{at}]"
        if not isinstance(item, Mapping):
            said.complain(item, field, "name and pages")
            continue
        given = item.values.get("name")
        name = said.text(given, f"{field}.name") if given is not None else ""
        if not name.strip():
            if given is None or isinstance(given, Scalar):
                said.lacks(given or item, f"{field}.name", "a name")
            continue
        pages = item.values.get("pages")
        said_pages = ""
        if pages is not None and not is_null(pages):
            said_pages = said.normal(pages, f"{field}.pages", WANTED["page_range"], normal_ranges)
        found.append(Section(name, said_pages))
    said.values[key] = tuple(found)


def _read_unsure(said: FrontmatterFields, node: Node, key: str) -> None:
    """Which fields still wait for a person, a list of their names."""
    items = node.items if isinstance(node, YamlList) else [node]
    names = [said.text(item, key).strip() for item in items]
    known = tuple(dict.fromkeys(name for name in names if name in _MAY_BE_UNSURE))
    if len(known) != len(names):
        said.complain(node, key, f"a list of {', '.join(_MAY_BE_UNSURE[:-1])} or {_MAY_BE_UNSURE[-1]}")
    if known:
        said.values[key] = known


def _read_quotes(said: FrontmatterFields, node: Node, key: str) -> None:
    if not isinstance(node, YamlList):
        said.complain(node, key, "a list of quotes, each with quote and page")
        return
    found = [_quote(said, item, f"{key}[{at}]") for at, item in enumerate(node.items)]
    said.values[key] = tuple(quote for quote in found if quote is not None)


def _quote(said: FrontmatterFields, item: Node, field: str) -> KeyQuote | None:
    """One quote; None, with a complaint, where there are no words."""
    if not isinstance(item, Mapping):
        said.complain(item, field, "quote and page")
        return None
    values = item.values
    given = values.get("quote")
    words = said.text(given, f"{field}.quote") if given is not None else ""
    if not words.strip():
        if given is None or isinstance(given, Scalar):
            said.lacks(given or item, f"{field}.quote", "the words that are quoted")
        return None
    page = _optional(said, values.get("page"), f"{field}.page", WANTED["page"], normal_ranges)
    day = _optional(said, values.get("validation_date"), f"{field}.validation_date", "a date like 2026-01-25", _day)
    section, validator = (
        _optional(said, values.get(name), f"{field}.{name}", "a string", str) for name in ("section", "validator")
    )
    return KeyQuote(
        words, page, section, _read_validated(said, values, field), day, validator, Span(item.start, item.end)
    )


def _optional(said: FrontmatterFields, node: Node | None, field: str, wanted: str, rule: Any) -> str:
    return "" if node is None or is_null(node) or _is_empty(node) else said.normal(node, field, wanted, rule)


def _read_validated(said: FrontmatterFields, values: dict[str, Node], field: str) -> bool:
    node = values.get("validated")
    if node is None or is_null(node):
        return False
    value = value_of(node) if isinstance(node, Scalar) else None
    if not isinstance(value, bool):
        said.complain(node, f"{field}.validated", "true or false")
    return value is True


def _day(text: str) -> str:
    return text if _DATE.fullmatch(text) else ""


def _is_empty(node: Node) -> bool:
    return isinstance(node, Scalar) and bool(node.style) and not node.text


def _got(node: Node) -> str:
    """A value as a message shows it."""
    if isinstance(node, YamlList):
        return "a list"
    if isinstance(node, Mapping):
        return "a map"
    return f'"{shorten(node.text, _SHOWN)}"' if node.style else shorten(node.text, _SHOWN) or "nothing"


_NORMAL = {
    "year": normal_year,
    "doi": normal_doi,
    "url": normal_url,
    "pdf": normal_pdf,
    "page_range": normal_ranges,
}
_READERS = {
    **dict.fromkeys(_IDS, _read_id),
    **dict.fromkeys(("title", "relevance"), _read_text),
    **dict.fromkeys(_NORMAL, _read_normal),
    "authors": _read_authors,
    "total_pages": _read_total,
    "sections": _read_sections,
    "key_quotes": _read_quotes,
    "unsure": _read_unsure,
}
