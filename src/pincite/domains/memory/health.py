"""The health of all memories: what holds, what is stale, what was never checked, and what leads nowhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from .graph import BrokenLink, build_graph, find_broken_links, find_obsolete
from .model import Memories, MemoryResult

if TYPE_CHECKING:
    from .verify import Verifier


class Health(Struct):
    """Everything there is to know about a folder of memories."""

    memories: Memories
    results: list[MemoryResult]
    """Of those that cite."""
    broken_links: list[BrokenLink]
    obsolete: dict[str, tuple[str, ...]]
    cycles: tuple[tuple[str, ...], ...]

    @property
    def stale(self) -> list[MemoryResult]:
        """Those of which not every citation holds."""
        return [result for result in self.results if not result.valid]

    @property
    def citations(self) -> int:
        """How many citations were verified."""
        return sum(result.total for result in self.results)

    @property
    def holding(self) -> int:
        """How many of them hold."""
        return sum(result.valid_count for result in self.results)

    @property
    def exit_code(self) -> int:
        """2 something cannot be parsed or distinguished, 1 something is stale or leads nowhere, else 0."""
        if self.memories.unparsable or self.memories.clashes:
            return 2
        return int(bool(self.stale or self.broken_links or self.cycles))


def examine(memories: Memories, verifier: Verifier) -> Health:
    """Verify every memory that cites and follow every link."""
    results = verifier.verify_all(memories.cited)
    return Health(memories, results, find_broken_links(memories), find_obsolete(memories), build_graph(memories).cycles)
