"""Looks at web sources again, in one process: a thread for each host that is asked now."""

from __future__ import annotations

import heapq
import signal
import threading
from collections import Counter, deque
from contextlib import contextmanager
from time import monotonic, time
from typing import TYPE_CHECKING

from msgspec import Struct

from ..store.shared.web_hosts import WAITING
from ..store.shared.web_records import NEW, UNCHECKED
from .host_visits import AGAIN, LATER, open_visitor
from .structured_log import FleetLog

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..store.shared import SharedStore
    from ..store.shared.records import Team
    from ..store.shared.web_records import VisitResult
    from .host_visits import HostVisitor, VisitEnd, VisitOptions

ONCE, UNTIL_DONE, FOR_EVER = "once", "until-done", "for-ever"
"""What is due now; until every source was seen or is gone; until it is stopped."""
SLICE_SECONDS = 60.0
"""How long one host is visited while others wait."""
_TICK = 0.2
_POLL_SECONDS = 1.0
_IDLE_SECONDS = 5.0
_REPAIR_SECONDS = 3600.0


class RevalidationSummary(Struct):
    """Visits in numbers, while they go on."""

    due: int = 0
    """Sources that were due at the start."""
    visited: int = 0
    states: dict[str, int] = {}
    """State to number of visits that ended in it."""
    quotes: dict[str, int] = {}
    """State to number of quotes that were looked up."""
    snapshots: int = 0
    hosts: int = 0
    """Hosts that are visited at this moment."""
    seconds: float = 0.0


class Revalidation:
    """One run; killed at any time, the next one goes on where it ended."""

    def __init__(
        self,
        store: SharedStore,
        team: Team,
        options: VisitOptions,
        mode: str,
        clock: Callable[[], float] = time,
        *,
        recorded: Callable[[VisitResult], None] = lambda _: None,
        log: FleetLog | None = None,
    ) -> None:
        """`recorded` is called for each page."""
        self._store = store
        self._team = team
        self._options = options
        self._mode = mode
        self._clock = clock
        self._recorded = recorded
        self._log = log or FleetLog()
        self._ready: deque[str] = deque()
        self._later: list[tuple[float, str]] = []
        self._active: set[str] = set()
        self._changed = threading.Condition()
        self._threads: list[threading.Thread] = []
        self._idle = 0
        self._ended = False
        self._error: BaseException | None = None
        self._states: Counter[str] = Counter()
        self._quotes: Counter[str] = Counter()
        self.summary = RevalidationSummary()

    def run(self, stop: threading.Event, step: Callable[[RevalidationSummary], None] = lambda _: None) -> None:
        """Visit what is due, until the mode or `stop` says that it is enough; raises StoreTrouble."""
        started = monotonic()
        now = int(self._clock())
        self._store.sources.repair_schedule(self._team, now)
        self.summary.due = self._store.sources.count_due(self._team, now)
        until = now if self._mode == ONCE else None
        with open_visitor(self._store, self._team, self._options, self._count, self._clock) as visitor:
            try:
                self._loop(visitor, until, stop, step)
            except BaseException:
                visitor.stop()
                raise
            finally:
                with self._changed:
                    self._ended = True
                    self._changed.notify_all()
                if stop.is_set() or self._error is not None:
                    visitor.stop()
                for thread in self._threads:
                    thread.join()
        self.summary.hosts = 0
        self.summary.seconds = round(monotonic() - started, 3)
        step(self.summary)

    def _loop(
        self,
        visitor: HostVisitor,
        until: int | None,
        stop: threading.Event,
        step: Callable[[RevalidationSummary], None],
    ) -> None:
        next_poll, next_repair = 0.0, monotonic() + _REPAIR_SECONDS
        while not stop.is_set():
            with self._changed:
                if self._error is not None:
                    raise self._error
                self._wake_later()
                few = len(self._ready) < self._options.hosts
                self.summary.hosts = len(self._active)
                is_idle = self._mode != FOR_EVER and not (self._ready or self._active or self._later)
            if is_idle or (few and monotonic() >= next_poll):
                found = self._poll(visitor, until)
                if not found and self._is_over(until):
                    return
                next_poll = monotonic() + (_POLL_SECONDS if found or until is not None else _IDLE_SECONDS)
            if monotonic() >= next_repair:
                self._store.sources.repair_schedule(self._team, int(self._clock()))
                next_repair = monotonic() + _REPAIR_SECONDS
            step(self.summary)
            with self._changed:
                # A host that was finished makes room for the next one.
                self._changed.wait(_TICK)

    def _poll(self, visitor: HostVisitor, until: int | None) -> bool:
        """Find hosts with pages that are due; whether something is to be done now or soon."""
        with self._changed:
            known = {*self._ready, *self._active, *(host for _, host in self._later)}
        now = int(self._clock())
        # Those that wait here for their delay are free in the store, and found again.
        most = 4 * self._options.hosts + len(known)
        found = self._store.sources.hosts.find_due(self._team, now if until is None else until, most)
        with self._changed:
            fresh = [host for host in found if host not in known and host not in self._active]
            self._ready.extend(fresh)
            wanted = min(self._options.hosts, len(self._threads) + len(self._ready) - self._idle)
            for _ in range(wanted - len(self._threads)):
                thread = threading.Thread(target=self._work, args=(visitor, until), name="visits", daemon=True)
                self._threads.append(thread)
                thread.start()
            self._changed.notify_all()
            return bool(self._ready or self._active or self._later)

    def _is_over(self, until: int | None) -> bool:
        if self._mode == FOR_EVER:
            return False
        hosts = self._store.sources.hosts
        if until is not None:
            # Hosts that another worker holds come back when it is done, or dead.
            return hosts.count_left(self._team, until) == 0
        return not self._store.sources.has_open(self._team, (NEW, UNCHECKED))

    def _wake_later(self) -> None:
        now = monotonic()
        while self._later and self._later[0][0] <= now:
            self._ready.append(heapq.heappop(self._later)[1])
            self._changed.notify_all()

    def _work(self, visitor: HostVisitor, until: int | None) -> None:
        while True:
            with self._changed:
                self._idle += 1
                while not self._ready and not self._ended:
                    self._changed.wait()
                self._idle -= 1
                if self._ended:
                    return
                host = self._ready.popleft()
                self._active.add(host)
            began = monotonic()
            try:
                end = visitor.visit(host, until, lambda since=began: self._must_yield(since))  # type: ignore[misc]
            except BaseException as error:  # passed to the waiting caller, instead of lost with the thread
                with self._changed:
                    self._error = self._error or error
                    self._active.discard(host)
                    self._changed.notify_all()
                return
            self._log.info("host visited", host=host, pages=end.pages, end=end.state, again_in=round(end.seconds, 1))
            with self._changed:
                self._active.discard(host)
                self._settle(host, end, visitor.is_stopping)

    def _must_yield(self, since: float) -> bool:
        return bool(self._ready) and monotonic() - since > SLICE_SECONDS

    def _settle(self, host: str, end: VisitEnd, is_stopping: bool) -> None:
        """Come back to a host that is not done; one that rests, is paused or is held elsewhere is found again."""
        if is_stopping:
            return
        if end.state == AGAIN:
            self._ready.append(host)
        elif end.state in (LATER, WAITING):
            heapq.heappush(self._later, (monotonic() + end.seconds, host))
        if end.state == AGAIN:
            self._changed.notify_all()

    def _count(self, result: VisitResult) -> None:
        """One result was recorded; called by one thread only."""
        self._recorded(result)
        self._states[result.state] += 1
        self._quotes.update(one.state for one in result.quotes)
        self.summary.visited += 1
        self.summary.states = dict(self._states)
        self.summary.quotes = dict(self._quotes)
        self.summary.snapshots += result.snapshot is not None


def wait_until_done(
    store: SharedStore,
    team: Team,
    mode: str,
    stop: threading.Event,
    step: Callable[[RevalidationSummary], None] = lambda _: None,
) -> RevalidationSummary:
    """Wait while other processes visit what is due now, or until every source was seen or is gone."""
    now, started = int(time()), monotonic()
    summary = RevalidationSummary(due=store.sources.count_due(team, now))
    while not stop.wait(_POLL_SECONDS):
        left = store.sources.count_due(team, now)
        summary.visited = max(0, summary.due - left)
        summary.seconds = round(monotonic() - started, 3)
        step(summary)
        if mode == ONCE and not store.sources.hosts.count_left(team, now):
            break
        if mode == UNTIL_DONE and not store.sources.has_open(team, (NEW, UNCHECKED)):
            break
    return summary


@contextmanager
def stop_by_signals(stop: threading.Event) -> Iterator[None]:
    """Inside, SIGINT and SIGTERM set an event: the first one ends gently, the next one at once."""

    def end(number: int, _: object) -> None:
        stop.set()
        signal.signal(number, signal.SIG_DFL)

    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, end) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)
