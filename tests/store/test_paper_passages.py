"""The index of passages: what it finds, how it stays up to date, and that nobody else's index is believed."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.store import paper_passages
from pincite.store.paper_passages import IndexTrouble, PaperSource, Passages, Postings

TEA = PaperSource("REF-001", "a.md", "1", "d1", "")
MATE = PaperSource("REF-002", "b.md", "1", "d2", "")


@pytest.fixture(params=["file", "memory", "postings"])
def index(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Passages]:
    monkeypatch.setenv("PINCITE_CACHE", str(tmp_path / "cache"))
    opened = Postings() if request.param == "postings" else Passages.open("here", request.param == "file")
    assert bool(opened.path) == (request.param == "file")
    with opened.changing():
        opened.put(TEA, [["green", "tea", "sleep"], ["black", "tea"], ["n15", "percent"]])
        opened.put(MATE, [["mate", "tea", "energy"]])
    yield opened
    opened.__exit__()


def test_passages_are_found_best_first(index: Passages) -> None:
    hits = index.search(["green", "tea"], 10)
    assert (hits[0].paper, hits[0].key, hits[0].ordinal) == ("REF-001", "a.md", 0)
    assert {(hit.paper, hit.ordinal) for hit in hits} == {("REF-001", 0), ("REF-001", 1), ("REF-002", 0)}
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_no_more_than_asked_for(index: Passages) -> None:
    assert len(index.search(["tea"], 1)) == 1
    assert index.search(["tea"], 0) == []
    assert index.search([], 10) == []
    assert index.search(["coffee"], 10) == []


def test_terms_are_counted(index: Passages) -> None:
    assert index.counts(["tea", "n15", "coffee"]) == (4, {"tea": 3, "n15": 1, "coffee": 0})


def test_what_is_put_again_replaces_what_was_there(index: Passages) -> None:
    with index.changing():
        index.put(TEA, [["coffee"]])
    assert [hit.paper for hit in index.search(["tea", "coffee"], 10)] == ["REF-001", "REF-002"]
    assert index.counts(["green"]) == (2, {"green": 0})


def test_what_is_dropped_is_gone(index: Passages) -> None:
    with index.changing():
        index.drop("REF-001", "a.md")
    assert {hit.paper for hit in index.search(["tea"], 10)} == {"REF-002"}
    assert list(index.sources()) == [("REF-002", "b.md")]


def test_a_touched_source_keeps_its_passages(index: Passages) -> None:
    with index.changing():
        index.renew(PaperSource("REF-001", "a.md", "2", "d1", ""))
    assert index.sources()["REF-001", "a.md"].mark == "2"
    assert index.search(["green"], 10)


@pytest.mark.parametrize(
    "term",
    [
        '"',
        'tea" OR "x',
        "tea*",
        "NEAR(tea mate)",
        "AND",
        "NOT tea",
        "terms:tea",
        "^tea",
        "(",
        "\0",
        "'; DROP",
        "𞤀",
        "-",
    ],
)
def test_any_term_is_data(index: Passages, term: str) -> None:
    assert isinstance(index.search([term], 10), list)
    assert index.counts([term])[0] == 4
    assert index.search(["tea"], 10)


@given(st.lists(st.text(max_size=20), max_size=100))
@settings(max_examples=100, deadline=None)
def test_no_query_fails(terms: list[str]) -> None:
    with Passages.open("here", cache=False) as index:
        index.put(TEA, [["tea"]])
        assert isinstance(index.search(terms, 5), list)


def test_the_index_is_kept_for_the_next_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINCITE_CACHE", str(tmp_path / "cache"))
    with Passages.open("here") as index, index.changing():
        index.put(TEA, [["tea"]])
    with Passages.open("here") as index:
        assert index.search(["tea"], 5)
        assert index.sources() == {("REF-001", "a.md"): TEA}
        assert os.stat(index.path).st_mode & 0o077 == 0
    with Passages.open("elsewhere") as index:
        assert index.search(["tea"], 5) == []


def test_a_change_that_fails_leaves_everything_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINCITE_CACHE", str(tmp_path / "cache"))
    with Passages.open("here") as index:
        with index.changing():
            index.put(TEA, [["tea"]])
        with pytest.raises(KeyError), index.changing():
            index.drop("REF-001", "a.md")
            raise KeyError
        assert index.search(["tea"], 5)


def _index_file(cache: Path) -> Path:
    with Passages.open("here") as index, index.changing():
        index.put(TEA, [["tea"]])
    (path,) = (cache / paper_passages.FOLDER).glob("*.db")
    return path


@pytest.mark.parametrize("damage", ["text", "empty", "trigger", "view", "version", "application", "half", "zeros"])
def test_an_index_that_is_not_as_we_made_it_is_thrown_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    cache = tmp_path / "cache"
    monkeypatch.setenv("PINCITE_CACHE", str(cache))
    path = _index_file(cache)
    statements = {
        "trigger": "CREATE TRIGGER bad AFTER INSERT ON source BEGIN DELETE FROM place; END",
        "view": "CREATE VIEW extra AS SELECT 1",
        "version": "PRAGMA user_version = 99",
        "application": "PRAGMA application_id = 7",
    }
    if damage in statements:
        connection = sqlite3.connect(path)
        connection.execute(statements[damage])
        connection.commit()
        connection.close()
    else:
        data = path.read_bytes()
        path.write_bytes(
            {"text": b"hello", "empty": b"", "half": data[: len(data) // 2], "zeros": bytes(len(data))}[damage]
        )
    with Passages.open("here") as index:
        try:
            assert index.search(["tea"], 5) == [] or damage == "half"
        except IndexTrouble:
            assert damage == "half"


@pytest.mark.parametrize("obstacle", ["folder is a file", "folder is open to others", "relative", "link"])
def test_where_none_can_be_kept_one_is_built_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, obstacle: str
) -> None:
    cache = tmp_path / "cache"
    cache.mkdir(mode=0o700)
    monkeypatch.setenv("PINCITE_CACHE", str(cache))
    inside = cache / paper_passages.FOLDER
    if obstacle == "folder is a file":
        inside.write_text("x")
    elif obstacle == "folder is open to others":
        inside.mkdir()
        inside.chmod(0o777)
    elif obstacle == "link":
        (tmp_path / "other").mkdir(mode=0o700)
        inside.symlink_to(tmp_path / "other")
    else:
        monkeypatch.setenv("PINCITE_CACHE", "cache")
    with Passages.open("here") as index:
        assert index.path == ""
        index.put(TEA, [["tea"]])
        assert index.search(["tea"], 5)


def test_an_index_that_another_process_holds_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = tmp_path / "cache"
    monkeypatch.setenv("PINCITE_CACHE", str(cache))
    monkeypatch.setattr(paper_passages, "_PATIENCE", 0.05)
    path = _index_file(cache)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    try:
        with Passages.open("here") as index:
            assert index.path == ""
    finally:
        other.execute("ROLLBACK")
        other.close()
    with Passages.open("here") as index:
        assert index.search(["tea"], 5)


def test_old_indexes_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINCITE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(paper_passages, "_KEPT", 3)
    for at in range(6):
        Passages.open(f"place {at}").__exit__()
    assert len(list((tmp_path / "cache" / paper_passages.FOLDER).iterdir())) <= 4


def test_a_python_that_cannot_search_by_database_still_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(path: str) -> sqlite3.Connection:
        raise sqlite3.OperationalError("no such module: fts5")

    monkeypatch.setattr(paper_passages, "_create_index", broken)
    with Passages.open("here", cache=False) as index:
        assert isinstance(index, Postings)
