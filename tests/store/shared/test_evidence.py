"""Evidence that a team shares, in both kinds of database."""

from __future__ import annotations

import pytest

from pincite.core.errors import UsageError
from pincite.store.shared import SharedStore
from pincite.store.shared import evidence as module
from pincite.store.shared.records import StoredEvidence


def record(key: str = "k", data: bytes = b"x", recorded: int = 1, project: str = "p") -> StoredEvidence:
    return StoredEvidence("text", project, key, recorded, data)


def test_records_are_found_again(store: SharedStore) -> None:
    team = store.teams.get("default")
    assert store.evidence.put(team, [record("a"), record("b", bytes(range(256)))]) == 2
    assert store.evidence.find(team, "text", "p", "b") == record("b", bytes(range(256)))
    assert store.evidence.find(team, "text", "p", "c") is None
    assert store.evidence.find(team, "text", "q", "a") is None
    assert store.evidence.keys(team, "text", "p") == {"a": 1, "b": 1}
    assert store.evidence.count() == {"text": 2}


def test_the_newer_one_stays(store: SharedStore) -> None:
    team = store.teams.get("default")
    assert [store.evidence.put(team, [one]) for one in (record(recorded=5), record(data=b"y", recorded=4))] == [1, 0]
    assert store.evidence.put(team, [record(data=b"z", recorded=6)]) == 1
    assert store.evidence.find(team, "text", "p", "k") == record(data=b"z", recorded=6)
    assert store.evidence.put(team, [record(data=b"z", recorded=7)]) == 0


def test_teams_and_projects_are_apart(store: SharedStore) -> None:
    one, other = store.teams.get("default"), store.teams.set("blue")
    store.evidence.put(one, [record(), record(project="q", data=b"q")])
    store.evidence.put(other, [record(data=b"blue")])
    assert [found.data for found in store.evidence.read_all(one, "text", "p")] == [b"x"]
    assert [found.data for found in store.evidence.read_all(other, "text", "p")] == [b"blue"]


def test_many_are_read_in_order_a_few_at_a_time(store: SharedStore, monkeypatch: pytest.MonkeyPatch) -> None:
    team = store.teams.get("default")
    monkeypatch.setattr(module, "_LISTED_AT_ONCE", 7)
    monkeypatch.setattr(module, "_BATCH_RECORDS", 3)
    keys = [f"{number:03}" for number in range(40)]
    assert store.evidence.put(team, (record(key) for key in reversed(keys))) == 40
    assert [found.key for found in store.evidence.read_all(team, "text", "p")] == keys


def test_what_cannot_be_kept(store: SharedStore, monkeypatch: pytest.MonkeyPatch) -> None:
    team = store.teams.get("default")
    monkeypatch.setattr(module, "LARGEST", 10)
    for wrong in (record(data=b"x" * 11), StoredEvidence("other", "p", "k", 1, b"")):
        with pytest.raises(UsageError, match="cannot be kept"):
            store.evidence.put(team, [wrong])
    assert store.evidence.count() == {}


def test_records_that_are_too_large_come_without_their_data(
    store: SharedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    team = store.teams.get("default")
    monkeypatch.setattr(module, "_BATCH_BYTES", 25)
    store.evidence.put(team, [record(f"{size:03}", b"x" * size) for size in (0, 10, 20, 21, 9, 5)])
    found = [(one.key, len(one.data)) for one in store.evidence.read_all(team, "text", "p", most=20)]
    assert found == [("000", 0), ("005", 5), ("009", 9), ("010", 10), ("020", 20), ("021", 0)]
    assert store.evidence.measure(team, "text", "p", ["021", "000", "none"]) == {"021": 21, "000": 0}
    assert store.evidence.measure(team, "text", "p", []) == {}


def test_the_digest_of_output_changes_with_what_comes(store: SharedStore) -> None:
    team, other = store.teams.get("default"), store.teams.set("blue")
    assert store.evidence.digest_output() == {}
    seen = []
    for one in (
        record("a"),
        record("b"),
        StoredEvidence("run", "p", "r", 1, b"{}"),
        StoredEvidence("run", "p", "r", 1, b"{  }"),
        StoredEvidence("run", "p", "r", 2, b"{ } "),
    ):
        store.evidence.put(team, [one])
        seen.append(store.evidence.digest_output()[team.id, "p"])
    assert len(set(seen)) == len(seen) and all(seen)
    store.evidence.put(team, [StoredEvidence("receipt", "p", "x.json", 9, b"{}"), record("a", project="q")])
    store.evidence.put(other, [record("a")])
    found = store.evidence.digest_output()
    assert found[team.id, "p"] == seen[-1]
    assert set(found) == {(team.id, "p"), (team.id, "q"), (other.id, "p")}
    assert found[team.id, "q"] == found[other.id, "p"]
