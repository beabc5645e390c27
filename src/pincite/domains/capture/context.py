"""What is known about a piece of captured output: which command printed it, when, and what stood before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ...store.captures import CapturedRun
from ...store.database import StoreTrouble
from ...text.terminal.screen import screen_lines
from .view import ChunkLines

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...store.bundle import BundleText, Occurrence
    from ...store.captures import Captures, OutputChunk

_MOST = 20


class Printing(Struct, frozen=True):
    """One time a text was printed."""

    run: CapturedRun
    """Its number is 0 where a bundle tells of it."""
    chunk: int
    """Which chunk of the run it was, counted from 1."""


class Context(Struct, frozen=True):
    """Where a text comes from."""

    id: str
    """What to cite it by."""
    printings: list[Printing]
    """The times it was printed, the one that is meant first; a bounded number of them."""
    count: int
    """How often it was printed."""
    chunks: int = 0
    """How many chunks the first of these runs has."""
    earlier: tuple[OutputChunk, ...] = ()
    """The chunks of that run before it without a gap, the nearest first."""
    later: tuple[OutputChunk, ...] = ()
    """Those after it."""


def build_store_context(captures: Captures, digest: str, given: str = "") -> Context:
    """What the store knows; where the text is known by an id another tool gave it, that occurrence is the one meant."""
    where = captures.occurrences(digest)
    if given:
        where.sort(key=lambda chunk: not chunk.given.startswith(given))
    runs: dict[int, CapturedRun | None] = {}
    printings = []
    for chunk in where[:_MOST]:
        if chunk.run not in runs:
            runs[chunk.run] = captures.run(chunk.run)
        run = runs[chunk.run]
        if run is not None:
            printings.append(Printing(run, chunk.sequence + 1))
    name = given or captures.short(digest)
    if not printings:
        return Context(name, [], len(where))
    number, sequence = printings[0].run.id, printings[0].chunk - 1
    chunks = captures.chunks(number, sequence - _MOST, sequence + _MOST)
    return Context(
        name,
        printings,
        len(where),
        captures.length(number),
        _take_adjoining((chunk for chunk in reversed(chunks) if chunk.sequence < sequence), sequence, -1),
        _take_adjoining((chunk for chunk in chunks if chunk.sequence > sequence), sequence, 1),
    )


def _take_adjoining(chunks: Iterable[OutputChunk], sequence: int, step: int) -> tuple[OutputChunk, ...]:
    """The chunks as far as none is missing between them."""
    found: list[OutputChunk] = []
    for chunk in chunks:
        sequence += step
        if chunk.sequence != sequence or len(found) == _MOST:
            break
        found.append(chunk)
    return tuple(found)


def build_bundle_context(item: BundleText) -> Context:
    """What a bundle tells about a text."""
    printings = [Printing(_make_run(occurrence), occurrence.chunk) for occurrence in item.occurrences[:_MOST]]
    chunks = item.occurrences[0].chunks if item.occurrences else 0
    return Context(item.id or item.digest[:6], printings, len(item.occurrences), chunks)


def _make_run(told: Occurrence) -> CapturedRun:
    from datetime import datetime

    try:
        started = datetime.fromisoformat(told.started).timestamp()
    except (ValueError, OverflowError, OSError):
        started = float("nan")
    ending = (told.seconds, told.exit_code, told.signal)
    return CapturedRun(
        *(0, told.origin, told.command, told.folder, started, *ending, told.revision, told.dirty, "", "ended")
    )


def lines_before(captures: Captures, context: Context, most: int) -> list[ChunkLines]:
    """The last lines before a chunk, from as many chunks as it takes; those that cannot be read end it."""
    return [*_read(captures, context.earlier, most, last=True)][::-1]


def lines_after(captures: Captures, context: Context, most: int) -> list[ChunkLines]:
    """The first lines after a chunk, likewise."""
    return [*_read(captures, context.later, most, last=False)]


def _read(captures: Captures, chunks: tuple[OutputChunk, ...], most: int, last: bool) -> Iterable[ChunkLines]:
    for chunk in chunks:
        try:
            lines = screen_lines(captures.text(chunk.digest)) if most > 0 else []
        except StoreTrouble:
            return
        if lines:
            first = max(0, len(lines) - most) if last else 0
            yield ChunkLines(chunk.digest, first + 1, lines[first : first + most])
            most -= len(lines)


def format_utc(seconds: float, precision: str) -> str:
    """A time as ISO 8601 in UTC; empty for one that no calendar has."""
    from datetime import UTC, datetime

    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat(timespec=precision).replace("+00:00", "Z")
    except (ValueError, OverflowError, OSError):
        return ""


def run_fields(run: CapturedRun) -> dict[str, Any]:
    """A run as programs read it."""
    return {
        "run": run.id or None,
        "origin": run.origin,
        "command": list(run.command),
        "folder": run.folder,
        "started": format_utc(run.started, "milliseconds") or None,
        "seconds": round(run.duration, 3) if run.duration is not None and 0 <= run.duration < 1e9 else None,
        "exit_code": run.code,
        "signal": run.signal or None,
        "revision": run.revision or None,
        "dirty": run.dirty,
        "state": run.state,
    }
