"""Keeping the store small: what is old goes, and what a document cites stays, however old it is."""

from __future__ import annotations

from time import time
from typing import TYPE_CHECKING

from msgspec import Struct

from ...text.lines import format_count

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...project.config import CaptureSettings
    from ...store.captures import CapturedRun, OutputChunk
    from ...store.maintenance import Upkeep

_DAY = 86_400.0


class DroppedRun(Struct, frozen=True):
    """A run that goes, or some of its chunks."""

    run: CapturedRun
    why: str
    chunks: tuple[OutputChunk, ...]
    """The chunks that go."""
    kept: tuple[tuple[OutputChunk, str], ...]
    """Those of its chunks that stay, each with the place that cites it."""


class Cleaning(Struct):
    """What is to go, and what that leaves."""

    dropped: list[DroppedRun]
    runs: int = 0
    """How many runs stay."""
    cited: int = 0
    """How many texts are cited."""
    before: int = 0
    """Bytes on disk before."""
    freed: int = 0
    """Bytes of texts that nothing refers to any more."""


def cited_texts(captures: Upkeep, ids: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The texts that ids may mean, all of them where an id is ambiguous, with a place that cites each."""
    names: dict[str, set[str]] = {}
    for digest, given in captures.digests():
        for name in (digest, *filter(None, (given or "").split(","))):
            names.setdefault(name[:6], set()).add(f"{name} {digest}")
    found: dict[str, str] = {}
    for prefix, place in ids:
        for pair in names.get(prefix[:6], ()):
            name, _, digest = pair.partition(" ")
            if name.startswith(prefix):
                found.setdefault(digest, place)
    return found


def plan(captures: Upkeep, cited: dict[str, str], settings: CaptureSettings, now: float | None = None) -> Cleaning:
    """What to drop: runs older than `keep-days`, then the oldest until no more than `keep-megabytes` is left."""
    cleaning = Cleaning([], cited=len(cited), before=captures.size())
    limit = settings.keep_megabytes * 1_000_000
    oldest = (time() if now is None else now) - settings.keep_days * _DAY
    runs = captures.runs()[::-1]
    chunks = {run.id: captures.chunks(run.id) for run in runs}
    uses: dict[str, int] = {}
    for listed in chunks.values():
        for chunk in listed:
            uses[chunk.digest] = uses.get(chunk.digest, 0) + 1
    # The others by number, which is the order they began in, whatever a clock said meanwhile.
    for run in sorted((run for run in runs if run.state != "running"), key=lambda run: run.started >= oldest):
        aged = run.started < oldest
        if not aged and cleaning.before - cleaning.freed <= limit:
            break
        why = (
            f"older than {format_count(settings.keep_days, 'day')}"
            if aged
            else f"the store is larger than {format_count(settings.keep_megabytes, 'megabyte')}"
        )
        kept = tuple((chunk, cited[chunk.digest]) for chunk in chunks[run.id] if chunk.digest in cited)
        gone = tuple(chunk for chunk in chunks[run.id] if chunk.digest not in cited)
        if kept and not gone:
            continue
        cleaning.dropped.append(DroppedRun(run, why, gone, kept))
        for chunk in gone:
            uses[chunk.digest] -= 1
            cleaning.freed += chunk.length if not uses[chunk.digest] else 0
    cleaning.runs = len(runs) - sum(not one.kept for one in cleaning.dropped)
    return cleaning


def carry_out(captures: Upkeep, cleaning: Cleaning) -> int:
    """Drop what was planned; how many bytes the disk got back."""
    whole = [one.run.id for one in cleaning.dropped if not one.kept]
    some = [(chunk.run, chunk.sequence) for one in cleaning.dropped if one.kept for chunk in one.chunks]
    captures.forget(some, whole)
    return captures.sweep()
