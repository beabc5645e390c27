"""The report over all repositories: totals, ranks, what is new, and what its schema promises."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files
from time import time
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from msgspec import Struct
from msgspec.structs import fields

from pincite.fleet.fleet_report import FleetReport, make_report, rank_by_problems, rank_by_share
from pincite.safe.escape import json_text
from pincite.store.shared import SharedStore
from pincite.store.shared.records import RepositorySummary
from pincite.store.shared.web_records import NewSource
from support_fleet_store import DAY, MOVED, add_check, add_repository, fill_fleet, make_verdict, open_filled

SCHEMA: dict[str, Any] = json.loads(
    files("pincite").joinpath("schemas/fleet-report-1.schema.json").read_text(encoding="utf-8")
)
NOW = 1_790_000_000


@pytest.fixture
def store(store_address: str) -> Iterator[SharedStore]:
    """An empty store."""
    with open_filled(store_address) as opened:
        yield opened


def test_the_report_has_totals_ranks_news_teams_failures_and_what_is_stale(store: SharedStore) -> None:
    now = int(time())
    ids = fill_fleet(store, now)
    report = make_report(store, now, now - DAY // 2)
    totals = report.totals
    assert (totals.repositories, totals.checked, totals.failed, totals.stale) == (5, 4, 1, 1)
    assert (totals.citations, totals.problems, totals.appeared) == (37, 5, 2)
    assert totals.outcomes == {"missing": 1, "mismatch": 3, "moved": 1, "unchecked": 2, "holds": 30}
    assert list(totals.outcomes) == ["missing", "mismatch", "moved", "unchecked", "holds"]
    assert [one.repository for one in report.worst] == ["github.com/acme/beta", "github.com/acme/alpha"]
    # Four citations say nothing of a share.
    assert [one.id for one in report.worst_by_share] == [ids["alpha"]]
    (new,) = report.appeared
    assert (new.id, [one.line for one in new.problems]) == (ids["alpha"], [2, 1])
    assert new.command == "git clone https://github.com/acme/alpha && cd alpha && pincite check -- docs/2.md docs/1.md"
    assert [(one.team, one.totals.repositories, one.totals.problems) for one in report.teams] == [
        ("default", 2, 2),
        ("docs", 3, 3),
    ]
    assert [(one.repository, one.tries, one.trouble) for one in report.failures] == [
        ("github.com/acme/delta", 2, "the server is gone")
    ]
    assert [(one.id, bool(one.checked)) for one in report.stale] == [(ids["epsilon"], False), (ids["gamma"], True)]
    assert report.trend[-1].problems == 5 and report.trend[-1].citations == 37
    assert report.sources.sources == {}


def test_a_report_on_one_team_leaves_the_others_out(store: SharedStore) -> None:
    now = int(time())
    fill_fleet(store, now)
    report = make_report(store, now, now - 30 * DAY, store.teams.get("docs"))
    assert (report.team, report.totals.repositories, [one.team for one in report.teams]) == ("docs", 3, ["docs"])
    assert report.failures == () and report.appeared == ()
    assert "alpha" not in json_text(report) and "delta" not in json_text(report)


def test_web_sources_are_counted_and_what_is_gone_is_listed(store: SharedStore) -> None:
    now = int(time())
    team = store.teams.get("default")
    sources = [NewSource("https://example.org/a", "a quote", "github.com/acme/alpha:docs/a.md")]
    store.sources.add(team, [*sources, NewSource("https://example.org/b")])
    store.backend.run("UPDATE web_quote SET state = 'missing' WHERE exact = 'a quote'")
    report = make_report(store, now, now - DAY)
    assert report.sources.sources == {"new": 2} and report.sources.quotes == {"missing": 1}
    (problem,) = report.source_problems
    assert (problem.url, problem.state, problem.team) == ("https://example.org/a", "missing", "default")


def test_the_same_store_gives_the_same_report(store: SharedStore) -> None:
    now = int(time())
    fill_fleet(store, now)
    assert json_text(make_report(store, now, now - DAY)) == json_text(make_report(store, now, now - DAY))


def test_more_news_than_are_listed_are_admitted(store: SharedStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.fleet.fleet_report.MOST_NEW", 3)
    number, now = add_repository(store, "a"), int(time())
    add_check(store, number, "1", [make_verdict(one) for one in range(1, 6)])
    add_check(store, number, "2", [make_verdict(one, MOVED) for one in range(1, 6)])
    report = make_report(store, now, now - DAY)
    assert report.appeared_left_out and len(report.appeared[0].problems) == 3


def make_summary(name: str, problems: int, holds: int, number: int = 1) -> RepositorySummary:
    return RepositorySummary(number, name, "t", "c", NOW, 1, {"moved": problems, "holds": holds}, 0)


def test_ranks_do_not_depend_on_the_order_in_which_repositories_come() -> None:
    some = [
        make_summary("b", 5, 95, 2),
        make_summary("a", 5, 95, 1),
        make_summary("c", 10, 990, 3),
        make_summary("d", 0, 9),
    ]
    for given in (some, some[::-1]):
        assert [one.name for one in rank_by_problems(given)] == ["c", "a", "b"]
        assert [one.name for one in rank_by_share(given)] == ["a", "b", "c"]
    assert rank_by_share([make_summary("small", 19, 0)]) == []


def test_json_is_what_the_schema_promises(store: SharedStore) -> None:
    now = int(time())
    Draft202012Validator.check_schema(SCHEMA)
    for fill in (lambda: None, lambda: fill_fleet(store, now)):
        fill()
        report = json.loads(json_text(make_report(store, now, now - 30 * DAY)))
        assert [error.message for error in Draft202012Validator(SCHEMA).iter_errors(report)] == []


def test_the_schema_has_every_field_and_says_what_it_means() -> None:
    parts = {"FleetReport": SCHEMA, **SCHEMA["$defs"]}
    known = {one.__name__: one for one in Struct.__subclasses__() if one.__module__.startswith("pincite.fleet.")}
    assert {field.name for field in fields(FleetReport)} == set(SCHEMA["properties"])
    for name, part in parts.items():
        assert {field.name for field in fields(known[name])} == set(part["properties"]) == set(part["required"]), name
        assert part["description"]
    assert all("description" in part for part in SCHEMA["properties"].values())
