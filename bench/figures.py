"""What a measurement gives, and what it is told."""

from __future__ import annotations

from typing import NamedTuple


class Figure(NamedTuple):
    """One row of the table: what was measured, the number, and what it must not pass (None: for information)."""

    what: str
    value: float
    unit: str
    bar: float | None = None
    least: bool = False
    """Whether the bar is the least that is wanted, instead of the most."""

    @property
    def met(self) -> bool | None:
        """Whether the bar is kept."""
        if self.bar is None:
            return None
        return self.value >= self.bar if self.least else self.value <= self.bar


class Setting(NamedTuple):
    """Where and how thoroughly to measure."""

    folder: str
    times: int
    quick: bool
