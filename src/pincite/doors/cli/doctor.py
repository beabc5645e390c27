"""`pincite doctor`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click
from msgspec.structs import asdict

from ...core.errors import PinciteError
from ...project.config import Config
from ...project.project import open_project
from ...safe.escape import escape_text
from ...text.lines import format_count
from .kit import Progress, dump_json, format_option, pick_fields, print_lines, root_option

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...domains.agents.examination import SetupFact
    from ...domains.capture.integrity import Examination
    from ...project.project import Project

_NAMES = 8
"""Columns for what a line is about."""


@click.command("doctor")
@format_option("text or json.")
@root_option("Folder of the store")
def command(format_: str, root: str | None) -> None:
    """Look at all that pincite needs, and name what is wrong with its remedy.

    That is the installation with its extras, git, the cache folder, the settings, the hooks and MCP servers of coding
    agents and whether their commands start, and everything captured, here and in the bundles of the tree, which is
    re-hashed. Exit code: 0 everything is sound, or there is nothing; 1 something is wrong or damaged; 2 the store
    cannot be opened.
    """
    from ...domains.agents.examination import examine_setup
    from ...domains.capture.integrity import examine
    from ...sources import World

    project, settings_error = _open(root)
    with Progress(True, "texts") as progress, project:
        facts = examine_setup(project.root, settings_error)
        found = examine(World(project.root, project.git, project.config.repository), progress.step)
    if format_ == "json":
        said = {"schema": "pincite.doctor/1", "store": found.store or bool(found.closed)}
        said |= pick_fields(found, "closed sound runs texts bundled")
        said["setup"] = [asdict(fact) for fact in facts]
        print_lines([dump_json({**said, "troubles": [asdict(trouble) for trouble in found.troubles]}, 2)])
    else:
        print_lines((*map(_format_fact, facts), *_lines(found)))
    sound = found.sound and all(fact.ok for fact in facts)
    sys.exit(2 if found.closed else 0 if sound else 1)


def _open(root: str | None) -> tuple[Project, str]:
    """The project, and why its settings cannot be read, where they cannot: the rest is looked at all the same."""
    try:
        return open_project(root), ""
    except PinciteError as error:
        try:
            return open_project(root, config=Config()), str(error)
        except PinciteError:
            raise error from None


def _format_fact(fact: SetupFact) -> str:
    line = f"{fact.name:{_NAMES}} {fact.what}" if fact.ok else f"{fact.name:{_NAMES}} wrong: {fact.what}; {fact.remedy}"
    return escape_text(line)


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
