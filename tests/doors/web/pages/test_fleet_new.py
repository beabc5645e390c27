"""What is new in a fleet."""

from __future__ import annotations

from pathlib import Path
from time import time

from support_fleet_store import DAY, MOVED, add_check, add_repository, fill_fleet, make_verdict, open_filled
from support_web import open_fleet_web


def test_new_problems_come_with_their_places_and_the_command(store_address: str) -> None:
    with open_filled(store_address) as store:
        ids = fill_fleet(store)
    with open_fleet_web(store_address) as client:
        found = client.get("/fleet/new.json").json()
        (one,) = found["repositories"]
        assert one["id"] == ids["alpha"] and [place["line"] for place in one["problems"]] == [2, 1]
        assert one["problems"][0]["citation"] == "2"
        assert one["command"].endswith("pincite check -- docs/2.md docs/1.md")
        assert found["teams"] == ["default", "docs"] and not found["is_cut"]
        html = client.get("/fleet/new").text
        assert "docs/2.md:2" in html and f'href="/fleet/c/{ids["alpha"]}/2"' in html
        assert "pincite check -- docs/2.md docs/1.md" in html
        assert client.get("/fleet/new.json?since=10m").json()["repositories"] == []
        assert "Nothing came." in client.get("/fleet/new?team=docs&since=30d").text
        assert '<option value="docs" selected>' in client.get("/fleet/new?team=docs").text


def test_many_come_in_parts(tmp_path: Path) -> None:
    address = f"sqlite://{tmp_path}/fleet.db"
    with open_filled(address) as store:
        number = add_repository(store, "a")
        add_check(store, number, "1", [make_verdict(one) for one in range(1, 251)], int(time()) - 2 * DAY)
        add_check(store, number, "2", [make_verdict(one, MOVED) for one in range(1, 251)])
    with open_fleet_web(address) as client:
        found = client.get("/fleet/new.json?page=3").json()
        assert found["paging"]["total"] == 250 and len(found["repositories"][0]["problems"]) == 50
        assert "250 new problems" in client.get("/fleet/new").text
        assert 'href="/fleet/new?page=3&amp;since=2d"' in client.get("/fleet/new?page=2&since=2d").text
