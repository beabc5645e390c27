"""Looks a quote up on a page and on what the page was before: verbatim, nearly, or not there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ...core.web import FetchFailure
from ...papers.legibility import find_gap
from ...quotes.declared_changes import INSERTION, OMISSION
from ...quotes.furniture import MARK, without_marks
from ...quotes.lookup import LookupResult, QuotePassage, QuoteSource
from ...text.lines import shorten
from ...text.unspaced_scripts import count_letters
from .page_context import surround
from .page_fetching import OK

if TYPE_CHECKING:
    from ...pages.model import Page
    from ...store.warc import PageSnapshot
    from .page_fetching import KnownPage, PageReader

_DECLARED = (OMISSION, INSERTION)
"""A quote that says itself that it departs from its source is honest, and yet not the source's words."""
_SHOWN = 400
_GAP = 20
# Between blocks of a page stands an empty line; behind a stop, a quote may go on in the next.
_BLOCKS = re.compile(r"(\S)[)\]”’»\"']{0,8}[^\S\n]*+\n[^\S\n]*+\n\s*+(?=\S)")
_STOPS = ".!?…:;。！？："


class QuoteOnPage(Struct, frozen=True):
    """What looking for a quote on a page gave."""

    found: bool
    verbatim: bool
    reason: str
    folded: tuple[str, ...] = ()
    before: str = ""
    """What stands on the page before the quote."""
    after: str = ""
    """What stands on the page behind it."""
    nearest: str = ""
    edits: tuple[str, ...] = ()
    page: int = 0
    untold: bool = False
    """Whether nothing can be said: the words may stand on the page, and its text cannot tell."""


class SnapshotPlace(Struct, frozen=True):
    """The snapshot that an answer rests on, its page, and what became of the page since."""

    snapshot: PageSnapshot | None = None
    page: Page | None = None
    found: QuoteOnPage | None = None
    """None where nothing could be looked for."""
    trouble: str = ""
    """Why not."""
    since: str = ""
    """What a later look at the page showed: that it is gone, or that the quote is."""


class QuoteFinder:
    """Looks quotes up; each page is read and folded once."""

    def __init__(self, reader: PageReader) -> None:
        self._reader = reader
        self._sources: dict[int, tuple[Page, QuoteSource]] = {}
        self._bare: dict[int, tuple[Page, Page]] = {}

    def find(self, held: KnownPage, quote: str) -> SnapshotPlace:
        """The newest snapshot that has the quote word for word, else the newest that answered."""
        best: SnapshotPlace | None = None
        since = ""
        if held.trouble is not None and held.snapshots:
            since = f"the page could not be fetched again ({held.trouble})"
        for snapshot in held.snapshots:
            place = self._look(snapshot, quote)
            if place.found is not None and place.found.verbatim:
                return SnapshotPlace(snapshot, place.page, place.found, since=since)
            if best is None or (place.found is not None and best.found is None):
                best = place
            since = since or _describe_later(snapshot, place)
        if best is None:
            trouble = str(held.trouble) if held.trouble is not None else f"{held.url}: nothing is known of it"
            return SnapshotPlace(trouble=trouble)
        if held.trouble is not None and best.found is None:
            return SnapshotPlace(best.snapshot, trouble=f"{best.trouble}; {held.trouble}")
        return best

    def has(self, held: KnownPage, quote: str) -> bool:
        """Whether a snapshot of a page has the quote word for word; what only comes near it is not looked for."""
        for snapshot in held.snapshots:
            if snapshot.damaged or snapshot.visit.status != OK:
                continue
            try:
                page = self._reader.read(snapshot)
            except FetchFailure:
                continue
            texts = (page, self._without_marks(page)) if page.marks else (page,)
            if not page.needs_script and any(self.source(one).verbatim(quote) is not None for one in texts):
                return self.look(page, quote).verbatim
        return False

    def _look(self, snapshot: PageSnapshot, quote: str) -> SnapshotPlace:
        visit = snapshot.visit
        if snapshot.damaged:
            trouble = f"snapshot {snapshot.file} is damaged ({snapshot.damaged}): fetch the page again (--refresh)"
            return SnapshotPlace(snapshot, trouble=trouble)
        if visit.status != OK:
            said = f"{visit.status} {visit.answer.reason}".rstrip()
            return SnapshotPlace(snapshot, trouble=f"{visit.final_url} answered {said} on {visit.retrieved[:10]}")
        try:
            page = self._reader.read(snapshot)
        except FetchFailure as failure:
            return SnapshotPlace(snapshot, trouble=str(failure))
        if page.needs_script:
            return SnapshotPlace(snapshot, page, trouble="the page shows its text only in a browser that runs scripts")
        found = self.look(page, quote)
        if found.untold:
            return SnapshotPlace(snapshot, page, trouble=found.reason)
        return SnapshotPlace(snapshot, page, found)

    def look(self, page: Page, quote: str) -> QuoteOnPage:
        """What looking for a quote on a page gives; one that leaves reference marks out is verbatim after folding."""
        look = _as_it_is(quote, page) or self.source(page).look(quote)
        if not page.marks:
            return self._add_surroundings(_judge_look(look, page), quote, page)
        bare = self._without_marks(page)
        if look.kind != "verbatim":
            other = _as_it_is(quote, bare) or self.source(bare).look(quote)
            if other.kind == "verbatim":
                kinds = dict.fromkeys(kind for *_, kind in page.marks)
                return self._add_surroundings(
                    _judge_look(replace(other, folded=(*other.folded, *kinds)), bare), quote, bare
                )
            if other.kind == "altered" and other.similarity > look.similarity:
                return _judge_look(other, bare)
        # Around a sentence with a mark in it or behind its stop, the page reads better without marks.
        return self._add_surroundings(_judge_look(look, page), quote, bare, page)

    def _add_surroundings(self, found: QuoteOnPage, quote: str, *pages: Page) -> QuoteOnPage:
        """What was found, with what stands around its first place on the first of the pages that has it."""
        if not found.verbatim:
            return found
        for page in pages:
            place = _line_of(quote, page) or self.source(page).first_place(quote)
            if place is not None:
                before, after = surround(*place, lines=page.kind == "html")
                return replace(found, before=before, after=after)
        return found

    def nearest(self, page: Page, quote: str) -> LookupResult:
        """What a page has for a quote that it does not have word for word, with or without its reference marks."""
        look = self.source(page).look(quote)
        if not page.marks:
            return look
        other = self.source(self._without_marks(page)).look(quote)
        return other if other.kind == "altered" and other.similarity > look.similarity else look

    def _without_marks(self, page: Page) -> Page:
        from ...pages.visible import without_marks

        known = self._bare.get(id(page))
        if known is None:
            known = self._bare[id(page)] = page, replace(page, texts=without_marks(page), marks=())
        return known[1]

    def source(self, page: Page) -> QuoteSource:
        """The searchable text of a page."""
        known = self._sources.get(id(page))
        if known is None:
            # The page is kept beside its source, so that its id stays its own.
            source = QuoteSource(page.texts, page.boxes, may_be_damaged=page.kind == "pdf")
            known = self._sources[id(page)] = page, source
        return known[1]


def _as_it_is(quote: str, page: Page) -> LookupResult | None:
    """The answer for a quote that stands on one line, character for character, between white space.

    Most quotes do, and then the page need not be folded: validating 200 citations costs 2.1 times reading their pages,
    and 2.9 times without this. Whatever is less plain is left to those who fold.
    """
    place = _line_of(quote, page)
    if place is None:
        return None
    number = next(number for number, text in enumerate(page.texts) if text is place[0])
    return LookupResult("verbatim", (QuotePassage(number, number, quote.strip()),), similarity=1.0)


def _line_of(quote: str, page: Page) -> tuple[str, int, int] | None:
    """The text in which such a quote stands, and where it begins and ends."""
    sought = quote.strip()
    if not _is_plain(sought):
        return None
    for text in page.texts:
        at = text.find(sought)
        while at >= 0:
            end = at + len(sought)
            if _is_word_start(text, at) and (end == len(text) or text[end].isspace()):
                return text, at, end
            at = text.find(sought, at + 1)
    return None


def _is_plain(quote: str) -> bool:
    """Whether a quote is one line that begins and ends in words; beside a number, white space need not be its end."""
    if len(quote) < 2 or "  " in quote or not quote.isprintable() or not quote[0].isalpha():
        return False
    if count_letters(quote):
        # What goes on across white space there may be one word, or a negation.
        return False
    return quote[-1].isalpha() or (quote[-1] in ".!?:;" and (quote[-2].isalnum() or quote[-2] in ")”’"))


def _is_word_start(text: str, at: int) -> bool:
    """Whether a word begins here for certain: behind a hyphen at the end of a line, or a sign unseen, one may go on."""
    if not at:
        return True
    lead = text[max(0, at - _GAP) : at]
    last = lead.rstrip()[-1:]
    return lead[-1].isspace() and last.isprintable() and last not in "-‐" and bool(last or at <= _GAP)


def _judge_look(look: LookupResult, page: Page) -> QuoteOnPage:
    """An answer in the words of the stage."""
    at = look.passages[0].page + 1 if look.passages and page.kind == "pdf" else 0
    where = f" on page {at}" if at else ""
    nearest = shorten(" … ".join(passage.text for passage in look.passages[:3]), _SHOWN) if look.passages else ""
    if look.kind == "verbatim":
        declared = [name for name in look.folded if name in _DECLARED]
        if look.folded and page.kind == "html" and (parts := _parts(look, page)):
            reason = f"it joins words from separate places on the page: {' and '.join(parts)}; quote one of them"
            return QuoteOnPage(True, False, reason, look.folded, nearest=nearest, page=at)
        if not declared:
            folded = f", after folding {', '.join(look.folded)}" if look.folded else ""
            reason = f"the exact words stand{where or ' there'}{folded}"
            return QuoteOnPage(True, True, reason, look.folded, page=at)
        reason = f"it is not verbatim: it has a {' and a '.join(declared)}; quote the passage whole"
        return QuoteOnPage(True, False, reason, look.folded, nearest=nearest, page=at)
    if look.kind == "altered":
        edits = tuple(_edit(edit.quoted, edit.there) for edit in look.edits)
        reason = f"not verbatim: {'; '.join(edits[:5])}{f' and {len(edits) - 5} more' if len(edits) > 5 else ''}"
        return QuoteOnPage(True, False, reason, nearest=nearest, edits=edits, page=at)
    if look.kind == "parted":
        reason = (
            f"its words stand on both sides of a break of the PDF{where}, and may not go on there: look at the page"
        )
        return QuoteOnPage(False, False, reason, nearest=nearest, page=at, untold=True)
    if page.kind == "pdf" and look.kind != "too-short" and (gap := find_gap(page.texts)):
        return QuoteOnPage(False, False, f"the quote is not in the text of the PDF, but {gap}", untold=True)
    if look.kind == "stitched":
        return QuoteOnPage(False, False, "its pieces are at separate places on the page", nearest=nearest)
    if look.kind == "too-short":
        return QuoteOnPage(False, False, "it has no word that could be looked for")
    return QuoteOnPage(False, False, "nothing on the page comes near it")


def _parts(look: LookupResult, page: Page) -> tuple[str, ...]:
    """The blocks that a quote runs together as if they were one sentence; none where it has a place without."""
    first: tuple[str, ...] = ()
    for passage in look.passages:
        words = map(_make_word_pattern, passage.text.removesuffix("…").split())
        text = page.texts[passage.page]
        text = without_marks(text)[0] if MARK in look.folded else text
        for there in re.finditer(r"\s+".join(words), text):
            end = next((gap.end() for gap in _BLOCKS.finditer(there[0]) if gap[1] not in _STOPS), 0)
            if not end:
                return ()
            parts = " ".join(there[0][:end].split()), " ".join(there[0][end:].split())
            first = first or tuple(f"“{shorten(part, 60)}”" for part in parts)
    return first


def _make_word_pattern(word: str) -> str:
    """A pattern for a word; letters of scripts without spaces may stand on two lines."""
    return r"\s*".join(map(re.escape, word)) if count_letters(word) else re.escape(word)


def _edit(quoted: str, there: str) -> str:
    quoted, there = shorten(quoted, 120), shorten(there, 120)
    if not quoted:
        return f"the page has “{there}”, the quote leaves it out"
    if not there:
        return f"the quote has “{quoted}”, the page does not"
    return f"the page has “{there}”, the quote “{quoted}”"


def _describe_later(snapshot: PageSnapshot, place: SnapshotPlace) -> str:
    """What a snapshot without the quote says about those before it."""
    day = snapshot.visit.retrieved[:10]
    if place.found is not None:
        return f"the page as of {day} no longer has the quote ({place.found.reason})"
    if snapshot.damaged:
        return ""
    return f"the page is gone: {place.trouble}" if snapshot.visit.status != OK else f"as of {day}: {place.trouble}"
