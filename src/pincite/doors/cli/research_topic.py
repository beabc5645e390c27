"""`pincite research` over a topic as a whole: check, schema, snapshot, attest, report, run."""

from __future__ import annotations

import sys

import click

from ...core.model import Severity
from ...core.web import FetchFailure
from ...domains.research.schemas import NAMES
from ...project.project import open_project
from ...text.lines import format_count
from . import research_kit as research
from .kit import Progress, format_option, print_json

_MEGABYTE = 1024 * 1024
_STATES = {"given": "given", "kept": "up to date", "done": "done"}
"""How a stage of a run is called."""


@click.command("check")
@click.argument("what", metavar="TOPIC|FILE")
@click.option("--strict", is_flag=True, help="Warnings fail too.")
@format_option()
@research.at_topics
def check(what: str, strict: bool, format_: str, root: str | None) -> None:
    """Check the stage files of a topic, or one of them, and the joins between them.

    Exit code: 0 all rules hold, 1 one is broken, 2 a file cannot be read or parsed.
    """
    from ...domains.research.stage_check import check as check_stages
    from ...domains.research.stages import read_table

    project = open_project(root)
    opened, own = project.root, project.config.research
    table = read_table(opened, own.sources)
    found = check_stages(opened, what, own.required_checks, table=table, most_bytes=own.megabytes * _MEGABYTE)
    levels = [problem.severity for problem in found.problems]
    worst = max(levels, default=Severity.NOTE)
    failed = worst == Severity.ERROR or (strict and worst == Severity.WARNING)
    if format_ == "json":
        problems = [research.problem_json(problem) for problem in found.problems]
        print_json(
            {"schema": "pincite.research-check/1", "ok": not failed, "stages": found.counts, "problems": problems}
        )
    else:
        ink = research.Ink()
        seen = ", ".join(f"{stage} {count}" for stage, count in found.counts.items()) or "no stage file"
        counts = ((levels.count(Severity.ERROR), "error"), (levels.count(Severity.WARNING), "warning"))
        said = ", ".join(format_count(number, noun) for number, noun in counts) if levels else "all rules hold"
        research.emit(research.problem_lines(found.problems, ink))
        research.emit([f"{ink('✗' if failed else '✓', 'bad' if failed else 'good')} {ink(seen)}: {said}"])
    sys.exit(int(failed))


@click.command("schema")
@click.argument("stage", type=click.Choice(NAMES))
def schema(stage: str) -> None:
    """Print the JSON Schema of a stage's file."""
    from ...domains.research.schemas import schema_text

    click.echo(schema_text(stage), nl=False)


@click.command("snapshot")
@click.argument("urls", nargs=-1, required=True, metavar="URL...")
@click.option("--topic", metavar="TOPIC", help="The topic they belong to (default: the only one there is).")
@format_option()
@research.at_topics
def snapshot(urls: tuple[str, ...], topic: str | None, format_: str, root: str | None) -> None:
    """Fetch pages and keep each as a WARC file beside the topic, with digests.

    Exit code: 0 all answered with 200, 1 one did not, 2 a snapshot cannot be written.
    """
    from ...domains.research.page_fetching import OK
    from ...domains.research.stages import TopicContext
    from ...domains.research.topic import topic_named, topics
    from ...store.warc import Snapshots

    project = open_project(root)
    known = topics(project.root)
    if topic is None and len(known) != 1:
        names = ", ".join(one.name for one in known) or "none yet"
        raise click.UsageError(f"which topic? pass --topic NAME (topics: {names})")
    named = topic_named(topic) if topic is not None else known[0]
    kept = Snapshots(project.root, named.snapshots)
    rows: list[dict[str, str | int]] = []
    work = TopicContext(project.root, named, project.config.research)
    with Progress(True, "pages", "fetching") as progress, work.fetcher() as fetcher:
        for done, (url, got) in enumerate(fetcher.fetch_all(urls), 1):
            progress.step(done, len(urls))
            try:
                if isinstance(got, FetchFailure):
                    raise got
                one = kept.add(got)
            except FetchFailure as trouble:
                rows.append({"url": url, "trouble": trouble.kind, "reason": str(trouble)})
                continue
            answer: dict[str, str | int] = {"url": url, "status": got.status, "final_url": got.final_url}
            file = f"{named.snapshots}/{one.file}"
            rows.append({**answer, "retrieved": got.retrieved, "file": file, "digest": one.digest})
    if format_ == "json":
        print_json({"schema": "pincite.research-snapshot/1", "topic": named.name, "snapshots": rows})
    else:
        ink = research.Ink()
        for row in rows:
            if "trouble" in row:
                research.emit([f"{ink('✗ ' + str(row['trouble']), 'bad')}  {ink(str(row['reason']))}"])
                continue
            status = ink(str(row["status"]), "good" if row["status"] == OK else "bad")
            research.emit([f"{status}  {ink(str(row['url']), 'place')}", f"     {ink(str(row['file']))}"])
            research.emit([f"     {ink(str(row['digest']), 'dim')}"])
    sys.exit(int(any(row.get("status") != OK for row in rows)))


@click.command("attest")
@click.argument("topic")
@click.argument("url")
@click.option("--author", required=True, metavar="NAME", help="Who wrote the page.")
@click.option("--by", required=True, metavar="NAME", help="Who checked it.")
@click.option("--note", default="", metavar="TEXT", help="How.")
@research.at_topics
def attest(topic: str, url: str, author: str, by: str, note: str, root: str | None) -> None:
    """Vouch for the author of a page, where the page itself does not prove it.

    Kept in `.research/TOPIC/attestations.yaml`, with who vouches and when; `validate` takes it from there.
    """
    from ...domains.research.attestations import attest_author
    from ...domains.research.signed_claims import sign_author

    work = research.open_work(topic, root)
    for name, value in (("URL", url), ("--author", author), ("--by", by)):
        if not value.strip():
            raise click.UsageError(f"{name} is empty: a person has to sign for it")
    attest_author(work.root, work.topic.attestations, sign_author(work, url, author, by, note))
    click.echo(f"attested in {work.topic.attestations}; now run `pincite research validate {work.topic.name}`")


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
@research.least_option
@research.at_topics
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
    work = research.open_work(topic, root, research.JudgeWishes(least))
    try:
        text, found, citations = report_topic(work)
        page = render_html(work.topic.name, found.grounded, citations, found.rejected) if format_ != "markdown" else ""
    except Aborted as error:
        research.refuse(error, "text")
    research.tell_trust(work)
    levels = count_levels(found.grounded)
    if levels[1] or levels[2]:
        click.echo(f"grounded: {research.tell_medium(*levels)}", err=True)
    if stdout:
        click.echo(page if format_ == "html" else text, nl=False)
        return
    wanted = {"markdown": (work.topic.report, text), "html": (work.topic.report_html, page)}
    for key, made in wanted.values() if format_ == "both" else (wanted[format_],):
        _, kept = put_report(work.root, key, made)
        if kept:
            click.echo(f"it was edited since it was written: kept as {kept}", err=True)
        click.echo(f"written: {key}")


@click.command("run")
@click.argument("topic")
@research.fetch_options
@research.judge_options
@format_option()
@research.at_topics
def run(topic: str, offline: bool, refresh: bool, wishes: research.JudgeWishes, format_: str, root: str | None) -> None:
    """Run the stages in order: check what search and extraction wrote, validate, ground, report (`report.md`, `.html`).

    Stops at the first rule or threshold that is broken. Run again, it goes on where it stopped: what was fetched is not
    fetched again, and a stage whose input did not change is kept.

    Exit code: 0 the report is written and every sentence in it is grounded, 1 a stage gave up, 2 a file cannot be read.
    How many claims are only implied (medium) is said; with --least high they have to be vouched for.
    """
    from ...domains.research.model import Aborted
    from ...domains.research.stage_runner import run as run_stages

    work = research.open_work(topic, root, wishes, offline=offline, refresh=refresh)
    ink, steps, failed = research.Ink(), [], None
    try:
        for step in run_stages(work):
            steps.append(step)
            if format_ == "text":
                count = f"{step.count} of {step.total}" if step.count != step.total else str(step.count)
                what = f"{step.stage:<23} {_STATES[step.state]:<11} {count:<9}"
                research.emit([f"{ink('✓', 'good')} {what} {ink(step.file, 'place')}"])
                if step.page:
                    research.emit([f"{'':<48}{ink(step.page, 'place')}"])
                for kept in filter(None, (step.kept, step.kept_page)):
                    research.emit([f"  {ink(f'it was edited since it was written: kept as {kept}', 'warn')}"])
                if step.medium or step.attested:
                    levels = research.tell_medium(step.high, step.medium, step.attested)
                    research.emit([f"  {ink(levels, 'warn')}"])
    except Aborted as error:
        failed = error
    if format_ == "json":
        aborted = research.aborted_json(failed)
        print_json({"schema": "pincite.research-run/1", "topic": work.topic.name, "stages": steps, "aborted": aborted})
    if failed is not None:
        if format_ == "text":
            research.emit([f"{ink('✗', 'bad')} {ink(failed.stage)}"])
        research.refuse(failed, format_)
