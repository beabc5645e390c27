"""Writes what visits showed into the store: many results in one transaction, so that a commit is no bottleneck."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from ..safe.files import Closing

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..store.shared.sources import WebSources
    from ..store.shared.web_records import VisitResult

_LINGER = 0.05
"""Seconds in which results gather. What is lost by a kill in this time is visited again: it is still due."""


class ResultRecorder(Closing):
    """A thread that records results in the order in which they come."""

    def __init__(self, sources: WebSources, recorded: Callable[[VisitResult], None]) -> None:
        """`recorded` is called for each result that counted."""
        self._sources = sources
        self._recorded = recorded
        self._waiting: list[VisitResult] = []
        self._lock = threading.Lock()
        self._came = threading.Condition(self._lock)
        self._went = threading.Condition(self._lock)
        self._ending = threading.Event()
        self._put = 0
        self._done = 0
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._work, name="recorder", daemon=True)
        self._thread.start()

    def put(self, result: VisitResult) -> None:
        """Record a result soon; raises what recording an earlier one raised."""
        with self._lock:
            self._raise()
            self._waiting.append(result)
            self._put += 1
            self._came.notify()

    def flush(self) -> None:
        """Wait until everything that was put is recorded; raises what that raised."""
        with self._lock:
            wanted = self._put
            while self._done < wanted:
                self._raise()
                self._went.wait()
            self._raise()

    def close(self) -> None:
        """Record what is left, and end."""
        self._ending.set()
        with self._lock:
            self._came.notify()
        self._thread.join()

    def _raise(self) -> None:
        if self._error is not None:
            raise self._error

    def _work(self) -> None:
        try:
            while some := self._gather():
                for result, counted in zip(some, self._sources.record(some), strict=True):
                    if counted:
                        self._recorded(result)
                with self._lock:
                    self._done += len(some)
                    self._went.notify_all()
        except BaseException as error:  # passed to those who wait, instead of lost with the thread
            with self._lock:
                self._error = error
                self._went.notify_all()

    def _gather(self) -> list[VisitResult]:
        with self._lock:
            while not self._waiting and not self._ending.is_set():
                self._came.wait()
        self._ending.wait(_LINGER)
        with self._lock:
            some, self._waiting = self._waiting, []
        return some
