"""`pincite list`."""

from __future__ import annotations

import sys

import click

from ...core.model import target_of
from ...project.documents import root_key
from ...safe.escape import escape_text, json_safe
from ...safe.report_output import output_to
from .kit import Wishes, common
from .shell_values import complete_path


@click.command("list")
@click.argument("paths", nargs=-1, metavar="[PATH]...", shell_complete=complete_path)
@click.option(
    "--format", "format_", type=click.Choice(("text", "json")), default="text", help="text, or a JSON object per line."
)
@common
def command(
    paths: tuple[str, ...],
    format_: str,
    wishes: Wishes,
) -> None:
    """List the citations found, one per line: where, dialect, target, as written."""
    import json

    from ...engine.run import Request, Run

    opened, config = wishes.open(paths)
    keys = tuple(root_key(opened, path) for path in paths)
    run = Run(opened, Request(keys, config, every=True, jobs=wishes.processes, cache=not wishes.no_cache))
    with output_to(None) as out:
        for report in run.parts():
            for verdict in report.verdicts:
                citation = verdict.citation
                where = f"{report.document}:{verdict.line}:{verdict.column}"
                if format_ == "text":
                    out(
                        f"{escape_text(where)}\t{citation.dialect}\t{escape_text(target_of(citation))}\t{escape_text(citation.raw)}\n"
                    )
                    continue
                row = {
                    "document": report.document,
                    "line": verdict.line,
                    "column": verdict.column,
                    "dialect": citation.dialect,
                    "target": target_of(citation),
                    "raw": citation.raw,
                }
                out(json_safe(json.dumps(row, ensure_ascii=False)) + "\n")
    sys.exit(2 if run.summary.exit_code == 2 else 0)
