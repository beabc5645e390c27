"""One repository of a fleet: its outcomes, its problems, its documents, its last checks, and its trend."""

from __future__ import annotations

from collections import Counter
from time import time
from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta, Struct

from ....fleet.fleet_report import UncheckedRepository, make_failure
from ....fleet.fleet_totals import order_outcomes
from ....fleet.new_problems import NewProblem, make_problem, name_command
from ....fleet.report_times import DAY, format_time
from ....store.shared.backend import clean_text
from ....store.shared.overview import DocumentSummary, ProblemFilter, label_of
from ....store.shared.records import FIRST_PROBLEM, MALFORMED
from ....text.trend_plot import format_date
from ..facets import Facet
from ..fleet_records import MOST_PAGES, PROBLEMS, FleetRow, FleetTrend, list_chosen, load_trend, make_facet, make_row
from ..records import PER_PAGE, Paging, make_paging
from ..routes import NotFound, PageRoute

if TYPE_CHECKING:
    from ....store.shared import SharedStore
    from ....store.shared.overview import ShardSummary
    from ..fleet_site import FleetContext

_MOST_DOCUMENTS = 50
_MOST_SHARDS = 20
_NUMBERS = {label_of(number): number for number in range(FIRST_PROBLEM, MALFORMED + 1)}
"""The numbers of outcomes that are problems."""


class FleetRepositoryQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which repository, and which of its problems."""

    id: Annotated[int, Meta(ge=1, le=2**31 - 1)]
    q: str = ""
    """Text in the path, the citation or the message; case does not count."""
    outcome: Literal["", "malformed", "blocked", "missing", "mismatch", "ambiguous", "moved"] = ""
    check: str = ""
    document: str = ""
    page: Annotated[int, Meta(ge=1, le=MOST_PAGES)] = 1


class FleetCheck(Struct, frozen=True):
    """One finished check."""

    finished: str
    """When, in UTC."""
    commit: str
    committed: str
    """When the commit was made, as it says itself."""
    version: str
    """Of pincite."""
    seconds: float
    documents: int
    outcomes: dict[str, int]


class FleetRepositoryRecord(Struct, frozen=True):
    """Everything about one repository."""

    repository: FleetRow
    location: str
    """Where it is fetched from, without credentials."""
    command: str
    """What to type to see the problems that are listed."""
    failure: UncheckedRepository | None
    """Why the last try failed."""
    problems: tuple[NewProblem, ...]
    """The gravest first."""
    paging: Paging
    facets: tuple[Facet, ...]
    documents: tuple[DocumentSummary, ...]
    """Those with most problems first; not more than fifty."""
    checks: tuple[FleetCheck, ...]
    """The newest first; not more than twenty."""
    trend: FleetTrend
    chosen: dict[str, str]


def load_repository(context: FleetContext, query: FleetRepositoryQuery) -> FleetRepositoryRecord:
    """One repository."""
    found = context.site.ask(lambda store: _load(store, query))
    if found is None:
        raise NotFound(f"repository {query.id}: there is none that the login of this server may see")
    return found


def _load(store: SharedStore, query: FleetRepositoryQuery) -> FleetRepositoryRecord | None:
    now = int(time())
    overview = store.overview
    stored = store.verdicts.find_repository(query.id)
    summaries = overview.summarize((now - DAY) // 60 * 60, repository=query.id)
    if stored is None or not summaries:
        return None
    # As the store keeps them: a name may have bytes that are no text.
    texts = map(clean_text, (query.check, query.document, query.q))
    wanted = ProblemFilter(_NUMBERS.get(query.outcome, 0), *texts)
    total = sum(overview.count_problems(query.id, wanted).values())
    paging = make_paging(query.page, total)
    listed = overview.list_problems(query.id, PER_PAGE, paging.start, wanted)
    failures = overview.list_failures(repository=query.id)
    return FleetRepositoryRecord(
        repository=make_row(summaries[0], now),
        location=stored.location,
        command=name_command(stored.location, listed, summaries[0].team) if listed else "",
        failure=make_failure(failures[0]) if failures else None,
        problems=tuple(map(make_problem, listed)),
        paging=paging,
        facets=_make_facets(store, query, wanted),
        documents=tuple(overview.list_documents(query.id, _MOST_DOCUMENTS)),
        checks=tuple(map(_make_check, overview.list_shards(query.id, _MOST_SHARDS))),
        trend=load_trend(store, query.id),
        chosen=list_chosen(query),
    )


def _make_facets(store: SharedStore, query: FleetRepositoryQuery, wanted: ProblemFilter) -> tuple[Facet, ...]:
    """What problems differ by, with the counts that another choice would give."""
    outcomes, checks = Counter[str](), Counter[str]()
    any_outcome = ProblemFilter(0, wanted.finding, wanted.document, wanted.text)
    for (outcome, _), number in store.overview.count_problems(query.id, any_outcome).items():
        outcomes[outcome] += number
    any_check = ProblemFilter(wanted.outcome, "", wanted.document, wanted.text)
    for (_, check), number in store.overview.count_problems(query.id, any_check).items():
        checks[check] += number
    return (
        make_facet("outcome", "Outcome", outcomes, query.outcome, {label: label for label in PROBLEMS}),
        make_facet("check", "Check", checks, query.check),
    )


def _make_check(one: ShardSummary) -> FleetCheck:
    return FleetCheck(
        *(format_time(one.finished), one.commit, format_date(one.committed), one.version, round(one.seconds, 2)),
        *(one.documents, order_outcomes(one.outcomes)),
    )


PAGES = (
    PageRoute(
        "fleet_repository",
        "/fleet/r/{id}",
        "One repository: its problems, documents, checks and trend",
        FleetRepositoryQuery,
        FleetRepositoryRecord,
        load_repository,
        "fleet_repository.html",
    ),
)
