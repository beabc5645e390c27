"""The line that says how far visits to web sources are."""

from __future__ import annotations

from pincite.doors.cli.fleet_visit_report import VisitProgress, format_source
from pincite.fleet.revalidation import RevalidationSummary
from pincite.store.shared.web_records import StoredSource


def test_rate_and_time_left() -> None:
    progress = VisitProgress(True)
    summary = RevalidationSummary(due=1000, hosts=12)
    assert progress.describe(summary, 0.0) == "visited 0 of 1,000 pages, 12 hosts now"
    summary.visited = 100
    assert progress.describe(summary, 10.0) == "visited 100 of 1,000 pages, 10.0/s, 2 min left, 12 hosts now"
    summary.visited, summary.states = 200, {"unchecked": 7}
    assert progress.describe(summary, 100.0).endswith("12 hosts now, 7 unchecked")
    summary.visited = 1200
    assert progress.describe(summary, 110.0).startswith("visited 1,200 of 1,200 pages, ")


def test_a_source_on_one_line() -> None:
    source = StoredSource(
        1, "https://a.example/\x1b[31m", "", "same", 200, 60, 0, 1_700_000_000, 0, 0, 0, "", {"holds": 2}
    )
    line = format_source(source, "text")
    assert line == "same       2023-11-14T22:13:20Z  https://a.example/\\u{1b}[31m  (2 stand)"
    assert "\x1b" not in format_source(source, "json")
