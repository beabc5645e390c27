"""The report for a terminal: it fits, it says what to type, and nothing in it moves the cursor."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import time

import pytest
from msgspec.structs import replace

from pincite.fleet.fleet_report import FleetReport, make_report
from pincite.fleet.fleet_report_text import draw_sparkline, render_text, say_new, say_outcomes, say_teams, say_time
from pincite.fleet.source_totals import SourceTotals
from pincite.safe.escape import escape_text
from support_fleet_store import DAY, MISSING, add_check, add_repository, fill_fleet, make_verdict, open_filled
from support_hostile import PAYLOADS


@pytest.fixture
def report(tmp_path: Path) -> Iterator[FleetReport]:
    """A report on a small fleet."""
    now = int(time())
    with open_filled(f"sqlite://{tmp_path}/store/fleet.db") as store:
        fill_fleet(store, now)
        yield make_report(store, now, now - DAY // 2)


def test_everything_is_said_in_eighty_columns(report: FleetReport) -> None:
    text = render_text(report)
    lines = text.splitlines()
    assert [line for line in lines if len(line) > 80 and not line.startswith("    $ ")] == []
    assert lines[:3] == [
        "5 repositories of all teams: 37 citations in 6 documents",
        "  30 hold, 2 unchecked, 1 moved, 3 mismatch, 1 missing",
        "  1 could not be checked, 1 never checked, 1 not checked for 7 days",
    ]
    for part in (
        "Problems over 11 days",
        "         3  75.0%       github.com/acme/beta   docs",
        "         2   6.7%   +2  github.com/acme/alpha  default",
        "2 problems in 1 repository",
        "    docs/2.md:2: missing\n      src/gone.py: no such file",
        "    $ git clone https://github.com/acme/alpha && cd alpha && pincite check -- docs/2.md docs/1.md",
        "  github.com/acme/delta (2 tries, last ",
        "    the server is gone",
        "  never                 github.com/acme/epsilon  docs",
    ):
        assert part in text, part


@pytest.mark.parametrize(
    ("seen", "said"),
    [
        (("blue",), "of the only team that you see (blue)"),
        (("blue", "docs"), "of the 2 teams that you see (blue, docs)"),
        (("a", "b", "c", "d", "e"), "of the 5 teams that you see"),
        ((), "of the 0 teams that you see"),
    ],
)
def test_whose_repositories_these_are(report: FleetReport, seen: tuple[str, ...], said: str) -> None:
    assert say_teams(replace(report, seen_teams=seen, sees_all=False)) == said
    assert say_teams(replace(report, seen_teams=seen)) == "of all teams"
    assert say_teams(replace(report, seen_teams=("blue",), sees_all=False, team="blue")) == "of team blue"


@pytest.mark.parametrize("width", [1, 60, 72, 200])
def test_tables_give_way_to_the_width(report: FleetReport, width: int) -> None:
    long = replace(report, worst=tuple(replace(one, repository="r" * 300) for one in report.worst))
    for line in render_text(long, width).splitlines():
        assert len(line) <= max(60, width) or line.startswith("    $ "), line


def test_lists_are_cut_and_say_so(report: FleetReport) -> None:
    more = replace(report, failures=report.failures * 4, stale=report.stale * 4, appeared=report.appeared * 4)
    text = render_text(more, most=2)
    assert text.count("… and 2 more: --worst 4 shows all") == 1
    assert "… and 6 more: --worst 8 shows all" in text
    assert "… and 2 more repositories: --worst 4 shows all" in text
    many = replace(report.appeared[0], problems=report.appeared[0].problems * 4)
    assert "… and 3 more problems" in render_text(replace(report, appeared=(many,)))


def test_lists_without_rows_are_counted(report: FleetReport) -> None:
    text = render_text(report, most=0)
    assert f"Never checked, or not for 7 days\n  … and {len(report.stale)} more: --worst {len(report.stale)}" in text


def test_the_first_line_is_never_cut(report: FleetReport) -> None:
    seen = replace(report, seen_teams=("default",), sees_all=False)
    totals = replace(seen.totals, repositories=16_000, citations=242_000, documents=12_000)
    text = render_text(replace(seen, totals=totals))
    assert text.startswith(
        "16,000 repositories of the only team that you see (default): 242,000 citations\nin 12,000 documents\n  "
    )


def test_an_empty_store_says_what_to_type(tmp_path: Path) -> None:
    with open_filled(f"sqlite://{tmp_path}/store/fleet.db") as store:
        text = render_text(make_report(store, int(time()), int(time()) - DAY))
    assert text.startswith("0 repositories of all teams: 0 citations in 0 documents\n")
    assert "pincite fleet check REPOSITORY" in text and "no problem" in text
    assert "Worst" not in text and "By team" not in text


@pytest.mark.parametrize("payload", PAYLOADS)
def test_nothing_hostile_reaches_the_terminal(payload: str, tmp_path: Path) -> None:
    with open_filled(f"sqlite://{tmp_path}/store/fleet.db") as store:
        number = add_repository(store, payload, location=payload)
        add_check(store, number, "1", [make_verdict(1, document=payload)])
        add_check(store, number, "2", [make_verdict(1, MISSING, payload, message=payload, written=payload)])
        store.verdicts.record_failure(store.teams.get("default"), number, payload, "")
        text = render_text(make_report(store, int(time()), int(time()) - DAY), color=False)
    assert [line for line in text.splitlines() if escape_text(line) != line] == []


def test_a_sparkline_shows_changes_however_small() -> None:
    assert draw_sparkline([]) == "" and draw_sparkline([5, 5]) == "▁▁"
    assert draw_sparkline([0, 7]) == "▁█" and draw_sparkline([1_000_000, 1_000_001, 1_000_000]) == "▁█▁"


def test_words(report: FleetReport) -> None:
    assert say_outcomes({"moved": 1, "holds": 1}) == "1 holds, 1 moved"
    assert say_time("") == "never" and say_time("2026-11-17T08:03:59Z") == "2026-11-17 08:03 UTC"
    assert say_new(replace(report, appeared_left_out=True)).endswith("more than 2 problems, the newest are listed")
    gone = replace(report, totals=replace(report.totals, appeared=9))
    assert say_new(gone).endswith("2 problems in 1 repository (7 more came and went)")
    assert say_new(replace(gone, appeared=())).endswith("no problem (9 came and went)")
    sourced = replace(report, sources=SourceTotals({"gone": 1, "same": 2}, {"missing": 1, "new": 2}, 2, 1))
    text = render_text(sourced)
    assert (
        "  3 web sources on 2 hosts: 1 gone, 2 same; 1 due\n  3 quotes from them: 1 missing, 2 not looked up yet\n"
        in text
    )


def test_colours_come_only_where_they_are_wanted(report: FleetReport) -> None:
    assert "\x1b[1m" in render_text(report, color=True) and "\x1b" not in render_text(report)
