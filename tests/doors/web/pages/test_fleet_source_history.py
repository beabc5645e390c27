"""One web source of a fleet."""

from __future__ import annotations

from pincite.store.shared.web_records import NewSource
from support_fleet_store import add_repository, open_filled
from support_web import open_fleet_web

NOW = 1_700_000_000


def test_a_source_says_who_cites_it_what_stands_and_what_changed(store_address: str) -> None:
    with open_filled(store_address) as store:
        number = add_repository(store, "github.com/acme/alpha")
        place = "github.com/acme/alpha:docs/a.md"
        store.sources.add(store.teams.get("default"), [NewSource("https://a.example/x", "the words", place)], now=NOW)
        store.backend.run(
            "UPDATE web_source SET state = 'unchecked', status = 503, trouble = 'the server is busy', failures = 2, "
            "failing_since = ?, failed = ?, final = 'https://a.example/y'",
            (NOW, NOW + 60),
        )
        store.backend.run("UPDATE web_quote SET state = 'missing', nearest = 'other words', checked = ?", (NOW,))
        store.backend.run("INSERT INTO web_event VALUES (1, 1, ?, 'same', 200, '')", (NOW,))
        store.backend.run("INSERT INTO web_event VALUES (1, 1, ?, 'unchecked', 503, 'the server is busy')", (NOW + 9,))
        store.backend.run("INSERT INTO web_snapshot VALUES (1, 1, ?, ?, 'a/b.warc.gz')", (NOW, "ab" * 32))
    with open_fleet_web(store_address) as client:
        found = client.get("/fleet/s/1.json").json()
        history = found["history"]
        assert (history["source"]["state"], history["source"]["visited"]) == ("unchecked", "2023-11-14T22:14:20Z")
        (citation,) = history["citations"]
        assert (citation["state"], citation["nearest"], citation["repository"]) == ("missing", "other words", number)
        assert [one["state"] for one in history["changes"]] == ["unchecked", "same"]
        assert found["paging"]["total"] == 1
        html = client.get("/fleet/s/1").text
        for part in (
            "1 citation",
            "the words",
            "Nearest passage: other words",
            "at 2 visits in a row",
            "the server is busy",
            "a/b.warc.gz",
            "abababababababab",
            f'<a href="/fleet/r/{number}">{place}</a>',
            'href="/fleet/sources?host=a.example"',
        ):
            assert part in html, part
        # Addresses of sources are hostile: they are shown and not linked.
        assert 'href="https://a.example' not in html


def test_a_source_that_a_thousand_places_cite_has_parts(store_address: str) -> None:
    with open_filled(store_address) as store:
        places = [NewSource("https://a.example/x", "", f"r:{number:04}.md") for number in range(1000)]
        store.sources.add(store.teams.get("default"), places)
    with open_fleet_web(store_address) as client:
        first = client.get("/fleet/s/1.json").json()
        pages = first["paging"]["pages"]
        assert first["paging"]["total"] == 1000 and pages > 1
        last = client.get(f"/fleet/s/1.json?page={pages}").json()
        assert last["history"]["citations"][-1]["cited_in"] == "r:0999.md"
        assert "/fleet/s/1?page=2" in client.get("/fleet/s/1").text
