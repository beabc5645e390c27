"""One quote of a topic: the words on the page that the snapshot holds, and what is known of the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ....domains.research.model import ValidatedCitation
from ....domains.research.page_fetching import PageReader, held_page
from ....domains.research.quote_lookup import QuoteFinder
from ....store.warc import Snapshots
from ..routes import NotFound, PageRoute
from ..topic_view import ClaimView, SourceView, describe_source, list_citations, list_claims, open_topic_of

if TYPE_CHECKING:
    from ..routes import PageContext


class TopicQuoteQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which citation of which topic."""

    topic: str
    number: int


class TopicQuote(Struct, frozen=True):
    """A quote and the text around it."""

    topic: str
    number: int
    total: int
    claim: str
    quote: str
    state: str
    """`verbatim`, `altered`, `not found`, or `unknown` where no snapshot can tell."""
    reason: str
    before: str
    """What the snapshot has before the quote."""
    after: str
    """What the snapshot has behind the quote."""
    nearest: str
    """The passage nearest to a quote that is not verbatim."""
    edits: tuple[str, ...]
    page: int
    """The page of a PDF; 0 for other pages."""
    snapshot: str
    retrieved: str
    since: str
    """What a later look at the page showed."""
    validated: bool | None
    """Null before validation."""
    rejection: str
    warnings: tuple[str, ...]
    source: SourceView
    claims: tuple[ClaimView, ...]
    """The claims that rest on this quote, with their judgements."""


def load_quote(context: PageContext, query: TopicQuoteQuery) -> TopicQuote:
    """The citation with a number, looked up in the snapshots now."""
    with open_topic_of(context.site, query.topic) as work:
        citations = list_citations(work)
        if not 0 < query.number <= len(citations):
            raise NotFound(f"{query.topic}: there is no citation {query.number}; it has {len(citations)}")
        one = citations[query.number - 1]
        snapshots = Snapshots(work.root, work.topic.snapshots)
        held = held_page(snapshots, one.source_url)
        place = QuoteFinder(PageReader(work.most_bytes)).find(held, one.quote)
        found = place.found
        state = "unknown"
        if found is not None:
            state = "verbatim" if found.verbatim else "altered" if found.found else "not found"
        return TopicQuote(
            work.topic.name,
            query.number,
            len(citations),
            one.claim,
            one.quote,
            state,
            found.reason if found is not None else place.trouble,
            found.before if found is not None else "",
            found.after if found is not None else "",
            found.nearest if found is not None else "",
            found.edits if found is not None else (),
            found.page if found is not None else 0,
            f"{work.topic.snapshots}/{place.snapshot.file}" if place.snapshot is not None else "",
            place.snapshot.visit.retrieved if place.snapshot is not None else "",
            place.since,
            one.validated if isinstance(one, ValidatedCitation) else None,
            (one.rejection_reason or "") if isinstance(one, ValidatedCitation) else "",
            one.evidence.warnings if isinstance(one, ValidatedCitation) else (),
            describe_source(one, (query.number,), bool(held.snapshots)),
            tuple(claim for claim in list_claims(work) if claim.citation == query.number),
        )


PAGES = (
    PageRoute(
        "topic_quote",
        "/research/{topic}/quotes/{number}",
        "A quote of a topic with the text around it",
        TopicQuoteQuery,
        TopicQuote,
        load_quote,
        "topic_quote.html",
    ),
)
