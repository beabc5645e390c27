"""`pincite gc`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from ...project.project import open_project
from ...safe.escape import escape_text
from ...text.lines import format_count
from .kit import dump_json, format_option, print_lines, root_option

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...domains.capture.cleanup import Cleaning, DroppedRun
    from ...project.config import CaptureSettings
    from ...project.project import Project

_LARGEST = 2**31


@click.command("gc")
@click.option("--dry-run", is_flag=True, help="Say what would go, and drop nothing.")
@click.option("--days", type=click.IntRange(0, _LARGEST), metavar="N", help="Drop what is older (default: keep-days).")
@click.option(
    "--megabytes",
    type=click.IntRange(0, _LARGEST),
    metavar="N",
    help="Drop the oldest until the store is no larger (default: keep-megabytes).",
)
@format_option("text or json.")
@root_option("Folder of the store")
def command(dry_run: bool, days: int | None, megabytes: int | None, format_: str, root: str | None) -> None:
    """Drop captured output that is old, or more than is to be kept, and that no document cites.

    A text stays if its id stands in any file of the work tree, in the index, in a local branch or in the stash. Exit
    code: 0 done or nothing to do, 2 it cannot be found out what is cited, or the store cannot be used; then nothing
    is dropped.
    """
    project = open_project(root)
    settings = project.config.capture
    settings = replace(
        settings,
        keep_days=settings.keep_days if days is None else days,
        keep_megabytes=settings.keep_megabytes if megabytes is None else megabytes,
    )
    cleaning, freed = _clean(project, settings, dry_run)
    if format_ == "json":
        print_lines([dump_json(_object(cleaning, freed, dry_run), 2)])
    else:
        print_lines(_lines(cleaning, freed, dry_run))


def _clean(project: Project, settings: CaptureSettings, dry_run: bool) -> tuple[Cleaning | None, int]:
    """What is to go, and how many bytes the disk got back; None where nothing was ever captured."""
    from ...domains.capture.cleanup import carry_out, cited_texts, plan
    from ...safe.search_git import cited_ids
    from ...store.database import Damaged
    from ...store.maintenance import Upkeep

    root = project.root
    captures = Upkeep.open(root)
    if captures is not None and not dry_run:
        captures.close()
        captures = Upkeep.open(root, write=True)
    if captures is None:
        return None, 0
    with captures:
        if captures.faults():
            raise Damaged("the store is damaged and nothing was dropped; `pincite doctor` says where")
        if not dry_run:
            captures.recover()
        try:
            cited = cited_texts(captures, cited_ids(root, project.git()))
        finally:
            project.close_git()
        cleaning = plan(captures, cited, settings)
        return cleaning, cleaning.freed if dry_run else carry_out(captures, cleaning)


def _lines(cleaning: Cleaning | None, freed: int, dry_run: bool) -> Iterator[str]:
    from ...domains.capture.view import describe, format_size

    if cleaning is None:
        yield "Nothing was captured here."
        return
    verb = "would go" if dry_run else "gone"
    for one in cleaning.dropped:
        bytes_ = format_size(sum(chunk.length for chunk in one.chunks))
        which = f"{format_count(len(one.chunks), 'chunk')} of {len(one.chunks) + len(one.kept)} " if one.kept else ""
        yield f"{describe(one.run)}: {which}{verb}, {one.why} ({bytes_})"
        for chunk, place in one.kept:
            yield f"  {chunk.digest[:12]} stays, cited in {escape_text(place)}"
    yield (
        f"{format_count(cleaning.runs, 'run')} stay{'s' * (cleaning.runs == 1)}; "
        f"{format_count(cleaning.cited, 'text')} cited. "
        f"{'Would free' if dry_run else 'Freed'} {format_size(max(freed, 0))} of {format_size(cleaning.before)}."
    )


def _object(cleaning: Cleaning | None, freed: int, dry_run: bool) -> dict[str, object]:
    from ...domains.capture.cleanup import Cleaning

    done = cleaning or Cleaning([])
    return {
        "schema": "pincite.gc/1",
        "dry_run": dry_run,
        "store": cleaning is not None,
        "dropped": [_entry(one) for one in done.dropped],
        "runs": done.runs,
        "cited": done.cited,
        "bytes": done.before,
        "freed": freed,
    }


def _entry(one: DroppedRun) -> dict[str, object]:
    return {
        "run": one.run.id,
        "command": list(one.run.command),
        "started": one.run.started,
        "why": one.why,
        "whole": not one.kept,
        "chunks": [chunk.digest for chunk in one.chunks],
        "kept": [{"digest": chunk.digest, "cited_in": place} for chunk, place in one.kept],
    }
