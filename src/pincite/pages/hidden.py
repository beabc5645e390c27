"""Which classes of a page hide what has them: by their usual names, or by the page's own style sheets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from turbohtml import Document

USUAL = (
    "hidden visually-hidden visuallyhidden sr-only screen-reader-text screen-reader-only d-none hide is-hidden u-hidden"
    " display-none element-invisible invisible offscreen assistive-text a11y-hidden"
).split()
"""What is called so is for machines, or not for now."""
_SHOWN = re.compile(r"(?:\A|\s)(?:(?:sm|md|lg|xl|xxl|2xl|print|desktop|tablet)[:-]|d-\w{1,8}-(?!none)|hidden-|visible)")
"""On other screens it is seen."""
_HIDES = ("display:none", "display: none", "visibility:hidden", "visibility: hidden")
_SIMPLE = re.compile(r"\s*(?:[a-z]{1,10}[1-6]?)?\.([A-Za-z_][\w-]{0,60})\s*")
_SHOWS = re.compile(r"display\s{0,3}:\s{0,3}(?!none)\w|visibility\s{0,3}:\s{0,3}visible")
_MOST_SHEETS = 40
_MOST_RULES = 50
_LONGEST_BODY = 2000
_MOST_SIGNS = 300_000
_LONGEST_SELECTOR = 400
_MOST_CLASSES = 60


def is_usual(name: str) -> bool:
    """Whether a class attribute that has one of the usual names hides what has it on every screen."""
    return _SHOWN.search(name) is None


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
