"""`pincite check`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from ...core.errors import UsageError
from ...project.documents import root_key
from ...safe.report_output import output_to
from . import kit

if TYPE_CHECKING:
    from ...engine.run import Run
    from ...safe.files import Root


@click.command("check")
@kit.paths_argument()
@kit.format_option("How to report (default: text).", "text", "json", "sarif", "junit", "github", "markdown")
@click.option("--output", "-o", metavar="FILE", help="Write the report to a file.")
@click.option("--strict", is_flag=True, help="Warnings fail too.")
@click.option("--since", metavar="REV", help="Only citations that changes since REV could have affected.")
@click.option("--base", metavar="REV", help="Say what changes since REV keep from being reported; --since does too.")
@click.option("--baseline", metavar="FILE", help="Findings listed in FILE do not fail.")
@click.option("--update-baseline", is_flag=True, help="Write the findings of this run to the baseline.")
@click.option("--require-receipts", is_flag=True, help="Accept only papers that were retrieved by `corpus cite`.")
@click.option("--fix", is_flag=True, help="Apply the safe fixes first, as `pincite fix --write` does.")
@click.option("--stdin-name", metavar="PATH", default="-", help="The path that '-' (standard input) stands for.")
@click.option("--skipped", is_flag=True, help="List what looks like a citation and was not read as one.")
@click.option("--quiet", "-q", is_flag=True, help="Print only what fails.")
@kit.common
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
    skipped: bool,
    quiet: bool,
    wishes: kit.DocumentOptions,
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
        config = kit.with_receipts(config)
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
        jobs=kit.count_processes(wishes.jobs),
        cache=not wishes.no_cache,
        stdin=stdin,
    )
    written = True
    if fix:
        from .fix import fix_first

        written = fix_first(opened, request, quiet)
    run = Run(opened, request)
    _write(run, format_, output, quiet, skipped)
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


def read_arguments(
    opened: Root, paths: tuple[str, ...], stdin_name: str
) -> tuple[tuple[str, bytes] | None, tuple[str, ...]]:
    """Standard input with the name it goes by, or the keys of the paths that were typed."""
    if "-" not in paths:
        return None, tuple(root_key(opened, path) for path in paths)
    if len(paths) > 1:
        raise click.UsageError("'-' stands alone: standard input cannot be mixed with paths")
    name = stdin_name if stdin_name == "-" else root_key(opened, stdin_name)
    return (name, kit.read_stdin(opened.limits.document_bytes)), ()


def _write(run: Run, format_: str, output: str | None, quiet: bool, skipped: bool) -> None:
    """Run, and report as it goes."""
    progress, color = kit.Progress(not quiet), kit.wants_color(output)
    with output_to(output, run.root.path, commands=format_ == "github") as write:
        reporter = kit.make_reporter(
            format_, write, run.root, color=color, quiet=quiet, strict=run.request.strict, skipped=skipped
        )
        for document in run.parts(progress.step):
            progress.clear()
            reporter.document(document)
        progress.clear()
        reporter.close(run.summary)
