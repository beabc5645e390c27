"""`pincite research check` and `schema`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from ...core.model import Severity
from ...domains.research.schemas import NAMES
from ...project.project import open_project
from ...text.lines import format_count
from .kit import print_json
from .research_kit import Ink, emit, format_option, problem_json, problem_lines, root_option

if TYPE_CHECKING:
    from ...domains.research.stage_check import StageCheck

_MEGABYTE = 1024 * 1024


@click.command("check")
@click.argument("what", metavar="TOPIC|FILE")
@click.option("--strict", is_flag=True, help="Warnings fail too.")
@format_option
@root_option
def check(what: str, strict: bool, format_: str, root: str | None) -> None:
    """Check the stage files of a topic, or one of them, and the joins between them.

    Exit code: 0 all rules hold, 1 one is broken, 2 a file cannot be read or parsed.
    """
    from ...domains.research.stage_check import check as check_stages
    from ...domains.research.stages import read_table

    project = open_project(root)
    opened, config = project.root, project.config
    own = config.research
    table = read_table(opened, own.sources)
    found = check_stages(opened, what, own.required_checks, table=table, most_bytes=own.megabytes * _MEGABYTE)
    worst = max((problem.severity for problem in found.problems), default=Severity.NOTE)
    failed = worst == Severity.ERROR or (strict and worst == Severity.WARNING)
    if format_ == "json":
        print_json(
            {
                "schema": "pincite.research-check/1",
                "ok": not failed,
                "stages": found.counts,
                "problems": [problem_json(problem) for problem in found.problems],
            }
        )
    else:
        ink = Ink()
        emit(problem_lines(found.problems, ink))
        emit(_summary(found, ink, failed))
    sys.exit(int(failed))


def _summary(found: StageCheck, ink: Ink, failed: bool) -> list[str]:
    seen = ", ".join(f"{stage} {count}" for stage, count in found.counts.items()) or "no stage file"
    errors, warnings = (
        sum(problem.severity.label == label for problem in found.problems) for label in ("error", "warning")
    )
    said = (
        f"{format_count(errors, 'error')}, {format_count(warnings, 'warning')}" if found.problems else "all rules hold"
    )
    return [f"{ink('✗' if failed else '✓', 'bad' if failed else 'good')} {ink(seen)}: {said}"]


@click.command("schema")
@click.argument("stage", type=click.Choice(NAMES))
def schema(stage: str) -> None:
    """Print the JSON Schema of a stage's file."""
    from ...domains.research.schemas import schema_text

    click.echo(schema_text(stage), nl=False)
