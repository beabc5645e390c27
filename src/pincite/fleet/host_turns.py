"""When a host may be asked: this process holds it in the store, and keeps its delay by a clock that never jumps.

Every request passes here, also for robots.txt and after a redirect to another host. The delay counts from the end of a
request, so that it is never shorter on the host's side. Several threads, workers and fleets share one pace.
"""

from __future__ import annotations

import os
import threading
from time import monotonic
from typing import TYPE_CHECKING

from ..core.web import FetchFailure
from ..safe.escape import escape_text
from ..safe.files import Closing
from ..store.database import StoreTrouble
from ..store.shared.web_hosts import HELD, PAUSED, RESTING, TAKEN, WAITING

if TYPE_CHECKING:
    from ..safe.fetch.time_budget import Clock
    from ..store.shared.web_hosts import WebHosts
    from ..store.shared.web_records import HostTurn

LEASE_SECONDS = 30.0
"""A worker that gives no sign for so long is dead, and loses its hosts."""
BEAT_SECONDS = 2.0
"""How often a worker gives a sign, and sees which hosts are paused."""
LONGEST_INSIDE = 60.0
"""Seconds that are waited in the middle of a visit: between a redirect and the page that it leads to."""
_BORROW_TRIES = 3
_MOST_PACES = 8192
_WORDS = {HELD: "another worker asks it", PAUSED: "it is paused", RESTING: "it rests", WAITING: "it was asked just now"}


class HostNotFree(FetchFailure):
    """A host cannot be asked now, which says nothing about the page."""

    def __init__(self, host: str, reason: str, seconds: float = 0.0, is_delay: bool = False) -> None:
        super().__init__("busy", f"{escape_text(host)} cannot be asked now: {reason}")
        self.host = host
        self.seconds = seconds
        self.is_delay = is_delay
        """Whether its own delay is longer than can be waited in the middle of a visit."""


class _Pace:
    """One host in this process."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.turn = threading.Lock()
        """Held during a request."""
        self.store = threading.Lock()
        """Held while the store is asked about the host."""
        self.users = 0
        """The visit and the requests that need the host now; the last one lets it go."""
        self.is_held = False
        self.found = 0.0
        self.ended = float("-inf")
        self.robots_delay = 0.0
        self.rest = 0.0
        self.strikes = 0


class HostTurns(Closing):
    """The hosts that this process holds. A RequestGate for the fetcher; several threads use it."""

    def __init__(
        self, hosts: WebHosts, delay: float, lease: float = LEASE_SECONDS, beat: float = BEAT_SECONDS, name: str = ""
    ) -> None:
        self._hosts = hosts
        self._delay = delay
        self._lease = lease
        self._beat = beat
        self._name = name or "worker"
        self.worker = self._make_name()
        self._paces: dict[str, _Pace] = {}
        self._lock = threading.Lock()
        self._paused: frozenset[str] = frozenset()
        self._others: dict[str, tuple[int, int, float]] = {}
        self._ended = threading.Event()
        hosts.register(self.worker)
        hosts.free_orphans()
        self._last_beat = monotonic()
        self._thread = threading.Thread(target=self._live, name="beat", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Let go of all hosts."""
        self._ended.set()
        self._thread.join()
        self._hosts.unregister(self.worker)

    def hold(self, host: str) -> HostTurn:
        """Hold a host for a visit, where it may be asked now; end it with `let_go`."""
        pace = self._find(host)
        with pace.store:
            turn = self._hosts.take(self.worker, host, self._delay_of(pace))
            if turn.state == TAKEN:
                pace.is_held = True
                pace.users += 1
                pace.rest, pace.strikes = 0.0, turn.strikes
        return turn

    def let_go(self, host: str, rest: float = 0.0, strikes: int = 0) -> None:
        """A visit is over; the host is left alone for its delay, or for a longer rest."""
        pace = self._find(host)
        pace.rest, pace.strikes = rest, strikes
        self._release(pace)

    def wait_of(self, host: str) -> float:
        """Seconds until a host may be asked; not more than 0 where it may be asked at once."""
        pace = self._find(host)
        return pace.ended + self._delay_of(pace) - monotonic()

    def enter(self, host: str, clock: Clock) -> None:
        """Wait until a host may be asked; raises HostNotFree."""
        pace = self._find(host)
        clock.acquire(pace.turn, host)
        try:
            self._use(pace, clock)
            try:
                wait = pace.ended + self._delay_of(pace) - monotonic()
                if wait > LONGEST_INSIDE:
                    reason = f"it wants {self._delay_of(pace):g} s between two requests"
                    raise HostNotFree(host, reason, wait, is_delay=True)
                if wait > 0:
                    # The time that is allowed for a page is not for waiting.
                    clock.pause(wait)
                self._require_life(host)
            except BaseException:
                self._release(pace)
                raise
        except BaseException:
            pace.turn.release()
            raise

    def leave(self, host: str) -> None:
        """The request is over."""
        pace = self._find(host)
        pace.ended = monotonic()
        try:
            self._release(pace)
        finally:
            pace.turn.release()

    def note_delay(self, host: str, seconds: float) -> None:
        """The host's robots.txt asks for so many seconds."""
        self._find(host).robots_delay = seconds

    def _use(self, pace: _Pace, clock: Clock) -> None:
        """Need the host for a request; it is taken from the store where no visit holds it, as after a redirect."""
        for _ in range(_BORROW_TRIES):
            with pace.store:
                if not pace.is_held:
                    turn = self._hosts.take(self.worker, pace.name, self._delay_of(pace))
                    pace.is_held = turn.state == TAKEN
                if pace.is_held:
                    pace.users += 1
                    return
            if turn.state != WAITING or turn.seconds > LONGEST_INSIDE:
                break
            clock.pause(turn.seconds)
        raise HostNotFree(pace.name, _WORDS[turn.state], turn.seconds)

    def _release(self, pace: _Pace) -> None:
        with pace.store:
            pace.users -= 1
            if not pace.users and pace.is_held:
                pace.is_held = False
                self._hosts.release(self.worker, pace.name, self._delay_of(pace), pace.rest, pace.strikes)

    def _require_life(self, host: str) -> None:
        """Others may take our hosts when we gave no sign for long: then nothing is asked."""
        if monotonic() - self._last_beat > self._lease / 2:
            raise HostNotFree(host, "the store does not answer", self._beat)
        if host in self._paused:
            raise HostNotFree(host, _WORDS[PAUSED])

    def _delay_of(self, pace: _Pace) -> float:
        return max(self._delay, pace.robots_delay)

    def _find(self, host: str) -> _Pace:
        with self._lock:
            pace = self._paces.get(host)
            if pace is None:
                if len(self._paces) >= _MOST_PACES:
                    self._drop_old()
                pace = self._paces[host] = _Pace(host)
            pace.found = monotonic()
            return pace

    def _drop_old(self) -> None:
        now = monotonic()
        for name, one in list(self._paces.items()):
            # One that was found just now is about to be used.
            since = now - max(one.ended, one.found)
            if since > self._delay_of(one) + LONGEST_INSIDE and not one.users and not one.turn.locked():
                del self._paces[name]

    def _live(self) -> None:
        """Give signs of life until the end."""
        while not self._ended.wait(self._beat):
            try:
                started = monotonic()
                if self._hosts.beat(self.worker):
                    self._last_beat = started
                else:
                    self._begin_again()
                self._paused = frozenset(self._hosts.find_paused(self.worker))
                self._bury_dead()
            except StoreTrouble:
                # Who needs the store says so; without signs of life nothing is asked.
                continue

    def _begin_again(self) -> None:
        """Others took this worker for dead: it holds nothing any more, and goes on under another name."""
        with self._lock:
            for pace in self._paces.values():
                pace.is_held = False
            self.worker = self._make_name()
        self._hosts.register(self.worker)
        self._last_beat = monotonic()

    def _bury_dead(self) -> None:
        """Free the hosts of workers whose beat stayed the same, in so many looks: no time without the store counts."""
        beats = self._hosts.list_beats()
        now = monotonic()
        seen = {}
        for name, beat in beats.items():
            if name == self.worker:
                continue
            known, looks, since = self._others.get(name, (-1, 0, now))
            if beat != known:
                known, looks, since = beat, 0, now
            elif now - since >= self._lease and looks * self._beat >= self._lease:
                self._hosts.unregister(name, beat)
                continue
            seen[name] = (known, looks + 1, since)
        self._others = seen

    def _make_name(self) -> str:
        return f"{self._name[:60]}-{os.getpid()}-{os.urandom(4).hex()}"
