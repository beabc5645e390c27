"""`pincite memory`, and the same commands for `python -m memory_enhancement`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from .lazy_group import HELP

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...domains.memory.model import Memories, MemoryResult
    from ...safe.files import Root


def _places(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that say where memories are."""
    command = click.option(
        "--dir",
        "folder",
        metavar="PATH",
        help="Memories folder (default: the setting 'memories', else .serena/memories).",
    )(command)
    return click.option(
        "--repo-root",
        metavar="PATH",
        help="Repository root (default: ., or the repository around it where only that has the memories).",
    )(command)


def _json(command: Callable[..., Any]) -> Callable[..., Any]:
    return click.option("--json", "json_", is_flag=True, help="Print JSON instead of text.")(command)


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
    from ...domains.memory.load import find_memory
    from ...domains.memory.messages import as_json, result_data, result_text
    from ...domains.memory.verify import Verifier

    root, place = _open(repo_root, folder, must_exist=False)
    found = find_memory(root, place, memory)
    if found.error:
        _complain(f"{found.key}: {found.error}")
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
    from ...domains.memory.load import load_all
    from ...domains.memory.messages import as_json, result_data, result_text, summary
    from ...domains.memory.verify import Verifier

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
@click.option(
    "--format",
    "format_",
    type=click.Choice(("text", "json", "dot", "mermaid")),
    default="text",
    help="How to draw (default: text).",
)
@_places
def graph(start: str | None, format_: str, repo_root: str | None, folder: str | None) -> None:
    """Draw how memories link to each other: all of them, or what can be reached from ROOT."""
    from ...domains.memory.graph import build_graph
    from ...domains.memory.load import load_all
    from ...domains.memory.messages import draw_graph

    root, place = _open(repo_root, folder)
    memories = load_all(root, place)
    for memory in memories.all:
        for warning in memory.warnings:
            _complain(f"{memory.key}: {warning}", "warning")
    failed = _report_defects(memories)
    click.echo(draw_graph(build_graph(memories, start), format_), nl=False)
    sys.exit(2 if failed else 0)


@command.command("health", short_help="Say how all memories are.")
@_json
@_places
def health(json_: bool, repo_root: str | None, folder: str | None) -> None:
    """Say how all memories are: valid, stale, uncited, unparsable, obsolete; links that lead nowhere."""
    from ...domains.memory.load import load_all
    from ...domains.memory.messages import as_json, health_data, health_text
    from ...domains.memory.verify import Verifier, examine

    root, place = _open(repo_root, folder)
    state = examine(load_all(root, place), Verifier(root))
    _warn(sorted(state.results, key=lambda result: not result.valid))
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
    from datetime import UTC, datetime

    from ...core.errors import PinciteError
    from ...domains.memory.load import find_memory, load_all
    from ...domains.memory.update import plan_update, write_update
    from ...domains.memory.verify import Verifier
    from ...safe.escape import escape_text

    root, place = _open(repo_root, folder, must_exist=not names)
    if names:
        memories = [find_memory(root, place, name) for name in names]
    else:
        memories = list(load_all(root, place).all)
    now = datetime.now(UTC)
    results = iter(Verifier(root).verify_all([memory for memory in memories if not memory.error]))
    written = stale = failed = 0
    for memory in memories:
        if memory.error:
            _complain(f"{memory.key}: {memory.error}")
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
            _complain(str(error))
            failed += 1
    verb = "would change" if dry_run else "updated"
    click.echo(f"{written} of {len(memories)} memories {verb}, {stale} stale.", err=dry_run)
    sys.exit(2 if failed else int(stale > 0))


def _open(repo_root: str | None, folder: str | None, must_exist: bool = True) -> tuple[Root, str]:
    """The root, and the memories folder; where single memories are asked for by path, it need not exist."""
    from ...domains.memory.load import folder_key
    from ...project.config import Config
    from ...project.project import open_project

    # With a folder of the user's own, no setting is needed.
    config = None if folder is None else Config()
    project = open_project(repo_root or ".", config=config, option="--repo-root")
    given = project.config.memories if folder is None else folder
    if repo_root is None and not _has_folder(project.root, given):
        around = open_project(config=config)
        if _has_folder(around.root, given):
            project.close()
            project = around
    return project.root, folder_key(project.root, given, must_exist)


def _has_folder(root: Root, name: str) -> bool:
    """Whether the memories folder is there, or may be anywhere because its name is a whole path."""
    from os import path

    return path.isdir(path.join(root.path, name))


def _report_defects(memories: Memories) -> bool:
    """Name every memory that cannot be parsed or distinguished; whether there was one."""
    for memory in memories.unparsable:
        _complain(f"{memory.key}: {memory.error}")
    for clash in memories.clashes:
        _complain(clash.message)
    return bool(memories.unparsable or memories.clashes)


def _warn(results: list[MemoryResult]) -> None:
    for result in results:
        for warning in result.warnings:
            _complain(f"{result.key}: {warning}", "warning")


def _complain(message: str, kind: str = "error") -> None:
    from ...safe.escape import escape_text

    click.echo(f"{kind}: {escape_text(message)}", err=True)
