"""The history of one citation."""

from __future__ import annotations

from support_fleet_store import HOLDS, MISSING, MOVED, add_check, add_repository, make_verdict, open_filled
from support_web import open_fleet_web

LARGE = -(2**63)


def test_a_history_says_what_was_true_by_which_commits(store_address: str) -> None:
    with open_filled(store_address) as store:
        number = add_repository(store, "github.com/acme/alpha")
        for commit, outcome in (("1" * 40, HOLDS), ("2" * 40, MOVED), ("3" * 40, MOVED), ("4" * 40, MISSING)):
            verdict = make_verdict(LARGE, outcome, "docs/a.md", 3, f"says {outcome}", "src/x.py:3")
            add_check(store, number, commit, [verdict])
        add_check(store, number, "5" * 40, [])
    with open_fleet_web(store_address) as client:
        found = client.get(f"/fleet/c/{number}/{LARGE}.json").json()
        assert (found["name"], found["citation"], found["written"]) == (
            "github.com/acme/alpha",
            str(LARGE),
            "src/x.py:3",
        )
        spans = [(one["outcome"], one["since_commit"][0], one["until_commit"][:1]) for one in found["spans"]]
        assert spans == [("missing", "4", "5"), ("moved", "2", "4"), ("holds", "1", "2")]
        assert not found["is_there"]
        html = client.get(f"/fleet/c/{number}/{LARGE}").text
        assert "does not have it any more" in html and "4444444444" in html and "says 5" in html


def test_what_stands_says_so(store_address: str) -> None:
    with open_filled(store_address) as store:
        add_check(store, add_repository(store, "a"), "1", [make_verdict(7)])
    with open_fleet_web(store_address) as client:
        found = client.get("/fleet/c/1/7.json").json()
        assert found["is_there"] and found["spans"][0]["until"] == "" and "it stands" in client.get("/fleet/c/1/7").text
