"""`pincite run`."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, NoReturn

import click

from ...core.errors import PinciteError, UsageError
from ...project.config import Config
from ...project.project import open_project
from ...safe.escape import escape_text
from ...safe.report_output import keep_private
from .kit import compile_pattern, tell_masking

if TYPE_CHECKING:
    from ...domains.capture.recorder import Recorder
    from ...safe.files import Root

_SETTINGS = {"ignore_unknown_options": True, "allow_interspersed_args": False}


@click.command("run", context_settings=_SETTINGS, short_help="Run a command and keep its output as evidence.")
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
@click.option("--root", metavar="DIR", help="Folder whose store keeps the output (default: the repository).")
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
    from .capture_summary import report_run

    pattern = compile_pattern(cite, f"--cite {cite!r}") if cite is not None else None
    if report_fd is not None and not keep_private(report_fd):
        raise UsageError(f"--report-fd {report_fd}: not an open descriptor; open it first, for example {report_fd}>ids")
    opened, config, trouble = _try_open(root)
    recorder = _recorder(opened, config, command, not no_mask, report_fd) if opened is not None else None
    started = monotonic()
    ended = relay(command, recorder.feed if recorder is not None else lambda data: None, terminal)
    if ended.trouble or ended.lost:
        click.echo(f"pincite: {escape_text(ended.trouble or ended.lost)}", err=True)
    if recorder is not None and opened is not None:
        try:
            recorded = recorder.finish(monotonic() - started, ended.code, ended.signal)
            trouble = report_run(opened, recorded, pattern, quiet or bool(ended.trouble))
        except KeyboardInterrupt:
            trouble = "interrupted"
    if trouble:
        click.echo(f"pincite: not everything was recorded: {escape_text(trouble)}", err=True)
    leave(ended)


def _try_open(root: str | None) -> tuple[Root | None, Config, str]:
    """The root and its settings; where they cannot be had the command runs all the same, and we say why."""
    try:
        project = open_project(root)
        return project.root, project.config, ""
    except PinciteError as error:
        return None, Config(), str(error)
    except OSError as error:
        return None, Config(), error.strerror or "the working folder is gone"


def _recorder(root: Root, config: Config, words: tuple[str, ...], mask: bool, report_fd: int | None) -> Recorder:
    """A recorder for the command; its thread opens the store when there is something to store."""
    from ...domains.capture.recorder import Recorder, announce
    from ...domains.capture.start import begin, filter_for
    from ...domains.capture.writer import CaptureWriter
    from ...store.captures import open_for_writing

    tell_masking(config.capture.mask, mask)
    masker = filter_for(mask)
    run = begin(root, "run", words, masker)
    stored = announce(report_fd)
    return Recorder(lambda: CaptureWriter(open_for_writing(root), run, config.capture, masker, stored))
