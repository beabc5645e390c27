"""One repository of a fleet."""

from __future__ import annotations

from pathlib import Path

from support_fleet_store import (
    MALFORMED,
    MISMATCH,
    MISSING,
    MOVED,
    add_check,
    add_repository,
    fill_fleet,
    make_verdict,
    open_filled,
)
from support_web import open_fleet_web


def test_everything_about_a_repository(store_address: str) -> None:
    with open_filled(store_address) as store:
        ids = fill_fleet(store)
    with open_fleet_web(store_address) as client:
        found = client.get(f"/fleet/r/{ids['alpha']}.json").json()
        assert found["repository"]["repository"] == "github.com/acme/alpha"
        assert found["location"] == "https://github.com/acme/alpha" and found["failure"] is None
        assert [(one["document"], one["outcome"]) for one in found["problems"]] == [
            ("docs/2.md", "missing"),
            ("docs/1.md", "moved"),
        ]
        assert [(one["path"], one["citations"], one["problems"]) for one in found["documents"]] == [
            ("docs/1.md", 10, 1),
            ("docs/2.md", 10, 1),
            ("docs/0.md", 10, 0),
        ]
        assert [one["commit"][0] for one in found["checks"]] == ["b", "a"]
        assert found["checks"][0]["outcomes"] == {"missing": 1, "moved": 1, "holds": 28}
        assert len(found["trend"]["days"]) == 4
        html = client.get(f"/fleet/r/{ids['alpha']}").text
        for part in ("2 problems", "src/gone.py: no such file", '<svg class="plot"', "The last checks", "bbbbbbbbbb"):
            assert part in html, part


def test_why_it_could_not_be_checked_and_what_was_never_checked(store_address: str) -> None:
    with open_filled(store_address) as store:
        ids = fill_fleet(store)
    with open_fleet_web(store_address) as client:
        html = client.get(f"/fleet/r/{ids['delta']}").text
        assert "Could not be checked" in html and "2 tries" in html and "the server is gone" in html
        assert client.get(f"/fleet/r/{ids['delta']}.json").json()["failure"]["tries"] == 2
        html = client.get(f"/fleet/r/{ids['epsilon']}").text
        assert "Checked never" in html and "It was not checked yet." in html


def test_problems_are_chosen_and_come_in_parts(tmp_path: Path) -> None:
    address = f"sqlite://{tmp_path}/fleet.db"
    verdicts = [
        *(make_verdict(one, MOVED, "docs/many.md") for one in range(1, 151)),
        make_verdict(200, MISSING, "docs/one.md"),
        make_verdict(201, MISMATCH, "docs/one.md", message="A Word that is special"),
        make_verdict(202, MALFORMED, "docs/one.md"),
    ]
    with open_filled(address) as store:
        add_check(store, add_repository(store, "a"), "1", verdicts)
    with open_fleet_web(address) as client:

        def lines(query: str) -> list[int]:
            found = client.get(f"/fleet/r/1.json?{query}").json()
            assert found["paging"]["total"] >= len(found["problems"])
            return [one["line"] for one in found["problems"]]

        assert lines("")[:4] == [202, 200, 201, 1] and len(lines("")) == 100
        assert len(lines("page=2")) == 53 and lines("page=2") == lines("page=77")
        assert lines("outcome=missing") == [200] and lines("outcome=malformed") == [202]
        assert lines("check=lines-edited") == lines("q=a+word") == [201]
        assert lines("document=docs/one.md") == [202, 200, 201]
        assert lines("document=docs/one.md&outcome=moved") == []
        found = client.get("/fleet/r/1.json?document=docs/one.md&outcome=missing").json()
        facets = {facet["name"]: {one["value"]: one["count"] for one in facet["values"]} for facet in found["facets"]}
        assert facets["outcome"] == {"malformed": 1, "missing": 1, "mismatch": 1}
        assert facets["check"] == {"file-missing": 1}
        assert found["command"].endswith("pincite check -- docs/one.md")
        html = client.get("/fleet/r/1?document=docs/one.md&outcome=moved").text
        assert "Nothing matches." in html and 'aria-label="Remove Document"' in html
        assert 'href="/fleet/r/1?page=2&amp;outcome=moved"' in client.get("/fleet/r/1?outcome=moved").text
