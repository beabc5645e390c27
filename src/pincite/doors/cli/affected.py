"""`pincite affected`."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from ...core.errors import UsageError
from ...engine.settings import merge_settings
from ...project.documents import root_key
from ...project.project import open_project
from . import kit

if TYPE_CHECKING:
    from ...engine.affected import CompareSides
    from ...project.project import Project
    from ...safe.git import Git


@click.command("affected")
@kit.paths_argument("[REV|REV..REV] [PATH]...", "words")
@click.option("--staged", is_flag=True, help="Compare with the index instead of the work tree.")
@kit.format_option("How to report (default: text).", "text", "json", "markdown")
@click.option("--output", "-o", metavar="FILE", help="Write the report to a file.")
@click.option("--gone", is_flag=True, help="Name the documents that the change deletes, too.")
@click.option("--all", "every", is_flag=True, help="List also what the change leaves alone, and what is new and holds.")
@click.option("--quiet", "-q", is_flag=True, help="Print only what needs attention.")
@click.option("--exit-zero", is_flag=True, help="End with 0 also where something needs attention.")
@kit.root_option()
@kit.cache_option
def command(
    words: tuple[str, ...],
    staged: bool,
    format_: str,
    output: str | None,
    gone: bool,
    every: bool,
    quiet: bool,
    exit_zero: bool,
    root: str | None,
    no_cache: bool,
) -> None:
    """List the citations that a change touches, and what it does to each: deletes, edits, moves.

    REV is compared with the work tree, A..B are compared with each other, A...B is B compared with where it left A;
    without a revision it is the work tree compared with HEAD. PATH narrows the documents that are looked at. Citations
    that the change adds are checked as usual. What stays as it was, or is new and holds, is only counted. Exit code: 0
    nothing needs attention, 1 something does, 2 something could not be read.
    """
    from ...engine.affected import look
    from ...engine.affected.already_stale import compare_with_history
    from ...engine.affected.report import as_json, as_markdown, as_text

    project = open_project(root, [word for word in words if os.path.lexists(word)])
    opened, config = project.root, merge_settings(project.config)
    git, change, keys = _parse_arguments(project, words, staged)
    try:
        result = look(opened, config, git, change, keys, gone)
        if not change.staged and change.newer in ("", git.head()):
            compare_with_history(result, opened, config, not no_cache)
    finally:
        project.close_git()
    if format_ == "text":
        lines = as_text(result, kit.wants_color(output), quiet, every)
    else:
        lines = as_json(result) if format_ == "json" else as_markdown(result, every)
    kit.print_lines(lines, output, opened.path)
    code = result.exit_code
    sys.exit(0 if exit_zero and code == 1 else code)


def _parse_arguments(
    project: Project, words: tuple[str, ...], staged: bool
) -> tuple[Git, CompareSides, tuple[str, ...]]:
    """The repository, the change that was named, and the keys of the paths that were."""
    from ...engine.affected import find_change, since_head

    opened, git = project.root, project.git()
    if git is None:
        raise UsageError(f"{opened.path} is not in a git repository, and a change is found by git")
    if staged:
        kit.use_hook_index(git)
    if not words:
        return git, since_head(git, staged), ()
    # A revision goes before a file of the same name; `./name` is always a path.
    first = words[0]
    change = find_change(git, first, staged) if not first.startswith(("./", "../", "/")) else None
    if change is not None:
        return git, change, tuple(root_key(opened, word) for word in words[1:])
    if not os.path.lexists(first):
        raise UsageError(f"{first}: neither a revision of this repository nor a path; fetch it, or correct the name")
    return git, since_head(git, staged), tuple(root_key(opened, word) for word in words)
