"""How far a run over a fleet is: a line on the terminal with its rate and the time left."""

from __future__ import annotations

import sys
from collections import deque
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Self

    from ...fleet.fleet_run import FleetSummary

_EVERY = 0.2
_WINDOW = 30.0
"""Seconds over which the rate is taken: long enough to be steady, short enough to follow a change."""


class FleetProgress:
    """A line on standard error, only where that is a terminal."""

    def __init__(self, wanted: bool) -> None:
        self._on = wanted and sys.stderr.isatty()
        self._next = 0.0
        self._stage = ""
        self._seen: deque[tuple[float, int]] = deque()
        self._shown = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def step(self, summary: FleetSummary) -> None:
        """One more shard is done."""
        now = monotonic()
        if not self._on or now < self._next:
            return
        self._next = now + _EVERY
        self._shown = True
        sys.stderr.write(f"\r\x1b[K{self.describe(summary, now)}")
        sys.stderr.flush()

    def describe(self, summary: FleetSummary, now: float) -> str:
        """The line for a moment."""
        if summary.stage != self._stage:
            self._stage = summary.stage
            self._seen.clear()
        is_update = summary.stage == "update"
        done = summary.updated if is_update else summary.checked + summary.unchanged + summary.failed
        total = summary.repositories
        self._seen.append((now, done))
        while now - self._seen[0][0] > _WINDOW:
            self._seen.popleft()
        (first, before), verb = self._seen[0], "fetching" if is_update else "checking"
        line = f"{verb} {done:,} of {total:,} repositories"
        if done > before and now > first:
            rate = (done - before) / (now - first)
            line += f", {rate:.1f}/s, {format_seconds((total - done) / rate)} left"
        return line + (f", {summary.failed:,} failed" if summary.failed else "")


def format_seconds(seconds: float) -> str:
    """A length of time in short: `45 s`, `12 min`, `3 h 20 min`."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
