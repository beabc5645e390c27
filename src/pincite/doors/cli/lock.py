"""`pincite lock`."""

from __future__ import annotations

import sys
from contextlib import closing
from typing import TYPE_CHECKING

import click

from ...engine.settings import merge_settings
from ...project.documents import find_documents, root_key
from ...project.project import open_project
from ...safe.escape import escape_text, json_text
from ...store import LOCK
from ...text.lines import format_count
from . import kit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...engine.locking import LockedCitation, Locks, Plan
    from ...engine.run import Run

_REFUSED = (("changed", "31"), ("moved", "33"), ("broken", "31"))
_SAID = (*_REFUSED, ("skipped", "33"), ("dropped", "2"), ("carried", "2"), ("accepted", "32"), ("added", "32"))
_DIFF = {"+": "32", "-": "31"}
_NAMES = {"skipped": "not locked", "broken": "gone", "carried": "renamed", "added": "locked"}


@click.command("lock")
@kit.paths_argument()
@click.option("--accept", metavar="ID", multiple=True, help="Its evidence was read again; record it (repeatable).")
@click.option("--check", "check_", is_flag=True, help="Write nothing; exit code 1 where the lock is out of date.")
@kit.format_option("How to print (default: text).")
@click.option("--quiet", "-q", is_flag=True, help="Print only the summary.")
@kit.root_option()
@kit.jobs_option
@kit.cache_option
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
    opened, processes = project.root, kit.count_processes(jobs)
    keys, config = tuple(root_key(opened, path) for path in paths), merge_settings(project.config)
    run = Run(opened, Request(keys, config, every=True, jobs=processes, cache=not no_cache, afresh=not check_))
    plan = _plan(run, Locks.load(opened), accept)
    written = not check_ and apply(opened, plan)
    if format_ == "json":
        said = {"schema": "pincite.lock/1", "lock": LOCK, "written": written, "current": plan.is_current}
        said |= kit.pick_fields(plan, f"kept {' '.join(name for name, _ in _SAID)}")
        kit.print_lines([json_text(said, 2)])
    else:
        rows = () if quiet else _rows(plan, kit.wants_color(), check_)
        kit.print_lines((*rows, _summary(plan, check_)))
    if run.summary.exit_code == 2:
        kit.complain("some documents could not be read; `pincite check` names them")
        sys.exit(2)
    sys.exit(int(bool(plan.refused) or (check_ and not plan.is_current)))


def _plan(run: Run, locks: Locks | None, accept: tuple[str, ...]) -> Plan:
    """Check everything that was asked for, and work out what the lock becomes."""
    from ...engine.locking import Locker
    from ...sources import World

    config, keys = run.request.config, run.request.paths
    listing = find_documents(run.root, run.git(), keys, config.endings, config.exclude)
    world = World(run.root, lambda: None)
    locker = Locker(run.root, locks, world, listing.documents, keys)
    with kit.Progress(True) as progress, closing(world):
        return locker.plan(run.reports(progress.step), accept)


def _rows(plan: Plan, color: bool, check_: bool) -> Iterator[str]:
    """The plan for people, what was refused first."""

    for name, code in _SAID:
        items: list[LockedCitation] = getattr(plan, name)
        for item in items:
            place = f"{item.document}:{item.line}" if item.line else item.document
            known = "new" if check_ and name == "added" else _NAMES.get(name, name)
            word = kit.paint(f"{known:<10}", code, color)
            yield f"{item.id}  {word}  {escape_text(f'{place} → {item.cites}')}"
            if item.reason:
                yield f"  {escape_text(item.reason)}"
            for row in item.diff:
                yield f"  {kit.paint(escape_text(row.expandtabs()), _DIFF.get(row[:1], ''), color)}"


def _summary(plan: Plan, check_: bool) -> str:
    """The plan in one or two sentences."""
    new = len(plan.added) + len(plan.accepted)
    total = plan.kept + new + len(plan.carried)
    if check_ and not plan.is_current and not plan.refused:
        return "The lock is out of date; run `pincite lock` and commit pincite.lock."
    words = {"new": plan.added, "accepted": plan.accepted, "renamed": plan.carried, "dropped": plan.dropped}
    changes = [f"{len(items):,} {word}" for word, items in words.items() if items]
    said = f"{format_count(total, 'citation')} locked" + (f" ({', '.join(changes)})" if changes else "")
    if plan.skipped:
        said += f", {format_count(len(plan.skipped), 'citation')} not: see `pincite check`"
    if not plan.refused:
        return f"{said}."
    remedies = (
        (plan.moved, "  moved: `pincite fix --write` lets the citations follow"),
        (plan.changed, "  changed: read the evidence again, then `pincite lock --accept ID` or correct the document"),
        (plan.broken, "  gone: nothing stands at the cited place; correct the document"),
    )
    refused = f"{said}; {format_count(plan.refused, 'citation')} refused."
    return "\n".join([refused, *(remedy for items, remedy in remedies if items)])
