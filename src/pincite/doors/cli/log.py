"""`pincite log`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from ...project.project import open_project
from ...safe.escape import escape_text
from ...safe.report_output import output_to
from ...text.lines import shorten
from .grep import refuse_unknown_run
from .kit import dump_json, format_option, paint, print_lines, root_option, terminal_width, wants_color

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from ...store.captures import CapturedRun, Captures, OutputChunk

_NOTHING = "nothing was captured yet; begin with `pincite run -- COMMAND`"
_NARROWEST = 12
_SIDES = "><<>>><"
_COLORS = {"exit 0": "32", "running": "33"}


@click.command("log")
@click.argument("run", required=False, type=click.IntRange(1, 2**63 - 1))
@root_option("Folder whose store to look into")
@click.option("-n", "most", type=click.IntRange(0), default=20, metavar="N", help="Newest runs (default: 20; 0: all).")
@format_option("text, or a JSON object per line.")
def command(run: int | None, root: str | None, most: int, format_: str) -> None:
    """List the captured runs, the newest first; with RUN, everything about one, with a citation of each chunk."""
    from ...store.captures import Captures

    captures = Captures.open(open_project(root).root)
    if captures is None:
        if run is not None:
            refuse_unknown_run(run)
        print_lines([_NOTHING] if format_ == "text" else [])
        return
    with captures:
        if run is not None:
            sys.exit(_print_run(captures, run, format_))
        if format_ == "text":
            print_lines(_rows(captures, most))
        else:
            runs = captures.runs(most or -1)
            print_lines(dump_json(_fields(captures, one, captures.chunks(one.id))) for one in runs)


def _rows(captures: Captures, most: int) -> Iterator[str]:
    """The runs for people, in columns."""
    runs = captures.runs(most + 1 if most else -1)
    shown_runs = runs[:most] if most else runs
    cells = [_cells(captures, run) for run in shown_runs]
    widths = [max(len(row[column]) for row in cells) for column in range(len(cells[0]) - 1)] if cells else []
    color, width = wants_color(), terminal_width() if sys.stdout.isatty() else 0
    for row in cells:
        padded = [f"{cell:{side}{room}}" for cell, side, room in zip(row, _SIDES, widths, strict=False)]
        words = row[-1]
        if width:
            words = shorten(words, max(_NARROWEST, width - sum(map(len, padded)) - 2 * len(padded)))
        if row[2]:
            padded[2] = paint(padded[2], _COLORS.get(row[2], "31"), color)
        yield "  ".join((*padded, words))
    if not cells:
        yield _NOTHING
    elif len(runs) > len(shown_runs):
        yield f"older ones: pincite log -n {most * 2}"


def _cells(captures: Captures, run: CapturedRun) -> tuple[str, ...]:
    """Number, time, ending, duration, chunks, bytes, the id of the first chunk, command."""
    from ...domains.capture.view import command_line, describe_ending, format_duration, format_size, format_time

    chunks = captures.chunks(run.id)
    return (
        str(run.id),
        format_time(run.started)[:19].replace("T", " "),
        describe_ending(run),
        "" if run.duration is None else format_duration(run.duration),
        f"{len(chunks)} chunk{'s' * (len(chunks) != 1)}",
        format_size(sum(chunk.length for chunk in chunks)),
        escape_text(captures.short(chunks[0].digest)) if chunks else "",
        command_line(run),
    )


def _print_run(captures: Captures, number: int, format_: str) -> int:
    """Everything about one run; the exit code."""
    from ...domains.capture.view import format_size, list_facts

    run = captures.run(number)
    if run is None:
        refuse_unknown_run(number)
    chunks = captures.chunks(number)
    fields = _fields(captures, run, chunks)
    if format_ == "json":
        whole = [_chunk_fields(captures, chunk) for chunk in chunks]
        print_lines([dump_json({**fields, "contents": whole})])
        return int(any(item["trouble"] for item in whole))
    title = f"run {run.id}, {len(chunks)} chunk{'s' * (len(chunks) != 1)}, {format_size(fields['bytes'])}"
    with output_to(None) as out:
        out(f"{paint(title, '1', wants_color())}\n")
        for name, value in list_facts(run):
            out(f"  {name:9} {value}\n")
        out("\n")
        code = 0
        for chunk in chunks:
            item = _chunk_fields(captures, chunk)
            code = 1 if item["trouble"] else code
            masked = f", {chunk.masked} masked" if chunk.masked else ""
            given = f", also known as {chunk.given}" if chunk.given else ""
            name, what = item["citation"] or item["id"], item["trouble"] or format_size(chunk.length)
            out(escape_text(f"{name}  {what}{masked}{given}") + "\n")
    return code


def _fields(captures: Captures, run: CapturedRun, chunks: list[OutputChunk]) -> dict[str, Any]:
    from ...domains.capture.context import run_fields

    return {
        **run_fields(run),
        "chunks": len(chunks),
        "bytes": sum(chunk.length for chunk in chunks),
        "masked": sum(chunk.masked for chunk in chunks),
        "first_id": captures.short(chunks[0].digest) if chunks else None,
    }


def _chunk_fields(captures: Captures, chunk: OutputChunk) -> dict[str, Any]:
    from ...domains.capture.view import count_lines, format_citation
    from ...store.database import StoreTrouble

    lines, trouble = 0, None
    try:
        lines = count_lines(captures.text(chunk.digest))
    except StoreTrouble as error:
        trouble = str(error)
    return {
        "chunk": chunk.sequence + 1,
        "id": captures.short(chunk.digest),
        "digest": chunk.digest,
        "given": chunk.given or None,
        "citation": format_citation(captures, chunk.digest, 1, lines) if lines else None,
        "lines": lines,
        "bytes": chunk.length,
        "masked": chunk.masked,
        "trouble": trouble,
    }
