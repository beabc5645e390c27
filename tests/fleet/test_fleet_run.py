"""A run over a fleet, with an engine that answers from a table."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence

import pytest

from pincite._version import __version__
from pincite.fleet.fleet_run import FleetRun, FleetSummary
from pincite.fleet.shards import CHECK, DONE, FAILED, UPDATE, Shard, ShardAnswer, encode_answer, parse_shard
from pincite.store.shared import SharedStore, open_store
from pincite.store.shared.backend import parse_address
from pincite.store.shared.records import NewShard, NewVerdict, ShardKey, StoredRepository


@pytest.fixture
def store(tmp_path: object) -> Iterator[SharedStore]:
    """An empty store in a file."""
    with open_store(parse_address(f"sqlite://{tmp_path}/fleet.db")) as opened:
        yield opened


class TableEngine:
    """Answers from a table of commits, and writes as a worker does."""

    def __init__(self, store: SharedStore, heads: dict[int, str], others: dict[str, str] | None = None) -> None:
        self.store = store
        self.heads = heads
        self.others = others or {}
        self.done: list[tuple[str, int]] = []

    async def run(self, uris: Sequence[str]) -> AsyncIterator[str]:
        """The answers in order."""
        for uri in uris:
            shard = parse_shard(uri)
            self.done.append((shard.kind, shard.repository))
            head = self.heads.get(shard.repository)
            if head is None:
                yield encode_answer(ShardAnswer(shard.kind, shard.repository, FAILED, trouble="gone"))
            elif shard.kind == UPDATE:
                ticket = self.store.verdicts.take_ticket()
                yield encode_answer(ShardAnswer(UPDATE, shard.repository, DONE, head, ticket))
            else:
                key = ShardKey(shard.repository, shard.commit, "", __version__)
                new = NewShard(key, 1, shard.ticket, 0.1, 1, self.others)
                row = NewVerdict(1, "a.md", 1, 0, "", "", "x.py:1")
                team = self.store.teams.get("default")
                is_new = self.store.verdicts.write(team, new, [row], again=bool(shard.again))
                yield encode_answer(ShardAnswer(CHECK, shard.repository, DONE if is_new else "same", head, 0, 1))

    async def close(self) -> None:
        """Nothing was started."""


def add(store: SharedStore, *names: str) -> list[StoredRepository]:
    """Repositories of the default team."""
    return store.verdicts.add_repositories(store.teams.get("default"), [(name, f"/{name}") for name in names])


def go(store: SharedStore, engine: TableEngine, repositories: list[StoredRepository], **options: bool) -> FleetSummary:
    """One run."""
    shard = Shard(CHECK, 0, "t", ticket=store.verdicts.take_ticket())
    run = FleetRun(store, engine, repositories, shard)
    asyncio.run(run.run({}, **options))
    return run.summary


def test_what_is_finished_is_not_done_again(store: SharedStore) -> None:
    repositories = add(store, "a", "b")
    engine = TableEngine(store, {one.id: "c1" for one in repositories})
    first = go(store, engine, repositories)
    assert (first.checked, first.unchanged, first.failed, first.citations) == (2, 0, 0, 2)
    engine.done.clear()
    second = go(store, engine, repositories)
    assert (second.checked, second.unchanged) == (0, 2)
    assert {kind for kind, _ in engine.done} == {UPDATE}
    engine.heads[repositories[0].id] = "c2"
    engine.done.clear()
    third = go(store, engine, repositories)
    assert (third.checked, third.unchanged) == (1, 1)
    assert (CHECK, repositories[0].id) in engine.done and (CHECK, repositories[1].id) not in engine.done


def test_one_that_fails_does_not_stop_the_others(store: SharedStore) -> None:
    repositories = add(store, "a", "b")
    summary = go(store, TableEngine(store, {repositories[1].id: "c1"}), repositories)
    assert (summary.checked, summary.failed, summary.troubles) == (1, 1, {"a": "gone"})


def test_a_repository_that_cites_another_is_checked_again_when_that_one_changes(store: SharedStore) -> None:
    repositories = add(store, "a", "b")
    engine = TableEngine(store, {one.id: "c1" for one in repositories}, {"b": "c1"})
    assert go(store, engine, repositories).checked == 2
    assert go(store, engine, repositories).checked == 0
    engine.heads[repositories[1].id] = "c2"
    engine.others = {"b": "c2"}
    assert go(store, engine, repositories).checked == 2
    assert go(store, engine, repositories).checked == 0


def test_a_repository_that_comes_later_may_be_what_another_one_cites(store: SharedStore) -> None:
    (first,) = add(store, "github.com/org/app")
    engine = TableEngine(store, {first.id: "c1"}, {"*/org/lib": ""})
    assert go(store, engine, [first]).checked == 1
    assert go(store, engine, [first]).checked == 0
    both = add(store, "github.com/org/app", "github.com/org/lib")
    engine.heads = {one.id: "c1" for one in both}
    engine.others = {"github.com/org/lib": "c1"}
    assert go(store, engine, both).checked == 2
    assert go(store, engine, both).checked == 0
    assert go(store, engine, [first]).checked == 0, "the other one is known, though it is not part of the run"


def test_everything_again_where_that_is_asked_for(store: SharedStore) -> None:
    repositories = add(store, "a")
    engine = TableEngine(store, {repositories[0].id: "c1"})
    go(store, engine, repositories)
    engine.done.clear()
    again = go(store, engine, repositories, again=True)
    assert (CHECK, repositories[0].id) in engine.done
    assert (again.checked, again.unchanged) == (1, 0)
