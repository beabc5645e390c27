"""Runs as they are planned: from a list of repositories to what the store holds afterwards."""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite.core.errors import UsageError
from pincite.fleet.fleet_plan import FleetPlan, register, run_plan
from pincite.fleet.fleet_run import FleetSummary
from pincite.fleet.repository_list import read_repositories
from pincite.fleet.structured_log import FleetLog
from pincite.store.shared import SharedStore, open_store
from pincite.store.shared.backend import parse_address
from pincite.store.shared.records import TeamLimits
from support_fleet import ENVIRONMENT, make_repositories
from support_topics import copy_lanternfish, run_stages

SMALL = {"documents": 2, "sources": 3, "citations": 12, "commits": 2}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SharedStore]:
    """An empty store in a file."""
    with open_store(parse_address(f"sqlite://{tmp_path}/fleet.db")) as opened:
        yield opened


def go(store: SharedStore, tmp_path: Path, *places: Path, team: str = "default", mirror_bytes: int = 0) -> FleetSummary:
    """One run over repositories."""
    stored, locations = register(store, team, read_repositories([str(place) for place in places], team))
    plan = FleetPlan("t" * 32, str(tmp_path / "mirrors"), mirror_bytes, jobs=1)
    return asyncio.run(run_plan(plan, store, stored, locations, FleetLog(), lambda _: None))


def list_mirrors(tmp_path: Path, team: str) -> list[str]:
    """The names of the mirrors of a team."""
    return sorted(path.name for path in (tmp_path / "mirrors" / team).rglob("*.git"))


def test_repositories_of_a_run(store: SharedStore, tmp_path: Path) -> None:
    summary = go(store, tmp_path, *make_repositories(tmp_path / "repositories", 3, **SMALL))
    assert (summary.checked, summary.failed, summary.citations) == (3, 0, 36)
    assert [sum(one.outcomes.values()) for one in store.overview.summarize()] == [12, 12, 12]
    assert store.verdicts.reconcile() == []


def test_a_team_without_repositories(store: SharedStore) -> None:
    with pytest.raises(UsageError, match="has no repositories yet"):
        register(store, "default", [])
    with pytest.raises(UsageError, match="there is none that you may see"):
        register(store, "absent", [])


def test_a_team_may_bound_its_mirrors(store: SharedStore, tmp_path: Path) -> None:
    places = make_repositories(tmp_path / "repositories", 4, **SMALL)
    store.teams.set("small", TeamLimits(mirror_bytes=1))
    assert go(store, tmp_path, *places[:2], team="small").checked == 2
    assert go(store, tmp_path, *places[2:]).checked == 2
    assert list_mirrors(tmp_path, "small") == []
    assert list_mirrors(tmp_path, "default") == ["repository-00002.git", "repository-00003.git"]
    assert len(store.overview.summarize()) == 4


def test_all_mirrors_together_are_bounded(store: SharedStore, tmp_path: Path) -> None:
    places = make_repositories(tmp_path / "repositories", 3, **SMALL)
    assert go(store, tmp_path, *places, mirror_bytes=1).checked == 3
    assert len(list_mirrors(tmp_path, "default")) < 3


def commit_all(folder: Path) -> None:
    """Everything in a folder as the next commit of a repository."""
    for words in (["add", "-A"], ["-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "x"]):
        subprocess.run(["git", *words], cwd=folder, env=ENVIRONMENT, check=True)


def test_pages_that_research_cites_become_web_sources(store: SharedStore, tmp_path: Path) -> None:
    place = tmp_path / "study"
    place.mkdir()
    copy_lanternfish(place)
    run_stages(place)
    subprocess.run(["git", "init", "-q", "-b", "main", str(place)], env=ENVIRONMENT, check=True)
    commit_all(place)
    assert go(store, tmp_path, place).checked == 1
    team = store.teams.get("default")
    pages = [one.url for one in store.sources.list_all(team)]
    assert pages and all(url.startswith("https://") for url in pages)
    for path in (place / ".research").rglob("*"):
        if path.is_file():
            os.unlink(path)
    (place / "new.md").write_text("nothing\n")
    commit_all(place)
    assert go(store, tmp_path, place).checked == 1
    assert [one.url for one in store.sources.list_all(team)] == []
