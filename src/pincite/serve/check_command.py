"""`pincite check`."""

from __future__ import annotations

import sys

import click

from .settings import common, job_count, merge, open_root, read_stdin, wants_color

_FORMATS = ("text", "json", "sarif", "junit", "github", "markdown")


@click.command("check")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--format", "format_", type=click.Choice(_FORMATS), default="text", help="How to report (default: text).")
@click.option("--output", "-o", metavar="FILE", help="Write the report to a file.")
@click.option("--strict", is_flag=True, help="Warnings fail too.")
@click.option("--since", metavar="REV", help="Only citations that changes since REV could have affected.")
@click.option("--baseline", metavar="FILE", help="Findings listed in FILE do not fail.")
@click.option("--update-baseline", is_flag=True, help="Write the findings of this run to the baseline.")
@click.option("--stdin-name", metavar="PATH", default="-", help="The path that '-' (standard input) stands for.")
@click.option("--quiet", "-q", is_flag=True, help="Print only what fails.")
@common
def command(
    paths: tuple[str, ...],
    format_: str,
    output: str | None,
    strict: bool,
    since: str | None,
    baseline: str | None,
    update_baseline: bool,
    stdin_name: str,
    quiet: bool,
    root: str | None,
    dialects: tuple[str, ...],
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    jobs: int,
    no_cache: bool,
) -> None:
    """Verify every citation in the given documents or trees (default: the repository).

    PATH may be '-' for standard input. Exit code: 0 everything holds (or nothing was found), 1 something does not,
    2 something could not be read.
    """
    from .. import report as formats
    from .. import verify
    from .._version import __version__
    from ..read import root_key
    from ..run import Request, Run
    from ..safe.escape import shown
    from ..safe.output import output_to
    from .baseline import read_baseline, write_baseline
    from .progress import Progress

    opened, config = open_root(root, paths)
    config = merge(config, dialects, select, ignore)
    baseline = baseline or config.baseline or None
    if update_baseline and not baseline:
        raise click.UsageError("--update-baseline needs --baseline FILE")
    module = formats.load(format_)
    stdin = None
    if "-" in paths:
        if len(paths) > 1:
            raise click.UsageError("'-' stands alone: standard input cannot be mixed with paths")
        name = stdin_name if stdin_name == "-" else root_key(opened, stdin_name)
        stdin = (name, read_stdin(opened.limits.document_bytes))
    request = Request(
        paths=() if stdin else tuple(root_key(opened, path) for path in paths),
        config=config,
        every=module.NEEDS_ALL,
        since=since or "",
        known=read_baseline(baseline, update_baseline) if baseline else frozenset(),
        strict=strict or config.strict,
        jobs=job_count(jobs),
        cache=not no_cache,
        stdin=stdin,
    )
    options = formats.Options(
        color=wants_color(output),
        quiet=quiet,
        strict=request.strict,
        root=opened.path,
        version=__version__,
        pages=verify.page,
    )
    run = Run(opened, request)
    progress = Progress(not quiet)
    with output_to(output) as write:
        reporter = module.Reporter(write, options)
        for document in run.reports(progress.step):
            progress.clear()
            reporter.document(document)
        progress.clear()
        reporter.close(run.summary)
    if update_baseline and baseline:
        write_baseline(baseline, run.fingerprints)
        number = len(set(run.fingerprints))
        click.echo(f"{shown(baseline)}: wrote {number} known finding{'s' if number != 1 else ''}", err=True)
        sys.exit(2 if run.summary.exit_code == 2 else 0)
    sys.exit(run.summary.exit_code)
