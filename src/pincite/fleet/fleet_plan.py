"""What a run over a fleet is made with: which repositories, which engine, which bounds."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from msgspec import Struct

from ..core.errors import UsageError
from ..safe.local_repository import read_head
from ..store.database import StoreTrouble
from ..store.shared import StoreUnavailable
from ..store.shared.backend import POSTGRESQL, VARIABLE
from .cluster import TlsFiles
from .cluster_worker import MIRROR_BYTES, MIRRORS
from .fleet_run import FleetRun
from .metrics import make_metrics
from .mirrors import Mirrors
from .shard_runner import ShardRunner
from .shards import CHECK, Shard

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..store.shared import SharedStore
    from ..store.shared.records import StoredRepository, Team
    from .engines import ShardEngine
    from .fleet_run import FleetSummary, Step
    from .repository_list import FleetRepository
    from .structured_log import FleetLog

PROCESSES, DASK = "processes", "dask"
"""What may do the work."""


class FleetPlan(Struct, frozen=True):
    """How repositories are to be checked."""

    trace: str
    mirrors: str
    """The folder of mirrors."""
    mirror_bytes: int = 0
    """What all mirrors together may take; 0 is no bound."""
    engine: str = PROCESSES
    scheduler: str = ""
    """The address of a Dask cluster that exists; empty where one is started for the run."""
    tls: TlsFiles = TlsFiles()
    jobs: int = 0
    """Workers; 0 is one a core."""
    seconds: float = 600.0
    """For one repository."""
    settings: str = ""
    """Settings in TOML for repositories that have none of their own."""
    again: bool = False
    """Whether what is checked already is checked again."""


def register(
    store: SharedStore, team: str, listed: Sequence[FleetRepository]
) -> tuple[list[StoredRepository], dict[int, str]]:
    """Repositories as the store knows them, and where those are that are listed; all of the team where none is."""
    if not listed:
        stored = store.verdicts.list_repositories(store.teams.get(team))
        if not stored:
            raise UsageError(f"team {team} has no repositories yet; name some: pincite fleet check REPOSITORY…")
        return stored, {}
    by_team: dict[str, list[FleetRepository]] = {}
    for one in listed:
        by_team.setdefault(one.team or team, []).append(one)
    stored, locations = [], {}
    for name, some in by_team.items():
        found = store.teams.find(name) or _add_team(store, name)
        places = {one.name: one.location for one in some}
        for known in store.verdicts.add_repositories(found, [(one.name, one.shown) for one in some]):
            stored.append(known)
            locations[known.id] = places[known.name]
    return stored, locations


def _add_team(store: SharedStore, name: str) -> Team:
    """A new team; only the owner of the store may add one."""
    try:
        return store.teams.set(name)
    except StoreUnavailable:
        raise
    except StoreTrouble:
        raise UsageError(
            f"team {name}: there is none that this login may see, and it may add none; name your own with --team, or "
            f"ask the owner: pincite store team {name}, pincite store grant LOGIN --team {name} --as worker"
        ) from None


async def run_plan(
    plan: FleetPlan,
    store: SharedStore,
    repositories: Sequence[StoredRepository],
    locations: dict[int, str],
    log: FleetLog,
    step: Step,
) -> FleetSummary:
    """Check repositories; `locations` are those that were named now, perhaps with credentials."""
    ticket = store.verdicts.take_ticket()
    heads = _find_local_heads(repositories, locations)
    engine = _make_engine(plan, store, locations, log)
    shard = Shard(CHECK, 0, plan.trace, "", ticket, plan.seconds, plan.settings)
    run = FleetRun(store, engine, repositories, shard)
    try:
        await run.run(heads, step, plan.again)
    finally:
        await engine.close()
        _make_room(plan, store)
    return run.summary


def _find_local_heads(repositories: Sequence[StoredRepository], locations: dict[int, str]) -> dict[int, str]:
    """The commits at the heads of repositories of this machine, as far as their files tell: git is not started."""
    found = {}
    for one in repositories:
        place = locations.get(one.id, one.location)
        if os.path.isabs(place) and (commit := read_head(place)):
            found[one.id] = commit
    return found


def _make_engine(plan: FleetPlan, store: SharedStore, locations: dict[int, str], log: FleetLog) -> ShardEngine:
    jobs = plan.jobs or os.cpu_count() or 1
    if plan.engine == DASK:
        from .engines.dask_cluster import DaskEngine

        address = store.address
        shown = address.target if address.kind == POSTGRESQL else address.shown
        environment = {VARIABLE: shown, MIRRORS: plan.mirrors, MIRROR_BYTES: str(plan.mirror_bytes)}
        return DaskEngine(jobs, plan.scheduler, plan.tls, environment)
    from .engines.processes import ProcessEngine

    metrics = make_metrics()
    return ProcessEngine(jobs, lambda: ShardRunner(store, plan.mirrors, log, metrics, locations, plan.mirror_bytes))


def _make_room(plan: FleetPlan, store: SharedStore) -> None:
    """Remove mirrors that were not used for long, where a team or all together take more than they may."""
    whole = Mirrors(plan.mirrors, plan.mirror_bytes)
    for team in store.teams.list():
        if team.limits.mirror_bytes:
            Mirrors(whole.team_folder(team.name), team.limits.mirror_bytes).make_room()
    whole.make_room()
    make_metrics().set_mirror_bytes(whole.total_bytes)
