"""The nouns of this domain: a memory, what verifying it showed, and all memories of a folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ..head import DEFAULT_CONFIDENCE, Head

if TYPE_CHECKING:
    from ..document import Document


class Memory(Struct, gc=False):
    """One memory file. With an `error` it could not be read or parsed, and has no head."""

    key: str
    """Path from the repo root."""
    id: str
    document: Document | None = None
    data: bytes = b""
    """The file as it was read: what an update compares with before it writes."""
    head: Head | None = None
    """None for plain notes, which have no frontmatter."""
    error: str = ""

    @property
    def cited(self) -> bool:
        """Whether there is anything to verify."""
        return self.head is not None and bool(self.head.citations)

    @property
    def confidence(self) -> float:
        """The confidence the memory states, or the default."""
        stated = None if self.head is None else self.head.confidence
        return DEFAULT_CONFIDENCE if stated is None else stated


class Clash(Struct, frozen=True):
    """Several memories with one id."""

    id: str
    keys: tuple[str, ...]

    @property
    def message(self) -> str:
        """What a reader has to hear."""
        return f"id {self.id!r} is used by {' and '.join(self.keys)}; give each memory its own"


class Memories(Struct):
    """Every memory of a folder, sorted by id, then path."""

    folder: str
    all: tuple[Memory, ...]
    clashes: tuple[Clash, ...]

    @property
    def unparsable(self) -> list[Memory]:
        """Memories that could not be read or parsed."""
        return [memory for memory in self.all if memory.error]

    @property
    def cited(self) -> list[Memory]:
        """Memories with at least one citation."""
        return [memory for memory in self.all if memory.cited]

    @property
    def uncited(self) -> list[Memory]:
        """Memories that are fine and have nothing to verify."""
        return [memory for memory in self.all if not memory.error and not memory.cited]


class Stale(Struct, frozen=True):
    """A citation that does not hold, as the output shows it."""

    path: str
    line: int | None
    snippet: str | None
    mismatch_reason: str

    @property
    def target(self) -> str:
        """`path` or `path:line`."""
        return self.path if self.line is None else f"{self.path}:{self.line}"


class Result(Struct):
    """What verifying one memory showed."""

    memory_id: str
    key: str
    holds: tuple[bool, ...]
    """One per citation, in order."""
    confidence: float
    stale: tuple[Stale, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def valid(self) -> bool:
        """Whether every citation holds; true where there is none."""
        return not self.stale

    @property
    def total(self) -> int:
        """How many citations were verified."""
        return len(self.holds)

    @property
    def valid_count(self) -> int:
        """How many of them hold."""
        return sum(self.holds)
