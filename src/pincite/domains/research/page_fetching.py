"""The pages behind addresses: from their snapshots, or fetched once and kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ...core.errors import Refused
from ...core.web import FetchFailure
from ...pages.model import Page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ...core.web import Visit
    from ...safe.fetch import Fetcher
    from ...store.warc import PageSnapshot, Snapshots

OK = 200


class Held(Struct, frozen=True):
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


class Obtainer:
    """Gives what is held of addresses, and fetches what is not."""

    def __init__(
        self,
        snapshots: Snapshots,
        fetcher: Callable[[], Fetcher] | None,
        *,
        refresh: bool = False,
    ) -> None:
        """Without a fetcher nothing but snapshots is used; with `refresh` everything is fetched again."""
        self._snapshots = snapshots
        self._fetcher = fetcher
        self._refresh = refresh

    def obtain(self, urls: Iterable[str], progress: Callable[[int, int], None] = lambda *_: None) -> dict[str, Held]:
        """What is held of each address afterwards; every answer is kept before the next is waited for."""
        held = {url: self._held(url) for url in dict.fromkeys(urls)}
        if self._fetcher is None:
            return {url: known if known.snapshots else _offline(known) for url, known in held.items()}
        # An answer other than 200 may be better today; asking again is cheap, and the old answer is kept as well.
        wanted = [url for url, known in held.items() if self._refresh or not _has_good_snapshot(known.snapshots)]
        if not wanted:
            return held
        done = 0
        with self._fetcher() as fetcher:
            for url, got in fetcher.fetch_all(wanted):
                held[url] = self._keep(held[url], got)
                done += 1
                progress(done, len(wanted))
        # One page's redirects may end at another: only the folder says what a repetition will see of each.
        return {url: replace(known, snapshots=self._history(url)) for url, known in held.items()}

    def _held(self, url: str) -> Held:
        snapshots = self._history(url)
        return Held(url, snapshots, known=snapshots)

    def _history(self, url: str) -> tuple[PageSnapshot, ...]:
        return tuple(reversed(self._snapshots.history(url)))

    def _keep(self, known: Held, got: Visit | FetchFailure) -> Held:
        if isinstance(got, FetchFailure):
            return replace(known, trouble=got)
        # A refused write raises: what cannot be kept could not be repeated.
        try:
            return replace(known, fetched=self._snapshots.add(got))
        except FetchFailure as trouble:
            return replace(known, trouble=trouble)


def _has_good_snapshot(snapshots: Sequence[PageSnapshot]) -> bool:
    return any(one.visit.status == OK and not one.damaged for one in snapshots)


def _offline(known: Held) -> Held:
    message = f"{known.url}: there is no snapshot of it, and nothing is fetched offline; run once without --offline"
    return Held(known.url, trouble=FetchFailure("offline", message))


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
