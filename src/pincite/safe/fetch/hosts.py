"""What is known of each host: its one connection, its rules for robots, and when it may be asked again."""

from __future__ import annotations

import threading
from collections import OrderedDict
from contextlib import contextmanager
from time import monotonic, time
from typing import TYPE_CHECKING

from ...core.web import REDIRECTS, FetchFailure
from ...pages.body import decode_body
from ..escape import escape_text
from .connection import Dialler
from .politeness import TOKEN
from .robots import ROBOTS_BYTES, RobotsRules, rules_of
from .target import FetchTarget, resolve_redirect

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...core.web import Exchange
    from .connection import PageConnection
    from .politeness import FetchPolicy, RequestGate, TestOnly
    from .time_budget import Clock

BACK_OFF = 0.5
"""Seconds before asking again; doubled each time."""
LONGEST_DELAY = 10.0
"""Most that is waited because a robots.txt asks for a delay."""
ROBOTS_SECONDS = 86_400.0
"""After a day a robots.txt is read again, as RFC 9309 asks."""
_NO_ROBOTS_SECONDS = 600.0
"""One that could not be had is tried again sooner."""
_MOST_HOSTS = 4096
"""Hosts whose rules are kept in memory."""
_BUSY = (429, 503)
_ROBOTS_REDIRECTS = 5
_ACCEPT = "text/html,application/xhtml+xml,application/pdf,text/plain;q=0.9,*/*;q=0.5"
_OF_THE_HOST = ("unresolved", "forbidden-address", "unreachable", "tls", "timeout")
"""Troubles with a robots.txt that the page would have as well, so that they are worth their own name."""


class Host:
    """One host; each request holds its lock, so that it is asked one thing at a time."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.lock = threading.Lock()
        self.rules: RobotsRules | FetchFailure | None = None
        self.rules_end = 0.0
        self.asked = float("-inf")
        """When a page of it was last asked for."""


class Hosts:
    """Asks hosts politely, and keeps a few connections open for the next page."""

    def __init__(self, policy: FetchPolicy, test_only: TestOnly | None, gate: RequestGate | None = None) -> None:
        self._policy = policy
        self._gate = gate
        self._dialler = Dialler(test_only)
        self._lock = threading.Lock()
        self._hosts: dict[str, Host] = {}
        self._idle: OrderedDict[str, PageConnection] = OrderedDict()
        self._closed = False

    def ask(
        self, target: FetchTarget, clock: Clock, *, first: bool, more: tuple[tuple[str, str], ...] = ()
    ) -> Exchange:
        """The answer for one page, when the host allows it and is ready; the wait before the first is not counted.

        `more` are further headers of the request.
        """
        with self._busy(target.host, clock) as host:
            if self._policy.robots:
                self._obey(host, target, clock, first)
            host.asked = monotonic()
            return self._ask_host(target, clock, self._policy.most_bytes, more=more)

    def read_rules(self, name: str, clock: Clock) -> RobotsRules | FetchFailure:
        """The rules of a host for robots, which are asked for where they are not known; or why there are none."""
        with self._busy(name, clock) as host:
            return self._load_rules(host, clock)

    def forget(self, name: str) -> None:
        """Drop what is known of a host, unless it is being asked."""
        with self._lock:
            host, line = self._hosts.get(name), self._idle.pop(name, None)
            if host is not None and not host.lock.locked():
                del self._hosts[name]
        if line is not None:
            line.close()

    @contextmanager
    def _busy(self, name: str, clock: Clock) -> Iterator[Host]:
        with self._lock:
            host = self._hosts.setdefault(name, Host(name))
            if len(self._hosts) > _MOST_HOSTS:
                oldest = next((one for one in self._hosts.values() if one is not host and not one.lock.locked()), None)
                if oldest is not None:
                    del self._hosts[oldest.name]
        clock.acquire(host.lock, name)
        try:
            yield host
        finally:
            host.lock.release()

    def close(self) -> None:
        """Hang up on everyone who is not being asked; the others are not kept afterwards."""
        with self._lock:
            self._closed = True
            lines = list(self._idle.values())
            self._idle.clear()
        for line in lines:
            line.close()

    def _load_rules(self, host: Host, clock: Clock) -> RobotsRules | FetchFailure:
        if host.rules is not None and monotonic() < host.rules_end:
            return host.rules
        # Who comes late, by redirects, says nothing about the host when time is over.
        fair = clock.remaining > clock.seconds / 2
        rules = self._robots(host.name, clock)
        failed = isinstance(rules, FetchFailure)
        if not isinstance(rules, FetchFailure) or rules.kind != "timeout" or fair:
            host.rules = rules
            host.rules_end = monotonic() + (_NO_ROBOTS_SECONDS if failed else ROBOTS_SECONDS)
        if self._gate is not None and not isinstance(rules, FetchFailure):
            self._gate.note_delay(host.name, rules.delay)
        return rules

    def _obey(self, host: Host, target: FetchTarget, clock: Clock, first: bool) -> None:
        rules = self._load_rules(host, clock)
        if isinstance(rules, FetchFailure):
            raise clock.failure(rules.kind, str(rules))
        if not rules.allows(target.path):
            where = f"the robots.txt of {escape_text(host.name)}"
            raise clock.failure("robots", f"{where} forbids it; ask the site, or set research.robots to false")
        if self._gate is not None:
            # It knows the delay.
            return
        wait = host.asked + min(rules.delay, LONGEST_DELAY, self._policy.seconds) - monotonic()
        if wait > 0:
            if first:
                clock.pause(wait)
            else:
                clock.sleep(wait)

    def _robots(self, name: str, clock: Clock) -> RobotsRules | FetchFailure:
        """The rules of a host: all is allowed where it has none, nothing where they cannot be had."""
        target = FetchTarget(name, "/robots.txt")
        place = f"{target.url} cannot be had, so nothing is fetched from there"
        try:
            for _ in range(_ROBOTS_REDIRECTS + 1):
                # The connection that other pages of another host wait for is not touched.
                answer = self._ask_host(target, clock, ROBOTS_BYTES, cut=True, kept=target.host == name)
                location = answer.header("location")
                if answer.status not in REDIRECTS or not location:
                    break
                target = resolve_redirect(target, location)
            if answer.status >= 500:
                return FetchFailure("robots", f"{place} (status {answer.status}); try again later")
            return rules_of(decode_body(answer, ROBOTS_BYTES), TOKEN) if 200 <= answer.status < 300 else RobotsRules()
        except FetchFailure as trouble:
            if type(trouble) is not FetchFailure:
                raise
            own = target.host == name and trouble.kind in _OF_THE_HOST
            reason = str(trouble).removeprefix(f"{clock.what}: ")
            # What is wrong with the host itself would be wrong with the page as well.
            return FetchFailure(trouble.kind, reason) if own else FetchFailure("robots", f"{place}: {reason}")

    def _ask_host(
        self,
        target: FetchTarget,
        clock: Clock,
        most: int,
        *,
        cut: bool = False,
        kept: bool = True,
        more: tuple[tuple[str, str], ...] = (),
    ) -> Exchange:
        """One question, repeated when the host is busy or breaks off, as long as there is time."""
        for attempt in range(self._policy.retries + 1):
            last = attempt == self._policy.retries
            try:
                answer = self._once(target, clock, most, cut, kept, more)
            except FetchFailure as trouble:
                wait = BACK_OFF * 2**attempt
                if last or trouble.kind != "unreachable" or wait >= clock.remaining:
                    raise
            else:
                if last or answer.status not in _BUSY:
                    return answer
                wait = max(BACK_OFF * 2**attempt, retry_after(answer.header("retry-after")))
                if wait >= clock.remaining:
                    return answer
            clock.sleep(wait)
        raise clock.expired()

    def _once(
        self,
        target: FetchTarget,
        clock: Clock,
        most: int,
        cut: bool,
        kept: bool,
        more: tuple[tuple[str, str], ...],
    ) -> Exchange:
        headers = (
            ("Host", target.authority),
            ("User-Agent", self._policy.user_agent),
            ("Accept", _ACCEPT),
            ("Accept-Encoding", "gzip, deflate"),
            *more,
        )
        while True:
            with self._pass_gate(target.host, clock):
                known = self._take_idle(target.host) if kept else None
                line = known or self._dialler.dial(target.host, clock)
                try:
                    return line.ask(target, headers, clock, most, cut=cut)
                except FetchFailure as trouble:
                    # A connection that was kept may have been closed meanwhile; that is no error.
                    if known is None or line.answered or trouble.kind not in ("unreachable", "tls"):
                        raise
                finally:
                    if not (kept and line.reusable and self._give(line)):
                        line.close()

    @contextmanager
    def _pass_gate(self, name: str, clock: Clock) -> Iterator[None]:
        if self._gate is None:
            yield
            return
        self._gate.enter(name, clock)
        try:
            yield
        finally:
            self._gate.leave(name)

    def _take_idle(self, name: str) -> PageConnection | None:
        with self._lock:
            line = self._idle.pop(name, None)
        if line is not None and not line.fresh():
            line.close()
            return None
        return line

    def _give(self, line: PageConnection) -> bool:
        """Keep a connection for the next page; False when it has to be closed."""
        with self._lock:
            if self._closed:
                return False
            self._idle[line.host] = line
            surplus = self._idle.popitem(last=False)[1] if len(self._idle) > 2 * self._policy.connections else None
        if surplus is not None:
            surplus.close()
        return True


def retry_after(value: str) -> float:
    """The seconds to wait that a header asks for, as a number or as a date; 0 where it says nothing clear."""
    value = value.strip()
    if value.isascii() and value.isdigit():
        return float(value[:9])
    from email.utils import parsedate_to_datetime

    try:
        return max(0.0, parsedate_to_datetime(value[:80]).timestamp() - time())
    except (ValueError, TypeError, OverflowError, IndexError):
        return 0.0
