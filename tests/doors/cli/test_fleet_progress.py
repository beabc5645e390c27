"""The line that says how far a run over a fleet is."""

from __future__ import annotations

import pytest

from pincite.doors.cli.fleet_progress import FleetProgress, format_seconds
from pincite.fleet.fleet_run import FleetSummary


def test_rate_and_time_left() -> None:
    progress = FleetProgress(True)
    summary = FleetSummary("t", 2000, "check")
    assert progress.describe(summary, 0.0) == "checking 0 of 2,000 repositories"
    summary.checked, summary.unchanged = 90, 10
    assert progress.describe(summary, 10.0) == "checking 100 of 2,000 repositories, 10.0/s, 3 min left"
    summary.failed = 1
    assert progress.describe(summary, 10.0).endswith(", 1 failed")


def test_the_rate_follows_a_change() -> None:
    progress = FleetProgress(True)
    summary = FleetSummary("t", 1000, "update")
    for second in range(100):
        summary.updated = second * 10 if second < 50 else 500 + (second - 50)
        line = progress.describe(summary, float(second))
    assert ", 1.0/s, " in line


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.4, "0 s"), (89, "89 s"), (91, "2 min"), (5_000, "83 min"), (12_000, "3 h 20 min")]
)
def test_lengths_of_time(seconds: float, text: str) -> None:
    assert format_seconds(seconds) == text
