"""What the shared store holds of web sources and their hosts, as records."""

from __future__ import annotations

from msgspec import Struct

NEW, SAME, CHANGED, UNCHECKED, GONE = "new", "same", "changed", "unchecked", "gone"
SOURCE_STATES = (NEW, SAME, CHANGED, UNCHECKED, GONE)
"""What is known of a page: not looked at yet; as it was; not as it was; could not be looked at; no longer there."""
HOLDS, MISSING, NO_QUOTE = "holds", "missing", "none"
QUOTE_STATES = (NEW, HOLDS, MISSING, UNCHECKED)


class NewSource(Struct, frozen=True):
    """A web page that is cited somewhere, perhaps with a quote."""

    url: str
    quote: str = ""
    cited_in: str = ""
    """Where it is cited: a repository, a document in it (`name:docs/a.md`), or a list."""


class AddedSources(Struct, frozen=True):
    """What became of sources that were to be added."""

    added: int
    """Sources that were not known before."""
    known: int
    quotes: int
    """Quotes that were not known before."""
    refused: tuple[tuple[str, str], ...] = ()
    """What was not added: the URL, and why."""


class DueSource(Struct, frozen=True):
    """A source that is to be visited, with what its last visits showed."""

    id: int
    team: int
    url: str
    final: str
    """Where redirects led the last time; empty where there were none."""
    period: int
    due: int
    state: str
    etag: str
    modified: str
    digest: str
    """SHA-256 of the page; empty before it was first seen."""
    unread: bool
    """Whether there are quotes that were never looked up."""
    seen: int
    failing_since: int
    failures: int
    """Visits in a row at which the page was not seen."""
    absent_days: int
    """Different days on which its server said that there is no such page."""
    absent_day: int


class SourceQuote(Struct, frozen=True):
    """A quote from a source."""

    id: int
    exact: str


class QuoteFinding(Struct, frozen=True):
    """What looking for a quote on a page gave."""

    id: int
    state: str
    nearest: str = ""
    """The nearest passage, or why nothing can be said."""


class KeptSnapshot(Struct, frozen=True):
    """A page that was kept as a WARC file."""

    retrieved: int
    digest: str
    file: str
    """From the folder of snapshots."""


class VisitResult(Struct, frozen=True):
    """What one visit showed: all of it is recorded together, and once."""

    source: int
    team: int
    read_due: int
    """When the visit was due; a source that was visited by another worker meanwhile is due at another time."""
    due: int
    state: str
    has_new_state: bool
    status: int
    etag: str
    modified: str
    digest: str
    final: str
    time: int
    seen: int
    failing_since: int
    failures: int
    absent_days: int
    absent_day: int
    trouble: str
    quotes: tuple[QuoteFinding, ...] = ()
    snapshot: KeptSnapshot | None = None
    was_read: bool = False
    """Whether its quotes were looked up."""
    forgets_quotes: bool = False
    """Whether nothing is known of its quotes any more: the page is gone."""


class StoredSource(Struct, frozen=True):
    """A source as it is listed."""

    id: int
    url: str
    final: str
    state: str
    status: int
    period: int
    due: int
    seen: int
    failing_since: int
    failures: int
    absent_days: int
    trouble: str
    quotes: dict[str, int] = {}
    """State to number of quotes."""


class WatchedSource(Struct, frozen=True):
    """A source with all that is known of it now."""

    id: int
    team: str
    url: str
    host: str
    final: str
    state: str
    status: int
    period: int
    due: int
    seen: int
    failing_since: int
    failures: int
    failed: int
    """When it was last asked for and not seen; 0 where it was seen since."""
    absent_days: int
    trouble: str
    digest: str


class StoredQuote(Struct, frozen=True):
    """A citation of a source, with what was found out of its quote."""

    exact: str
    """Empty where a source is cited without a quote."""
    cited_in: str
    state: str
    nearest: str
    checked: int
    """When it was last looked up; 0 where it never was."""


class SourceEvent(Struct, frozen=True):
    """A source changed its state."""

    time: int
    state: str
    status: int
    trouble: str


class QuoteProblem(Struct, frozen=True):
    """A quote that is missing, or whose page is gone."""

    source: int
    url: str
    state: str
    """`missing` or `gone`."""
    exact: str
    cited_in: str
    nearest: str


class SourceCounts(Struct, frozen=True):
    """All sources of a team in numbers."""

    sources: dict[str, int]
    quotes: dict[str, int]
    hosts: int
    due: int
    """Sources whose visit is due."""
    next_due: int
    """When the first other one is due, in seconds since 1970; 0 where there is none."""


class HostTurn(Struct, frozen=True):
    """What a worker got when it asked for a host."""

    state: str
    """`taken`, or why not: `held` (by another worker), `paused`, `resting` or `waiting` (its delay is not over)."""
    seconds: float = 0.0
    """How long to wait at least, where that is known."""
    strikes: int = 0
    """How often in a row the host was busy or broken."""


class HostState(Struct, frozen=True):
    """A host as it is listed."""

    name: str
    delay: float
    asked: float
    rests_until: float
    holder: str
    paused: bool
