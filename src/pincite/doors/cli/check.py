"""`pincite check`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from ...core.errors import UsageError
from ...project.documents import root_key
from ...safe.report_output import output_to
from .kit import Wishes, common, read_stdin, wants_color, with_receipts
from .progress import Progress
from .shell_values import complete_path

if TYPE_CHECKING:
    from ...engine.run import Request, Run
    from ...safe.files import Root

_FORMATS = ("text", "json", "sarif", "junit", "github", "markdown")


@click.command("check")
@click.argument("paths", nargs=-1, metavar="[PATH]...", shell_complete=complete_path)
@click.option("--format", "format_", type=click.Choice(_FORMATS), default="text", help="How to report (default: text).")
@click.option("--output", "-o", metavar="FILE", help="Write the report to a file.")
@click.option("--strict", is_flag=True, help="Warnings fail too.")
@click.option("--since", metavar="REV", help="Only citations that changes since REV could have affected.")
@click.option("--base", metavar="REV", help="Say what changes since REV keep from being reported; --since does too.")
@click.option("--baseline", metavar="FILE", help="Findings listed in FILE do not fail.")
@click.option("--update-baseline", is_flag=True, help="Write the findings of this run to the baseline.")
@click.option("--require-receipts", is_flag=True, help="Accept only papers that were retrieved by `corpus cite`.")
@click.option("--fix", is_flag=True, help="Apply the safe fixes first, as `pincite fix --write` does.")
@click.option("--stdin-name", metavar="PATH", default="-", help="The path that '-' (standard input) stands for.")
@click.option("--quiet", "-q", is_flag=True, help="Print only what fails.")
@common
def command(
    paths: tuple[str, ...],
    format_: str,
    output: str | None,
    strict: bool,
    since: str | None,
    base: str | None,
    baseline: str | None,
    update_baseline: bool,
    require_receipts: bool,
    fix: bool,
    stdin_name: str,
    quiet: bool,
    wishes: Wishes,
) -> None:
    """Verify every citation in the given documents or trees (default: the repository).

    PATH may be '-' for standard input. Exit code: 0 everything holds (or nothing was found), 1 something does not,
    2 something could not be read.
    """
    from ... import report as formats
    from ...engine.run import Request, Run
    from .baseline_file import baseline_file, read_baseline, save_baseline

    opened, config = wishes.open(paths)
    if require_receipts:
        config = with_receipts(config)
    known = baseline_file(opened, baseline, config.baseline)
    if update_baseline and not known:
        raise click.UsageError("--update-baseline needs --baseline FILE")
    if fix and "-" in paths:
        raise click.UsageError("--fix changes files: `pincite fix - --write` prints standard input fixed")
    stdin, keys = read_arguments(opened, paths, stdin_name)
    request = Request(
        paths=keys,
        config=config,
        every=formats.load(format_).NEEDS_ALL,
        since=since or "",
        base=base or "",
        baseline=_baseline_key(opened, known),
        known=read_baseline(known, opened.path) if known and not update_baseline else frozenset(),
        strict=strict or config.strict,
        named=update_baseline,
        jobs=wishes.processes,
        cache=not wishes.no_cache,
        stdin=stdin,
    )
    written = not fix or _apply_fixes(opened, request, quiet)
    run = Run(opened, request)
    _write(run, format_, output, quiet)
    if update_baseline:
        click.echo(save_baseline(known, run.fingerprints, opened.path), err=True)
        sys.exit(2 if run.summary.exit_code == 2 or not written else 0)
    sys.exit(run.summary.exit_code if written else 2)


def _baseline_key(root: Root, path: str) -> str:
    """The baseline as a key, so that it can be looked up in a commit; empty where it lies outside the root."""
    try:
        return root_key(root, path) if path else ""
    except UsageError:
        return ""


def _apply_fixes(root: Root, request: Request, quiet: bool) -> bool:
    """Apply the safe fixes, and say so; gives whether all could be written."""
    from .fix import fix_first

    said, written = fix_first(root, request)
    for row in said if not quiet else ():
        click.echo(row, err=True)
    return written


def read_arguments(
    opened: Root, paths: tuple[str, ...], stdin_name: str
) -> tuple[tuple[str, bytes] | None, tuple[str, ...]]:
    """Standard input with the name it goes by, or the keys of the paths that were typed."""
    if "-" not in paths:
        return None, tuple(root_key(opened, path) for path in paths)
    if len(paths) > 1:
        raise click.UsageError("'-' stands alone: standard input cannot be mixed with paths")
    name = stdin_name if stdin_name == "-" else root_key(opened, stdin_name)
    return (name, read_stdin(opened.limits.document_bytes)), ()


def _write(run: Run, format_: str, output: str | None, quiet: bool) -> None:
    """Run, and report as it goes."""
    from ... import checks
    from ... import report as formats
    from ..._version import __version__

    options = formats.Options(
        color=wants_color(output),
        quiet=quiet,
        strict=run.request.strict,
        root=run.root.path,
        version=__version__,
        pages=checks.page,
    )
    progress = Progress(not quiet)
    with output_to(output, run.root.path, commands=format_ == "github") as write:
        reporter = formats.load(format_).Reporter(write, options)
        for document in run.parts(progress.step):
            progress.clear()
            reporter.document(document)
        progress.clear()
        reporter.close(run.summary)
