"""`pincite fleet check`."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import TYPE_CHECKING, Any

import click

from ...core.errors import UsageError
from . import kit
from .fleet_kit import Size, log_options, make_log, store_option, tls_options

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...fleet.engines import ShardEngine
    from ...fleet.fleet_run import FleetSummary
    from ...fleet.repository_list import FleetRepository
    from ...fleet.shards import Shard
    from ...fleet.structured_log import FleetLog
    from ...store.shared import SharedStore
    from ...store.shared.records import StoredRepository, Team

_MOST_SHOWN = 10


@click.command("check")
@click.argument("repositories", nargs=-1, metavar="REPOSITORY...")
@store_option
@click.option("--team", default="default", metavar="NAME", help="The team that the repositories belong to.")
@click.option("--engine", type=click.Choice(["processes", "dask"]), default="processes", help="What does the work.")
@click.option("--scheduler", metavar="ADDRESS", help="The scheduler of a Dask cluster that exists: tls://host:8786.")
@tls_options
@click.option(
    "-j", "--jobs", type=click.IntRange(0, 256), default=0, metavar="N", help="Workers (default: one a core)."
)
@click.option(
    "--mirrors", metavar="DIR", help="Folder for mirrors (default: PINCITE_FLEET_MIRRORS, or your data folder)."
)
@click.option(
    "--mirror-bytes", type=Size(), default="50G", metavar="SIZE", help="Most disk for mirrors (default: 50G)."
)
@click.option(
    "--timeout", "seconds", type=click.IntRange(1, 86_400), default=600, metavar="SECONDS", help="For one repository."
)
@click.option(
    "--settings", "settings_file", metavar="FILE", help="Settings for repositories that have none of their own."
)
@click.option("--again", is_flag=True, help="Check also what is checked already.")
@click.option(
    "--format", "format_", type=click.Choice(["text", "json"]), default="text", help="How to say what was done."
)
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
@log_options
def command(
    repositories: tuple[str, ...],
    database: str | None,
    team: str,
    engine: str,
    scheduler: str | None,
    tls_ca: str | None,
    tls_cert: str | None,
    tls_key: str | None,
    jobs: int,
    mirrors: str | None,
    mirror_bytes: int,
    seconds: int,
    settings_file: str | None,
    again: bool,
    format_: str,
    quiet: bool,
    log_format: str,
    metrics_port: int | None,
) -> None:
    """Check many repositories, and keep the verdicts in the shared store.

    REPOSITORY is a folder, an https or ssh URL, a file with one of these a line, or an organisation's listing as JSON
    ('-': standard input). Without any, all repositories of the team are checked again. What is checked already at the
    same commit is skipped, and what was killed is done again. Exit code: 0 everything holds, 1 some citation does not,
    2 some repository could not be checked.
    """
    from ...fleet.cluster import find_tls_files, require_safe_address
    from ...fleet.cluster_worker import mirrors_folder
    from ...fleet.repository_list import read_repositories
    from ...fleet.structured_log import new_trace
    from ...store.shared import default_address, open_store

    tls = find_tls_files(tls_ca, tls_cert, tls_key)
    if scheduler is not None:
        engine = "dask"
        require_safe_address(scheduler, tls)
    log = make_log(log_format, metrics_port).bind(trace=(trace := new_trace()))
    settings = _read_settings(settings_file)
    address = default_address(database)
    folder = mirrors_folder(mirrors)
    with open_store(address) as store:
        listed = read_repositories(repositories, team) if repositories else []
        if repositories and not listed:
            raise UsageError(f"{', '.join(repositories)}: no repository is listed there; nothing was checked")
        stored, locations = _register(store, team, listed)
        plan = _FleetPlan(store, folder, mirror_bytes, jobs, seconds, settings, trace, log)
        make_engine: Callable[[], ShardEngine]
        if engine == "dask":
            environment = {"PINCITE_DATABASE": address.target if address.kind == "postgresql" else address.shown}
            environment["PINCITE_FLEET_MIRRORS"] = folder
            make_engine = lambda: plan.make_dask(scheduler or "", tls, environment)  # noqa: E731
        else:
            make_engine = lambda: plan.make_processes(locations)  # noqa: E731
        summary = plan.run(make_engine, stored, locations, again, quiet)
        totals = _count_outcomes(store, stored)
    if not quiet:
        _print(summary, totals, format_, address.shown, database is not None)
    problems = sum(number for label, number in totals.items() if label not in ("holds", "unchecked"))
    sys.exit(2 if summary.failed else int(problems > 0))


class _FleetPlan:
    """What a run is made with."""

    def __init__(
        self,
        store: SharedStore,
        mirrors: str,
        mirror_bytes: int,
        jobs: int,
        seconds: float,
        settings: str,
        trace: str,
        log: FleetLog,
    ) -> None:
        self._store = store
        self._mirrors = mirrors
        self._mirror_bytes = mirror_bytes
        self._jobs = jobs or os.cpu_count() or 1
        self._seconds = seconds
        self._settings = settings
        self._trace = trace
        self._log = log

    def make_processes(self, locations: dict[int, str]) -> ShardEngine:
        """Workers of this machine."""
        from ...fleet.engines.processes import ProcessEngine
        from ...fleet.metrics import make_metrics
        from ...fleet.shard_runner import ShardRunner

        metrics = make_metrics()
        return ProcessEngine(self._jobs, lambda: ShardRunner(self._store, self._mirrors, self._log, metrics, locations))

    def make_dask(self, scheduler: str, tls: Any, environment: dict[str, str]) -> ShardEngine:
        """Workers of a cluster."""
        from ...fleet.engines.dask_cluster import DaskEngine

        return DaskEngine(self._jobs, scheduler, tls, environment)

    def run(
        self,
        make_engine: Callable[[], ShardEngine],
        repositories: Sequence[StoredRepository],
        locations: dict[int, str],
        again: bool,
        quiet: bool,
    ) -> FleetSummary:
        """Do everything; the summary of it."""
        return asyncio.run(self._run(make_engine, repositories, locations, again, quiet))

    async def _run(
        self,
        make_engine: Callable[[], ShardEngine],
        repositories: Sequence[StoredRepository],
        locations: dict[int, str],
        again: bool,
        quiet: bool,
    ) -> FleetSummary:
        from ...fleet.fleet_run import FleetRun
        from ...fleet.mirrors import Mirrors
        from ...fleet.shards import Shard
        from .fleet_progress import FleetProgress

        shard: Shard = Shard(
            "check", 0, self._trace, "", self._store.verdicts.take_ticket(), float(self._seconds), self._settings
        )
        heads = find_local_heads(repositories, locations)
        engine = make_engine()
        run = FleetRun(self._store, engine, repositories, shard)
        try:
            with FleetProgress(not quiet) as progress:
                await run.run(heads, progress.step, again)
        finally:
            await engine.close()
        Mirrors(self._mirrors, self._mirror_bytes).make_room()
        return run.summary


def find_local_heads(repositories: Sequence[StoredRepository], locations: dict[int, str]) -> dict[int, str]:
    """The commits at the heads of repositories of this machine, as far as their files tell."""
    from ...safe.local_repository import read_head

    found = {}
    for one in repositories:
        place = locations.get(one.id, one.location)
        if os.path.isabs(place) and (commit := read_head(place)):
            found[one.id] = commit
    return found


def _register(
    store: SharedStore, team: str, listed: Sequence[FleetRepository]
) -> tuple[list[StoredRepository], dict[int, str]]:
    """The repositories as the store knows them, and where those are that were named now."""
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
    from ...store.database import StoreTrouble
    from ...store.shared import StoreUnavailable

    try:
        return store.teams.set(name)
    except StoreUnavailable:
        raise
    except StoreTrouble:
        raise UsageError(
            f"team {name}: there is none that this login may see, and it may add none; name your own with --team, or "
            f"ask the owner: pincite store team {name}, pincite store grant LOGIN --team {name} --as worker"
        ) from None


def _read_settings(path: str | None) -> str:
    """The text of a settings file; raises UsageError."""
    if path is None:
        return ""
    from ...fleet.fleet_settings import read_fleet_settings

    return read_fleet_settings(path)


def _count_outcomes(store: SharedStore, repositories: Sequence[StoredRepository]) -> dict[str, int]:
    wanted = {one.id for one in repositories}
    totals: dict[str, int] = {}
    for one in store.overview.summarize():
        if one.id in wanted:
            for label, number in one.outcomes.items():
                totals[label] = totals.get(label, 0) + number
    return totals


def _print(summary: FleetSummary, totals: dict[str, int], format_: str, shown: str, is_named: bool) -> None:
    if format_ == "json":
        kit.print_json(_object(summary, totals, shown))
        return
    from shlex import quote

    from ...safe.escape import escape_text
    from ...text.lines import format_count
    from .fleet_progress import format_seconds

    report = f"pincite fleet report{f' --database {quote(shown)}' if is_named else ''}"
    for name, trouble in list(summary.troubles.items())[:_MOST_SHOWN]:
        click.echo(f"{escape_text(name)}: not checked: {escape_text(trouble)}")
    if len(summary.troubles) > _MOST_SHOWN:
        click.echo(f"… and {len(summary.troubles) - _MOST_SHOWN} more: {report}")
    click.echo(
        f"{format_count(summary.repositories, 'repository', 'repositories')}: {summary.checked:,} checked, "
        f"{summary.unchanged:,} unchanged, {summary.failed:,} failed, in {format_seconds(summary.seconds)}"
    )
    parts = [(number, "hold" if label == "holds" and number != 1 else label) for label, number in totals.items()]
    listed = ", ".join(f"{number:,} {label}" for number, label in parts if number)
    click.echo(f"{format_count(sum(totals.values()), 'citation')}: {listed or 'none'}")
    click.echo(f"What is worst and what is new: {report}")


def _object(summary: FleetSummary, totals: dict[str, int], shown: str) -> dict[str, object]:
    from msgspec import to_builtins

    from ..._version import __version__

    # How far a run is concerns the line on the terminal alone.
    said = {name: value for name, value in to_builtins(summary).items() if name != "stage"}
    return {"schema": "pincite.fleet-check/1", "version": __version__, "store": shown, **said, "outcomes": totals}
