"""What is said about a capture when it is over: citations, ready to be put after the sentence they prove."""

from __future__ import annotations

import re
import sys
from shlex import quote
from typing import TYPE_CHECKING

import click

from ...core.errors import PinciteError, UsageError
from ...domains.capture.view import count_lines, find_matches, format_citation, last_lines
from ...safe.escape import escape_text
from ...store.captures import Captures
from ...text.lines import format_count
from .kit import complain

if TYPE_CHECKING:
    from ...domains.capture.recorder import Recording
    from ...safe.files import Root
    from ...store.captures import OutputChunk

_MOST = 3
_MOST_MATCHES = 20


def report_run(root: Root, recorded: Recording, pattern: re.Pattern[str] | None, quiet: bool) -> str:
    """Print the citations of a run on standard error; why it is not complete, if it is not."""
    if quiet or not recorded.run:
        return recorded.trouble
    try:
        captures = Captures.open(root)
        if captures is not None:
            with captures:
                lines = _lines(captures, recorded, pattern)
                click.echo("\n" * _is_inside_line(captures, recorded.run) + "\n".join(lines), err=True)
    except PinciteError as error:
        complain(f"run {recorded.run} is kept; no citation of it can be made ({error})")
    return recorded.trouble


def _lines(captures: Captures, recorded: Recording, pattern: re.Pattern[str] | None) -> list[str]:
    chunks = captures.chunks(recorded.run)
    if not chunks:
        return [f"pincite: run {recorded.run} printed nothing; there is nothing to cite"]
    rows: list[str] = []
    nothing = "it left nothing on the screen to cite"
    if pattern is not None:
        rows, nothing = _cite_matches(captures, chunks, pattern)
    else:
        last = last_lines(captures, recorded.run)
        final = "" if last is None else format_citation(captures, last.digest, last.first, last.last)
        wholes = _cite_chunks(captures, chunks)
        if final and not any(row.startswith(f"  {final} ") for row in wholes):
            rows.append(f"  {final}  the last lines")
        rows += wholes
    hidden = f", {format_count(recorded.masked, 'secret')} masked" if recorded.masked else ""
    kept = f"pincite: run {recorded.run} is kept in {format_count(len(chunks), 'chunk')}{hidden}"
    if rows:
        return [f"{kept}; cite it as", *rows]
    return [f"{kept}; {nothing}"]


def _is_inside_line(captures: Captures, run: int) -> bool:
    """Whether a terminal's cursor stands behind what the command printed, and what we say would be glued to it."""
    chunks = captures.chunks(run)
    return bool(
        chunks and sys.stdout.isatty() and sys.stderr.isatty() and not captures.text(chunks[-1].digest).endswith(b"\n")
    )


def _cite_chunks(captures: Captures, chunks: list[OutputChunk]) -> list[str]:
    """A citation of each of the first few chunks as a whole."""
    rows = []
    for number, chunk in enumerate(chunks[:_MOST], 1):
        lines = count_lines(captures.text(chunk.digest))
        if lines:
            which = "everything" if len(chunks) == 1 else f"chunk {number} of {len(chunks)}"
            hidden = f" ({format_count(chunk.masked, 'secret')} masked)" if chunk.masked else ""
            rows.append(f"  {format_citation(captures, chunk.digest, 1, lines)}  {which}{hidden}")
    if len(chunks) > _MOST:
        rows.append(f"  and {len(chunks) - _MOST} more: pincite log {chunks[0].run}")
    return rows


def _cite_matches(captures: Captures, chunks: list[OutputChunk], pattern: re.Pattern[str]) -> tuple[list[str], str]:
    """A citation of each match, and what to say where there is none."""
    rows: list[str] = []
    try:
        for match in find_matches(captures, chunks, pattern):
            if len(rows) == _MOST_MATCHES:
                rows.append(f"  and more: pincite grep {escape_text(quote(pattern.pattern))}")
                break
            line = escape_text(match.lines[0].expandtabs(), 100)
            rows.append(f"  {format_citation(captures, match.digest, match.first, match.last)}  {line}")
    except UsageError as error:
        return rows, str(error)
    return rows, "no line matches the pattern"
