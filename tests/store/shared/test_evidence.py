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
