"""Web sources: when each is due, what its server said last, and whether the quotes from it still stand there."""

from __future__ import annotations

from time import time
from typing import TYPE_CHECKING

from .backend import POSTGRESQL, clean_text
from .source_adding import SourceAdding
from .source_overview import SourceOverview
from .web_hosts import LONGEST_REST, WebHosts
from .web_records import (
    GONE,
    MISSING,
    NEW,
    NO_QUOTE,
    UNCHECKED,
    AddedSources,
    DueSource,
    QuoteProblem,
    SourceCounts,
    SourceQuote,
    StoredSource,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from .backend import Backend, Row
    from .records import Team
    from .web_records import NewSource, VisitResult

_LONGEST_TROUBLE = 300
_LONGEST_NEAREST = 500
_PAGE = 1_000
"""Rows that are read at once where there may be millions."""
_DUE = """id, team, url, final, period, due, state, etag, modified, digest, unread, seen, failing_since, failures,
    absent_days, absent_day"""
_LISTED = "id, url, final, state, status, period, due, seen, failing_since, failures, absent_days, trouble"
_RECORD = """UPDATE web_source SET due = ?, state = ?, status = ?, etag = ?, modified = ?, digest = ?, final = ?,
    seen = ?, failing_since = ?, failures = ?, failed = CASE WHEN ? = 0 THEN 0 WHEN ? > failures
    THEN ? ELSE failed END, absent_days = ?, absent_day = ?, trouble = ?
WHERE id = ? AND due = ?"""
_STILL_UNREAD = """UPDATE web_source SET unread = EXISTS (SELECT 1 FROM web_quote WHERE web_quote.source = web_source.id
    AND web_quote.state = ?) WHERE id = ?"""
_NEXT_VISIT = """UPDATE web_visit SET due = coalesce((SELECT min(due) FROM web_source
    WHERE web_source.team = web_visit.team AND web_source.host = web_visit.host), due) WHERE team = ?"""


class WebSources:
    """The web sources of one store."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._lock = " FOR UPDATE" if backend.address.kind == POSTGRESQL else ""
        self._adding = SourceAdding(backend)
        self.hosts = WebHosts(backend)
        self.overview = SourceOverview(backend)

    def add(
        self, team: Team, sources: Iterable[NewSource], *, period: int | None = None, now: float = 0.0, place: str = ""
    ) -> AddedSources:
        """Add pages that are cited, all that can be or, over the team's limit, none (UsageError).

        `period` is the time between two visits in seconds: given, it counts for all that are named; else for new ones
        it is a week. With `place`, these are all that is cited there: what else was cited in the place, or in
        `place:…`, is forgotten.
        """
        return self._adding.add(team, sources, period, int(now or time()), place)

    def forget(self, team: Team, place: str) -> int:
        """Forget what is cited in a place, and sources that are then cited nowhere; how many citations there were."""
        return self._adding.forget(team, place)

    def find_due(self, team: Team, host: str, until: int, most: int) -> list[DueSource]:
        """Sources of a host that are due, those that wait longest first."""
        rows = self._backend.query(
            f"SELECT {_DUE} FROM web_source WHERE team = ? AND host = ? AND due <= ? ORDER BY due, id LIMIT ?",  # noqa: S608
            (team.id, host, until, most),
        )
        return [DueSource(*row) for row in rows]

    def find_quotes(self, source: int) -> list[SourceQuote]:
        """The quotes from a source."""
        rows = self._backend.query(
            "SELECT id, exact FROM web_quote WHERE source = ? AND state <> ? ORDER BY id", (source, NO_QUOTE)
        )
        return [SourceQuote(*row) for row in rows]

    def record(self, results: Sequence[VisitResult]) -> list[bool]:
        """Record what visits showed, together; False for each that another worker was faster with.

        A result that is recorded twice counts once, so that a broken connection can be tried again.
        """
        # Always in the same order: two workers never wait for one another.
        order = sorted(range(len(results)), key=lambda at: results[at].source)

        def write() -> list[bool]:
            applied = {at: self._record(results[at]) for at in order}
            return [applied[at] for at in range(len(results))]

        return self._backend.perform(write)

    def _record(self, one: VisitResult) -> bool:
        run = self._backend.run
        trouble = clean_text(one.trouble, _LONGEST_TROUBLE)
        values = (
            *(one.due, one.state, one.status, one.etag, one.modified, one.digest, one.final, one.seen),
            *(one.failing_since, one.failures, one.failures, one.failures, one.time),
            *(one.absent_days, one.absent_day, trouble),
            *(one.source, one.read_due),
        )
        if run(_RECORD, values) != 1:
            return False
        if one.has_new_state:
            run(
                "INSERT INTO web_event (source, team, time, state, status, trouble) VALUES (?, ?, ?, ?, ?, ?) "
                "ON CONFLICT DO NOTHING",
                (one.source, one.team, one.time, one.state, one.status, trouble),
            )
        if one.snapshot is not None:
            kept = one.snapshot
            run(
                "INSERT INTO web_snapshot (source, team, retrieved, digest, file) VALUES (?, ?, ?, ?, ?) "
                "ON CONFLICT DO NOTHING",
                (one.source, one.team, kept.retrieved, kept.digest, kept.file),
            )
        if one.quotes:
            self._backend.run_many(
                "UPDATE web_quote SET state = ?, nearest = ?, checked = ? WHERE id = ?",
                [(got.state, clean_text(got.nearest, _LONGEST_NEAREST), one.time, got.id) for got in one.quotes],
            )
        if one.was_read:
            run(_STILL_UNREAD, (NEW, one.source))
        if one.forgets_quotes:
            run("UPDATE web_quote SET state = ? WHERE source = ? AND state <> ?", (UNCHECKED, one.source, NO_QUOTE))
            run("UPDATE web_source SET unread = ? WHERE id = ?", (True, one.source))
        return True

    def schedule_host(self, team: Team, host: str) -> int:
        """Note when the next source of a host is due; gives that time, 0 where it has none."""

        def write() -> int:
            # The lock first: what is added meanwhile is then seen by the next statement.
            chosen = "WHERE team = ? AND host = ?"
            self._backend.query(f"SELECT due FROM web_visit {chosen}{self._lock}", (team.id, host))  # noqa: S608
            due = self._backend.query(f"SELECT min(due) FROM web_source {chosen}", (team.id, host))[0][0]  # noqa: S608
            if due is None:
                self._backend.run(f"DELETE FROM web_visit {chosen}", (team.id, host))  # noqa: S608
                return 0
            self._backend.run(f"UPDATE web_visit SET due = ? {chosen}", (due, team.id, host))  # noqa: S608
            return int(due)

        return self._backend.perform(write)

    def repair_schedule(self, team: Team, now: int) -> int:
        """Bring back what is due in the far future because a clock was wrong; how many sources that were."""
        far = now + int(LONGEST_REST)

        def write() -> int:
            found = self._backend.run(
                "UPDATE web_source SET due = ? WHERE team = ? AND due > ? + 2 * period", (now, team.id, far)
            )
            late = self._backend.query("SELECT 1 FROM web_visit WHERE team = ? AND due > ? LIMIT 1", (team.id, far))
            if found or late:
                self._backend.run(_NEXT_VISIT, (team.id,))
            return found

        return self._backend.perform(write)

    def count(self) -> dict[str, int]:
        """How many sources there are in each state."""
        return dict(self._backend.query("SELECT state, count(*) FROM web_source GROUP BY state ORDER BY state"))

    def count_all(self, team: Team, now: int) -> SourceCounts:
        """All sources of a team in numbers."""
        query, values = self._backend.query, (team.id,)
        sources = query("SELECT state, count(*) FROM web_source WHERE team = ? GROUP BY state ORDER BY state", values)
        quotes = query("SELECT state, count(*) FROM web_quote WHERE team = ? GROUP BY state ORDER BY state", values)
        hosts = query("SELECT count(*) FROM web_visit WHERE team = ?", values)[0][0]
        ahead = query("SELECT min(due) FROM web_source WHERE team = ? AND due > ?", (team.id, now))[0][0]
        due = self.count_due(team, now)
        return SourceCounts(
            dict(sources), {state: n for state, n in quotes if state != NO_QUOTE}, int(hosts), due, ahead or 0
        )

    def count_due(self, team: Team, until: int) -> int:
        """How many sources of a team are due."""
        rows = self._backend.query("SELECT count(*) FROM web_source WHERE team = ? AND due <= ?", (team.id, until))
        return int(rows[0][0])

    def has_open(self, team: Team, states: Sequence[str]) -> bool:
        """Whether a source is in one of some states, on a host that is not paused."""
        marks = ", ".join("?" * len(states))
        rows = self._backend.query(
            "SELECT 1 FROM web_source JOIN web_host ON web_host.name = web_source.host WHERE web_source.team = ? "  # noqa: S608
            f"AND web_source.state IN ({marks}) AND NOT web_host.paused LIMIT 1",
            (team.id, *states),
        )
        return bool(rows) and not self.hosts.is_paused()

    def list_all(self, team: Team, state: str = "") -> Iterator[StoredSource]:
        """The sources of a team, or those in one state, in the order in which they came."""
        last = 0
        where, given = (" AND state = ?", (state,)) if state else ("", ())
        while True:
            rows = self._backend.query(
                # The sum keeps databases from another way than by number, which would sort everything each time.
                f"SELECT {_LISTED} FROM web_source WHERE id > ? AND team + 0 = ?{where} ORDER BY id LIMIT ?",  # noqa: S608
                (last, team.id, *given, _PAGE),
            )
            if not rows:
                return
            first, last = rows[0][0], rows[-1][0]
            quotes = self._count_quotes(first, last)
            yield from (StoredSource(*(*row, quotes.get(row[0], {}))) for row in rows)

    def _count_quotes(self, first: int, last: int) -> dict[int, dict[str, int]]:
        found: dict[int, dict[str, int]] = {}
        for source, state, number in self._backend.query(
            "SELECT source, state, count(*) FROM web_quote WHERE source BETWEEN ? AND ? AND state <> ? "
            "GROUP BY source, state ORDER BY source, state",
            (first, last, NO_QUOTE),
        ):
            found.setdefault(source, {})[state] = number
        return found

    def find_problems(self, team: Team, most: int) -> list[QuoteProblem]:
        """Quotes that are missing, then sources that are gone with what is quoted from them."""
        found: list[Row] = []
        for table, state in (("web_quote", MISSING), ("web_source", GONE)):
            # The state stands in the text: so both databases know that the index for it is the right one.
            found += self._backend.query(
                f"SELECT web_source.id, web_source.url, '{state}', web_quote.exact, web_quote.cited_in, "  # noqa: S608
                "web_quote.nearest FROM web_quote JOIN web_source ON web_source.id = web_quote.source "
                f"WHERE {table}.team = ? AND {table}.state = '{state}' "
                "ORDER BY web_source.url, web_quote.cited_in, web_quote.id LIMIT ?",
                (team.id, most - len(found)),
            )
        return [QuoteProblem(*row) for row in found]
