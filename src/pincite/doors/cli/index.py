"""`pincite index`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click
from msgspec.structs import asdict

from ...project.documents import root_key
from ...project.project import open_project
from ...safe.escape import json_text, whole
from ...text.lines import format_count
from .kit import Progress, count_processes, format_option, paths_argument, pick_fields, root_option, say

if TYPE_CHECKING:
    from ...search.index import Index
    from ...search.refresh import RefreshResult

_MOST_NAMED = 10


@click.command("index")
@paths_argument()
@root_option()
@click.option("--rebuild", is_flag=True, help="Forget what is indexed and read everything again.")
@click.option("--watch", is_flag=True, help="Keep going: index what changes, until interrupted.")
@click.option("--interval", type=click.FloatRange(0.1, 3600), default=1.0, metavar="SECONDS", help="With --watch.")
@click.option("--jobs", type=click.IntRange(0, 64), default=0, metavar="N", help="Processes; 0: one per core.")
@format_option("text, or a JSON object a line.")
def command(
    paths: tuple[str, ...], root: str | None, rebuild: bool, watch: bool, interval: float, jobs: int, format_: str
) -> None:
    """Split documents into passages along their structure, and index them for `pincite search`.

    Markdown, reStructuredText, plain text, source code, HTML and PDF, whatever git does not ignore. Only files that
    changed are read again; moved ones are recognised, deleted ones dropped. The index lies in the cache folder
    ($PINCITE_CACHE); it holds no text, and deleting it loses nothing.

    Exit code: 0, or 2 where a file that was named cannot be indexed.
    """
    from ...search.index import Index
    from ...store.search_index import IndexStore

    project = open_project(root, paths)
    opened = project.root
    keys = tuple(root_key(opened, path) for path in paths)
    named = {whole(key) for key in keys if opened.is_file(key)}
    with Index(project, IndexStore.make(opened)) as index:
        jobs = count_processes(jobs)
        # One process writes while the others read.
        jobs = jobs + 1 if jobs > 1 else 1
        with Progress(True, doing="indexing") as progress:
            found = index.refresh(keys, rebuild=rebuild, jobs=jobs, progress=progress.step)
        _tell(found, format_)
        if watch:
            _watch(index, keys, interval, format_)
    sys.exit(2 if any(path in named for path, _ in found.skipped) else 0)


def _watch(index: Index, keys: tuple[str, ...], interval: float, format_: str) -> None:
    """Look again and again; a look at what did not change costs about a stat of each file."""
    from time import sleep

    if format_ == "text":
        click.echo("Watching; interrupt to stop.", err=True)
    while True:
        sleep(interval)
        found = index.refresh(keys)
        if found.added or found.changed or found.moved or found.dropped:
            _tell(found, format_)


def _tell(found: RefreshResult, format_: str) -> None:
    if format_ == "json":
        click.echo(json_text({"schema": "pincite.index/1", **asdict(found)}))
        return
    counts = pick_fields(found, "added changed moved dropped unchanged")
    done = [f"{number:,} {what}" for what, number in counts.items() if number]
    click.echo(
        f"{format_count(found.documents, 'document')}, {format_count(found.passages, 'passage')}: "
        f"{', '.join(done) or '-'}."
    )
    for path, reason in found.skipped[:_MOST_NAMED]:
        say(f"skipped {path}: {reason}", err=True)
    if len(found.skipped) > _MOST_NAMED:
        click.echo(f"and {len(found.skipped) - _MOST_NAMED} more; --format json names all", err=True)
