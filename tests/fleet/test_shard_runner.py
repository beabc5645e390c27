"""What a worker does with a shard, before and after the process that reads the repository."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from pincite.fleet.metrics import make_metrics
from pincite.fleet.shard_runner import ShardRunner
from pincite.fleet.shards import CHECK, DONE, FAILED, Shard, ShardAnswer, decode_answer
from pincite.fleet.structured_log import FleetLog
from pincite.store.shared import SharedStore, open_store
from pincite.store.shared.backend import parse_address
from support_fleet import make_repositories


def make_store(path: Path, *repositories: tuple[str, str]) -> SharedStore:
    """A store with repositories of the default team."""
    store = open_store(parse_address(f"sqlite://{path}"))
    store.verdicts.add_repositories(store.teams.get("default"), repositories)
    return store


def run(store: SharedStore, mirrors: Path, shard: Shard) -> ShardAnswer:
    """What a worker with a store answers."""

    async def go() -> str:
        runner = ShardRunner(store, str(mirrors), FleetLog(), make_metrics())
        try:
            return await runner.run(shard.uri)
        finally:
            await runner.stop()

    return decode_answer(asyncio.run(go()))


@pytest.mark.parametrize("others", [[], [("local/another", "/nowhere")]])
def test_a_worker_with_another_store_does_nothing(tmp_path: Path, others: list[tuple[str, str]]) -> None:
    with make_store(tmp_path / "worker.db", *others) as store:
        answer = run(store, tmp_path / "mirrors", Shard(CHECK, 1, "t", name="local/r/repository"))
        assert answer.state == FAILED
        assert answer.trouble.startswith(
            f"the store of the worker, sqlite://{tmp_path}/worker.db, has no such repository"
        )
        assert store.backend.query("SELECT 1 FROM shard UNION ALL SELECT 1 FROM failure") == []


def test_a_worker_with_the_same_store_checks(tmp_path: Path) -> None:
    (place,) = make_repositories(tmp_path / "r", 1, documents=1, sources=2, citations=4, commits=1)
    with make_store(tmp_path / "worker.db", ("local/r/repository", str(place))) as store:
        shard = Shard(CHECK, 1, "t", ticket=store.verdicts.take_ticket(), name="local/r/repository")
        assert (run(store, tmp_path / "mirrors", shard).state, store.backend.query("SELECT citations FROM shard")) == (
            DONE,
            [(4,)],
        )


def test_why_a_repository_cannot_be_checked_is_kept(tmp_path: Path) -> None:
    with make_store(tmp_path / "worker.db", ("local/gone", str(tmp_path / "gone"))) as store:
        answer = run(store, tmp_path / "mirrors", Shard(CHECK, 1, "t", name="local/gone"))
        assert answer.state == FAILED
        assert store.backend.query("SELECT repository, tries, trouble FROM failure") == [(1, 1, answer.trouble)]
