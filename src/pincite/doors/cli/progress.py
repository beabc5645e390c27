"""A line that says how far a long run is; only on a terminal, and only when it takes a while."""

from __future__ import annotations

import sys
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Self

_AFTER = 0.8
_EVERY = 0.1


class Progress:
    """Counts documents, or whatever is looked at, on standard error."""

    def __init__(self, wanted: bool, what: str = "documents", doing: str = "checking") -> None:
        self._what = what
        self._doing = doing
        self._on = wanted and sys.stderr.isatty()
        self._next = monotonic() + _AFTER
        self._shown = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def step(self, done: int, total: int) -> None:
        """One more is done."""
        if self._on and monotonic() >= self._next:
            self._next = monotonic() + _EVERY
            self._shown = True
            sys.stderr.write(f"\r\x1b[K{self._doing} {done} of {total} {self._what}")
            sys.stderr.flush()

    def clear(self) -> None:
        """Take the line away, so that a report can be written."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self._shown = False
