"""Visits the due pages of one host, one after another: robots first, politely, and bounded in time."""

from __future__ import annotations

import random
import threading
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from time import monotonic, time
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ..core.errors import Refused, UsageError
from ..core.web import FetchFailure
from ..pages.body import decode_body
from ..safe.data_folder import choose_folder
from ..safe.fetch.hosts import LONGEST_DELAY, retry_after
from ..safe.fetch.politeness import FetchConditions, FetchPolicy
from ..safe.fetch.target import target_of
from ..safe.fetch.time_budget import FetchStopped
from ..store.shared.web_hosts import RESTING, TAKEN
from ..store.shared.web_records import CHANGED, KeptSnapshot
from .host_turns import BEAT_SECONDS, LEASE_SECONDS, HostNotFree, HostTurns
from .page_check import MOST_BYTES
from .page_outcome import ABSENT, NOT_MODIFIED, note_failure, note_page, postpone
from .quote_checks import QuoteChecks
from .result_recorder import ResultRecorder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..core.web import Visit
    from ..safe.fetch import Fetcher
    from ..store.shared import SharedStore
    from ..store.shared.records import Team
    from ..store.shared.web_records import DueSource, VisitResult
    from ..store.web_snapshots import SnapshotFolder

SNAPSHOTS = "PINCITE_FLEET_SNAPSHOTS"
"""The environment variable that names the folder of snapshots."""
DONE, AGAIN, LATER = "done", "again", "later"
OK = 200
BUSY = (429, 503)
"""Statuses by which a server asks to be left alone."""
STRIKES = 3
"""Pages in a row that a host fails with before it is left alone for a while."""
FIRST_REST = 60.0
LONGEST_BUSY_REST = 3600.0
"""Seconds; each rest is twice as long as the one before it. What Retry-After asks for may be longer."""
LONGEST_HONOURED = 6 * 3600.0
"""A robots.txt that asks for longer between two requests is obeyed by not asking at all."""
_HOST_TROUBLES = ("unresolved", "unreachable", "tls", "timeout")
_RECENT = 600.0
"""Seconds for which another answer shows that this machine is on the internet."""
_SOON = 1.0
_PAGES = 20
"""Due pages that are read from the store at once."""
_BUSY_ELSEWHERE = (60.0, 600.0)
"""Seconds after which a page is tried again that leads to a host which another worker asks."""


class VisitOptions(Struct, frozen=True):
    """How pages are visited."""

    delay: float = 1.0
    """Least seconds between two requests to one host."""
    hosts: int = 64
    """Hosts that are asked at once."""
    seconds: float = 30.0
    """Longest that one page may take."""
    contact: str = ""
    """An address that sites may write to."""
    snapshots: str = ""
    """The folder of snapshots; none are kept where empty."""
    processes: int = 1
    """Processes that look quotes up."""
    lease: float = LEASE_SECONDS
    beat: float = BEAT_SECONDS
    name: str = ""
    """What this worker is called in the store."""

    @property
    def policy(self) -> FetchPolicy:
        """How the fetcher behaves; the delay is the gate's business, and a repeated request is another visit."""
        return FetchPolicy(
            connections=self.hosts,
            seconds=self.seconds,
            most_bytes=MOST_BYTES,
            robots=True,
            contact=self.contact,
            retries=0,
        )


class VisitEnd(Struct, frozen=True):
    """How a visit to a host ended."""

    state: str
    """`done`, `again` (more pages are due), `later` (its delay is long), `resting`, or why it could not be taken."""
    seconds: float = 0.0
    """When to come again, as far as that is known."""
    pages: int = 0


class HostVisitor:
    """Visits hosts for one team; many threads at once, each with a host of its own."""

    def __init__(
        self,
        store: SharedStore,
        team: Team,
        fetcher: Fetcher,
        turns: HostTurns,
        recorder: ResultRecorder,
        checks: QuoteChecks,
        snapshots: SnapshotFolder | None,
        clock: Callable[[], float] = time,
    ) -> None:
        self._sources = store.sources
        self._team = team
        self._fetcher = fetcher
        self._turns = turns
        self._recorder = recorder
        self._checks = checks
        self._snapshots = snapshots
        self._clock = clock
        self._random = random.Random()  # noqa: S311 - it spreads visits over time
        self._stop = threading.Event()
        self._answered = float("-inf")

    def stop(self) -> None:
        """End all visits: pages that are being fetched are given up, and stay due."""
        self._stop.set()
        self._fetcher.close()
        self._checks.close()

    @property
    def is_stopping(self) -> bool:
        """Whether visits are to end."""
        return self._stop.is_set()

    def visit(self, host: str, until: int | None = None, must_yield: Callable[[], bool] = lambda: False) -> VisitEnd:
        """Visit the pages of a host that are due, by now or by a given time, until none is left or it must yield."""
        turn = self._turns.hold(host)
        if turn.state != TAKEN:
            return VisitEnd(turn.state, turn.seconds)
        run = _HostRun(host, turn.strikes)
        try:
            end = self._visit_pages(run, until, must_yield)
        except FetchStopped:
            end = VisitEnd(AGAIN, pages=run.pages)
        except HostNotFree as failure:
            end = VisitEnd(LATER, max(failure.seconds, _SOON if failure.host == host else FIRST_REST), run.pages)
        except FetchFailure:
            # Others waited for its robots.txt for too long.
            end = VisitEnd(LATER, FIRST_REST, run.pages)
        finally:
            try:
                self._recorder.flush()
                due = self._sources.schedule_host(self._team, host)
            finally:
                self._turns.let_go(host, run.rest, run.strikes)
        if end.state == DONE:
            # Its rules are a day old when it is visited next.
            self._fetcher.forget(host)
            return VisitEnd(DONE, max(0.0, due - self._clock()) if due else 0.0, run.pages)
        return end

    def _visit_pages(self, run: _HostRun, until: int | None, must_yield: Callable[[], bool]) -> VisitEnd:
        rules = self._fetcher.read_rules(run.host)
        while not self._stop.is_set():
            now = int(self._clock())
            pages = self._sources.find_due(self._team, run.host, now if until is None else min(now, until), _PAGES)
            if not pages:
                return VisitEnd(DONE)
            for page in pages:
                if isinstance(rules, FetchFailure):
                    self._record_failure(page, rules)
                    continue
                if rules.delay > LONGEST_HONOURED:
                    reason = f"robots.txt asks for {rules.delay:g} s between two requests"
                    self._recorder.put(note_failure(page, reason, now, self._random.random()))
                    continue
                if self._stop.is_set() or must_yield():
                    return VisitEnd(AGAIN, pages=run.pages)
                wait = self._turns.wait_of(run.host)
                if wait > LONGEST_DELAY:
                    return VisitEnd(LATER, wait, run.pages)
                self._visit_page(page, run)
                if run.rest:
                    return VisitEnd(RESTING, run.rest, run.pages)
            self._recorder.flush()
        return VisitEnd(AGAIN, pages=run.pages)

    def _visit_page(self, page: DueSource, run: _HostRun) -> None:
        known = None
        if page.digest and not page.unread:
            known = FetchConditions(page.final or page.url, page.etag, page.modified)
        try:
            visit = self._fetcher.revisit(page.url, known)
        except FetchStopped:
            raise
        except HostNotFree as failure:
            if failure.is_delay:
                self._record_failure(page, failure)
                return
            if failure.host == run.host:
                raise
            self._postpone(page, failure, failure.seconds)
            return
        except FetchFailure as failure:
            if self._stop.is_set():
                raise FetchStopped(page.url) from None
            if failure.kind == "busy":
                self._postpone(page, failure, 0.0)
                return
            self._record_failure(page, failure)
            if failure.kind in _HOST_TROUBLES and failure.host == run.host:
                self._strike(run)
            return
        self._answered = monotonic()
        run.pages += 1
        status = visit.status
        if status == OK or (status == NOT_MODIFIED and known is not None and known.url == visit.final_url):
            run.strikes = run.row = 0
            self._record_page(page, visit)
            return
        asked = retry_after(visit.answer.header("retry-after")) if status in BUSY else 0.0
        self._record_status(page, visit, asked)
        host = target_of(visit.final_url).host
        if host != run.host:
            # A redirect led there: the host that was asked first is well.
            run.row = 0
            if status in BUSY:
                self._sources.hosts.rest(host, max(asked, FIRST_REST))
        elif status in BUSY:
            run.rest = max(asked, _rest_for(run.strikes))
            run.strikes += 1
        elif status >= 500:
            self._strike(run)
        else:
            run.row = 0

    def _postpone(self, page: DueSource, failure: FetchFailure, seconds: float) -> None:
        """A redirect leads to a host that cannot be asked now."""
        seconds = max(seconds, self._random.uniform(*_BUSY_ELSEWHERE))
        self._recorder.put(postpone(page, str(failure), int(self._clock()), seconds))

    def _record_page(self, page: DueSource, visit: Visit) -> None:
        now, digest = int(self._clock()), ""
        if visit.status == OK:
            digest = _digest_of(visit)
        final = visit.final_url if visit.final_url != page.url else ""
        result = note_page(page, visit.answer, final, digest, now, self._random.random())
        is_new = not page.digest or result.state == CHANGED
        if is_new and self._snapshots is not None:
            try:
                file = self._snapshots.keep(visit, page.url.split("/")[2])
            except FetchFailure as failure:
                # An answer that no web server can have given.
                self._record_failure(page, failure)
                return
            except Refused as error:
                raise UsageError(f"{self._snapshots.path}: a snapshot cannot be written ({error})") from None
            result = replace(result, snapshot=KeptSnapshot(now, digest, file))
        if is_new or page.unread:
            quotes = self._sources.find_quotes(page.id)
            found = tuple(self._checks.check(visit, quotes)) if quotes else ()
            if self._stop.is_set():
                # The processes may have been ended in the middle.
                raise FetchStopped(page.url)
            result = replace(result, quotes=found, was_read=True)
        self._recorder.put(result)

    def _record_failure(self, page: DueSource, failure: FetchFailure) -> None:
        # When no other host answers either, this machine is not on the internet.
        is_absent = failure.kind == "unresolved" and monotonic() - self._answered < _RECENT
        reason = str(failure).removeprefix(f"{page.url}: ").partition("; ")[0]
        result = note_failure(page, reason, int(self._clock()), self._random.random(), is_absent=is_absent)
        self._recorder.put(result)

    def _record_status(self, page: DueSource, visit: Visit, asked: float) -> None:
        reason = f"it answered {visit.status} {visit.answer.reason}".rstrip()
        result = note_failure(
            page,
            reason,
            int(self._clock()),
            self._random.random(),
            status=visit.status,
            retry_after=asked,
            is_absent=visit.status in ABSENT,
        )
        self._recorder.put(result)

    def _strike(self, run: _HostRun) -> None:
        """One more page that the host failed with; after some in a row it is left alone."""
        run.row += 1
        if run.row >= STRIKES:
            run.rest = _rest_for(run.strikes)
            run.strikes += 1
            # Whether there is a host at all is asked first the next time.
            self._fetcher.forget(run.host)


class _HostRun:
    """A visit to a host while it goes on."""

    def __init__(self, host: str, strikes: int) -> None:
        self.host = host
        self.strikes = strikes
        """Rests in a row, those of earlier visits included."""
        self.row = 0
        """Pages in a row that failed."""
        self.rest = 0.0
        self.pages = 0


def _rest_for(strikes: int) -> float:
    return min(LONGEST_BUSY_REST, FIRST_REST * 2.0 ** min(strikes, 10))


def _digest_of(visit: Visit) -> str:
    """SHA-256 of the page; what cannot be unpacked counts as it was sent."""
    try:
        data = decode_body(visit.answer, MOST_BYTES)
    except FetchFailure:
        data = visit.answer.body
    return sha256(data).hexdigest()


def snapshots_folder(given: str | None = None) -> str:
    """The folder of snapshots: the one that was named, else PINCITE_FLEET_SNAPSHOTS, else one in the data folder."""
    return choose_folder(given, SNAPSHOTS, "--snapshots", "snapshots")


@contextmanager
def open_visitor(
    store: SharedStore,
    team: Team,
    options: VisitOptions,
    recorded: Callable[[VisitResult], None] = lambda _: None,
    clock: Callable[[], float] = time,
) -> Iterator[HostVisitor]:
    """A visitor with all that it needs; at the end everything is recorded, and its hosts are free."""
    from ..safe import fetch
    from ..store.web_snapshots import SnapshotFolder

    with ExitStack() as stack:
        snapshots = SnapshotFolder(options.snapshots) if options.snapshots else None
        turns = stack.enter_context(
            HostTurns(store.sources.hosts, options.delay, options.lease, options.beat, options.name)
        )
        recorder = stack.enter_context(ResultRecorder(store.sources, recorded))
        checks = stack.enter_context(QuoteChecks(options.processes))
        fetcher = stack.enter_context(fetch.new_fetcher(options.policy, turns))
        yield HostVisitor(store, team, fetcher, turns, recorder, checks, snapshots, clock)
