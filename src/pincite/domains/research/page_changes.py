"""What became of pages since they were last fetched, and of the quotes taken from them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ...core.web import FetchFailure
from ...text.lines import shorten
from .page_fetching import OK

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ...pages.model import Page
    from ...store.warc import PageSnapshot
    from .model import ExtractedCitation
    from .page_fetching import Held, PageReader
    from .quote_lookup import Finder

SAME, CHANGED, GONE, UNREACHED, NEW = "same", "changed", "gone", "not reached", "new"
_LINES = 12
_WIDTH = 160
_MOST = 4000


class PageChange(Struct, frozen=True):
    """A page then and now."""

    url: str
    state: str
    """`same`, `changed`, `gone` (another status than 200), `not reached` (no answer) or `new` (no snapshot before)."""
    before: str = ""
    """The day of the snapshot before."""
    now: str = ""
    """The day of the answer, or why there is none."""
    lines: tuple[str, ...] = ()
    """Lines of text that went (`-`) and came (`+`)."""
    more: int = 0
    """How many more lines changed."""
    quotes: tuple[tuple[int, bool | None, str], ...] = ()
    """For each citation of the page: its number, whether its quote survived (None: unknown), and what is there."""


def find_page_changes(
    citations: Sequence[ExtractedCitation], held: Mapping[str, Held], reader: PageReader, finder: Finder
) -> list[PageChange]:
    """What a refresh showed, page by page in the order of the citations."""
    numbers: dict[str, list[int]] = {}
    for number, citation in enumerate(citations, 1):
        numbers.setdefault(citation.source_url, []).append(number)
    return [
        _find_page_change(held[url], [(at, citations[at - 1].quote) for at in own], reader, finder)
        for url, own in numbers.items()
        if held[url].fetched is not None or held[url].trouble is not None
    ]


def _find_page_change(held: Held, quotes: Sequence[tuple[int, str]], reader: PageReader, finder: Finder) -> PageChange:
    before = next((one for one in held.known if one.visit.status == OK and not one.damaged), None)
    day = before.visit.retrieved[:10] if before is not None else ""
    newest = held.fetched
    if newest is None:
        said = "its snapshot stays" if before is not None else "there is no snapshot"
        untold = tuple((number, None, said) for number, _ in quotes)
        return PageChange(held.url, UNREACHED, day, str(held.trouble), quotes=untold)
    if newest.visit.status != OK:
        why = f"it answered {newest.visit.status} {newest.visit.answer.reason}"
        said = "the page is gone; its snapshot stays" if before is not None else "there is no page and no snapshot"
        survived = tuple((number, False, said) for number, _ in quotes)
        return PageChange(held.url, GONE if before is not None else NEW, day, why.rstrip(), quotes=survived)
    now = newest.visit.retrieved[:10]
    page = _page(newest, reader)
    found = tuple(_look_for_quote(number, quote, page, finder) for number, quote in quotes)
    if before is None:
        return PageChange(held.url, NEW, "", now, quotes=found)
    old = _page(before, reader)
    if newest.digest == before.digest or (old is not None and page is not None and old.texts == page.texts):
        return PageChange(held.url, SAME, day, now, quotes=found)
    lines = _diff(old, page)
    return PageChange(held.url, CHANGED, day, now, tuple(lines[:_LINES]), max(0, len(lines) - _LINES), found)


def _page(snapshot: PageSnapshot, reader: PageReader) -> Page | None:
    try:
        return reader.read(snapshot)
    except FetchFailure:
        return None


def _look_for_quote(number: int, quote: str, page: Page | None, finder: Finder) -> tuple[int, bool | None, str]:
    if page is None:
        return number, None, "the page can no longer be read"
    if page.needs_script:
        return number, None, "the page now shows its text only in a browser that runs scripts"
    found = finder.look(page, quote)
    if found.verbatim:
        return number, True, ""
    if found.untold:
        return number, None, found.reason
    return number, False, f"there is now: {shorten(found.nearest, _WIDTH)}" if found.nearest else found.reason


def _diff(old: Page | None, new: Page | None) -> list[str]:
    from difflib import unified_diff
    from itertools import islice

    one, other = (_lines(page) for page in (old, new))
    # The first two lines name the files; a text may look like them.
    return [
        line[0] + " " + shorten(line[1:].strip(), _WIDTH)
        for line in islice(unified_diff(one, other, n=0, lineterm=""), 2, None)
        if line[0] in "+-"
    ]


def _lines(page: Page | None) -> list[str]:
    if page is None:
        return []
    return [line for text in page.texts for line in text.split("\n") if line.strip()][:_MOST]
