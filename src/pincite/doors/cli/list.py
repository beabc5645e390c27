"""`pincite list`."""

from __future__ import annotations

import sys

import click

from ...core.model import target_of
from ...project.documents import root_key
from ...safe.escape import escape_text
from ...safe.report_output import output_to
from .kit import DocumentOptions, common, count_processes, dump_json, format_option, paths_argument


@click.command("list")
@paths_argument()
@format_option("text, or a JSON object per line.")
@common
def command(paths: tuple[str, ...], format_: str, wishes: DocumentOptions) -> None:
    """List the citations found, one per line: where, dialect, target, as written."""
    from ...engine.run import Request, Run

    opened, config = wishes.open(paths)
    keys = tuple(root_key(opened, path) for path in paths)
    run = Run(opened, Request(keys, config, every=True, jobs=count_processes(wishes.jobs), cache=not wishes.no_cache))
    with output_to(None) as out:
        for report in run.parts():
            for verdict in report.verdicts:
                citation = verdict.citation
                place = {"document": report.document, "line": verdict.line, "column": verdict.column}
                row = {"dialect": citation.dialect, "target": target_of(citation), "raw": citation.raw}
                if format_ == "json":
                    out(dump_json({**place, **row}) + "\n")
                else:
                    where = f"{report.document}:{verdict.line}:{verdict.column}"
                    out("\t".join(map(escape_text, (where, *row.values()))) + "\n")
    sys.exit(2 if run.summary.exit_code == 2 else 0)
