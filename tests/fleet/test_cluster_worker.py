"""What a worker of a cluster takes from its environment."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pincite.core.errors import UsageError
from pincite.fleet import cluster_worker
from pincite.fleet.cluster_worker import MIRROR_BYTES, MIRRORS, make_runner, mirrors_folder
from pincite.fleet.shards import CHECK, DONE, Shard, decode_answer
from pincite.store.shared import SharedStore, open_store
from pincite.store.shared.backend import VARIABLE, parse_address
from support_fleet import make_repositories


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SharedStore]:
    """An empty store in a file."""
    with open_store(parse_address(f"sqlite://{tmp_path}/fleet.db")) as opened:
        yield opened


def test_the_folder_of_mirrors(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv(MIRRORS, raising=False)
    assert mirrors_folder() == f"{tmp_path}/pincite/mirrors"
    monkeypatch.setenv(MIRRORS, "/srv/mirrors")
    assert (mirrors_folder(), mirrors_folder("/other")) == ("/srv/mirrors", "/other")


def test_mirrors_are_bounded_where_a_worker_keeps_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, store: SharedStore
) -> None:
    places = make_repositories(tmp_path / "r", 3, documents=1, sources=2, citations=2, commits=1, checkout=False)
    team = store.teams.get("default")
    stored = store.verdicts.add_repositories(team, [(f"local/r/{one.name}", str(one)) for one in places])
    monkeypatch.setenv(VARIABLE, f"sqlite://{tmp_path}/fleet.db")
    monkeypatch.setenv(MIRRORS, str(tmp_path / "mirrors"))
    monkeypatch.setenv(MIRROR_BYTES, "1")

    async def work() -> list[str]:
        try:
            return [await cluster_worker.run_shard(Shard(CHECK, one.id, "t", name=one.name).uri) for one in stored]
        finally:
            await cluster_worker.stop_runner()

    assert [decode_answer(text).state for text in asyncio.run(work())] == [DONE] * 3
    # Every mirror takes more than a byte: only the last one is kept.
    kept = list((tmp_path / "mirrors").rglob("*.git"))
    assert [place.name for place in kept] == [f"{places[-1].name}.git"]


def test_a_bound_that_is_none_is_named(monkeypatch: pytest.MonkeyPatch, store: SharedStore) -> None:
    monkeypatch.setenv(MIRROR_BYTES, "20G")
    with pytest.raises(UsageError, match="PINCITE_FLEET_MIRROR_BYTES: not a number of bytes"):
        make_runner(store, "/nowhere")


def test_what_is_cited_is_brought_where_other_workers_keep_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, store: SharedStore, make_repository: Callable[..., Any]
) -> None:
    cited, citing = make_repository("cited"), make_repository("citing")
    cited.commit({"a.py": "one = 1\ntwo = 2\n"})
    citing.commit({"a.md": "It is org/cited:a.py:2 and not org/cited:a.py:9.\n"})
    team = store.teams.get("default")
    places = {"github.com/org/cited": cited.path, "github.com/org/citing": citing.path}
    stored = store.verdicts.add_repositories(team, [(name, str(place)) for name, place in places.items()])
    monkeypatch.setenv(VARIABLE, f"sqlite://{tmp_path}/fleet.db")
    monkeypatch.setenv(MIRRORS, str(tmp_path / "mirrors"))
    monkeypatch.setenv(MIRROR_BYTES, "0")

    def check(trace: str) -> tuple[int, int]:
        async def work() -> str:
            try:
                shard = Shard(CHECK, stored[1].id, trace, ticket=store.verdicts.take_ticket(), name=stored[1].name)
                return await cluster_worker.run_shard(shard.uri)
            finally:
                await cluster_worker.stop_runner()

        answer = decode_answer(asyncio.run(work()))
        return answer.citations, answer.problems

    assert check("a" * 32) == (2, 1)
    # The mirror is there, and older than what another worker may have.
    cited.commit({"a.py": "one = 1\ntwo = 2\n" + "more = 3\n" * 9})
    assert check("b" * 32) == (2, 0)
