"""A web page as research fetched it: its text with the quote marked, and how its credibility adds up."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from ....core.errors import PinciteError
from ....domains.research.credibility import author_verified, has_references, score
from ....domains.research.page_fetching import PageReader, held_page
from ....domains.research.quote_lookup import QuoteFinder
from ....domains.research.stages import TopicContext
from ....domains.research.topic import topics
from ....domains.research.validation import insecure_step
from ....safe.escape import escape_text
from ....store.warc import Snapshots
from .excerpts import mark_quotes
from .view import EvidenceFact, EvidenceView

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ....core.model import Citation
    from ....domains.research.quote_lookup import SnapshotPlace
    from .lookup import EvidenceLookup

_MOST_TOPICS = 50


def find_page_of_paper(lookup: EvidenceLookup, citation: Citation, url: str) -> EvidenceView | None:
    """The page of a paper that a topic of research has fetched; None where none has."""
    root, settings = lookup.project.root, lookup.project.config.research
    quote = citation.quote.exact if citation.quote is not None else ""
    for topic in topics(root)[:_MOST_TOPICS]:
        work = TopicContext(root, topic, settings, offline=True)
        view = show_snapshot(work, url, quote)
        if view is not None:
            return view
    return None


def show_snapshot(work: TopicContext, url: str, quote: str) -> EvidenceView | None:
    """What a topic holds of an address, with the quote marked; None where it holds nothing."""
    held = held_page(Snapshots(work.root, work.topic.snapshots), url)
    if not held.snapshots:
        return None
    reader = PageReader(work.most_bytes)
    place = QuoteFinder(reader).find(held, quote)
    snapshot = place.snapshot or held.snapshots[0]
    page = place.page
    title = escape_text(page.title if page is not None and page.title else url, 300)
    text = mark_quotes("\n\n".join(page.texts), [quote] if quote else []) if page is not None else ()
    statement = escape_text(place.trouble)
    if place.found is not None and quote:
        statement = escape_text(place.found.reason)
    return EvidenceView(
        "snapshot",
        "",
        title,
        statement,
        address=snapshot.visit.final_url,
        facts=tuple(_list_facts(work, place, url)),
        text=text,
        arithmetic=_add_up(work, place, url),
    )


def _list_facts(work: TopicContext, place: SnapshotPlace, url: str) -> Iterator[EvidenceFact]:
    snapshot, page = place.snapshot, place.page
    yield EvidenceFact("topic", escape_text(work.topic.name))
    if snapshot is not None:
        yield EvidenceFact("fetched", escape_text(snapshot.visit.retrieved))
        yield EvidenceFact("snapshot", escape_text(snapshot.file))
        if snapshot.visit.final_url != url:
            yield EvidenceFact("asked for", escape_text(url, 400))
    if page is not None and page.author is not None:
        yield EvidenceFact("author", escape_text(page.author.value, 200))
    if page is not None and page.published is not None:
        yield EvidenceFact("published", escape_text(page.published.value, 100))
    if place.since:
        yield EvidenceFact("since", escape_text(place.since, 400))


def _add_up(work: TopicContext, place: SnapshotPlace, url: str) -> tuple[str, ...]:
    """The steps of the credibility of a page on the day it was fetched; none where they cannot be told."""
    if place.snapshot is None:
        return ()
    visit = place.snapshot.visit
    try:
        source = work.table().find(visit.final_url)
        verified, _, _ = author_verified(source, place.page, work.attestations().author(url))
        cites, _ = has_references(place.page)
        on = date.fromisoformat(visit.retrieved[:10])
    except (PinciteError, ValueError):
        return ()
    lines = score(source, place.page, verified, cites, on, insecure_step(place)).lines
    return tuple(escape_text(line, 400) for line in lines)
