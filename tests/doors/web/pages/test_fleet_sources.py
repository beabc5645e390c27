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
        docs = store.teams.set("docs")
        store.sources.add(docs, [NewSource("https://example.net/c")])
        store.backend.run("UPDATE web_quote SET state = 'missing', nearest = 'other words' WHERE exact <> ''")
        store.sources.add(docs, [NewSource("https://example.net/c", "words that nobody looked up")])
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
            "<td>1 missing</td>",
            "<td>1 not looked up yet</td>",
            "github.com/acme/alpha:docs/a.md",
        ):
            assert part in html, part
        # An address of a source is hostile: it is shown and not linked.
        assert 'href="https://example.org' not in html
        assert 'href="/fleet/s/1"' in html
        assert client.get("/fleet/sources.json?team=docs").json()["sources"] == {"new": 1}


def test_sources_are_narrowed_by_team_host_state_and_text(store_address: str) -> None:
    with open_filled(store_address) as store:
        pages = [f"https://{host}.example/{number:02}" for host in "ab" for number in range(60)]
        store.sources.add(store.teams.get("default"), [NewSource(page) for page in pages])
        store.sources.add(store.teams.set("docs"), [NewSource(pages[0])])
        store.backend.run("UPDATE web_source SET state = 'gone', trouble = 'status 404' WHERE url = ?", (pages[1],))
    with open_fleet_web(store_address) as client:

        def ask(query: str) -> tuple[int, list[str]]:
            found = client.get(f"/fleet/sources.json?{query}").json()
            return found["paging"]["total"], [one["url"] for one in found["rows"]]

        assert ask("state=gone") == (1, [pages[1]])
        assert ask("host=b.example")[0] == 60
        assert ask("team=docs") == (1, [pages[0]])
        assert ask("q=A.EXAMPLE/0&team=default") == (10, pages[:10])
        assert ask("q=nothing") == (0, [])
        assert ask("host=none.example") == (0, [])
        total, first = ask("")
        assert total == 121 and ask("page=2")[1][0] not in first and ask("page=999")[1][-1] == pages[0]
        facets = {one["name"]: one["values"] for one in client.get("/fleet/sources.json?state=gone").json()["facets"]}
        assert [(one["value"], one["count"]) for one in facets["state"]] == [("gone", 1), ("new", 120)]
        assert [(one["value"], one["count"]) for one in facets["host"]] == [("a.example", 1)]
        html = client.get("/fleet/sources?state=gone").text
        assert "1 source found" in html and "status 404" in html and 'aria-label="Remove State"' in html


def test_the_navigation_leads_there_where_there_are_some(store_address: str) -> None:
    link = '<a href="/fleet/sources"'
    with open_filled(store_address) as store:
        with open_fleet_web(store_address) as client:
            assert link not in client.get("/fleet").text
            assert "No web page is watched yet" in client.get("/fleet/sources").text
        store.sources.add(store.teams.get("default"), [NewSource("https://example.org/a")])
        with open_fleet_web(store_address) as client:
            assert client.get("/fleet").status_code == 200 and link in client.get("/fleet").text
