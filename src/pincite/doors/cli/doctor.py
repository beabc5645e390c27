"""`pincite doctor`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from ...project.project import open_project
from ...safe.escape import escape_text, json_safe
from ...safe.report_output import output_to
from ...text.lines import format_count
from .progress import Progress

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...domains.capture.integrity import Examination


@click.command("doctor")
@click.option("--format", "format_", type=click.Choice(("text", "json")), default="text", help="text or json.")
@click.option("--root", metavar="DIR", help="Folder of the store (default: the repository).")
def command(format_: str, root: str | None) -> None:
    """Re-hash everything captured, here and in the bundles of the tree, and name what is damaged.

    Exit code: 0 everything is sound, or there is nothing; 1 something is damaged; 2 the store cannot be opened.
    """
    from ...domains.capture.integrity import examine
    from ...sources import World

    project = open_project(root)
    progress = Progress(True, "texts")
    try:
        found = examine(World(project.root, project.git, project.config.repository), progress.step)
    finally:
        progress.clear()
        project.close_git()
    with output_to(None) as out:
        if format_ == "json":
            from json import dumps

            out(json_safe(dumps(_object(found), ensure_ascii=False, indent=2)) + "\n")
        else:
            for line in _lines(found):
                out(line + "\n")
    sys.exit(2 if found.closed else 0 if found.sound else 1)


def _lines(found: Examination) -> Iterator[str]:
    if found.closed:
        yield f"cannot be opened: {escape_text(found.closed)}"
    for trouble in found.troubles:
        label = "note" if trouble.harmless else "damaged"
        yield f"{label}: {escape_text(trouble.place)}: {escape_text(trouble.what)}; {escape_text(trouble.remedy)}"
    if not found.store and not found.closed:
        yield "Nothing was captured here."
    elif found.store:
        verdict = "everything is sound" if found.sound else "not everything is sound"
        yield f"{format_count(found.runs, 'run')}, {format_count(found.texts, 'text')} re-hashed: {verdict}."
    if found.bundled:
        yield f"{format_count(found.bundled, 'text')} in bundles re-hashed."


def _object(found: Examination) -> dict[str, object]:
    return {
        "schema": "pincite.doctor/1",
        "store": found.store or bool(found.closed),
        "closed": found.closed,
        "sound": found.sound,
        "runs": found.runs,
        "texts": found.texts,
        "bundled": found.bundled,
        "troubles": [
            {
                "place": trouble.place,
                "what": trouble.what,
                "remedy": trouble.remedy,
                "digest": trouble.digest,
                "runs": list(trouble.runs),
                "harmless": trouble.harmless,
            }
            for trouble in found.troubles
        ],
    }
