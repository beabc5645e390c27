"""`pincite research report`."""

from __future__ import annotations

import sys

import click

from .research_kit import least_option, open_work, refuse, root_option, tell_medium, tell_trust


@click.command("report")
@click.argument("topic")
@click.option(
    "--format",
    "format_",
    type=click.Choice(("markdown", "html", "both")),
    default="both",
    help="What to write (default: both).",
)
@click.option("--stdout", is_flag=True, help="Print it instead of writing it.")
@least_option
@root_option
def report(topic: str, format_: str, stdout: bool, least: str | None, root: str | None) -> None:
    """Write the report of the grounded claims to `.research/TOPIC/report.md` and `report.html`.

    Inline citations, numbered sources with their credibility, access dates and snapshots, and the table of grounded
    claims. Every sentence is traced again after writing; below 100 % nothing is written. How many claims are only
    implied (medium) is said; with --least high they have to be vouched for. A report that was edited since it was
    written is kept as `report.md.bak`.

    Exit code: 0 the report is grounded to 100 %, 1 it is not or a stage breaks a rule, 2 a file cannot be read.
    """
    from ...domains.research.audit_result import count_levels
    from ...domains.research.kept_edits import put_report
    from ...domains.research.model import Aborted
    from ...domains.research.report_writer import render_html
    from ...domains.research.stage_runner import report_topic

    if stdout and format_ == "both":
        format_ = "markdown"
    work = open_work(topic, root, least=least)
    try:
        text, found, citations = report_topic(work)
        page = render_html(work.topic.name, found.grounded, citations, found.rejected) if format_ != "markdown" else ""
    except Aborted as error:
        refuse(error, "text")
    tell_trust(work)
    levels = count_levels(found.grounded)
    if levels[1] or levels[2]:
        click.echo(f"grounded: {tell_medium(*levels)}", err=True)
    if stdout:
        click.echo(page if format_ == "html" else text, nl=False)
        sys.exit(0)
    wanted = {"markdown": (work.topic.report, text), "html": (work.topic.report_html, page)}
    for key, made in wanted.values() if format_ == "both" else (wanted[format_],):
        _, kept = put_report(work.root, key, made)
        if kept:
            click.echo(f"it was edited since it was written: kept as {kept}", err=True)
        click.echo(f"written: {key}")
    sys.exit(0)
