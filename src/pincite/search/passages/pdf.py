"""The pages of a PDF, as another tool extracted them: passages never cross a page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ...text.markdown import unify_line_ends
from .cut import DEEPEST, cut, shown_title
from .model import DocumentReading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .model import Heading, Passage

NAME = "pdf"
ENDINGS = (".pdf",)
_MOST_ON_A_PAGE = 100
"""No page has more headings; an outline may say anything."""


def outline(text: str, path: str = "") -> list[Heading]:
    """Nothing: the text of pages does not tell what a heading is."""
    return []


def read(text: str, path: str = "") -> DocumentReading:
    """The passages of pages that are joined by form feeds."""
    return read_pages(text.split("\f"))


def read_pages(pages: Sequence[str], title: str = "", entries: Sequence[tuple[int, str, int]] = ()) -> DocumentReading:
    """The passages of pages in order; the text is theirs, joined by form feeds.

    `entries` are those of the PDF's outline: level (0 is outermost), title, and page counted from 0.
    """
    text = "\f".join(pages)
    whole = unify_line_ends(text)
    found: list[Passage] = []
    at, line = 0, 1
    """Where the page begins, and on which line."""
    trail = _Trail(entries)
    for number, page in enumerate(pages, 1):
        if not page.isspace():
            text_of = whole[at : at + len(page)]
            for one in cut(text_of, trail.sections(number - 1, text_of), len(page), page=number):
                first, last = one.first + line - 1, one.last + line - 1
                found.append(replace(one, start=one.start + at, end=one.end + at, first=first, last=last))
        line += whole.count("\n", at, at + len(page))
        at += len(page) + 1
    return DocumentReading(text, tuple(found), " ".join(title.split()))


class _Trail:
    """Under which entries of the outline one stands, page after page."""

    def __init__(self, entries: Sequence[tuple[int, str, int]]) -> None:
        named = ((level, shown_title(title), page) for level, title, page in entries)
        self._entries = sorted((entry for entry in named if entry[1]), key=lambda entry: entry[2])
        self._next = 0
        self._above: list[tuple[int, str]] = []

    def sections(self, page: int, text: str) -> list[tuple[int, int, tuple[str, ...]]]:
        """The sections of a page, each from where its title stands; one whose title is not found begins after it."""
        found = [(0, 0, self._path())]
        at = looked = 0
        while self._next < len(self._entries) and self._entries[self._next][2] <= page:
            level, title, begins = self._entries[self._next]
            self._next += 1
            self._above = [*(one for one in self._above if one[0] < level), (level, title)][:DEEPEST]
            looked += begins == page
            match = _line(title).search(text, at) if begins == page and looked <= _MOST_ON_A_PAGE else None
            if match is not None:
                at = match.end()
                found.append((match.start(), match.end(), self._path()))
        if found[-1][0] == 0 and len(found) > 1:
            # The page begins with a title: nothing of what was before is left on it.
            del found[:-1]
        return found

    def _path(self) -> tuple[str, ...]:
        return tuple(title for _, title in self._above)


def _line(title: str) -> re.Pattern[str]:
    """A title as it stands on a page: on lines of its own, perhaps with a number before it."""
    words = r"\s+".join(map(re.escape, title.split()))
    return re.compile(rf"^[ \t]*+(?:[0-9A-Z][0-9.]*+[ \t]++)?{words}[ \t.:]*+$", re.IGNORECASE | re.MULTILINE)
