"""Finds the opening literals of all shapes in one pass over a block.

One automaton reads each byte once, however many literals there are. Its searches with vector instructions read a block
faster, but each of them takes 64 literals at most, and there are more than a thousand. Hyperscan takes them all; where
it is installed (`pip install 'pincite[fast]'`), it reads what follows after the first megabytes. Both find the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ahocorasick_rs import BytesAhoCorasick

Hit = tuple[int, int, int]
"""The number of a literal in its group, where it starts and where it ends."""
_NONE: list[Hit] = []
_Scan = Callable[[bytes], list[Hit] | None]
"""A search of a block; it gives None where it could not be done."""
_PAYS = 16 << 20
"""Bytes after which the 30 ms are well spent that it takes to load and prepare Hyperscan."""


class LiteralHits:
    """Where the literals of each group stand in a block, all of them, also those that overlap."""

    def __init__(self, groups: dict[int, list[Hit]]) -> None:
        self._groups = groups

    def all_of(self, group: int) -> list[Hit]:
        """Every place of a literal of the group, in no order."""
        return self._groups.get(group, _NONE)

    def apart(self, group: int) -> list[Hit]:
        """The places in order, without those that overlap one before; of two that start together the first literal."""
        hits = self._groups.get(group, _NONE)
        if len(hits) < 2:
            return hits
        chosen: list[Hit] = []
        done = 0
        for start, index, end in sorted((start, index, end) for index, start, end in hits):
            if start >= done:
                chosen.append((index, start, end))
                done = end
        return chosen


class LiteralSearch:
    """Groups of literals; a literal may be in several."""

    def __init__(self, groups: Sequence[Sequence[bytes]]) -> None:
        owners: dict[bytes, list[tuple[int, int]]] = {}
        for group, literals in enumerate(groups):
            for index, literal in enumerate(literals):
                owners.setdefault(literal, []).append((group, index))
        self._literals = (*owners,)
        self._owners = [*owners.values()]
        self._automaton = _build_table(self._literals)
        self._scan: _Scan | None = None
        self._before = _PAYS
        """Bytes to be searched before another way is tried."""

    def find(self, block: bytes) -> LiteralHits:
        """Where the literals stand in a block."""
        groups: dict[int, list[Hit]] = {}
        for literal, start, end in self._find_all(block):
            for group, index in self._owners[literal]:
                groups.setdefault(group, []).append((index, start, end))
        return LiteralHits(groups)

    def _find_all(self, block: bytes) -> list[Hit]:
        if self._before > 0:
            self._before -= len(block)
            if self._before <= 0:
                self._scan = _prepare_hyperscan(self._literals)
        hits = self._scan(block) if self._scan is not None else None
        if hits is not None:
            return hits
        return self._automaton.find_matches_as_indexes(block, overlapping=True)


@lru_cache(maxsize=2)
def _build_table(literals: tuple[bytes, ...]) -> BytesAhoCorasick:
    """An automaton with one step for each byte; it takes a few milliseconds and megabytes."""
    from ahocorasick_rs import BytesAhoCorasick, Implementation, MatchKind

    return BytesAhoCorasick(literals, matchkind=MatchKind.Standard, implementation=Implementation.DFA)


def _prepare_hyperscan(literals: Sequence[bytes]) -> _Scan | None:
    """A search that finds the same as the automaton in a fourth of the time; None where the library is not there, or
    not for this processor. It serves one thread."""
    try:
        import hyperscan
    except ImportError:
        return None
    numbers = [*range(len(literals))]
    try:
        database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
        database.compile(
            expressions=literals, ids=numbers, elements=len(numbers), flags=[0] * len(numbers), literal=True
        )
    except hyperscan.error:
        return None
    lengths = [*map(len, literals)]

    def scan(block: bytes) -> list[Hit] | None:
        hits: list[Hit] = []

        def add(literal: int, _start: int, end: int, _flags: int, _context: object) -> None:
            hits.append((literal, end - lengths[literal], end))

        try:
            database.scan(block, match_event_handler=add)
        except hyperscan.error:
            return None
        return hits

    return scan
