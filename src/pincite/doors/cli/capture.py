"""`pincite capture`."""

from __future__ import annotations

import os
from time import monotonic
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from ...core.errors import UsageError
from ...project.project import open_project
from ...safe.report_output import pass_on, read_pieces
from ...text.lines import format_count
from .kit import compile_pattern, complain, root_option
from .shell_values import complete_path

if TYPE_CHECKING:
    from ...domains.capture.recorder import Recorder, Recording
    from ...project.config import CaptureSettings
    from ...project.project import Project
    from ...safe.files import Root


@click.command("capture")
@click.argument("file", shell_complete=complete_path)
@root_option("Folder whose store keeps the output")
@click.option("--id", "given", metavar="ID", help="Keep it as one chunk under an id another tool gave it.")
@click.option("--transcript", is_flag=True, help="FILE is another tool's transcript: keep its chunks under their ids.")
@click.option("--command", "words", metavar="TEXT", help="The command that printed it.")
@click.option("--cite", metavar="REGEX", help="Print the citation of the lines that match.")
@click.option("--no-mask", is_flag=True, help="Store secrets as they were printed.")
@click.option("--quiet", "-q", is_flag=True, help="Print no citations at the end.")
def command(
    file: str,
    root: str | None,
    given: str | None,
    transcript: bool,
    words: str | None,
    cite: str | None,
    no_mask: bool,
    quiet: bool,
) -> None:
    """Keep FILE, a log or another tool's transcript, as evidence that can be cited; - takes a pipe and passes it on.

    Use it where a command has run already, or at the end of a pipeline: make 2>&1 | pincite capture -
    """
    if given is not None and transcript:
        raise UsageError("--id and --transcript exclude each other: a transcript brings its own ids")
    if cite is not None and (given is not None or transcript):
        raise UsageError("--cite goes with a log or a pipe; of output under ids of its own, `pincite grep` finds lines")
    pattern = compile_pattern(cite, f"--cite {cite!r}") if cite is not None else None
    project = open_project(root)
    name = tuple(words.split()) if words else () if file == "-" else (os.path.basename(file),)
    if given is not None or transcript:
        _import(project, file, given, name, not no_mask, quiet)
        return
    from .capture_summary import report_run

    trouble = report_run(project.root, _record(project, file, name, not no_mask), pattern, quiet)
    if trouble:
        raise UsageError(f"not everything was recorded: {trouble}")


def make_recorder(
    root: Root, settings: CaptureSettings, origin: str, words: tuple[str, ...], mask: bool, report_fd: int | None = None
) -> Recorder:
    """A recorder of what is printed; its thread opens the store when there is something to store."""
    from ...domains.capture.recorder import Recorder, announce
    from ...domains.capture.start import begin, filter_for
    from ...domains.capture.writer import CaptureWriter
    from ...store.captures import open_for_writing

    _tell_masking(settings, mask)
    masker = filter_for(mask)
    run = begin(root, origin, words, masker)
    return Recorder(lambda: CaptureWriter(open_for_writing(root), run, settings, masker, announce(report_fd)))


def _tell_masking(settings: CaptureSettings, mask: bool) -> None:
    """Say where a project would have secrets stored: it may come from anyone, so only the user turns masking off."""
    if mask and not settings.mask:
        complain("capture.mask = false is not taken from a project; pass --no-mask to keep secrets")


def _record(project: Project, file: str, name: tuple[str, ...], mask: bool) -> Recording:
    """Stream a file or a pipe into the store."""
    piped = file == "-"
    recorder = make_recorder(project.root, project.config.capture, "pipe" if piped else "file", name, mask)
    started = monotonic()
    try:
        for data in read_pieces(file):
            if piped and not pass_on(data):
                # The reader is gone: end the pipeline as it would have ended without us.
                break
            recorder.feed(data)
    finally:
        recorded = recorder.finish(monotonic() - started if piped else None, None)
    return recorded


def _import(project: Project, file: str, given: str | None, name: tuple[str, ...], mask: bool, quiet: bool) -> None:
    """Keep whole texts under the ids that another tool gave them."""
    from ...domains.capture.imports import checked_id, import_text, pieces_of
    from ...domains.capture.start import begin, filter_for
    from ...domains.capture.transcript import TranscriptChunk
    from ...store.captures import open_for_writing
    from ...text.terminal.screen import screen_lines

    root = project.root
    _tell_masking(project.config.capture, mask)
    identity = checked_id(given) if given is not None else ""
    data = _whole(file, root.limits.source_bytes)
    pieces = pieces_of(data, file) if given is None else [TranscriptChunk(identity, data)]
    first = begin(root, "transcript" if given is None else "file", name, filter_for(mask))
    rows = []
    with open_for_writing(root) as captures:
        for piece in pieces:
            masker = filter_for(mask)
            words = tuple(piece.command.split()) or name
            run = replace(first, command=masker.words(words), started=piece.started or first.started)
            number, masked = import_text(captures, run, piece.text, piece.given, masker, piece.code)
            lines = len(screen_lines(piece.text))
            hidden = f", {format_count(masked, 'secret')} masked" if masked else ""
            what = f"【{piece.given}†L1{f'-L{lines}' if lines > 1 else ''}】" if lines else f"{piece.given} (no lines)"
            rows.append(f"pincite: run {number} keeps {what}{hidden}")
    if not quiet:
        for row in rows:
            click.echo(row, err=True)


def _whole(file: str, limit: int) -> bytes:
    parts: list[bytes] = []
    total = 0
    for data in read_pieces(file):
        total += len(data)
        if total > limit:
            raise UsageError(f"{file}: exceeds the limit of {limit} bytes for one chunk; leave out --id")
        parts.append(data)
    return b"".join(parts)
