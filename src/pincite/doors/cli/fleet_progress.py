"""How far long work is: a line on the terminal with its rate and the time left."""

from __future__ import annotations

import sys
from collections import deque
from time import monotonic
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from typing import Self

    from ...fleet.fleet_run import FleetSummary

S = TypeVar("S")

_EVERY = 0.2
_WINDOW = 30.0
"""Seconds over which the rate is taken: long enough to be steady, short enough to follow a change."""


class RateLine(Generic[S]):
    """A line on standard error, only where that is a terminal. A subclass says what it is, with `add` and `rate`."""

    def __init__(self, wanted: bool) -> None:
        self._on = wanted and sys.stderr.isatty()
        self._next = 0.0
        self._seen: deque[tuple[float, int]] = deque()
        self._shown = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def step(self, summary: S) -> None:
        """Show how far it is, where some time has passed."""
        now = monotonic()
        if not self._on or now < self._next:
            return
        self._next = now + _EVERY
        self._shown = True
        sys.stderr.write(f"\r\x1b[K{self.describe(summary, now)}")
        sys.stderr.flush()

    def describe(self, summary: S, now: float) -> str:
        """The line for a moment."""
        raise TypeError(f"{type(self).__name__} describes nothing")

    def forget(self) -> None:
        """Begin to count anew: other work follows."""
        self._seen.clear()

    def measure(self, done: int, total: int, now: float) -> str:
        """The rate and the time left as they stand behind a line; empty before anything was done."""
        self._seen.append((now, done))
        while now - self._seen[0][0] > _WINDOW:
            self._seen.popleft()
        first, before = self._seen[0]
        if done <= before or now <= first:
            return ""
        rate = (done - before) / (now - first)
        left = f", {format_seconds((total - done) / rate)} left" if total > done else ""
        return f", {rate:.1f}/s{left}"


class FleetProgress(RateLine["FleetSummary"]):
    """How far a run over repositories is."""

    def __init__(self, wanted: bool) -> None:
        super().__init__(wanted)
        self._stage = ""

    def describe(self, summary: FleetSummary, now: float) -> str:
        """The line for a moment."""
        if summary.stage != self._stage:
            self._stage = summary.stage
            self.forget()
        is_update, total = summary.stage == "update", summary.repositories
        done = summary.updated if is_update else summary.checked + summary.unchanged + summary.failed
        line = f"{'fetching' if is_update else 'checking'} {done:,} of {total:,} repositories"
        line += self.measure(done, total, now)
        return line + (f", {summary.failed:,} failed" if summary.failed else "")


def format_seconds(seconds: float) -> str:
    """A length of time in short: `45 s`, `12 min`, `3 h 20 min`."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
