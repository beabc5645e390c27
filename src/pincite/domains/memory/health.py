"""The health of all memories: what holds, what is stale, what was never checked, and what leads nowhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from .graph import build_graph
from .links import BrokenLink, check_links
from .model import Clash, Memory, MemoryResult

if TYPE_CHECKING:
    from .model import Memories
    from .verify import Verifier


class Health(Struct):
    """Everything there is to know about a folder of memories."""

    memories: int
    valid: tuple[MemoryResult, ...]
    stale: tuple[MemoryResult, ...]
    uncited: tuple[Memory, ...]
    unparsable: tuple[Memory, ...]
    clashes: tuple[Clash, ...]
    broken_links: tuple[BrokenLink, ...]
    obsolete: dict[str, tuple[str, ...]]
    cycles: tuple[tuple[str, ...], ...]

    @property
    def citations(self) -> int:
        """How many citations were verified."""
        return sum(result.total for result in (*self.valid, *self.stale))

    @property
    def holding(self) -> int:
        """How many of them hold."""
        return sum(result.valid_count for result in (*self.valid, *self.stale))

    @property
    def exit_code(self) -> int:
        """2 something cannot be parsed or distinguished, 1 something is stale or leads nowhere, else 0."""
        if self.unparsable or self.clashes:
            return 2
        return int(bool(self.stale or self.broken_links or self.cycles))


def examine(memories: Memories, verifier: Verifier) -> Health:
    """Verify every memory that cites and follow every link."""
    results = verifier.verify_all(memories.cited)
    links = check_links(memories)
    return Health(
        memories=len(memories.all),
        valid=tuple(result for result in results if result.valid),
        stale=tuple(result for result in results if not result.valid),
        uncited=tuple(memories.uncited),
        unparsable=tuple(memories.unparsable),
        clashes=memories.clashes,
        broken_links=links.broken,
        obsolete=links.obsolete,
        cycles=build_graph(memories).cycles,
    )
