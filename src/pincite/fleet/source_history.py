"""What became of one web source: its state now, its quotes, its changes and its snapshots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ..store.shared.web_hosts import LONGEST_REST
from .report_times import format_time

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..store.shared import SharedStore
    from ..store.shared.web_records import StoredQuote, WatchedSource

MOST_EVENTS = 100
MOST_SNAPSHOTS = 100
"""The newest are listed; a page that changes every day has fewer in three months."""


class SourceState(Struct, frozen=True):
    """A web source as it stands; every time is in UTC, and empty where there was none."""

    id: int
    team: str
    url: str
    """The address that is cited."""
    host: str
    final: str
    """Where redirects led the last time; empty where there were none."""
    state: str
    """new, same, changed, unchecked or gone."""
    status: int
    """What its server answered last; 0 where it did not."""
    trouble: str
    """Why it is unchecked or gone; empty where it is neither."""
    visited: str
    """When it was last asked for."""
    seen: str
    """When it was last seen."""
    due: str
    """When it is asked for next."""
    period: int
    """Seconds between two visits."""
    failing_since: str
    failures: int
    """Visits in a row at which it was not seen."""
    absent_days: int
    """Days on which its server said that there is no such page; it is gone after three."""
    digest: str
    """SHA-256 of the page; empty before it was first seen."""


class SourceCitation(Struct, frozen=True):
    """A place that cites a source, and whether its quote stands there."""

    quote: str
    """Empty where the source is cited without a quote."""
    state: str
    """new, holds, missing or unchecked; none where there is no quote."""
    cited_in: str
    """The repository, and the document in it."""
    repository: int
    """The number of the repository; 0 where the store knows none of that name."""
    nearest: str
    """The nearest passage of the page, or why nothing can be said; empty where there is none."""
    checked: str
    """When the quote was last looked up."""


class SourceChange(Struct, frozen=True):
    """A source came to another state."""

    time: str
    state: str
    status: int
    trouble: str


class SourceSnapshot(Struct, frozen=True):
    """A page as it was, in a WARC file."""

    retrieved: str
    digest: str
    file: str
    """From the folder of snapshots."""


class SourceHistory(Struct, frozen=True):
    """All that the store knows of one web source."""

    source: SourceState
    host_trouble: str
    """Why its host is not asked now: it is paused, or left alone for a while; empty where it is asked."""
    quotes: dict[str, int]
    """Places that cite it by the state of their quotes; `none` has no quote."""
    citations: tuple[SourceCitation, ...]
    """Some of them, those whose quotes are missing first."""
    changes: tuple[SourceChange, ...]
    """Changes of its state, the newest first; not more than a hundred."""
    changes_left_out: bool
    """Whether there are older ones."""
    snapshots: tuple[SourceSnapshot, ...]
    """The newest first; not more than a hundred."""
    snapshots_left_out: bool


def load_history(store: SharedStore, found: WatchedSource, most: int, after: int = 0) -> SourceHistory:
    """What became of a source, with so many of the places that cite it; `after` skips as many."""
    overview = store.sources.overview
    events = overview.list_events(found.id, MOST_EVENTS + 1)
    snapshots = overview.list_snapshots(found.id, MOST_SNAPSHOTS + 1)
    quotes = overview.list_quotes(found.id, most, after)
    names = {name for one in quotes for name in _list_names(one.cited_in)}
    repositories = overview.find_repositories(found.team, names)
    return SourceHistory(
        source=make_state(found),
        host_trouble=_find_host_trouble(store, found.host),
        quotes=overview.count_quotes(found.id),
        citations=tuple(_make_citation(one, repositories) for one in quotes),
        changes=tuple(
            SourceChange(format_time(one.time), one.state, one.status, one.trouble) for one in events[:MOST_EVENTS]
        ),
        changes_left_out=len(events) > MOST_EVENTS,
        snapshots=tuple(
            SourceSnapshot(format_time(one.retrieved), one.digest, one.file) for one in snapshots[:MOST_SNAPSHOTS]
        ),
        snapshots_left_out=len(snapshots) > MOST_SNAPSHOTS,
    )


def make_state(one: WatchedSource) -> SourceState:
    """A source as reports and pages show it."""
    return SourceState(
        id=one.id,
        team=one.team,
        url=one.url,
        host=one.host,
        final=one.final,
        state=one.state,
        status=one.status,
        trouble=one.trouble,
        visited=format_time(max(one.seen, one.failed)),
        seen=format_time(one.seen),
        due=format_time(one.due),
        period=one.period,
        failing_since=format_time(one.failing_since),
        failures=one.failures,
        absent_days=one.absent_days,
        digest=one.digest,
    )


def _make_citation(one: StoredQuote, repositories: dict[str, int]) -> SourceCitation:
    number = next((repositories[name] for name in _list_names(one.cited_in) if name in repositories), 0)
    return SourceCitation(one.exact, one.state, one.cited_in, number, one.nearest, format_time(one.checked))


def _list_names(cited_in: str) -> Iterable[str]:
    """What may be the name of the repository in `name:docs/a.md`, the longest first; a name may have a colon in it."""
    parts = cited_in.split(":")
    return (":".join(parts[:number]) for number in range(min(len(parts), 4), 0, -1))


def _find_host_trouble(store: SharedStore, name: str) -> str:
    hosts = store.sources.hosts
    host = hosts.find(name)
    if hosts.is_paused():
        return "all hosts are paused"
    if host is None:
        return ""
    if host.paused:
        return "its host is paused"
    now = hosts.now()
    if now < host.rests_until <= now + LONGEST_REST:
        return f"its host is left alone until {format_time(int(host.rests_until))}"
    return ""
