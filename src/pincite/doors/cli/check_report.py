"""How `pincite check` reports: the options that say so, and the way from a run to a report."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from msgspec import Struct

from ...safe.report_output import output_to
from . import kit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...engine.run import Run

FORMATS = ("text", "json", "sarif", "junit", "github", "markdown", "html")
_LIMITED = ("text", "github", "markdown")
"""Formats that print no more problems than `--limit` says; programs always get all of them."""


class CheckReportOptions(Struct, frozen=True):
    """The options about the report."""

    format_: str
    output: str | None
    limit: int | None
    statistics: bool
    no_suppressed: bool
    skipped: bool
    quiet: bool

    def needs_all(self) -> bool:
        """Whether citations that hold are wanted one by one."""
        from ... import report as formats

        return formats.load(self.format_).NEEDS_ALL and not self.statistics

    def refuse_contradictions(self) -> None:
        """Raise UsageError for options that the format has no use for."""
        from ... import report as formats

        if self.limit is not None and self.format_ not in _LIMITED:
            raise click.UsageError(f"--limit is for the formats {', '.join(_LIMITED)}: {self.format_} has everything")
        if self.statistics:
            formats.load_statistics(self.format_)

    def write(self, run: Run, baseline: Mapping[str, str] | None, fix: str) -> None:
        """Run, and report as it goes; `baseline` has the known findings, if any, `fix` is the command that repairs."""
        progress, request = kit.Progress(not self.quiet), run.request
        with output_to(self.output, run.root.path, commands=self.format_ == "github") as write:
            reporter = kit.make_reporter(
                self.format_,
                write,
                run.root,
                color=kit.wants_color(self.output),
                quiet=self.quiet,
                skipped=self.skipped,
                fix=fix,
                limit=self.limit,
                statistics=self.statistics,
                strict=request.strict,
                baseline=baseline,
                complete=not (request.paths or request.since or request.stdin is not None),
                suppressed=not self.no_suppressed,
            )
            for document in run.parts(progress.step):
                progress.clear()
                reporter.document(document)
            progress.clear()
            reporter.close(run.summary)


report_options = kit.gather_options(
    CheckReportOptions,
    "report",
    kit.format_option("How to report (default: text).", *FORMATS),
    click.option("--output", "-o", metavar="FILE", help="Write the report to a file."),
    click.option(
        "--limit",
        type=click.IntRange(0),
        metavar="N",
        help="Print at most N problems, errors first, and count the others; 0: all (default).",
    ),
    click.option("--statistics", is_flag=True, help="Print only numbers: findings by check, document and folder."),
    click.option(
        "--no-suppressed",
        is_flag=True,
        help="Leave suppressed and absent results out of SARIF: GitHub may show them as open.",
    ),
    click.option("--skipped", is_flag=True, help="List what looks like a citation and was not read as one."),
    click.option("--quiet", "-q", is_flag=True, help="Print only what fails."),
)
