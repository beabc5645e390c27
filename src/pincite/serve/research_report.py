"""`pincite research report`."""

from __future__ import annotations

import sys

import click

from .research_work import opened, refuse, root_option, tell_trust


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
@root_option
def report(topic: str, format_: str, stdout: bool, root: str | None) -> None:
    """Write the report of the grounded claims to `.research/TOPIC/report.md` and `report.html`.

    Inline citations, numbered sources with their credibility, access dates and snapshots, and the table of grounded
    claims. Every sentence is traced again after writing; below 100 % nothing is written.

    Exit code: 0 the report is grounded to 100 %, 1 it is not or a stage breaks a rule, 2 a file cannot be read.
    """
    from ..research.model import Aborted
    from ..research.report_html import render as render_html
    from ..research.running import report_topic
    from ..safe.write import put

    if stdout and format_ == "both":
        format_ = "markdown"
    work = opened(topic, root)
    try:
        text, found, citations = report_topic(work)
        page = render_html(work.topic.name, found.grounded, citations, found.rejected) if format_ != "markdown" else ""
    except Aborted as error:
        refuse(error, "text")
    tell_trust(work)
    if stdout:
        click.echo(page if format_ == "html" else text, nl=False)
        sys.exit(0)
    if format_ != "html":
        put(work.root, work.topic.report, text.encode())
        click.echo(f"written: {work.topic.report}")
    if format_ != "markdown":
        put(work.root, work.topic.report_html, page.encode())
        click.echo(f"written: {work.topic.report_html}")
    sys.exit(0)
