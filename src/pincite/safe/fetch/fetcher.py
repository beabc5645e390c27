"""The fetcher: pages by their addresses, one connection for each host, many hosts at once."""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from contextlib import suppress
from queue import Full, Queue
from time import gmtime, strftime
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ...core.web import REDIRECTS, FetchFailure, Visit
from ..files import Closing
from .politeness import FetchPolicy
from .target import resolve_redirect, target_of
from .time_budget import SLICE, Clock, FetchStopped, StopSignal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ...core.web import Exchange
    from .hosts import Hosts
    from .politeness import FetchConditions, RequestGate, TestOnly
    from .robots import RobotsRules
    from .target import FetchTarget

    _Result = tuple[str, Visit | FetchFailure | BaseException]

_KEPT_BYTES = 64 * 1024 * 1024
"""How much of what was fetched is kept for the next request."""
_JOIN = 2.0
_DEFAULT = FetchPolicy()


def new_fetcher(policy: FetchPolicy, gate: RequestGate | None = None) -> Fetcher:
    """The fetcher that commands use; the one place where a test puts another."""
    return Fetcher(policy, gate=gate)


class Fetcher(Closing):
    """Fetches pages; any status is an answer, and everything else is Trouble with its kind."""

    def __init__(
        self, policy: FetchPolicy = _DEFAULT, *, test_only: TestOnly | None = None, gate: RequestGate | None = None
    ) -> None:
        self._policy = policy
        self._gate = gate
        self._test_only = test_only
        self._lock = threading.Lock()
        self._hosts: Hosts | None = None
        self._halts: set[StopSignal] = {StopSignal()}
        self._own = next(iter(self._halts))
        self._kept: OrderedDict[str, Visit | FetchFailure] = OrderedDict()
        self._kept_bytes = 0
        self._closed = False

    def close(self) -> None:
        """Close every connection; whatever still waits for a page fails as stopped."""
        with self._lock:
            self._closed = True
            halts = list(self._halts)
            hosts = self._hosts
        for halt in halts:
            halt.stop()
        if hosts is not None:
            hosts.close()

    def fetch(self, url: str) -> Visit:
        """What asking for an address gives; raises Trouble. The same page is asked for once."""
        return self._fetch_page(url, target_of(url), self._own)

    def revisit(self, url: str, known: FetchConditions | None = None) -> Visit:
        """What asking for an address now gives, however often it was asked for; raises Trouble.

        With what is known of the page, the server may answer that it is the same (304).
        """
        target = target_of(url)
        return self._visit_address(
            url, target, self._open_hosts(target.url), Clock(self._policy.seconds, self._own, target.url), known
        )

    def read_rules(self, host: str) -> RobotsRules | FetchFailure:
        """The rules of a host for robots, or why they cannot be had."""
        what = f"https://{host}/robots.txt"
        return self._open_hosts(what).read_rules(host, Clock(self._policy.seconds, self._own, what))

    def forget(self, host: str) -> None:
        """Drop what is known of a host, and hang up."""
        with self._lock:
            hosts = self._hosts
        if hosts is not None:
            hosts.forget(host)

    def fetch_all(self, urls: Iterable[str]) -> Iterator[tuple[str, Visit | FetchFailure]]:
        """Every address once with its visit or trouble, as they come; closing the iterator ends the work."""
        by_host: dict[str, list[tuple[str, FetchTarget]]] = {}
        for url in dict.fromkeys(urls):
            try:
                target = target_of(url)
            except FetchFailure as trouble:
                yield url, trouble
            else:
                by_host.setdefault(target.host, []).append((url, target))
        if by_host:
            yield from self._together(by_host)

    def _together(
        self, by_host: dict[str, list[tuple[str, FetchTarget]]]
    ) -> Iterator[tuple[str, Visit | FetchFailure]]:
        # The host with the most pages takes longest, so it begins.
        waiting = deque(sorted(by_host.values(), key=len, reverse=True))
        expected = sum(map(len, waiting))
        count = max(1, min(self._policy.connections, len(waiting)))
        # No thread may run far ahead of the consumer.
        results: Queue[_Result] = Queue(2 * count)
        halt, gone = StopSignal(), threading.Event()
        with self._lock:
            self._halts.add(halt)
        threads = [
            threading.Thread(
                target=self._work, args=(waiting, results, halt, gone), name=f"fetch {number}", daemon=True
            )
            for number in range(count)
        ]
        try:
            for thread in threads:
                thread.start()
            for _ in range(expected):
                url, got = results.get()
                if not isinstance(got, Visit | FetchFailure):
                    raise got
                yield url, got
        finally:
            halt.stop()
            gone.set()
            for thread in threads:
                if thread.ident is not None:
                    thread.join(_JOIN)
            with self._lock:
                self._halts.discard(halt)

    def _work(
        self,
        waiting: deque[list[tuple[str, FetchTarget]]],
        results: Queue[_Result],
        halt: StopSignal,
        gone: threading.Event,
    ) -> None:
        """Take hosts until there are none left, and all pages of each in turn; stop when the consumer is gone."""
        while not halt.stopped or self._closed:
            try:
                pages = waiting.popleft()
            except IndexError:
                return
            for url, target in pages:
                got: Visit | FetchFailure | BaseException
                try:
                    got = self._fetch_page(url, target, halt)
                except FetchFailure as trouble:
                    got = trouble
                except BaseException as error:  # passed to the waiting caller, instead of lost with the thread
                    got = error
                while not gone.is_set():
                    with suppress(Full):
                        results.put((url, got), timeout=SLICE)
                        break
                else:
                    return

    def _fetch_page(self, url: str, target: FetchTarget, halt: StopSignal) -> Visit:
        hosts = self._open_hosts(target.url)
        with self._lock:
            got = self._kept.get(target.url)
        if got is None:
            try:
                got = self._visit_address(url, target, hosts, Clock(self._policy.seconds, halt, target.url))
            except FetchStopped:
                raise
            except FetchFailure as trouble:
                got = trouble
            self._keep(target.url, got)
        if isinstance(got, FetchFailure):
            raise FetchFailure(got.kind, str(got))
        return got if got.url == url else replace(got, url=url)

    def _open_hosts(self, what: str) -> Hosts:
        with self._lock:
            if self._closed:
                raise FetchFailure("offline", f"{what}: the fetcher is closed; open a new one")
            if self._hosts is None:
                from .hosts import Hosts

                self._hosts = Hosts(self._policy, self._test_only, self._gate)
            return self._hosts

    def _visit_address(
        self, url: str, target: FetchTarget, hosts: Hosts, clock: Clock, known: FetchConditions | None = None
    ) -> Visit:
        exchanges: list[Exchange] = []
        seen = {target.url}
        while True:
            more = known.headers if known is not None and known.url == target.url else ()
            try:
                answer = hosts.ask(target, clock, first=not exchanges, more=more)
            except FetchFailure as trouble:
                trouble.host = trouble.host or target.host
                raise
            exchanges.append(answer)
            location = answer.header("location")
            if answer.status not in REDIRECTS or not location:
                return Visit(url, strftime("%Y-%m-%dT%H:%M:%SZ", gmtime()), tuple(exchanges))
            target = resolve_redirect(target, location)
            if target.url in seen:
                raise FetchFailure("redirects", f"{clock.what}: its redirects lead in a circle; open it in a browser")
            if len(exchanges) > self._policy.redirects:
                message = f"{clock.what}: it redirects more than {self._policy.redirects} times; cite where it leads"
                raise FetchFailure("redirects", message)
            seen.add(target.url)

    def _keep(self, key: str, got: Visit | FetchFailure) -> None:
        with self._lock:
            self._kept_bytes += _size(got) - _size(self._kept.pop(key, None))
            self._kept[key] = got
            while self._kept_bytes > _KEPT_BYTES:
                self._kept_bytes -= _size(self._kept.popitem(last=False)[1])


def _size(got: Visit | FetchFailure | None) -> int:
    """Roughly what it takes to keep it."""
    if isinstance(got, Visit):
        return 1024 + sum(len(exchange.body) + 2048 for exchange in got.exchanges)
    return 0 if got is None else 512
