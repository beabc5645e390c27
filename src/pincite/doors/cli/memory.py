"""`pincite memory`, and the same commands for `python -m memory_enhancement`."""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from ...core.errors import PinciteError
from ...domains.memory.load import find_memory, folder_key, load_all
from ...domains.memory.messages import as_json, health_data, health_text, result_data, result_text, summary
from ...domains.memory.verify import Verifier
from ...project.config import Config
from ...project.project import open_project
from ...safe.escape import escape_text
from .kit import complain, format_option, join_options
from .lazy_group import HELP

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...domains.memory.model import Memories, Memory, MemoryResult
    from ...safe.files import Root


_places = join_options(
    click.option(
        "--repo-root",
        metavar="PATH",
        help="Repository root (default: ., or the repository around it where only that has the memories).",
    ),
    click.option(
        "--dir",
        "folder",
        metavar="PATH",
        help="Memories folder (default: the setting 'memories', else .serena/memories).",
    ),
)
"""The options that say where memories are."""
_json = click.option("--json", "json_", is_flag=True, help="Print JSON instead of text.")


@click.group("memory", context_settings=HELP)
def command() -> None:
    """Verify and maintain memories.

    Exit code: 0 every citation holds (or there is none), 1 something is stale, 2 something could not be read or parsed.
    """


@command.command("verify", short_help="Verify the citations of one memory.")
@click.argument("memory", metavar="MEMORY_ID_OR_PATH")
@_json
@_places
def verify(memory: str, json_: bool, repo_root: str | None, folder: str | None) -> None:
    """Verify the citations of one memory, given by path, id or file name."""
    root, place = _open(repo_root, folder, must_exist=False)
    found = find_memory(root, place, memory)
    if found.error:
        complain(f"{found.key}: {found.error}", "error")
        sys.exit(2)
    result = Verifier(root).verify(found)
    _warn([result])
    click.echo(as_json(result_data(result)) if json_ else result_text(result), nl=False)
    sys.exit(0 if result.valid else 1)


@command.command("verify-all")
@_json
@_places
def verify_all(json_: bool, repo_root: str | None, folder: str | None) -> None:
    """Verify every memory that has citations."""
    root, place = _open(repo_root, folder)
    memories = load_all(root, place)
    results = Verifier(root).verify_all(memories.cited)
    _warn(results)
    failed = _report_defects(memories)
    if json_:
        click.echo(as_json([result_data(result) for result in results]), nl=False)
        click.echo(summary(memories, results), err=True)
    else:
        click.echo("\n".join([*map(result_text, results), summary(memories, results)]))
    sys.exit(2 if failed else int(any(not result.valid for result in results)))


@command.command("graph", short_help="Draw how memories link to each other.")
@click.argument("start", metavar="[ROOT]", required=False)
@format_option("How to draw (default: text).", "text", "json", "dot", "mermaid")
@_places
def graph(start: str | None, format_: str, repo_root: str | None, folder: str | None) -> None:
    """Draw how memories link to each other: all of them, or what can be reached from ROOT."""
    from ...domains.memory.graph import build_graph
    from ...domains.memory.messages import draw_graph

    root, place = _open(repo_root, folder)
    memories = load_all(root, place)
    _warn(memories.all)
    failed = _report_defects(memories)
    click.echo(draw_graph(build_graph(memories, start), format_), nl=False)
    sys.exit(2 if failed else 0)


@command.command("health", short_help="Say how all memories are.")
@_json
@_places
def health(json_: bool, repo_root: str | None, folder: str | None) -> None:
    """Say how all memories are: valid, stale, uncited, unparsable, obsolete; links that lead nowhere."""
    from ...domains.memory.verify import examine

    root, place = _open(repo_root, folder)
    state = examine(load_all(root, place), Verifier(root))
    results = sorted(state.results, key=lambda result: not result.valid)
    _warn(results)
    click.echo(as_json(health_data(state)) if json_ else health_text(state), nl=False)
    sys.exit(state.exit_code)


@command.command("update", short_help="Verify memories and write the result into them.")
@click.argument("names", metavar="[MEMORY_ID_OR_PATH]...", nargs=-1)
@click.option("--dry-run", is_flag=True, help="Print the changes as a diff and write nothing.")
@_places
def update(names: tuple[str, ...], dry_run: bool, repo_root: str | None, folder: str | None) -> None:
    """Verify memories (default: all) and write confidence, verified and last_verified into them.

    Only these values change; every other byte stays. A memory without citations is left alone.
    """
    from ...domains.memory.update import plan_update, write_update

    root, place = _open(repo_root, folder, must_exist=not names)
    memories = [find_memory(root, place, name) for name in names] or list(load_all(root, place).all)
    now = datetime.now(UTC)
    results = iter(Verifier(root).verify_all([memory for memory in memories if not memory.error]))
    written = stale = failed = 0
    for memory in memories:
        if memory.error:
            complain(f"{memory.key}: {memory.error}", "error")
            failed += 1
            continue
        result = next(results)
        stale += not result.valid
        try:
            change = plan_update(memory, result, now)
            if change is None:
                continue
            if dry_run:
                click.echo("".join(escape_text(row) + "\n" for row in change.diff().splitlines()), nl=False)
            else:
                write_update(root, change)
                click.echo(f"{escape_text(memory.key)}: confidence {result.confidence:.2f}")
            written += 1
        except PinciteError as error:
            complain(str(error), "error")
            failed += 1
    verb = "would change" if dry_run else "updated"
    click.echo(f"{written} of {len(memories)} memories {verb}, {stale} stale.", err=dry_run)
    sys.exit(2 if failed else int(stale > 0))


def _open(repo_root: str | None, folder: str | None, must_exist: bool = True) -> tuple[Root, str]:
    """The root, and the memories folder; where single memories are asked for by path, it need not exist."""
    # With a folder of the user's own, no setting is needed.
    config = None if folder is None else Config()
    project = open_project(repo_root or ".", config=config, option="--repo-root")
    given = project.config.memories if folder is None else folder
    # It may be anywhere, where its name is a whole path.
    if repo_root is None and not os.path.isdir(os.path.join(project.root.path, given)):
        around = open_project(config=config)
        if os.path.isdir(os.path.join(around.root.path, given)):
            project.close()
            project = around
    return project.root, folder_key(project.root, given, must_exist)


def _report_defects(memories: Memories) -> bool:
    """Name every memory that cannot be parsed or distinguished; whether there was one."""
    found = [f"{memory.key}: {memory.error}" for memory in memories.unparsable]
    found += [clash.message for clash in memories.clashes]
    for defect in found:
        complain(defect, "error")
    return bool(found)


def _warn(results: Iterable[MemoryResult | Memory]) -> None:
    for result in results:
        for warning in result.warnings:
            complain(f"{result.key}: {warning}", "warning")
