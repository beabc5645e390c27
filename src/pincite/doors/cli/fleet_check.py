"""`pincite fleet check`."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING

import click

from ...core.errors import UsageError
from . import kit
from .fleet_kit import Size, log_options, store_option, tls_options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...fleet.fleet_run import FleetSummary
    from ...store.shared import SharedStore
    from ...store.shared.records import StoredRepository
    from .fleet_kit import LogWishes

_MOST_SHOWN = 10


@click.command("check")
@click.argument("repositories", nargs=-1, metavar="[REPOSITORY]...")
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
    log_wishes: LogWishes,
) -> None:
    """Check many repositories, and keep the verdicts in the shared store.

    REPOSITORY is a folder, an https or ssh URL, a file with one of these a line, or an organisation's listing as JSON
    ('-': standard input). Without any, all repositories of the team are checked again. What is checked already at the
    same commit is skipped, and what was killed is done again. Exit code: 0 everything holds, 1 some citation does not,
    2 some repository could not be checked.
    """
    from ...fleet.cluster import find_tls_files, require_safe_address
    from ...fleet.cluster_worker import mirrors_folder
    from ...fleet.fleet_plan import DASK, FleetPlan, register, run_plan
    from ...fleet.repository_list import read_repositories
    from ...fleet.structured_log import new_trace
    from ...store.shared import default_address, open_store
    from .fleet_progress import FleetProgress

    tls = find_tls_files(tls_ca, tls_cert, tls_key)
    if scheduler is not None:
        engine = DASK
        require_safe_address(scheduler, tls)
    plan = FleetPlan(
        trace=new_trace(),
        mirrors=mirrors_folder(mirrors),
        mirror_bytes=mirror_bytes,
        engine=engine,
        scheduler=scheduler or "",
        tls=tls,
        jobs=jobs,
        seconds=float(seconds),
        settings=_read_settings(settings_file),
        again=again,
    )
    log = log_wishes.make().bind(trace=plan.trace)
    address = default_address(database)
    with open_store(address) as store:
        listed = read_repositories(repositories, team) if repositories else []
        if repositories and not listed:
            raise UsageError(f"{', '.join(repositories)}: no repository is listed there; nothing was checked")
        stored, locations = register(store, team, listed)
        try:
            with FleetProgress(not quiet) as progress:
                summary = asyncio.run(run_plan(plan, store, stored, locations, log, progress.step))
        except KeyboardInterrupt:
            then = "without --again the next run" if again else "the next run"
            kit.complain(f"interrupted; what was checked is in the store, and {then} goes on from there")
            raise click.Abort from None
        totals = _count_outcomes(store, stored)
    if not quiet:
        _print(summary, totals, format_, address.shown, database is not None)
    problems = sum(number for label, number in totals.items() if label not in ("holds", "unchecked"))
    sys.exit(2 if summary.failed else int(problems > 0))


def _read_settings(path: str | None) -> str:
    """The text of a settings file; raises UsageError."""
    if path is None:
        return ""
    from ...fleet.fleet_settings import read_fleet_settings

    return read_fleet_settings(path)


def _count_outcomes(store: SharedStore, repositories: Sequence[StoredRepository]) -> dict[str, int]:
    """How many citations have each outcome, what holds first; those that none has are left out."""
    from ...fleet.fleet_totals import OUTCOMES

    wanted = {one.id for one in repositories}
    totals = dict.fromkeys(reversed(OUTCOMES), 0)
    for one in store.overview.summarize():
        if one.id in wanted:
            for label, number in one.outcomes.items():
                totals[label] = totals.get(label, 0) + number
    return {label: number for label, number in totals.items() if number}


def _print(summary: FleetSummary, totals: dict[str, int], format_: str, shown: str, is_named: bool) -> None:
    if format_ == "json":
        kit.print_json(_object(summary, totals, shown))
        return
    from shlex import quote
    from urllib.parse import unquote

    from ...safe.escape import escape_text
    from ...text.lines import format_count
    from .fleet_progress import format_seconds

    report = f"pincite fleet report{f' --database {quote(shown)}' if is_named else ''}"
    for name, trouble in list(summary.troubles.items())[:_MOST_SHOWN]:
        click.echo(f"{escape_text(unquote(name))}: not checked: {escape_text(trouble)}")
    if len(summary.troubles) > _MOST_SHOWN:
        click.echo(f"… and {len(summary.troubles) - _MOST_SHOWN} more: {report}")
    for name, note in list(summary.notes.items())[:_MOST_SHOWN]:
        click.echo(f"{escape_text(unquote(name))}: not all could be checked: {escape_text(note)}")
    if len(summary.notes) > _MOST_SHOWN:
        click.echo(f"… and {len(summary.notes) - _MOST_SHOWN} more: --format json lists them")
    click.echo(
        f"{format_count(summary.repositories, 'repository', 'repositories')}: {summary.checked:,} checked, "
        f"{summary.unchanged:,} unchanged, {summary.failed:,} failed, in {format_seconds(summary.seconds)}"
    )
    parts = [(number, "hold" if label == "holds" and number != 1 else label) for label, number in totals.items()]
    listed = ", ".join(f"{number:,} {label}" for number, label in parts)
    click.echo(f"{format_count(sum(totals.values()), 'citation')}: {listed or 'none'}")
    click.echo(f"What is worst and what is new: {report}")


def _object(summary: FleetSummary, totals: dict[str, int], shown: str) -> dict[str, object]:
    from msgspec import to_builtins

    from ..._version import __version__

    # How far a run is concerns the line on the terminal alone.
    said = {name: value for name, value in to_builtins(summary).items() if name != "stage"}
    return {"schema": "pincite.fleet-check/1", "version": __version__, "store": shown, **said, "outcomes": totals}
