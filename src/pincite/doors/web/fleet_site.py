"""The fleet that a server shows: the shared store, read by as many connections as pages are made at once.

Nothing is ever written. A store that goes away is looked for again with every request.
"""

from __future__ import annotations

import os
from contextlib import suppress
from threading import Lock
from time import monotonic, perf_counter, time
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from ...core.errors import UsageError
from ...fleet.page_metrics import PageMetrics, gather_figures
from ...safe.escape import escape_text
from ...store.database import StoreTrouble
from ...store.shared import SchemaMismatch, StoreUnavailable, default_address, open_store
from ...store.shared.backend import SQLITE
from .served_site import ServedSite

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from ...fleet.page_metrics import StoreFigures
    from ...store.shared import SharedStore
    from ...store.shared.backend import StoreAddress
    from .links import Links

T = TypeVar("T")

_PATIENCE = 1.0
"""Seconds for which a page waits for a store that is gone; the reader asks again."""
_REST = 1.0
"""Seconds for which a store that could not be opened is not tried again: a page must not wait behind many others."""
_HEALTH_AGE = 1.0
_FIGURES_AGE = 10.0
"""Seconds for which the numbers for Prometheus are kept."""
_MOST_KEPT = 200


class FleetContext(NamedTuple):
    """What a page of a fleet is made with."""

    site: FleetSite
    links: Links


class FleetSite(ServedSite):
    """A shared store and everything that the pages of it share."""

    is_fleet = True

    def __init__(self, address: StoreAddress) -> None:
        super().__init__("Fleet", read_only=True)
        self.address = address
        self.has_sources = False
        """Whether there were web sources when that was last looked at."""
        self._idle: list[tuple[SharedStore, Hashable]] = []
        self._lock = Lock()
        self._down: tuple[float, StoreTrouble] | None = None
        self._kept: dict[Hashable, tuple[float, Any]] = {}
        self.metrics: PageMetrics | None = None
        with suppress(UsageError):
            # Without the client of Prometheus there is all but its page.
            self.metrics = PageMetrics(self.find_figures, time)

    def ask(self, question: Callable[[SharedStore], T]) -> T:
        """The answer to a question, all of it from one moment; raises StoreTrouble.

        A connection that broke since the last question is made anew, once.
        """
        started = perf_counter()
        store, identity, is_used = self._borrow()
        try:
            answer = self._put(store, question)
        except StoreUnavailable:
            store.close()
            if not is_used:
                raise
            store, identity = self._open()
            answer = self._put(store, question)
        with self._lock:
            self._idle.append((store, identity))
        if self.metrics is not None:
            self.metrics.count_store(perf_counter() - started)
        return answer

    def keep(self, key: Hashable, seconds: float, make: Callable[[], T]) -> T:
        """What was made under a key less than so many seconds ago, else made now."""
        now = monotonic()
        kept = self._kept.get(key)
        if kept is not None and now - kept[0] < seconds:
            found: T = kept[1]
            return found
        made = make()
        with self._lock:
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            self._kept[key] = (now, made)
        return made

    def has_page(self, name: str) -> bool:
        """Whether the navigation leads to a page: to that of web sources where there are some."""
        return name != "fleet_sources" or self.has_sources

    def find_trouble(self) -> str:
        """What is down, in one word, as it was a second ago at most; empty where nothing is."""
        # Everyone may ask: that must not become work for the database.
        return self.keep("trouble", _HEALTH_AGE, self._look_for_trouble)

    def _look_for_trouble(self) -> str:
        try:
            self.ask(lambda store: store.backend.query("SELECT 1"))
        except StoreTrouble:
            return "store"
        return ""

    def find_figures(self) -> StoreFigures | None:
        """The store in numbers, as they were a few seconds ago at most; None while it cannot be read."""
        try:
            return self.keep("figures", _FIGURES_AGE, lambda: self.ask(gather_figures))
        except StoreTrouble:
            return None

    async def close(self) -> None:
        """Let go of the store."""
        await super().close()
        with self._lock:
            idle, self._idle = self._idle, []
        for store, _ in idle:
            store.close()

    def _put(self, store: SharedStore, question: Callable[[SharedStore], T]) -> T:
        try:
            with store.backend.snapshot():
                return question(store)
        except BaseException:
            store.close()
            raise

    def _borrow(self) -> tuple[SharedStore, Hashable, bool]:
        """A connection that nobody uses, and whether it was used before."""
        wanted = _identify(self.address)
        while True:
            with self._lock:
                if not self._idle:
                    break
                store, identity = self._idle.pop()
            if identity == wanted:
                return store, identity, True
            # Another file has its name now.
            store.close()
        return (*self._open(), False)

    def _open(self) -> tuple[SharedStore, Hashable]:
        down = self._down
        if down is not None and monotonic() - down[0] < _REST:
            raise type(down[1])(str(down[1]))
        try:
            identity = _identify(self.address)
            store = open_store(self.address, write=False, patience=_PATIENCE)
        except StoreTrouble as error:
            self._down = (monotonic(), error)
            raise
        self._down = None
        return store, identity


def find_fleet(given: str | None) -> StoreAddress:
    """The store that is to be shown; raises UsageError or StoreTrouble for one that can never be.

    One that only cannot be reached now may come: then this says so, and the pages do until it does.
    """
    address = default_address(given)
    try:
        open_store(address, write=False, patience=_PATIENCE).close()
    except SchemaMismatch:
        raise
    except StoreUnavailable as error:
        click.echo(f"pincite serve: {escape_text(str(error))} Until it answers, the pages say so.", err=True)
    return address


def _identify(address: StoreAddress) -> Hashable:
    """Tells one file from another one that gets its name; nothing for a server."""
    if address.kind != SQLITE:
        return None
    try:
        info = os.stat(address.target)
    except OSError:
        return "gone"
    return info.st_dev, info.st_ino
