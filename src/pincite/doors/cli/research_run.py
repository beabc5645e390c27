"""`pincite research run`."""

from __future__ import annotations

import sys

import click

from .kit import print_json
from .research_kit import (
    Ink,
    aborted_json,
    emit,
    format_option,
    judge_options,
    least_option,
    offline_option,
    open_work,
    refresh_option,
    refuse,
    root_option,
    tell_medium,
)

_WORDS = {"given": "given", "kept": "up to date", "done": "done"}


@click.command("run")
@click.argument("topic")
@offline_option
@refresh_option
@least_option
@judge_options
@format_option
@root_option
def run(
    topic: str,
    offline: bool,
    refresh: bool,
    least: str | None,
    judge: str | None,
    model: str | None,
    provider: str | None,
    format_: str,
    root: str | None,
) -> None:
    """Run the stages in order: check what search and extraction wrote, validate, ground, report.

    Stops at the first rule or threshold that is broken. Run again, it goes on where it stopped: what was fetched is not
    fetched again, and a stage whose input did not change is kept.

    Exit code: 0 the report is written and every sentence in it is grounded, 1 a stage gave up, 2 a file cannot be read.
    How many claims are only implied (medium) is said; with --least high they have to be vouched for.
    """
    from ...domains.research.model import Aborted
    from ...domains.research.stage_runner import run as run_stages

    given = {"judge": judge, "model": model, "provider": provider, "least": least}
    work = open_work(topic, root, offline=offline, refresh=refresh, **given)
    ink, steps, failed = Ink(), [], None
    try:
        for step in run_stages(work):
            steps.append(step)
            if format_ == "text":
                count = f"{step.count} of {step.total}" if step.count != step.total else str(step.count)
                what = f"{step.stage:<23} {_WORDS[step.state]:<11} {count:<9}"
                emit([f"{ink('✓', 'good')} {what} {ink(step.file, 'place')}"])
                if step.kept:
                    emit([f"  {ink(f'it was edited since it was written: kept as {step.kept}', 'warn')}"])
                if step.medium or step.attested:
                    emit([f"  {ink(tell_medium(step.high, step.medium, step.attested), 'warn')}"])
    except Aborted as error:
        failed = error
    if format_ == "json":
        print_json(
            {
                "schema": "pincite.research-run/1",
                "topic": work.topic.name,
                "stages": steps,
                "aborted": aborted_json(failed),
            }
        )
    if failed is not None:
        if format_ == "text":
            emit([f"{ink('✗', 'bad')} {ink(failed.stage)}"])
        refuse(failed, format_)
    sys.exit(0)
