"""Questions about web sources: the same answers from both kinds of database."""

from __future__ import annotations

import pytest

from pincite.store.shared import SharedStore
from pincite.store.shared.source_overview import SourceFilter
from pincite.store.shared.web_records import NewSource, StoredQuote

NOW = 1_700_000_000


@pytest.fixture
def filled(store: SharedStore) -> SharedStore:
    """Sources of two teams on two hosts, one of them gone."""
    pages = ("https://a.example/One", "https://a.example/t%25wo", "https://b.example/one")
    store.sources.add(store.teams.get("default"), [NewSource(page, "words", "r:a.md") for page in pages], now=NOW)
    store.sources.add(store.teams.set("docs"), [NewSource(pages[0])], now=NOW)
    store.backend.run("UPDATE web_source SET state = 'gone' WHERE host = 'b.example'")
    return store


def list_ids(store: SharedStore, wanted: SourceFilter, most: int = 9, after: int = 0) -> list[int]:
    return [one.id for one in store.sources.overview.list_sources(wanted, most, after)]


def test_sources_are_counted_by_team_host_and_state(filled: SharedStore) -> None:
    overview = filled.sources.overview
    assert overview.count_sources() == {
        ("default", "a.example", "new"): 2,
        ("default", "b.example", "gone"): 1,
        ("docs", "a.example", "new"): 1,
    }
    assert overview.count_sources("ONE") == {
        ("default", "a.example", "new"): 1,
        ("default", "b.example", "gone"): 1,
        ("docs", "a.example", "new"): 1,
    }


@pytest.mark.parametrize(
    ("wanted", "ids"),
    [
        (SourceFilter(), [1, 2, 3, 4]),
        (SourceFilter(team="default"), [1, 2, 3]),
        (SourceFilter(host="a.example"), [1, 2, 4]),
        (SourceFilter(state="gone"), [3]),
        (SourceFilter(text="/one"), [1, 3, 4]),
        (SourceFilter(team="docs", text="/ONE"), [4]),
        # What a pattern of SQL means something with is text here.
        (SourceFilter(text="%"), [2]),
        (SourceFilter(text="_"), []),
        (SourceFilter(text="!"), []),
        (SourceFilter(text="' OR 1 = 1 --"), []),
        (SourceFilter(host="\udcff\0"), []),
    ],
)
def test_sources_are_chosen_by_all_that_is_said(filled: SharedStore, wanted: SourceFilter, ids: list[int]) -> None:
    assert list_ids(filled, wanted) == ids


def test_a_list_goes_on_where_it_ended(filled: SharedStore) -> None:
    assert [list_ids(filled, SourceFilter(), 3, after) for after in (0, 3, 6)] == [[1, 2, 3], [4], []]


def test_a_source_is_found_by_its_number(filled: SharedStore) -> None:
    found = filled.sources.overview.find(4)
    assert found is not None
    assert (found.team, found.url, found.host, found.state) == ("docs", "https://a.example/One", "a.example", "new")
    assert filled.sources.overview.find(5) is None


def test_quotes_that_are_missing_come_first(store: SharedStore) -> None:
    states = ("holds", "missing", "new", "none", "unchecked")
    places = [NewSource("https://a.example/", state, f"{number}.md") for number, state in enumerate(states)]
    store.sources.add(store.teams.get("default"), places, now=NOW)
    store.backend.run("UPDATE web_quote SET state = exact")
    overview = store.sources.overview
    assert [one.state for one in overview.list_quotes(1, 9)] == ["missing", "unchecked", "new", "holds", "none"]
    assert overview.list_quotes(1, 1, 3) == [StoredQuote("holds", "0.md", "holds", "", 0)]
    assert overview.count_quotes(1) == dict.fromkeys(sorted(states), 1)


def test_repositories_are_found_by_name_within_a_team(filled: SharedStore) -> None:
    filled.verdicts.add_repositories(filled.teams.get("default"), [("a", "/a"), ("b", "/b")])
    filled.verdicts.add_repositories(filled.teams.get("docs"), [("a", "/c")])
    overview = filled.sources.overview
    assert overview.find_repositories("default", ["a", "b", "c"]) == {"a": 1, "b": 2}
    assert overview.find_repositories("docs", ["a", "b"]) == {"a": 3}
    assert overview.find_repositories("docs", []) == {}
