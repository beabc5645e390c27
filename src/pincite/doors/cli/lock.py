"""`pincite lock`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from ...project.documents import find_documents, root_key
from ...project.project import open_project
from ...safe.escape import escape_text, json_text
from ...safe.report_output import output_to
from ...text.lines import format_count
from .kit import merge, wants_color
from .progress import Progress
from .shell_values import complete_path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...engine.locking import LockedCitation, Locks, Plan
    from ...engine.run import Run

_REFUSED = (("changed", "31"), ("moved", "33"), ("broken", "31"))
_SAID = (*_REFUSED, ("skipped", "33"), ("dropped", "2"), ("carried", "2"), ("accepted", "32"), ("added", "32"))
_DIFF = {"+": "32", "-": "31"}
_NAMES = {"skipped": "not locked", "broken": "gone", "carried": "renamed", "added": "locked"}


@click.command("lock")
@click.argument("paths", nargs=-1, metavar="[PATH]...", shell_complete=complete_path)
@click.option("--accept", metavar="ID", multiple=True, help="Its evidence was read again; record it (repeatable).")
@click.option("--check", "check_", is_flag=True, help="Write nothing; exit code 1 where the lock is out of date.")
@click.option(
    "--format", "format_", type=click.Choice(("text", "json")), default="text", help="How to print (default: text)."
)
@click.option("--quiet", "-q", is_flag=True, help="Print only the summary.")
@click.option("--root", metavar="DIR", help="Folder that paths are relative to (default: the repository).")
@click.option("--jobs", type=click.IntRange(0, 64), default=1, metavar="N", help="Processes to use; 0: one per core.")
@click.option("--no-cache", is_flag=True, help="Neither use nor write what earlier runs found.")
def command(
    paths: tuple[str, ...],
    accept: tuple[str, ...],
    check_: bool,
    format_: str,
    quiet: bool,
    root: str | None,
    jobs: int,
    no_cache: bool,
) -> None:
    """Record in pincite.lock what citations of lines rest on, so that a change shows without history.

    Citations that carry a snippet need no lock. A citation whose evidence changed since it was locked, or since it was
    written, is refused and shown; --accept ID records the evidence as it is now. Commit the file. Exit code: 0 the lock
    is up to date, 1 something was refused (or, with --check, would change), 2 something could not be read.
    """
    from ...engine.locking import Locks, apply
    from ...engine.run import Request, Run

    project = open_project(root, paths)
    opened, config = project.root, project.config
    keys = tuple(root_key(opened, path) for path in paths)
    request = Request(keys, merge(config), every=True, jobs=_processes(jobs), cache=not no_cache, afresh=not check_)
    run = Run(opened, request)
    plan = _plan(run, Locks.load(opened), accept)
    written = not check_ and apply(opened, plan)
    _print(plan, format_, quiet, written, check_)
    if run.summary.exit_code == 2:
        click.echo("pincite: some documents could not be read; `pincite check` names them", err=True)
        sys.exit(2)
    sys.exit(int(bool(plan.refused) or (check_ and not plan.is_current)))


def _processes(jobs: int) -> int:
    import os

    return jobs or os.cpu_count() or 1


def _plan(run: Run, locks: Locks | None, accept: tuple[str, ...]) -> Plan:
    """Check everything that was asked for, and work out what the lock becomes."""
    from ...engine.locking import Locker
    from ...sources import World

    config, keys = run.request.config, run.request.paths
    listing = find_documents(run.root, run.git(), keys, config.documents, config.exclude)
    world = World(run.root, lambda: None)
    locker = Locker(run.root, locks, world, listing.documents, keys)
    progress = Progress(True)
    try:
        return locker.plan(run.reports(progress.step), accept)
    finally:
        progress.clear()
        world.close()


def _print(plan: Plan, format_: str, quiet: bool, written: bool, check_: bool) -> None:
    with output_to(None) as out:
        if format_ == "json":
            out(json_text(_fields(plan, written), 2) + "\n")
            return
        color = wants_color(None)
        for line in () if quiet else _rows(plan, color, check_):
            out(line + "\n")
        out(_summary(plan, check_) + "\n")


def _fields(plan: Plan, written: bool) -> dict[str, object]:
    """The plan for programs."""
    from ...store import LOCK

    return {
        "schema": "pincite.lock/1",
        "lock": LOCK,
        "written": written,
        "current": plan.is_current,
        "kept": plan.kept,
        **{name: getattr(plan, name) for name, _ in _SAID},
    }


def _rows(plan: Plan, color: bool, check_: bool) -> Iterator[str]:
    """The plan for people, what was refused first."""

    def painted(text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if color and code else text

    for name, code in _SAID:
        items: list[LockedCitation] = getattr(plan, name)
        for item in items:
            place = f"{item.document}:{item.line}" if item.line else item.document
            known = "new" if check_ and name == "added" else _NAMES.get(name, name)
            word = painted(f"{known:<10}", code)
            yield f"{item.id}  {word}  {escape_text(f'{place} → {item.cites}')}"
            if item.reason:
                yield f"  {escape_text(item.reason)}"
            for row in item.diff:
                yield f"  {painted(escape_text(row.expandtabs()), _DIFF.get(row[:1], ''))}"


def _summary(plan: Plan, check_: bool) -> str:
    """The plan in one or two sentences."""
    new = len(plan.added) + len(plan.accepted)
    total = plan.kept + new + len(plan.carried)
    if check_ and not plan.is_current and not plan.refused:
        return "The lock is out of date; run `pincite lock` and commit pincite.lock."
    changes = [
        f"{len(items):,} {word}"
        for items, word in (
            (plan.added, "new"),
            (plan.accepted, "accepted"),
            (plan.carried, "renamed"),
            (plan.dropped, "dropped"),
        )
        if items
    ]
    said = f"{format_count(total, 'citation')} locked" + (f" ({', '.join(changes)})" if changes else "")
    if plan.skipped:
        said += f", {format_count(len(plan.skipped), 'citation')} not: see `pincite check`"
    if not plan.refused:
        return f"{said}."
    rows = [f"{said}; {format_count(plan.refused, 'citation')} refused."]
    if plan.moved:
        rows.append("  moved: `pincite fix --write` lets the citations follow")
    if plan.changed:
        rows.append("  changed: read the evidence again, then `pincite lock --accept ID` or correct the document")
    if plan.broken:
        rows.append("  gone: nothing stands at the cited place; correct the document")
    return "\n".join(rows)
