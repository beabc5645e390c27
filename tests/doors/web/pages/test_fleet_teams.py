"""Every team of a fleet in numbers."""

from __future__ import annotations

from support_fleet_store import fill_fleet, open_filled
from support_web import open_fleet_web


def test_teams_are_listed_with_their_numbers(store_address: str) -> None:
    with open_filled(store_address) as store:
        fill_fleet(store)
        store.teams.set("idle")
    with open_fleet_web(store_address) as client:
        found = client.get("/fleet/teams.json").json()
        numbers = {one["team"]: (one["totals"]["repositories"], one["totals"]["problems"]) for one in found["teams"]}
        assert numbers == {"default": (2, 2), "docs": (3, 3)}
        assert found["totals"]["failed"] == 1 and found["empty"] == ["idle"]
        html = client.get("/fleet/teams").text
        assert '<a href="/fleet?team=docs">docs</a>' in html and "Without repositories: idle." in html
