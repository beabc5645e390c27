"""The readings of a stream: as it is, as a screen shows it, with escapes undone; each searched like the first.

A reading is made for every line of the stream. Where it is the same as the one it is made from, which is nearly always,
it is not searched again: the two then agree, as long as they remember the same about the lines before.
"""

from __future__ import annotations

from .encoded import find_encoded
from .next_line import NextLineReader
from .pem import PrivateKeys
from .rewrites import (
    ESCAPES,
    JOINED,
    OVERPRINTED,
    QUOTES,
    SCREEN,
    MaskingOutcome,
    RewriteRule,
    RewrittenLines,
    Span,
    find_unjoined,
)
from .search import SecretSearch
from .split_lines import Chains

_SPARSE = 400
"""Bytes to each edit on average, beyond which most lines are as they were and are not searched again."""


class StreamReading:
    """One reading: what it remembers from block to block, and the readings made from it."""

    def __init__(self, search: SecretSearch, parts: list[tuple[RewriteRule, StreamReading]]) -> None:
        self._search = search
        self._parts = parts
        self._chains = Chains(search)
        self._keys = PrivateKeys()
        self._following = NextLineReader()

    @property
    def memory(self) -> tuple[object, ...]:
        """What is remembered of the lines before."""
        return (*self._keys.memory, *self._following.memory, self._chains.before)

    def remember(self, memory: tuple[object, ...]) -> None:
        """Go back to what another reading, or this one, remembered."""
        self._keys.memory = memory[:3]  # type: ignore[assignment]
        self._following.memory = memory[3:8]  # type: ignore[assignment]
        self._chains.before = memory[8]  # type: ignore[assignment]

    def memories(self) -> list[tuple[object, ...]]:
        """What this reading and all made from it remember."""
        return [self.memory, *(memory for _, reading in self._parts for memory in reading.memories())]

    def restore(self, memories: list[tuple[object, ...]]) -> None:
        """Go back to what `memories` gave; takes from the list what it needs."""
        self.remember(memories.pop(0))
        for _, reading in self._parts:
            reading.restore(memories)

    def read(
        self, block: bytes, begin: int, out: MaskingOutcome, last: bool, near: RewrittenLines | None = None
    ) -> None:
        """Search whole lines from `begin` on; `last` where no more will come.

        Where `near` is given, the other lines read as they do elsewhere: what stands in them alone was found there.
        """
        before = self.memory
        found = self._search.find(block, near)
        spans = out.spans
        spans += found.spans
        if found.keys or self._keys.open:
            spans += [(*span, "private-key") for span in self._keys.spans(block, begin, sorted(found.keys))]
        if found.opened or self._following.open:
            spans += self._following.spans(block, begin, found.opened)
        self._chains.read(block, begin, found, out, last)
        spans += find_encoded(self._search, block, found.encoded)
        for rewriting, reading in self._parts:
            reading.read_part(rewriting, block, begin, out, last, before, self.memory)

    def read_piece(self, block: bytes, begin: int) -> list[Span]:
        """Private keys in a piece of a line that has no end yet; nothing that awaits whole lines goes on after it."""
        self._following.forget()
        keys = self._search.find(block).keys
        spans = self._keys.piece(block, begin, sorted(keys)) if keys or self._keys.open else []
        for _, reading in self._parts:
            reading.read_piece(b"", 0)
        return [(*span, "private-key") for span in spans]

    def read_part(
        self,
        rewriting: RewriteRule,
        block: bytes,
        begin: int,
        out: MaskingOutcome,
        last: bool,
        before: tuple[object, ...],
        after: tuple[object, ...],
    ) -> None:
        """Search what a rewriting makes of a block, whose own reading remembered this before and after it."""
        if rewriting is JOINED and not last:
            place = find_unjoined(block, begin)
            if place >= 0:
                out.open_at(place)
        made = rewriting.apply(block)
        if made is None and self.memory == before:
            self.remember(after)
            for inner_rewriting, reading in self._parts:
                reading.read_part(inner_rewriting, block, begin, out, last, before, after)
            return
        if made is None:
            self.read(block, begin, out, last)
            return
        inner = MaskingOutcome()
        # Before `begin` stands what was read already; an edit that crosses it counts with what follows.
        moved = 0
        if begin:
            moved = sum(len(written) - (end - start) for start, end, written in made.edits if end <= begin)
        is_sparse = made.number * _SPARSE < len(made.text) and self.memory == before
        self.read(made.text, begin + moved, inner, last, RewrittenLines(made.text, made.edits) if is_sparse else None)
        if inner.open >= 0:
            out.open_at(made.map_back([(inner.open, inner.open, "")])[0][0])
        out.spans += made.map_back(inner.spans)
        out.links += [(start, end) for start, end, _ in made.map_back([(*link, "") for link in inner.links])]


def make_readings(search: SecretSearch) -> StreamReading:
    """The stream as it is; on its screen; there with escapes undone, once and again; there with quotes taken out;
    there with lines joined that belong together."""
    twice = StreamReading(search, [])
    once = StreamReading(search, [(ESCAPES, twice)])
    quotes = StreamReading(search, [])
    joined = StreamReading(search, [])
    screen = StreamReading(search, [(ESCAPES, once), (QUOTES, quotes), (JOINED, joined)])
    printed = StreamReading(search, [(SCREEN, screen)])
    return StreamReading(search, [(OVERPRINTED, printed)])
