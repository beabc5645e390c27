"""`pincite run`."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, NoReturn

import click

from ...core.errors import PinciteError, UsageError
from ...project.project import open_project
from ...safe.report_output import keep_private
from .kit import compile_pattern, complain, root_option

if TYPE_CHECKING:
    from ...project.project import Project

_SETTINGS = {"ignore_unknown_options": True, "allow_interspersed_args": False}


@click.command("run", context_settings=_SETTINGS, short_help="Run a command and keep its output as evidence.")
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
@root_option("Folder whose store keeps the output")
@click.option("--cite", metavar="REGEX", help="Print the citation of the lines that match.")
@click.option(
    "--pty/--no-pty", "terminal", default=None, help="Give the command a terminal, or none (default: as ours)."
)
@click.option("--no-mask", is_flag=True, help="Store secrets as they were printed.")
@click.option("--quiet", "-q", is_flag=True, help="Print no citations at the end.")
@click.option(
    "--report-fd", type=click.IntRange(3), metavar="N", help="Write each chunk's SHA-256 there once it is stored."
)
def command(
    command: tuple[str, ...],
    root: str | None,
    cite: str | None,
    terminal: bool | None,
    no_mask: bool,
    quiet: bool,
    report_fd: int | None,
) -> NoReturn:
    """Run COMMAND as if pincite were not there, and keep what it prints as evidence that can be cited.

    Its output, exit code and signals are its own. At the end, citations of what it printed are on standard error,
    the last lines' first: put one after the sentence it proves.
    """
    from ...safe.command_relay import leave, relay
    from .capture import make_recorder
    from .capture_summary import report_run

    pattern = compile_pattern(cite, f"--cite {cite!r}") if cite is not None else None
    if report_fd is not None and not keep_private(report_fd):
        raise UsageError(f"--report-fd {report_fd}: not an open descriptor; open it first, for example {report_fd}>ids")
    project, trouble = _try_open(root)
    recorder = None
    if project is not None:
        recorder = make_recorder(project.root, project.config.capture, "run", command, not no_mask, report_fd)
    started = monotonic()
    ended = relay(command, recorder.feed if recorder is not None else lambda data: None, terminal)
    if ended.trouble or ended.lost:
        complain(ended.trouble or ended.lost)
    if recorder is not None and project is not None:
        try:
            recorded = recorder.finish(monotonic() - started, ended.code, ended.signal)
            trouble = report_run(project.root, recorded, pattern, quiet or bool(ended.trouble))
        except KeyboardInterrupt:
            trouble = "interrupted"
    if trouble:
        complain(f"not everything was recorded: {trouble}")
    leave(ended)


def _try_open(root: str | None) -> tuple[Project | None, str]:
    """The project; where it cannot be opened the command runs all the same, and we say why."""
    try:
        return open_project(root), ""
    except PinciteError as error:
        return None, str(error)
    except OSError as error:
        return None, error.strerror or "the working folder is gone"
