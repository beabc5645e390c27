"""The first page: every document in numbers, what is new first, and citations chosen by what they have in common."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

from msgspec import Struct
from msgspec.structs import asdict, replace

from ....report._words import asides
from ....safe.escape import escape_text
from ..facets import Facet, RowFilter, is_inside
from ..long_work import WorkRecord
from ..overview_memory import memory_of
from ..records import CitationRow, Paging, Redirect, cut_page
from ..rendering import OUTCOMES
from ..routes import ActionRoute, PageRoute, Refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ....core.model import Summary
    from ..checked_documents import CheckedDocuments
    from ..deferred import DeferredAnswer
    from ..overview_memory import OverviewMemory
    from ..routes import PageContext
    from ..site import Site

_AUTHOR = "author"


class OverviewQuery(RowFilter, frozen=True, forbid_unknown_fields=True):
    """Which documents or citations are listed."""

    page: int = 1
    list: Literal["documents", "citations"] = "documents"
    since: str = ""
    """A revision: what changes since then could have affected is new, as with `pincite check --since`."""
    by: Literal["", "author"] = ""
    """`author` shows the authors of citing lines, which takes a look at git's history."""


class OverviewDocument(Struct, frozen=True):
    """A document in numbers: of its citations those that are wanted."""

    document: str
    citations: int
    outcomes: dict[str, int]
    worst: str
    """The gravest outcome among them; `unreadable` where the document was not checked."""
    new: int
    """How many of them are new."""
    error: str = ""
    """Why it could not be read."""


class OverviewCitation(Struct, frozen=True):
    """A citation of the list."""

    citation: CitationRow
    is_new: bool


class NewFindings(Struct, frozen=True):
    """What is new, and since when."""

    since: str
    """The revision, or the time of the last mark; empty where nothing was marked yet."""
    is_revision: bool
    count: int
    work: WorkRecord | None = None
    """What looks for it, while that is under way or after it was stopped."""


class OverviewRecord(Struct, frozen=True):
    """Documents or citations, the new ones first, and all citations in numbers."""

    documents: tuple[OverviewDocument, ...]
    """Empty where citations are listed."""
    rows: tuple[OverviewCitation, ...]
    """The citations that are listed; empty where documents are."""
    paging: Paging
    outcomes: dict[str, int]
    citations: int
    """All citations of all documents."""
    total: int
    """All documents that cite."""
    matching: int
    """The citations that are wanted."""
    facets: tuple[Facet, ...]
    new: NewFindings
    authors: WorkRecord | None
    """What looks for authors, while that is under way or after it was stopped."""
    chosen: dict[str, str]
    """The fields of the query that are set, but for the page."""
    version: int
    """Which state of the documents this is."""
    is_complete: bool
    """Whether every document was checked."""
    notes: tuple[str, ...]
    """What the numbers do not count, and what was not looked at, as `pincite check` says it."""
    error: str
    """Why the last check failed; empty where it did not."""


class SeenForm(Struct, frozen=True, forbid_unknown_fields=True):
    """Which state of the documents was seen."""

    version: int = 0
    """As the page says it; 0 for the one that is current."""


class AgainForm(Struct, frozen=True, forbid_unknown_fields=True):
    """Which page is shown afterwards."""

    since: str = ""
    by: Literal["", "author"] = ""


def load_overview(context: PageContext, query: OverviewQuery) -> OverviewRecord:
    """The overview of a site."""
    site = context.site
    documents, memory = site.documents, memory_of(site)
    new, news = _find_news(context, documents, query)
    # While documents are still checked for the first time, every answer would be another one a moment later.
    asks_authors = bool(query.by or query.author) and documents.is_complete
    answer = memory.ask_authors(documents, context.links.page("overview", by=_AUTHOR)) if asks_authors else None
    authors = answer.value if answer is not None and answer.is_ready else None
    wanted = RowFilter(**{name: getattr(query, name) for name in RowFilter.__struct_fields__})
    rows, facets = memory.select(documents, wanted, news, authors)
    if query.list == "citations":
        listed, paging = cut_page(sorted(rows, key=lambda row: row.id not in news), query.page)
        shown: tuple[OverviewDocument, ...] = ()
    else:
        listed = ()
        shown, paging = _list_documents(documents, wanted, rows, news, query.page)
    every = memory.rows(documents)
    return OverviewRecord(
        documents=shown,
        rows=tuple(OverviewCitation(row, row.id in news) for row in listed),
        paging=paging,
        outcomes=dict(Counter(row.outcome for row in every)),
        citations=len(every),
        total=len(documents.names()),
        matching=len(rows),
        facets=facets,
        new=new,
        authors=_describe_work(answer),
        chosen=_list_chosen(query),
        version=documents.version,
        is_complete=documents.is_complete,
        notes=_list_notes(documents.summary),
        error=site.keeper.error,
    )


def mark_seen(context: PageContext, form: SeenForm) -> Redirect:
    """Note that the user has seen all findings: what comes later is new."""
    documents = context.site.documents
    if not documents.is_complete:
        raise Refusal(409, "not every document is checked yet; mark them as seen when the first check is done")
    if form.version not in (0, documents.version):
        raise Refusal(409, "verdicts changed since the page was shown; look at what is new, then mark it as seen")
    memory_of(context.site).mark_seen(documents)
    return Redirect(context.links.page("overview"))


def look_again(context: PageContext, form: AgainForm) -> Redirect:
    """Let what was stopped start again."""
    memory_of(context.site).answers.forget_stopped()
    return Redirect(context.links.page("overview", since=form.since, by=form.by))


def _find_news(
    context: PageContext, documents: CheckedDocuments, query: OverviewQuery
) -> tuple[NewFindings, frozenset[str]]:
    memory: OverviewMemory = memory_of(context.site)
    if query.since and not documents.is_complete:
        return NewFindings(query.since, True, 0), frozenset()
    if query.since:
        answer = memory.ask_since(documents, query.since, context.links.page("overview", since=query.since))
        news: frozenset[str] = answer.value if answer.is_ready else frozenset()
        return NewFindings(query.since, True, len(news), _describe_work(answer)), news
    news, seen = memory.find_unseen(documents), memory.seen()
    since = datetime.fromtimestamp(seen.time, UTC).strftime("%Y-%m-%d %H:%M UTC") if seen is not None else ""
    return NewFindings(since, False, len(news)), news


def _list_notes(summary: Summary) -> tuple[str, ...]:
    # Malformed citations are among those that the page counts.
    rest = asides(replace(summary, malformed=0))
    drift = f"Not compared with history: {escape_text(summary.drift)}" if summary.drift else ""
    return tuple(one for one in (rest, drift) if one)


def _describe_work(answer: DeferredAnswer | None) -> WorkRecord | None:
    if answer is None or answer.is_ready or answer.work is None:
        return None
    return answer.work.record()


def _list_documents(
    documents: CheckedDocuments, wanted: RowFilter, rows: Sequence[CitationRow], news: frozenset[str], page: int
) -> tuple[tuple[OverviewDocument, ...], Paging]:
    """The documents of the rows, those with news first; without a choice among citations those without any, too."""
    fresh = Counter(row.document for row in rows if row.id in news)
    names = {row.document for row in rows}
    if wanted == RowFilter(q=wanted.q, folder=wanted.folder):
        words = wanted.q.casefold()
        names.update(
            one.document
            for one in documents.documents
            if not one.citations and words in one.document.casefold() and is_inside(one.document, wanted.folder)
        )
    cut, paging = cut_page(sorted(names, key=lambda name: (not fresh[name], name)), page)
    counts: dict[str, Counter[str]] = {name: Counter() for name in cut}
    for row in rows:
        if row.document in counts:
            counts[row.document][row.outcome] += 1
    return tuple(_describe(documents, name, counts[name], fresh[name]) for name in cut), paging


def _describe(documents: CheckedDocuments, name: str, outcomes: Counter[str], new: int) -> OverviewDocument:
    report = documents.report(name)
    error = report.error if report is not None else ""
    worst = next((label for label in OUTCOMES if outcomes[label]), "holds")
    ordered = {label: outcomes[label] for label in OUTCOMES if outcomes[label]}
    return OverviewDocument(name, outcomes.total(), ordered, "unreadable" if error else worst, new, error)


def _list_chosen(query: OverviewQuery) -> dict[str, str]:
    bare = asdict(OverviewQuery())
    return {name: str(value) for name, value in asdict(query).items() if name != "page" and value != bare[name]}


def _find_state(site: Site, query: OverviewQuery) -> object:
    """What the overview depends on beside its address."""
    keeper = site.keeper
    return site.documents.version, keeper.error, keeper.is_stopped, keeper.head, memory_of(site).state()


PAGES = (
    PageRoute(
        "overview",
        "/",
        "Every document in numbers, what is new first",
        OverviewQuery,
        OverviewRecord,
        load_overview,
        "overview.html",
        title="Overview",
        depends=_find_state,
        json_path="/index.json",
    ),
)
ACTIONS = (
    ActionRoute("seen", "/seen", "Mark all findings as seen", SeenForm, Redirect, mark_seen),
    ActionRoute(
        "again", "/again", "Start a search again that was stopped", AgainForm, Redirect, look_again, writes=False
    ),
)
