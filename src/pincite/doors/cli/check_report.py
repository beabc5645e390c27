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

FORMATS = ("text", "json", "sarif", "junit", "github", "markdown")


class CheckReportOptions(Struct, frozen=True):
    """The options about the report."""

    format_: str
    output: str | None
    no_suppressed: bool
    quiet: bool

    def needs_all(self) -> bool:
        """Whether citations that hold are wanted one by one."""
        from ... import report as formats

        return formats.load(self.format_).NEEDS_ALL

    def write(self, run: Run, baseline: Mapping[str, str] | None) -> None:
        """Run, and report as it goes; `baseline` has the known findings, where there is a baseline."""
        progress, request = kit.Progress(not self.quiet), run.request
        with output_to(self.output, run.root.path, commands=self.format_ == "github") as write:
            reporter = kit.make_reporter(
                self.format_,
                write,
                run.root,
                color=kit.wants_color(self.output),
                quiet=self.quiet,
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
        "--no-suppressed",
        is_flag=True,
        help="Leave suppressed and absent results out of SARIF: GitHub would show them as open.",
    ),
    click.option("--quiet", "-q", is_flag=True, help="Print only what fails."),
)
