"""Finds the opening literals of all shapes in one pass over a block.

One automaton reads each byte once, however many literals there are. Searches with vector instructions read a block
faster, but each of them takes 64 literals at most, and there are more than a thousand.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ahocorasick_rs import BytesAhoCorasick

Hit = tuple[int, int, int]
"""The number of a literal in its group, where it starts and where it ends."""
_NONE: list[Hit] = []


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
        self._owners = [*owners.values()]
        self._automaton = _build_table((*owners,))

    def find(self, block: bytes) -> LiteralHits:
        """Where the literals stand in a block."""
        groups: dict[int, list[Hit]] = {}
        for literal, start, end in self._automaton.find_matches_as_indexes(block, overlapping=True):
            for group, index in self._owners[literal]:
                groups.setdefault(group, []).append((index, start, end))
        return LiteralHits(groups)


@lru_cache(maxsize=2)
def _build_table(literals: tuple[bytes, ...]) -> BytesAhoCorasick:
    """An automaton with one step for each byte; it takes a few milliseconds and megabytes."""
    from ahocorasick_rs import BytesAhoCorasick, Implementation, MatchKind

    return BytesAhoCorasick(literals, matchkind=MatchKind.Standard, implementation=Implementation.DFA)
