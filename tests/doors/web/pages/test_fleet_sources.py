"""Web sources of a fleet."""

from __future__ import annotations

from pincite.store.shared.web_records import NewSource
from support_fleet_store import open_filled
from support_web import open_fleet_web


def test_sources_are_counted_and_what_no_longer_stands_is_listed(store_address: str) -> None:
    with open_filled(store_address) as store:
        team = store.teams.get("default")
        quoted = NewSource("https://example.org/a", "the exact words", "github.com/acme/alpha:docs/a.md")
        store.sources.add(team, [quoted, NewSource("https://example.org/b")])
        store.sources.add(store.teams.set("docs"), [NewSource("https://example.net/c")])
        store.backend.run("UPDATE web_quote SET state = 'missing', nearest = 'other words' WHERE exact <> ''")
    with open_fleet_web(store_address) as client:
        found = client.get("/fleet/sources.json").json()
        assert found["sources"] == {"new": 3} and [one["team"] for one in found["teams"]] == ["default", "docs"]
        (problem,) = found["problems"]
        assert (problem["quote"], problem["nearest"], problem["state"]) == ("the exact words", "other words", "missing")
        html = client.get("/fleet/sources").text
        for part in (
            "3 web sources",
            "the exact words",
            "Nearest passage: other words",
            "github.com/acme/alpha:docs/a.md",
        ):
            assert part in html, part
        # An address of a source is hostile: it is shown and not linked.
        assert 'href="https://example.org' not in html
        assert client.get("/fleet/sources.json?team=docs").json()["sources"] == {"new": 1}


def test_the_navigation_leads_there_where_there_are_some(store_address: str) -> None:
    link = '<a href="/fleet/sources"'
    with open_filled(store_address) as store:
        with open_fleet_web(store_address) as client:
            assert link not in client.get("/fleet").text
            assert "No web page is watched yet" in client.get("/fleet/sources").text
        store.sources.add(store.teams.get("default"), [NewSource("https://example.org/a")])
        with open_fleet_web(store_address) as client:
            assert client.get("/fleet").status_code == 200 and link in client.get("/fleet").text
