"""`pincite log`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from ...project.project import open_project
from ...safe.escape import escape_text, json_safe
from ...safe.report_output import output_to
from ...text.lines import shorten
from .kit import wants_color

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from ...store.captures import CapturedRun, Captures, OutputChunk

_NARROWEST = 12
_SIDES = "><<>>><"
_COLORS = {"exit 0": "32", "running": "33"}


@click.command("log")
@click.argument("run", required=False, type=click.IntRange(1, 2**63 - 1))
@click.option("--root", metavar="DIR", help="Folder whose store to look into (default: the repository).")
@click.option("-n", "most", type=click.IntRange(0), default=20, metavar="N", help="Newest runs (default: 20; 0: all).")
@click.option(
    "--format", "format_", type=click.Choice(("text", "json")), default="text", help="text, or a JSON object per line."
)
def command(run: int | None, root: str | None, most: int, format_: str) -> None:
    """List the captured runs, the newest first; with RUN, everything about one, with a citation of each chunk."""
    from ...store.captures import Captures

    opened = open_project(root).root
    captures = Captures.open(opened)
    with output_to(None) as out:
        if captures is None:
            if run is not None:
                _refuse_unknown_run(run)
            if format_ == "text":
                out("nothing was captured yet; begin with `pincite run -- COMMAND`\n")
            return
        with captures:
            if run is not None:
                sys.exit(_print_run(captures, run, format_, out))
            rows = _objects(captures, most) if format_ == "json" else _rows(captures, most)
            for row in rows:
                out(row + "\n")


def _refuse_unknown_run(run: int) -> None:
    click.echo(f"there is no run {run}; `pincite log` lists those there are", err=True)
    sys.exit(1)


def _objects(captures: Captures, most: int) -> Iterator[str]:
    """The runs for programs."""
    for run in captures.runs(most or -1):
        yield _dump_json(_fields(captures, run, captures.chunks(run.id)))


def _rows(captures: Captures, most: int) -> Iterator[str]:
    """The runs for people, in columns."""
    runs = captures.runs(most + 1 if most else -1)
    shown_runs = runs[:most] if most else runs
    cells = [_cells(captures, run) for run in shown_runs]
    widths = [max(len(row[column]) for row in cells) for column in range(len(cells[0]) - 1)] if cells else []
    color, width = wants_color(None), _width()
    for row in cells:
        padded = [f"{cell:{side}{room}}" for cell, side, room in zip(row, _SIDES, widths, strict=False)]
        words = row[-1]
        if width:
            words = _cut(words, max(_NARROWEST, width - sum(map(len, padded)) - 2 * len(padded)))
        if color and row[2]:
            padded[2] = f"\x1b[{_COLORS.get(row[2], '31')}m{padded[2]}\x1b[0m"
        yield "  ".join((*padded, words))
    if not cells:
        yield "nothing was captured yet; begin with `pincite run -- COMMAND`"
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


def _print_run(captures: Captures, number: int, format_: str, out: Any) -> int:
    """Everything about one run; the exit code."""
    from ...domains.capture.view import format_size, list_facts

    run = captures.run(number)
    if run is None:
        _refuse_unknown_run(number)
        return 1
    chunks = captures.chunks(number)
    if format_ == "json":
        whole = [_chunk_fields(captures, chunk) for chunk in chunks]
        out(_dump_json({**_fields(captures, run, chunks), "contents": whole}) + "\n")
        return 1 if any(item["trouble"] for item in whole) else 0
    color = wants_color(None)
    title = f"run {run.id}, {len(chunks)} chunk{'s' * (len(chunks) != 1)}, {format_size(sum(c.length for c in chunks))}"
    out(f"\x1b[1m{title}\x1b[0m\n" if color else f"{title}\n")
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


def _dump_json(fields: dict[str, Any]) -> str:
    import json

    return json_safe(json.dumps(fields, ensure_ascii=False))


def _cut(text: str, limit: int) -> str:
    return shorten(text, limit)


def _width() -> int:
    """The columns of the terminal; 0 where there is none."""
    import os

    if not sys.stdout.isatty():
        return 0
    given = os.environ.get("COLUMNS", "")
    if given.isascii() and given.isdigit() and len(given) < 6:
        return int(given)
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns
    except OSError:
        return 0
