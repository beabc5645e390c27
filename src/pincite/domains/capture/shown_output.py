"""Captured output as `pincite show` prints it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...core.limits import LIMITS
from ...safe.escape import escape_text
from ...store.captures import Captures
from ...store.database import StoreTrouble
from ...text.terminal.colors import paint
from ...text.terminal.screen import screen_lines
from . import context as contexts
from .view import command_line, describe_ending, format_time, list_facts

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Self

    from ...core.model import Citation
    from ...safe.files import Root
    from ...sources import World
    from ...sources._captured_output import Copy
    from ...store.captures import OutputChunk
    from ...text.evidence import CaptureRecord, Evidence
    from .view import ChunkLines

MOST = 400
"""Lines of a whole chunk on a terminal."""


class CapturedView:
    """A piece of captured output with everything that is known about it."""

    def __init__(self, world: World, cited: Citation, evidence: Evidence, record: CaptureRecord) -> None:
        self.cited = cited
        self.evidence = evidence
        self.record = record
        self._captures = _store(world.root)
        self.context = self._context(world)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._captures is not None:
            self._captures.close()

    def _context(self, world: World) -> contexts.Context:
        digest, given = self.evidence.digest, self.record.given
        if self._captures is not None and not self.record.place:
            return contexts.build_store_context(self._captures, digest, given)
        for copy in (copy for copies in texts(world, self.cited.source.key) for copy in copies):
            if copy.digest == digest and copy.item is not None:
                return contexts.build_bundle_context(copy.item)
        return contexts.Context(given or digest[:6], [], 0)

    def text(self, before: int | None, after: int | None, color: bool, most: int | None) -> Iterator[str]:
        """Rows for people: what is known, the lines with their neighbours, and where to go on.

        `most` bounds a chunk shown whole, and with it the length of a row.
        """
        lines, cited = self.evidence.lines, self.cited.lines
        which = f"{len(lines)} line{'s' * (len(lines) != 1)}"
        if cited is not None:
            which = f"line{'s' * (cited.first != cited.last)} {cited.text} of {len(lines)}"
        title = f"{escape_text(self.context.id)}, {which}, sha256 {self.evidence.digest[:12]}"
        yield paint(title, "1", color)
        yield from (f"  {name:9} {value}" for name, value in self.facts() if value)
        first, last = (max(1, cited.first), min(cited.last, len(lines))) if cited else (1, len(lines))
        before, after = (3 if number is None and cited else number or 0 for number in (before, after))
        start, stop = max(1, first - before), min(len(lines), last + after)
        shorter = cited is None and most is not None and len(lines) > most
        if shorter and most is not None:
            stop = most
        parts: tuple[list[ChunkLines], list[ChunkLines]] = ([], [])
        if self._captures is not None:
            above, below = before - (first - start), 0 if shorter else after - max(0, stop - last)
            before_parts = contexts.lines_before(self._captures, self.context, above)
            parts = before_parts, contexts.lines_after(self._captures, self.context, below)
        numbers = [stop, *(part.first + len(part.lines) - 1 for half in parts for part in half)]
        width, limit = len(str(max(numbers))), LIMITS.shown_chars if most is not None else None
        yield ""
        for part in parts[0]:
            yield from self._part(part, width, color, limit)
        if parts[0]:
            yield paint(f"── {self.context.id}", "2", color)
        for number in range(start, stop + 1):
            marked = cited is not None and first <= number <= last
            row = f"{'>' if marked else ' '} {number:{width}} │ {escape_text(lines[number - 1].expandtabs(), limit)}"
            yield row if marked or cited is None else paint(row, "2", color)
        for part in parts[1]:
            yield from self._part(part, width, color, limit)
        if shorter:
            rest = f"{self.context.id}:{stop + 1}-{len(lines)}"
            yield f"{len(lines) - stop} more lines: pincite show {rest}, or pipe it through a pager"
        near = (("previous", self._id(self.context.earlier)), ("next", self._id(self.context.later)))
        if words := [f"{name} {own}" for name, own in near if own]:
            yield ""
            yield ", ".join(words)

    def facts(self) -> Iterator[tuple[str, str]]:
        """Names and values, empty where nothing is known."""
        record, context = self.record, self.context
        if context.printings:
            printing = context.printings[0]
            run = printing.run
            which = f"{run.id}, " if run.id else ""
            yield "run", f"{which}chunk {printing.chunk} of {context.chunks}"
            yield from list_facts(run)
        secrets = f"{record.masked} secret{'s' * (record.masked != 1)} hidden before it was stored"
        yield "masked", secrets if record.masked else ""
        own = self._captures.short(self.evidence.digest) if self._captures else self.evidence.digest[:12]
        yield "id", f"given by another tool; the text's own is {own}" if record.given else ""
        yield "source", escape_text(record.place)
        if context.count > 1:
            others = [*dict.fromkeys(str(item.run.id) for item in context.printings[1:] if item.run.id)]
            listed_runs = ", ".join(others[:5]) + (", …" if len(others) > 5 else "")
            runs = f" (run{'s' * (len(others) > 1)} {listed_runs})" if others else ""
            yield "again", f"{context.count - 1} more time{'s' * (context.count > 2)}{runs}"

    def _part(self, part: ChunkLines, width: int, color: bool, limit: int | None) -> Iterator[str]:
        yield paint(f"── {self._short(part.digest)}", "2", color)
        for number, line in enumerate(part.lines, part.first):
            yield paint(f"  {number:{width}} │ {escape_text(line.expandtabs(), limit)}", "2", color)

    def _short(self, digest: str) -> str:
        return escape_text(self._captures.short(digest) if self._captures is not None else digest[:6])

    def fields(self) -> dict[str, Any]:
        """Everything for programs."""
        context, record = self.context, self.record
        return {
            "id": context.id,
            "given": record.given or None,
            "masked": record.masked,
            "place": record.place or None,
            "chunks": context.chunks,
            "previous": self._id(context.earlier),
            "next": self._id(context.later),
            "printed": context.count,
            "occurrences": [{**contexts.run_fields(item.run), "chunk": item.chunk} for item in context.printings],
        }

    def _id(self, chunks: tuple[OutputChunk, ...]) -> str | None:
        return self._short(chunks[0].digest) if chunks else None


def texts(world: World, key: str) -> list[list[Copy]]:
    """The texts an id may mean, each with its copies."""
    return world.captured.find(key) if world.captured is not None else []


def list_candidates(world: World, key: str) -> Iterator[tuple[str, str, str]]:
    """Of each text that an id may mean: an id of its own, the run it comes from, and its first line."""
    captures = _store(world.root)
    found = sorted(texts(world, key), key=lambda copies: copies[0].digest)
    try:
        for copies in found:
            digest = copies[0].digest
            others = [name for other in found if other is not copies for name in (other[0].digest, other[0].given)]
            own = _shorten_digest(digest, others)
            if captures is not None:
                own = max(own, captures.short(digest), key=len)
            yield escape_text(own), _origin(captures, copies[0]), _first_line(world, copies)
    finally:
        if captures is not None:
            captures.close()


def _shorten_digest(digest: str, others: list[str]) -> str:
    """The shortest start of a digest, of six digits or more, that none of the others has."""
    length = 6
    while length < len(digest) and any(other.startswith(digest[:length]) for other in others):
        length += 1
    return digest[:length]


def _origin(captures: Captures | None, copy: Copy) -> str:
    if copy.item is not None:
        context = contexts.build_bundle_context(copy.item)
    elif captures is not None and not copy.place:
        context = contexts.build_store_context(captures, copy.digest)
    else:
        return escape_text(copy.place)
    if not context.printings:
        return escape_text(copy.place)
    run = context.printings[0].run
    words = (format_time(run.started), describe_ending(run), escape_text(copy.place))
    return f"{command_line(run)} ({', '.join(word for word in words if word)})"


def _first_line(world: World, copies: list[Copy]) -> str:
    try:
        data = world.captured.data(copies)[0] if world.captured is not None else b""
    except StoreTrouble as error:
        return escape_text(str(error))
    return escape_text(next((line for line in screen_lines(data) if line.strip()), "").expandtabs(), 100)


def _store(root: Root) -> Captures | None:
    try:
        return Captures.open(root)
    except StoreTrouble:
        # What could be found without it is shown all the same.
        return None
