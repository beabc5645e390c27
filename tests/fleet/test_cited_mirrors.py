"""Mirrors that citations of other repositories need: without one, what it holds would seem to be gone."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree
from typing import Any

import pytest

from pincite.fleet.fleet_plan import FleetPlan, register, run_plan
from pincite.fleet.fleet_run import FleetSummary
from pincite.fleet.repository_list import FleetRepository
from pincite.fleet.shard_records import ShardHead, ShardTask
from pincite.fleet.shard_worker import ShardWorker
from pincite.fleet.structured_log import FleetLog
from pincite.safe.child import ChildFailed
from pincite.store.shared import SharedStore, open_store
from pincite.store.shared.backend import parse_address

CITES = "One mv/lib:a.py:3 and two mv/lib:a.py:99.\n"


class Pair:
    """A store and two repositories, of which `user` cites two lines of `lib`; one of them is not there."""

    def __init__(self, store: SharedStore, make_repository: Any, top: Path) -> None:
        self.store, self.mirrors = store, top / "mirrors"
        self.lib, self.user = make_repository("lib"), make_repository("user")
        self.lib.commit({"a.py": "".join(f"x = {number}\n" for number in range(1, 21))})
        self.user.commit({"README.md": CITES})

    def check(self, *names: str, most_bytes: int = 0) -> FleetSummary:
        """Check some of them, or all that are known."""
        listed = [FleetRepository(f"github.com/mv/{name}", str(getattr(self, name).path)) for name in names]
        stored, places = register(self.store, "default", listed)
        plan = FleetPlan("t", str(self.mirrors), mirror_bytes=most_bytes, jobs=1)
        return asyncio.run(run_plan(plan, self.store, stored, places, FleetLog(), lambda _: None))

    def count(self) -> int:
        """The citations of `user` that stand."""
        rows = self.store.backend.query(
            "SELECT count(*) FROM verdict JOIN repository ON repository.id = verdict.repository "
            "WHERE until IS NULL AND name = 'github.com/mv/user'"
        )
        return int(rows[0][0])


@pytest.fixture
def pair(tmp_path: Path, make_repository: Any) -> Iterator[Pair]:
    with open_store(parse_address(f"sqlite://{tmp_path}/store/fleet.db")) as store:
        yield Pair(store, make_repository, tmp_path)


def test_a_mirror_that_was_removed_is_brought_again(pair: Pair) -> None:
    pair.check("user", "lib")
    assert pair.count() == 2
    rmtree(pair.mirrors)
    pair.user.commit({"other.md": "x\n"})
    summary = pair.check()
    assert (summary.checked, summary.failed, pair.count()) == (1, 0, 2)


def test_a_repository_that_is_checked_alone_brings_what_it_cites(pair: Pair) -> None:
    pair.check("lib")
    rmtree(pair.mirrors)
    summary = pair.check("user")
    assert (summary.checked, summary.problems, pair.count()) == (1, 1, 2)


def test_what_stood_stands_where_the_mirror_cannot_be_brought(pair: Pair) -> None:
    pair.check("user", "lib")
    rmtree(pair.mirrors)
    rmtree(pair.lib.path)
    pair.user.commit({"other.md": "x\n"})
    summary = pair.check("user")
    assert (summary.checked, summary.failed, pair.count()) == (0, 1, 2)
    (trouble,) = summary.troubles.values()
    assert trouble.startswith("it cites github.com/mv/lib, whose mirror is missing: ")
    assert trouble.endswith("if it is gone for good: pincite fleet forget github.com/mv/lib")


def test_a_bound_that_is_too_small_for_both_is_said_and_loses_nothing(pair: Pair) -> None:
    pair.check("user", "lib")
    pair.user.commit({"other.md": "x\n"})
    summary = pair.check("user", most_bytes=1)
    assert (summary.failed, pair.count()) == (1, 2)
    assert "raise --mirror-bytes" in next(iter(summary.troubles.values()))


def test_a_repository_that_never_could_be_fetched_is_noted(pair: Pair) -> None:
    rmtree(pair.lib.path)
    summary = pair.check("user", "lib")
    assert (summary.checked, summary.failed) == (1, 1)
    assert "it cites github.com/mv/lib, whose mirror is missing: " in summary.notes["github.com/mv/user"]


def test_a_repository_without_a_commit_is_cited_in_vain(pair: Pair) -> None:
    rmtree(pair.lib.path)
    subprocess.run(["git", "init", "-q", str(pair.lib.path)], check=True)
    summary = pair.check("user", "lib")
    assert (summary.failed, summary.notes.get("github.com/mv/user")) == (0, None)
    pair.user.commit({"other.md": "x\n"})
    assert pair.check("user").failed == 0


@pytest.mark.parametrize(("kills", "is_brought"), [(2, True), (3, False)])
def test_a_process_that_is_killed_while_it_fetches_is_started_again(
    pair: Pair, monkeypatch: pytest.MonkeyPatch, kills: int, is_brought: bool
) -> None:
    pair.check("lib")
    rmtree(pair.mirrors)
    update, left = ShardWorker.update, [kills]

    async def be_killed(worker: ShardWorker, task: ShardTask) -> ShardHead:
        if task.repository.endswith("lib") and left[0]:
            left[0] -= 1
            raise ChildFailed("killed")
        return await update(worker, task)

    monkeypatch.setattr(ShardWorker, "update", be_killed)
    summary = pair.check("user")
    assert (summary.checked, summary.failed, pair.count()) == ((1, 0, 2) if is_brought else (0, 1, 0))
