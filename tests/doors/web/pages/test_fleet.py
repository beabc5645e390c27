"""The overview of a fleet: totals, the worst first, facets, search, order, and the parts of a long list."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from support_fleet_store import MOVED, add_check, add_repository, fill_fleet, make_verdict, open_filled
from support_web import open_fleet_web


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A client of a small fleet, for tests that only read."""
    address = f"sqlite://{tmp_path_factory.mktemp('fleet')}/fleet.db"
    with open_filled(address) as store:
        fill_fleet(store)
    with open_fleet_web(address) as opened:
        yield opened


def names(client: TestClient, query: str = "") -> list[str]:
    found: dict[str, Any] = client.get(f"/fleet.json?{query}").json()
    return [row["repository"].rpartition("/")[2] for row in found["rows"]]


def test_totals_and_rows(client: TestClient) -> None:
    found = client.get("/fleet.json").json()
    assert found["totals"]["citations"] == 37 and found["totals"]["outcomes"]["mismatch"] == 3
    assert names(client) == ["beta", "alpha", "delta", "epsilon", "gamma"]
    rows = {row["repository"].rpartition("/")[2]: row for row in found["rows"]}
    assert rows["alpha"]["appeared"] == 2 and rows["alpha"]["states"] == ["problems", "new"]
    assert rows["beta"]["share"] == 0.75 and rows["beta"]["worst"] == "mismatch"
    assert rows["gamma"]["states"] == ["clean", "stale"] and rows["gamma"]["worst"] == "unchecked"
    assert rows["delta"]["states"] == ["clean", "failed"] and rows["delta"]["trouble"] == "the server is gone"
    assert rows["epsilon"] | {"id": 0} == {
        "id": 0,
        "repository": "github.com/acme/epsilon",
        "team": "docs",
        "citations": 0,
        "documents": 0,
        "problems": 0,
        "share": 0.0,
        "appeared": 0,
        "checked": "",
        "commit": "",
        "outcomes": {},
        "worst": "unreadable",
        "states": ["never"],
        "trouble": "",
    }
    assert [one["team"] for one in found["teams"]] == ["default", "docs"]
    assert [one["repository"] for one in found["failures"]] == ["github.com/acme/delta"]
    assert found["trend"]["days"][-1]["problems"] == 5


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("team=docs", ["beta", "epsilon", "gamma"]),
        ("state=problems", ["beta", "alpha"]),
        ("state=clean", ["delta", "gamma"]),
        ("state=new", ["alpha"]),
        ("state=failed", ["delta"]),
        ("state=stale", ["gamma"]),
        ("state=never", ["epsilon"]),
        ("state=never&team=default", []),
        ("q=ETA", ["beta"]),
        ("q=server+is+gone", ["delta"]),
        ("q=none", []),
        ("sort=repository", ["alpha", "beta", "delta", "epsilon", "gamma"]),
        ("sort=repository&order=down", ["gamma", "epsilon", "delta", "beta", "alpha"]),
        ("sort=team", ["alpha", "delta", "beta", "epsilon", "gamma"]),
        ("sort=share", ["beta", "alpha", "delta", "epsilon", "gamma"]),
        ("sort=citations", ["alpha", "beta", "gamma", "delta", "epsilon"]),
        ("sort=citations&order=up", ["epsilon", "delta", "gamma", "beta", "alpha"]),
        ("sort=checked", ["alpha", "beta", "delta", "gamma", "epsilon"]),
        ("sort=new&team=default", ["alpha", "delta"]),
    ],
)
def test_the_list_is_narrowed_and_ordered_by_its_address(client: TestClient, query: str, found: list[str]) -> None:
    assert names(client, query) == found
    html = client.get(f"/fleet?{query}").text
    assert [
        name.rpartition("/")[2] for name in re.findall(r'<th scope="row"><a href="/fleet/r/\d+">([^<]+)</a>', html)
    ] == found
    assert ("Nothing matches." in html) is (not found)


def test_facets_count_what_another_choice_would_give(client: TestClient) -> None:
    facets = {one["name"]: one["values"] for one in client.get("/fleet.json?team=docs&state=problems").json()["facets"]}
    assert {one["value"]: one["count"] for one in facets["state"]} == {
        "problems": 1,
        "clean": 1,
        "stale": 1,
        "never": 1,
    }
    assert {one["value"]: (one["count"], one["is_chosen"]) for one in facets["team"]} == {
        "default": (1, False),
        "docs": (1, True),
    }
    # What is chosen and matches nothing can be taken back.
    html = client.get("/fleet?team=none").text
    assert 'aria-label="Remove Team none"' in html


def test_columns_lead_to_the_other_order(client: TestClient) -> None:
    html = client.get("/fleet?team=docs").text
    assert 'aria-sort="descending"><a href="/fleet?team=docs&amp;sort=problems&amp;order=up">Problems</a>' in html
    html = client.get("/fleet?sort=repository").text
    assert 'aria-sort="ascending"><a href="/fleet?sort=repository&amp;order=down">Repository</a>' in html


def test_a_long_list_comes_in_parts(tmp_path: Path) -> None:
    address = f"sqlite://{tmp_path}/fleet.db"
    with open_filled(address) as store:
        team = store.teams.get("default")
        store.verdicts.add_repositories(team, [(f"r{number:04d}", f"/r/{number}") for number in range(250)])
    with open_fleet_web(address) as client:
        answer = client.get("/fleet.json?sort=repository&page=2")
        assert [row["repository"] for row in answer.json()["rows"]] == [f"r{number:04d}" for number in range(100, 200)]
        assert answer.json()["paging"]["total"] == 250
        assert 'rel="prev"' in answer.headers["link"] and "page=3" in answer.headers["link"]
        html = client.get("/fleet?sort=repository&page=2").text
        assert 'href="/fleet?page=3&amp;sort=repository"' in html


def test_an_empty_store_says_what_to_type(tmp_path: Path) -> None:
    address = f"sqlite://{tmp_path}/fleet.db"
    with open_filled(address):
        pass
    with open_fleet_web(address) as client:
        assert "pincite fleet check" in client.get("/fleet").text
        assert client.get("/fleet.json").json()["rows"] == []


def test_a_check_that_ends_is_seen_at_once(tmp_path: Path) -> None:
    address = f"sqlite://{tmp_path}/fleet.db"
    with open_filled(address) as store, open_fleet_web(address) as client:
        number = add_repository(store, "a")
        assert client.get("/fleet.json").json()["totals"]["citations"] == 0
        add_check(store, number, "1", [make_verdict(1, MOVED)])
        found = client.get("/fleet.json").json()
        assert found["totals"]["outcomes"] == {"moved": 1}
        # The days before are kept, what stands now is not.
        assert found["trend"]["days"][-1]["outcomes"] == {"moved": 1}
