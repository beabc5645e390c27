"""`pincite doctor`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click
from msgspec.structs import asdict

from ...project.project import open_project
from ...safe.escape import escape_text
from ...text.lines import format_count
from .kit import Progress, dump_json, format_option, pick_fields, print_lines, root_option

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...domains.capture.integrity import Examination


@click.command("doctor")
@format_option("text or json.")
@root_option("Folder of the store")
def command(format_: str, root: str | None) -> None:
    """Re-hash everything captured, here and in the bundles of the tree, and name what is damaged.

    Exit code: 0 everything is sound, or there is nothing; 1 something is damaged; 2 the store cannot be opened.
    """
    from ...domains.capture.integrity import examine
    from ...sources import World

    project = open_project(root)
    with Progress(True, "texts") as progress, project:
        found = examine(World(project.root, project.git, project.config.repository), progress.step)
    if format_ == "json":
        said = {"schema": "pincite.doctor/1", "store": found.store or bool(found.closed)}
        said |= pick_fields(found, "closed sound runs texts bundled")
        print_lines([dump_json({**said, "troubles": [asdict(trouble) for trouble in found.troubles]}, 2)])
    else:
        print_lines(_lines(found))
    sys.exit(2 if found.closed else 0 if found.sound else 1)


def _lines(found: Examination) -> Iterator[str]:
    if found.closed:
        yield f"cannot be opened: {escape_text(found.closed)}"
    for trouble in found.troubles:
        label = "note" if trouble.harmless else "damaged"
        yield escape_text(f"{label}: {trouble.place}: {trouble.what}; {trouble.remedy}")
    if not found.store and not found.closed:
        yield "Nothing was captured here."
    elif found.store:
        verdict = "everything is sound" if found.sound else "not everything is sound"
        yield f"{format_count(found.runs, 'run')}, {format_count(found.texts, 'text')} re-hashed: {verdict}."
    if found.bundled:
        yield f"{format_count(found.bundled, 'text')} in bundles re-hashed."
