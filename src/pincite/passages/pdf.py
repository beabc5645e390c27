"""The pages of a PDF, as somebody else took them out of it: passages never cross a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from ..markup import unified
from .cut import cut
from .model import Reading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .model import Heading, Passage

NAME = "pdf"
ENDINGS = (".pdf",)


def outline(text: str, path: str = "") -> list[Heading]:
    """Nothing: the text of pages does not tell what a heading is."""
    return []


def read(text: str, path: str = "") -> Reading:
    """The passages of pages that are joined by form feeds."""
    return read_pages(text.split("\f"))


def read_pages(pages: Sequence[str], title: str = "") -> Reading:
    """The passages of pages in order; the text is theirs, joined by form feeds."""
    text = "\f".join(pages)
    whole = unified(text)
    found: list[Passage] = []
    at, line = 0, 1
    """Where the page begins, and on which line."""
    for number, page in enumerate(pages, 1):
        if not page.isspace():
            for one in cut(whole[at : at + len(page)], [(0, 0, ())], len(page), page=number):
                first, last = one.first + line - 1, one.last + line - 1
                found.append(replace(one, start=one.start + at, end=one.end + at, first=first, last=last))
        line += whole.count("\n", at, at + len(page))
        at += len(page) + 1
    return Reading(text, tuple(found), " ".join(title.split()))
