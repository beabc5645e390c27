"""What became of one web source."""

from __future__ import annotations

import pytest

from pincite.fleet.source_history import MOST_EVENTS, MOST_SNAPSHOTS, SourceHistory, load_history
from pincite.store.shared import SharedStore
from pincite.store.shared.web_records import NewSource

NOW = 1_700_000_000


def load(store: SharedStore, most: int = 9, after: int = 0) -> SourceHistory:
    found = store.sources.overview.find(1)
    assert found is not None
    return load_history(store, found, most, after)


@pytest.fixture
def quoted(web_store: SharedStore) -> SharedStore:
    """One source that is quoted in a repository whose name has a colon, and in a list."""
    team = web_store.teams.get("default")
    web_store.verdicts.add_repositories(team, [("git:local", "/a"), ("git", "/b")])
    places = [NewSource("https://a.example/", "words", place) for place in ("git:local:docs/a.md", "list.jsonl")]
    web_store.sources.add(team, places, now=NOW)
    return web_store


def test_a_source_that_was_never_visited_has_no_times(quoted: SharedStore) -> None:
    found = load(quoted)
    source = found.source
    assert (source.state, source.visited, source.seen, source.failing_since) == ("new", "", "", "")
    assert source.due.startswith("2023-11-1") and source.period == 7 * 86_400
    assert (found.quotes, found.changes, found.snapshots, found.host_trouble) == ({"new": 2}, (), (), "")


def test_a_citation_leads_to_the_repository_with_the_longest_name(quoted: SharedStore) -> None:
    assert [(one.cited_in, one.repository) for one in load(quoted).citations] == [
        ("git:local:docs/a.md", 1),
        ("list.jsonl", 0),
    ]
    assert [one.cited_in for one in load(quoted, 1, 1).citations] == ["list.jsonl"]


def test_changes_and_snapshots_are_the_newest_and_no_more_than_a_hundred(quoted: SharedStore) -> None:
    for number in range(MOST_EVENTS + 1):
        quoted.backend.run("INSERT INTO web_event VALUES (1, 1, ?, 'changed', 200, '')", (NOW + number,))
    for number in range(MOST_SNAPSHOTS):
        quoted.backend.run("INSERT INTO web_snapshot VALUES (1, 1, ?, 'd', 'f')", (NOW + number,))
    found = load(quoted)
    assert len(found.changes) == 100 and found.changes[0].time > found.changes[1].time and found.changes_left_out
    assert len(found.snapshots) == 100 and not found.snapshots_left_out


def test_why_a_host_is_not_asked_is_said(quoted: SharedStore) -> None:
    hosts = quoted.sources.hosts
    quoted.backend.run("INSERT INTO web_host (name) VALUES ('a.example') ON CONFLICT (name) DO NOTHING")
    assert load(quoted).host_trouble == ""
    hosts.rest("a.example", 3600)
    assert load(quoted).host_trouble.startswith("its host is left alone until 20")
    hosts.pause("a.example")
    assert load(quoted).host_trouble == "its host is paused"
    hosts.pause("*")
    assert load(quoted).host_trouble == "all hosts are paused"
    hosts.resume("*")
    hosts.resume("a.example")
    assert load(quoted).host_trouble == ""
