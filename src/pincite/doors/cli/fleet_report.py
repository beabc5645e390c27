"""`pincite fleet report`."""

from __future__ import annotations

import click

from . import kit
from .fleet_kit import store_option

_MOST_ROWS = 10_000
_WIDTH = 80
PATIENCE = 5.0
"""Seconds for which a store that is gone is tried again: a person waits for the report."""


@click.command("report")
@store_option
@click.option("--team", metavar="NAME", help="Only this team (default: all that you may see).")
@click.option(
    "--since",
    default="1d",
    metavar="TIME",
    help="What came later is new: 1d, 12h, a day or a time in UTC (default: 1d).",
)
@click.option(
    "--worst", type=click.IntRange(0, _MOST_ROWS), default=10, metavar="N", help="Rows of a list (default: 10)."
)
@kit.format_option("How to report (default: text).", "text", "json", "html", "markdown")
@click.option("-o", "--output", metavar="FILE", help="Write the report to a file.")
def command(database: str | None, team: str | None, since: str, worst: int, format_: str, output: str | None) -> None:
    """Say how all repositories of the store fare: totals, the worst, what is new and what to type, teams, failures.

    HTML is one file that needs no server and no script. JSON has the schema `pincite.fleet-report/1`. Exit code: 0
    whatever is in the store (`pincite fleet check` judges), 2 where the store cannot be read.
    """
    from time import time

    from ...fleet.fleet_report import make_report
    from ...fleet.report_times import parse_since
    from ...store.shared import default_address, open_store

    now = int(time())
    start = parse_since(since, now)
    with open_store(default_address(database), write=False, patience=PATIENCE) as store:
        chosen = store.teams.get(team) if team is not None else None
        with store.backend.snapshot():
            report = make_report(store, now, start, chosen, worst)
    if format_ == "json":
        from ...safe.escape import json_text

        text = json_text(report, 2) + "\n"
    elif format_ == "html":
        from ...fleet.fleet_report_html import render_html

        text = render_html(report)
    elif format_ == "markdown":
        from ...fleet.fleet_report_markdown import render_markdown

        text = render_markdown(report, worst)
    else:
        from ...fleet.fleet_report_text import render_text

        width = kit.terminal_width() if output is None else 0
        text = render_text(report, width or _WIDTH, kit.wants_color(output), worst)
    kit.save_text(text, output)
