"""Adds a page to a topic, with what is quoted from it: each quote is looked up at once, and refused if it is not there.

A page comes from its address, fetched once and kept, or from a file in which a person saved it. Files of the first two
stages are written only when every quote stands on the page; what stands in them stays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ...core.errors import UsageError
from ...core.web import FetchFailure
from ...pages.short_text import tidy
from ...text.lines import format_count
from .model import EXTRACT, SEARCH, Aborted, ExtractedCitation, SearchResult
from .page_fetching import OK, KnownPage, PageReader, obtain
from .quote_lookup import QuoteFinder
from .stage_append import append_entries
from .stage_parser import stage_bytes
from .validation import SourceRules, validate

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from ...pages.model import Page
    from ...store.warc import PageSnapshot
    from .quote_lookup import SnapshotPlace
    from .saved_files import SavedVisit
    from .stages import TopicContext

_LONGEST_SNIPPET = 300
_SAVE_IT = "Open the page in a browser, save it, and add the file: `pincite research add FILE --url URL`."
_NEEDED = "every quote has to stand on the page, word for word"


class QuotedClaim(Struct, frozen=True):
    """What the user says, and the words that are to support it."""

    claim: str
    quote: str


class AddedQuote(Struct, frozen=True):
    """What became of a quote."""

    claim: str
    quote: str
    state: str
    """`added`, `known` (it stands in the file already), `altered` (nearly there), `missing` or `unchecked`."""
    reason: str
    nearest: str = ""
    """What the page has instead."""
    page: int = 0
    """The page of a PDF, from 1."""
    citation_id: int = 0
    """Its position in the file of the second stage, from 1; 0 where it was not written."""

    @property
    def verbatim(self) -> bool:
        """Whether the words stand on the page."""
        return self.state in ("added", "known")


class AddedSource(Struct, frozen=True):
    """A page of a topic, and what was added with it."""

    url: str
    title: str
    source_type: str
    called: str
    """What the table of sources calls its host."""
    accessed: str
    """The day of the page."""
    result_id: int
    known: bool
    """Whether the page was in the file of the first stage before."""
    snapshot: str
    """The file with the page, from the root."""
    saved: str = ""
    """Where a page comes from that was not fetched."""
    quotes: tuple[AddedQuote, ...] = ()
    credibility: int = 0
    """Its score, from 1 to 10; 0 where nothing was quoted, so that nothing was validated."""
    rejected: str = ""
    """Why validation will reject what is quoted from it, as things stand; empty where it will not."""
    results: int = 0
    citations: int = 0
    """How many pages and citations the topic has now."""


class SourceRequest(Struct, frozen=True):
    """What the user asks to be added."""

    url: str
    quoted: tuple[QuotedClaim, ...] = ()
    title: str = ""
    source_type: str = ""
    section: str = ""


def add_page(work: TopicContext, wanted: SourceRequest) -> AddedSource:
    """Add the page at an address, fetched unless it is kept already; raises Aborted, with what was found."""
    from ...store.warc import Snapshots

    url = wanted.url.partition("#")[0]
    snapshots = Snapshots(work.root, work.topic.snapshots)
    if not snapshots.history(url):
        _require_address(url)
    held = obtain(
        snapshots,
        (url,),
        None if work.offline else work.fetcher,
        refresh=work.refresh,
        progress=lambda done, total: work.progress("fetching", done, total),
    )[url]
    return _add(work, replace(wanted, url=url), held, lambda snapshot: snapshot)


def _require_address(url: str) -> None:
    """Raise UsageError for what is no address that can be asked, before anything is."""
    from ...safe.fetch.target import target_of

    try:
        target_of(url)
    except FetchFailure as trouble:
        raise UsageError(str(trouble)) from None


def add_saved(work: TopicContext, wanted: SourceRequest, saved: SavedVisit) -> AddedSource:
    """Add a page that a person saved; raises Aborted, with what was found, and then nothing is written at all."""
    from hashlib import sha256

    from ...store.warc import PageSnapshot, Snapshots
    from .saved_files import BY_CHANGE

    visit = saved.visit
    snapshots = Snapshots(work.root, work.topic.snapshots)
    seen = PageSnapshot(visit, "", f"sha256:{sha256(visit.answer.body).hexdigest()}", sealed=True)
    if saved.day_from == BY_CHANGE:
        # A file that was copied since is no other page: the first time it was handed over counts.
        held = (one for one in snapshots.history(visit.url) if one.visit.saved and not one.damaged)
        known = next((one for one in held if one.digest == seen.digest), None)
        if known is not None:
            return _add(work, replace(wanted, url=visit.url), KnownPage(visit.url, (known,)), lambda snapshot: snapshot)

    def keep(_: PageSnapshot) -> PageSnapshot:
        try:
            return snapshots.add(visit)
        except FetchFailure as trouble:
            raise Aborted(SEARCH, f"{visit.url} cannot be kept: {trouble}", "a page is kept first", "") from None

    return _add(work, replace(wanted, url=visit.url), KnownPage(visit.url, (seen,)), keep)


def _add(
    work: TopicContext, wanted: SourceRequest, held: KnownPage, keep: Callable[[PageSnapshot], PageSnapshot]
) -> AddedSource:
    from ...safe.write import alone_in

    reader = PageReader(work.most_bytes)
    finder = QuoteFinder(reader)
    rules = SourceRules(work.table(), work.attestations(), work.settings.required_checks)
    places = [finder.find(held, one.quote) for one in wanted.quoted]
    found = [_judge(one, place) for one, place in zip(wanted.quoted, places, strict=True)]
    _require_quotes(wanted, found, saved=any(one.visit.saved for one in held.snapshots))
    snapshot, page = _shown_page(held, places, reader)
    with alone_in(work.root, work.topic.outputs):
        added = _Files(work, wanted).write(snapshot, page, places, keep)
    return _foresee(added, held, finder, rules)


def _foresee(added: AddedSource, held: KnownPage, finder: QuoteFinder, rules: SourceRules) -> AddedSource:
    """What was added, with what the next stage will say of it."""
    fields = added.url, added.source_type, added.title, added.accessed
    citations = [ExtractedCitation(one.claim, one.quote, *fields) for one in added.quotes]
    found = validate(citations, {added.url: held}, finder, rules)
    reasons = dict.fromkeys(one.rejection_reason for one in found if one.rejection_reason)
    scores = [one.credibility_score for one in found]
    return replace(added, credibility=min(scores, default=0), rejected="; ".join(reasons))


def _shown_page(held: KnownPage, places: Sequence[SnapshotPlace], reader: PageReader) -> tuple[PageSnapshot, Page]:
    """The snapshot that is entered, and its page; raises Aborted where there is none that can be read."""
    for place in places:
        if place.snapshot is not None and place.page is not None:
            return place.snapshot, place.page
    why = str(held.trouble) if held.trouble is not None else f"{held.url}: nothing is known of it"
    for one in held.snapshots:
        if one.damaged:
            why = f"its snapshot is damaged ({one.damaged})"
        elif one.visit.status != OK:
            why = f"{one.visit.final_url} answered {one.visit.status} {one.visit.answer.reason}".rstrip()
        else:
            try:
                return one, reader.read(one)
            except FetchFailure as trouble:
                why = str(trouble)
    raise Aborted(SEARCH, why, "a page is read before it is added", _SAVE_IT)


def _judge(one: QuotedClaim, place: SnapshotPlace) -> AddedQuote:
    """What looking for a quote showed."""
    found = place.found
    if found is None:
        return AddedQuote(one.claim, one.quote, "unchecked", place.trouble)
    state = "added" if found.verbatim else "altered" if found.found else "missing"
    nearest = "" if found.verbatim else found.nearest
    return AddedQuote(one.claim, one.quote, state, found.reason, nearest, found.page)


def _require_quotes(wanted: SourceRequest, found: list[AddedQuote], saved: bool) -> None:
    """Raise Aborted, with what was found, unless every quote stands on the page."""
    wrong = [one for one in found if not one.verbatim]
    if not wrong:
        return
    unchecked = all(one.state == "unchecked" for one in wrong)
    if unchecked:
        said, remedy = wrong[0].reason, _SAVE_IT
    else:
        number = f"{len(wrong)} of {format_count(len(found), 'quote')}" if len(found) > 1 else "the quote"
        said = f"{number} {'do' if len(wrong) > 1 else 'does'} not stand on {wanted.url}"
        remedy = "Quote what the page says, as it is shown above."
        if not saved:
            remedy = f"{remedy[:-1]}; if the page has changed since it was fetched, pass --refresh."
    error = Aborted(EXTRACT, said, _NEEDED, remedy)
    error.result = tuple(found)
    raise error


class _Files:
    """The files of the first two stages, as they are and as they become."""

    def __init__(self, work: TopicContext, wanted: SourceRequest) -> None:
        self._work = work
        self._wanted = wanted
        self._old = {stage: self._read(stage) for stage in (SEARCH, EXTRACT)}
        self._results: tuple[SearchResult, ...] = self._load(SEARCH)
        self._citations: tuple[ExtractedCitation, ...] = self._load(EXTRACT)

    def _read(self, stage: str) -> bytes:
        key = self._work.topic.path(stage)
        return stage_bytes(self._work.root, key) if self._work.root.stat(key) is not None else b""

    def _load(self, stage: str) -> tuple[Any, ...]:
        data = self._old[stage]
        if not data.strip():
            return ()
        # Nothing is added to what breaks a rule, so that the new entry is not taken for the cause.
        append_entries(data, self._work.topic.path(stage), stage, ())
        return self._work.parse_stage(data, self._work.topic.path(stage), stage).items

    def write(
        self,
        snapshot: PageSnapshot,
        page: Page,
        places: Sequence[SnapshotPlace],
        keep: Callable[[PageSnapshot], PageSnapshot],
    ) -> AddedSource:
        """Enter the page and its quotes; the first file is written before the second, which refers to it."""
        source = self._work.table().find(snapshot.visit.final_url)
        result, known = self._enter_page(snapshot, page, source.source_type)
        quotes, citations = self._enter_quotes(result, places)
        new = {
            SEARCH: self._append(SEARCH, () if known else (result,)),
            EXTRACT: self._append(EXTRACT, citations),
        }
        file = keep(snapshot).file
        for stage, data in new.items():
            self._put(stage, data)
        return AddedSource(
            *(result.url, result.title, result.source_type, source.called, snapshot.visit.retrieved[:10]),
            *(result.result_id, known, f"{self._work.topic.snapshots}/{file}", snapshot.visit.saved, tuple(quotes)),
            results=len(self._results) + (not known),
            citations=len(self._citations) + len(citations),
        )

    def _enter_page(self, snapshot: PageSnapshot, page: Page, source_type: str) -> tuple[SearchResult, bool]:
        """The entry of a page, and whether it was there before."""
        from ...store.warc_redirects import normal_url

        wanted = self._wanted
        same = next((one for one in self._results if normal_url(one.url) == normal_url(wanted.url)), None)
        if same is not None:
            if wanted.source_type not in ("", same.source_type):
                raise UsageError(
                    f"{same.url} is entered as {same.source_type} (result {same.result_id}); "
                    f"leave --type out, or change it in {self._work.topic.path(SEARCH)}"
                )
            return same, True
        title = tidy(wanted.title) or tidy(page.title) or wanted.url.partition("://")[2]
        shown = wanted.quoted[0].quote if wanted.quoted else page.texts[0] if page.texts else ""
        snippet = tidy(shown)[:_LONGEST_SNIPPET].rstrip() or title
        kind, day = wanted.source_type or source_type, snapshot.visit.retrieved[:10]
        return SearchResult(len(self._results) + 1, title, wanted.url, snippet, kind, day), False

    def _enter_quotes(
        self, result: SearchResult, places: Sequence[SnapshotPlace]
    ) -> tuple[list[AddedQuote], list[ExtractedCitation]]:
        """What became of each quote, and the entries that are new."""
        numbers = {(one.claim, one.quote, one.source_url): at for at, one in enumerate(self._citations, 1)}
        answers: list[AddedQuote] = []
        entries: list[ExtractedCitation] = []
        for one, place in zip(self._wanted.quoted, places, strict=True):
            key = one.claim, one.quote, result.url
            known = key in numbers
            if not known:
                day = place.snapshot.visit.retrieved[:10] if place.snapshot is not None else result.accessed_date
                section = self._wanted.section or None
                fields = result.url, result.source_type, result.title, day
                entries.append(ExtractedCitation(one.claim, one.quote, *fields, section=section))
                numbers[key] = len(self._citations) + len(entries)
            state = "known" if known else "added"
            answers.append(replace(_judge(one, place), state=state, citation_id=numbers[key]))
        return answers, entries

    def _append(self, stage: str, items: Sequence[Struct]) -> bytes:
        return append_entries(self._old[stage], self._work.topic.path(stage), stage, items)

    def _put(self, stage: str, data: bytes) -> None:
        from ...safe.write import create, replace

        key, old = self._work.topic.path(stage), self._old[stage]
        if data == old:
            return
        if self._work.root.stat(key) is None:
            create(self._work.root, key, data)
        else:
            replace(self._work.root, key, old, data)
