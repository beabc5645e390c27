"""Links between memories: whether their targets exist, and which memories are superseded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from .model import Memories


class BrokenLink(Struct, frozen=True):
    """A link that leads nowhere."""

    memory_id: str
    kind: str
    target: str
    reason: str

    @property
    def message(self) -> str:
        """What a reader has to hear."""
        return f"{self.memory_id}: {self.kind} {self.target}: {self.reason}"


class Links(Struct):
    """What the links of all memories say together."""

    broken: tuple[BrokenLink, ...]
    obsolete: dict[str, tuple[str, ...]]
    """Superseded memory to the memories that supersede it."""


def check_links(memories: Memories) -> Links:
    """Every link followed: broken ones, and what `supersedes` makes obsolete."""
    known = {memory.id for memory in memories.all}
    broken: list[BrokenLink] = []
    obsolete: dict[str, list[str]] = {}
    for memory in memories.all:
        for link in memory.links:
            if link.target == memory.id:
                broken.append(BrokenLink(memory.id, link.kind, link.target, "links to itself"))
            elif link.target not in known:
                broken.append(BrokenLink(memory.id, link.kind, link.target, "no memory has this id"))
            elif link.kind == "supersedes":
                by = obsolete.setdefault(link.target, [])
                if memory.id not in by:
                    by.append(memory.id)
    return Links(tuple(broken), {name: tuple(by) for name, by in sorted(obsolete.items())})
