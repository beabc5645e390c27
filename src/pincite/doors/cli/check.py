"""`pincite check`."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

import click

from ...core.errors import UsageError
from ...project.documents import root_key
from . import kit
from .check_report import CheckReportOptions, report_options

if TYPE_CHECKING:
    from ...safe.files import Root

_PLAIN_WORD = re.compile(r"[\w@%+=:,./-][\w@%+=:,./~-]*", re.ASCII)


@click.command("check")
@kit.paths_argument()
@report_options
@click.option("--strict", is_flag=True, help="Warnings fail too.")
@click.option("--since", metavar="REV", help="Only citations that changes since REV could have affected.")
@click.option("--base", metavar="REV", help="Say what changes since REV keep from being reported; --since does too.")
@click.option("--baseline", metavar="FILE", help="Findings listed in FILE do not fail.")
@click.option("--update-baseline", is_flag=True, help="Write the findings of this run to the baseline.")
@click.option("--require-receipts", is_flag=True, help="Accept only papers that were retrieved by `corpus cite`.")
@click.option("--fix", is_flag=True, help="Apply the safe fixes first, as `pincite fix --write` does.")
@click.option("--stdin-name", metavar="PATH", default="-", help="The path that '-' (standard input) stands for.")
@click.option("--staged", is_flag=True, help="Check what is staged, and list what it does to all other documents.")
@kit.common
def command(
    paths: tuple[str, ...],
    report: CheckReportOptions,
    strict: bool,
    since: str | None,
    base: str | None,
    baseline: str | None,
    update_baseline: bool,
    require_receipts: bool,
    fix: bool,
    stdin_name: str,
    staged: bool,
    wishes: kit.DocumentOptions,
) -> None:
    """Verify every citation in the given documents or trees (default: the repository).

    PATH may be '-' for standard input. Paths outside of the working folder's repository are checked below the
    repository or folder around them, and a line says so. Exit code: 0 everything holds (or nothing was found),
    1 something does not, 2 something could not be read.
    """
    from ...engine.run import Request, Run
    from ...project.baseline_file import baseline_file, read_baseline, save_baseline

    report.refuse_contradictions()
    opened, config = wishes.open(paths)
    if require_receipts:
        config = kit.with_receipts(config)
    known = baseline_file(opened, baseline, config.baseline)
    if update_baseline and not known:
        raise click.UsageError("--update-baseline needs --baseline FILE")
    if fix and "-" in paths:
        raise click.UsageError("--fix changes files: `pincite fix - --write` prints standard input fixed")
    stdin, keys = read_arguments(opened, paths, stdin_name)
    listed = read_baseline(known, opened.path) if known and not update_baseline else None
    commit = None
    if staged:
        from .staged_drift import StagedDrift

        commit = StagedDrift(opened, config, keys, stdin is not None)
        keys = commit.documents
    request = Request(
        paths=keys,
        other_root=wishes.other_root(paths),
        config=config,
        every=report.needs_all(),
        since=since or "",
        base=base or "",
        baseline=_baseline_key(opened, known),
        known=frozenset(listed or ()),
        strict=strict or config.strict,
        named=update_baseline,
        jobs=kit.count_processes(wishes.jobs),
        cache=not wishes.no_cache,
        promises=not update_baseline,
        stdin=stdin,
    )
    written = True
    if fix:
        from .fix import fix_first

        written = fix_first(opened, request, report.quiet)
    run = Run(opened, request) if commit is None else commit.make_run(request, report.quiet)
    report.write(run, listed, _make_fix_command(paths, stdin_name, since, baseline, wishes))
    if commit is not None:
        invented, drifted = commit.report(report.format_ == "text" and not report.output)
        run.summary.exit_code = max(run.summary.exit_code, int(invented > 0 or (drifted > 0 and request.strict)))
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


def _make_fix_command(
    paths: tuple[str, ...], stdin_name: str, since: str | None, baseline: str | None, wishes: kit.DocumentOptions
) -> str:
    """What to type so that `fix` looks at what this call looks at."""
    from shlex import quote

    given: list[tuple[str, str | None]] = []
    if "-" in paths and stdin_name != "-":
        given.append(("--stdin-name", stdin_name))
    given += [("--since", since), ("--baseline", baseline), ("--root", wishes.root)]
    for name, values in (("--dialect", wishes.dialects), ("--select", wishes.select), ("--ignore", wishes.ignore)):
        given += [(name, value) for value in values]
    words = [*(word for name, value in given if value for word in (name, value)), *paths]
    # `HEAD~1` is safe to type; a `~` at the start is not.
    plain = [word if _PLAIN_WORD.fullmatch(word) else quote(word) for word in words]
    return " ".join(["pincite fix --write", *plain])
