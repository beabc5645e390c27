"""A fleet uses the captured output that teams share: its verdicts are those of a clone after `store pull`."""

from __future__ import annotations

import asyncio
import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pincite.core.model import Outcome
from pincite.fleet import shard_evidence
from pincite.fleet.evidence_exchange import ExchangeWishes, push_evidence
from pincite.fleet.fleet_plan import FleetPlan, register, run_plan
from pincite.fleet.fleet_run import FleetSummary
from pincite.fleet.output_exchange import OutputBounds
from pincite.fleet.repository_list import read_repositories
from pincite.fleet.shard_evidence import bring_output
from pincite.fleet.structured_log import FleetLog
from pincite.project.project import open_project
from pincite.store.database import StoreTrouble
from pincite.store.shared import SharedStore
from pincite.store.shared.records import StoredEvidence
from support_store import make_store

NAME = "github.com/example/gauge"
LABELS = [outcome.label for outcome in Outcome]


@pytest.fixture
def store(store_address: str) -> Iterator[SharedStore]:
    """An empty store, once in each kind of database."""
    with make_store(store_address) as opened:
        yield opened


class Gauge:
    """A repository whose document cites captured output, and a member of the team who captured it."""

    def __init__(self, store: SharedStore, repository: Any, captured: Callable[..., str], top: Path) -> None:
        self.store, self.repository, self.captured, self.top = store, repository, captured, top
        self.place = Path(str(repository.path))
        self.git("remote", "add", "origin", f"https://{NAME}.git")
        good = captured(self.place, b"3 passed\n", ("pytest", "-q"), 0)
        bad = captured(self.place, b"1 failed\n2 passed\n", ("pytest", "-x"), 1)
        captured(self.place, b"foreign\n", (), None, "c0ffee", origin="transcript")
        repository.commit(
            {
                "README.md": f"Pass 【{good[:6]}†L1】. Beyond 【{good[:6]}†L7】. Fail 【{bad[:6]}†L1-L2】.\n\n"
                "Foreign 【c0ffee†L1】. Unknown 【abcdef†L1】. Code `x.py:1`.\n",
                "x.py": "x = 1\n",
            }
        )
        self.good = good

    def git(self, *words: str, place: Path | None = None) -> None:
        subprocess.run(["git", *words], cwd=place or self.place, check=True, capture_output=True)

    def push(self, team: str = "default") -> None:
        with open_project(str(self.place)) as project:
            push_evidence(self.store, self.store.teams.get(team), project, ExchangeWishes(NAME))

    def check(self, *more: Path, team: str = "default", engine: str = "processes") -> FleetSummary:
        places = [str(place) for place in (self.place, *more)]
        stored, locations = register(self.store, team, read_repositories(places, team))
        plan = FleetPlan("t" * 32, str(self.top / "mirrors"), engine=engine, jobs=1)
        return asyncio.run(run_plan(plan, self.store, stored, locations, FleetLog(), lambda _: None))

    def verdicts(self) -> list[tuple[str, str, str]]:
        rows = self.store.backend.query(
            "SELECT verdict.written, verdict.outcome, verdict.finding FROM verdict "
            "JOIN repository ON repository.id = verdict.repository "
            "WHERE verdict.until IS NULL AND repository.name = ?",
            (NAME,),
        )
        return sorted((written, LABELS[outcome], finding) for written, outcome, finding in rows)

    def check_clone(self, address: str) -> list[tuple[str, str, str]]:
        """What `pincite check` says in a fresh clone after `pincite store pull`."""
        clone = self.top / "clone"
        self.git("clone", "-q", str(self.place), str(clone), place=self.top)
        self.git("remote", "set-url", "origin", f"https://{NAME}.git", place=clone)
        pincite = [sys.executable, "-m", "pincite"]
        subprocess.run([*pincite, "store", "pull", "--database", address], cwd=clone, check=True, capture_output=True)
        done = subprocess.run([*pincite, "check", "--format", "json"], cwd=clone, check=False, capture_output=True)
        said = json.loads(done.stdout)
        return sorted(
            (one["raw"], one["outcome"], one["findings"][0]["check"] if one["findings"] else "")
            for one in said["citations"]
        )


@pytest.fixture
def gauge(store: SharedStore, repository: Any, captured: Callable[..., str], tmp_path: Path) -> Gauge:
    """The repository, of which nothing is shared yet."""
    return Gauge(store, repository, captured, tmp_path)


@pytest.mark.parametrize("engine", ["processes", "dask"])
def test_verdicts_are_those_of_a_clone_after_pull(gauge: Gauge, store_address: str, engine: str) -> None:
    gauge.push()
    summary = gauge.check(engine=engine)
    assert (summary.checked, summary.failed, summary.notes) == (1, 0, {})
    found = gauge.verdicts()
    assert [one[:2] for one in found] == [one[:2] for one in gauge.check_clone(store_address)]
    outcomes = dict(one[:2] for one in found)
    assert outcomes[f"【{gauge.good[:6]}†L1】"] == outcomes["【c0ffee†L1】"] == "holds"
    assert outcomes["【abcdef†L1】"] == "unchecked"
    assert list((gauge.top / "mirrors/.evidence").iterdir()) == []


def test_what_is_pushed_later_is_checked_then_and_nothing_else(
    gauge: Gauge, make_repository: Callable[..., Any]
) -> None:
    other = make_repository("other")
    other.commit({"a.md": "Pass 【abcdef†L1】.\n"})
    place = Path(str(other.path))
    assert gauge.check(place).checked == 2
    before = gauge.store.backend.query("SELECT DISTINCT settings FROM shard")
    assert before == [("",)]
    assert dict(one[:2] for one in gauge.verdicts())["【c0ffee†L1】"] == "unchecked"
    gauge.push()
    summary = gauge.check(place)
    assert (summary.checked, summary.unchanged) == (1, 1)
    assert dict(one[:2] for one in gauge.verdicts())["【c0ffee†L1】"] == "holds"
    assert gauge.check(place).checked == 0
    gauge.push()
    assert gauge.check(place).checked == 0, "nothing new was sent"
    digest = gauge.captured(gauge.place, b"more\n", ("echo", "more"))
    (gauge.place / "untracked.md").write_text(f"【{digest[:8]}†L1】\n")
    gauge.push()
    assert (gauge.check(place).checked, gauge.check(place).checked) == (1, 0)
    assert gauge.store.verdicts.reconcile() == []


def test_the_evidence_of_another_team_changes_nothing(gauge: Gauge) -> None:
    gauge.store.teams.set("blue")
    gauge.push("blue")
    assert gauge.check().checked == 1
    assert {one[1] for one in gauge.verdicts() if "†" in one[0]} == {"unchecked"}
    assert gauge.store.backend.query("SELECT settings FROM shard") == [("",)]
    assert gauge.check().checked == 0


def test_hostile_evidence_is_left_out_and_named(gauge: Gauge) -> None:
    gauge.push()
    team = gauge.store.teams.get("default")
    gauge.store.backend.run("UPDATE evidence SET data = ? WHERE kind = 'text' AND key = ?", (b"4 passed\n", gauge.good))
    gauge.store.evidence.put(team, [StoredEvidence("run", NAME, "k" * 64, 1, b"[" * 5_000)])
    summary = gauge.check()
    assert (summary.checked, summary.failed) == (1, 0)
    assert f"captured output {gauge.good[:12]}: changed in the store; it is not brought" in summary.notes[NAME]
    assert "run kkkkkkkkkkkk: cannot be read" in summary.notes[NAME]
    outcomes = dict(one[:2] for one in gauge.verdicts())
    assert (outcomes[f"【{gauge.good[:6]}†L1】"], outcomes["【c0ffee†L1】"]) == ("unchecked", "holds")


def test_what_exceeds_the_bounds_is_named(gauge: Gauge, monkeypatch: pytest.MonkeyPatch) -> None:
    gauge.push()
    monkeypatch.setattr(shard_evidence, "BOUNDS", OutputBounds(runs=10, texts=1, bytes=10_000))
    summary = gauge.check()
    assert (summary.checked, summary.failed) == (1, 0)
    assert "more than 1 texts, 10 runs or 10,000 bytes; the rest is not brought" in summary.notes[NAME]


def test_a_commit_with_a_store_of_its_own_is_checked_without(gauge: Gauge) -> None:
    gauge.push()
    gauge.git("add", "-f", ".pincite/.gitignore")
    gauge.git("-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "x")
    summary = gauge.check()
    assert (summary.checked, summary.failed) == (1, 0)
    assert ".pincite is a part of the commit" in summary.notes[NAME]


def test_documents_that_cite_no_output_bring_none(gauge: Gauge, monkeypatch: pytest.MonkeyPatch) -> None:
    gauge.push()
    gauge.repository.commit({"README.md": "Code `x.py:1`.\n"})

    def fail(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(shard_evidence, "bring_output", fail)
    assert gauge.check().checked == 1


def test_the_folder_is_private_and_removed_whatever_happens(gauge: Gauge, monkeypatch: pytest.MonkeyPatch) -> None:
    gauge.push()
    team = gauge.store.teams.get("default")
    parent = gauge.top / "m/.evidence"

    async def use() -> None:
        async with bring_output(gauge.store, team, NAME, None, str(gauge.top / "m")) as (folder, trouble):
            assert (os.path.dirname(folder), trouble) == (str(parent), "")
            assert stat.S_IMODE(os.stat(folder).st_mode) == stat.S_IMODE(os.stat(parent).st_mode) == 0o700
            assert os.path.isfile(f"{folder}/.pincite/store.db")
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(use())
    assert list(parent.iterdir()) == []

    def fail(*_: object) -> None:
        raise StoreTrouble("the disk is full")

    monkeypatch.setattr(shard_evidence, "pull_output", fail)
    with pytest.raises(StoreTrouble):
        asyncio.run(use())
    assert list(parent.iterdir()) == []
    summary = gauge.check()
    assert (summary.checked, summary.failed) == (0, 1), "verdicts without the evidence would stand for those with it"
