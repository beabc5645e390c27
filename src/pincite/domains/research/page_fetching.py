"""The pages behind addresses: from their snapshots, or fetched once and kept; and what became of them since."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ...core.errors import Refused
from ...core.web import FetchFailure
from ...pages.model import Page
from ...text.lines import shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from ...core.web import Visit
    from ...safe.fetch import Fetcher
    from ...store.warc import PageSnapshot, Snapshots
    from .model import ExtractedCitation
    from .quote_lookup import QuoteFinder

OK = 200
SAME, CHANGED, GONE, UNREACHED, NEW = "same", "changed", "gone", "not reached", "new"
_LINES = 12
_WIDTH = 160
_MOST = 4000


class KnownPage(Struct, frozen=True):
    """What is known of an address: every snapshot of it, and why there is nothing newer."""

    url: str
    snapshots: tuple[PageSnapshot, ...] = ()
    """The newest first."""
    trouble: FetchFailure | None = None
    """Why it could not be fetched, where that was tried and failed or was not allowed."""
    fetched: PageSnapshot | None = None
    """What was fetched just now."""
    known: tuple[PageSnapshot, ...] = ()
    """What was held before that, the newest first."""


def held_page(snapshots: Snapshots, url: str) -> KnownPage:
    """What is held of an address."""
    history = tuple(reversed(snapshots.history(url)))
    return KnownPage(url, history, known=history)


def obtain(
    snapshots: Snapshots,
    urls: Iterable[str],
    fetcher: Callable[[], Fetcher] | None,
    *,
    refresh: bool = False,
    progress: Callable[[int, int], None] = lambda *_: None,
) -> dict[str, KnownPage]:
    """What is held of each address after fetching what is not; every answer is kept before the next is waited for.

    Without a fetcher nothing but snapshots is used; with `refresh` everything is fetched again.
    """
    held = {url: held_page(snapshots, url) for url in dict.fromkeys(urls)}
    if fetcher is None:
        return {url: known if known.snapshots else _offline(known) for url, known in held.items()}
    # An answer other than 200 may be better today; asking again is cheap, and the old answer is kept as well.
    wanted = [
        url
        for url, known in held.items()
        if refresh or not any(one.visit.status == OK and not one.damaged for one in known.snapshots)
    ]
    if not wanted:
        return held
    with fetcher() as opened:
        for done, (url, got) in enumerate(opened.fetch_all(wanted), 1):
            held[url] = _keep(snapshots, held[url], got)
            progress(done, len(wanted))
    # One page's redirects may end at another: only the folder says what a repetition will see of each.
    return {url: replace(known, snapshots=held_page(snapshots, url).snapshots) for url, known in held.items()}


def _keep(snapshots: Snapshots, known: KnownPage, got: Visit | FetchFailure) -> KnownPage:
    if isinstance(got, FetchFailure):
        return replace(known, trouble=got)
    # A refused write raises: what cannot be kept could not be repeated.
    try:
        return replace(known, fetched=snapshots.add(got))
    except FetchFailure as trouble:
        return replace(known, trouble=trouble)


def _offline(known: KnownPage) -> KnownPage:
    message = f"{known.url}: there is no snapshot of it, and nothing is fetched offline; run once without --offline"
    return KnownPage(known.url, trouble=FetchFailure("offline", message))


class PageReader:
    """Reads the pages in snapshots, each content once."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._pages: dict[tuple[str, ...], Page | FetchFailure] = {}

    def read(self, snapshot: PageSnapshot) -> Page:
        """The page as its reader sees it; raises Trouble where there is none to be read."""
        answer = snapshot.visit.answer
        # The same bytes under another type or encoding are another page.
        said = answer.header("content-type"), answer.header("content-encoding")
        # What is a later day on one day is past on another.
        key = snapshot.digest, snapshot.visit.final_url, snapshot.visit.retrieved[:10], *said
        known = self._pages.get(key)
        if known is None:
            try:
                known = read_page(snapshot.visit, self._most)
            except FetchFailure as trouble:
                known = trouble
            self._pages[key] = known
        if isinstance(known, FetchFailure):
            # One that is raised again and again would keep every frame that it passed.
            raise FetchFailure(known.kind, str(known))
        return known


def read_page(visit: Visit, most_bytes: int) -> Page:
    """The page that a visit came to; raises Trouble where its bytes are no page."""
    from ...pages.body import charset_of, decode_body, media_type
    from ...pages.read import read_html, read_plain

    answer = visit.answer
    data = decode_body(answer, most_bytes)
    kind = media_type(answer, data)
    if kind == "html":
        return read_html(
            data, charset_of(answer, data), visit.final_url, answer.header("last-modified"), visit.retrieved[:10]
        )
    if kind == "text":
        return read_plain(data, charset_of(answer, data))
    if kind == "pdf":
        return _pdf(data, visit.url)
    raise FetchFailure("type", f"{visit.url}: it is neither HTML nor text nor PDF, so no quote can be looked for in it")


def _pdf(data: bytes, url: str) -> Page:
    from ...pages.read import from_pdf
    from ...safe.pdf import PdfTrouble
    from ...store.pdf_texts import text_of

    try:
        text = text_of(data, cache=True)
    except PdfTrouble as trouble:
        raise FetchFailure("type", f"{url}: its PDF cannot be read ({trouble.reason})") from None
    except Refused as error:
        raise FetchFailure("type", f"{url}: its PDF cannot be read ({error})") from None
    return from_pdf(text.pages, text.title, text.authors, text.created, text.boxes)


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
    citations: Sequence[ExtractedCitation], held: Mapping[str, KnownPage], reader: PageReader, finder: QuoteFinder
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


def _find_page_change(
    held: KnownPage, quotes: Sequence[tuple[int, str]], reader: PageReader, finder: QuoteFinder
) -> PageChange:
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


def _look_for_quote(number: int, quote: str, page: Page | None, finder: QuoteFinder) -> tuple[int, bool | None, str]:
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
