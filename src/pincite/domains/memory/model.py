"""The nouns of this domain: a memory, what verifying it showed, and all memories of a folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

# What reads a tree takes long to load, and most memories can do without.
if TYPE_CHECKING:
    from ...core.model import Citation
    from ...dialects.memory import Cited, PlainMemory
    from ...text.document import Document
    from ...text.memory_head import Link, MemoryHead


class Memory(Struct, gc=False):
    """One memory file. With an `error` it could not be read or parsed, and has no head."""

    key: str
    """Path from the repo root."""
    id: str
    _document: Document | None = None
    data: bytes = b""
    """The file as it was read: what an update compares with before it writes."""
    _head: MemoryHead | None = None
    error: str = ""
    outline: PlainMemory | None = None
    """What a memory in the documented form says; document and head are then made when they are asked for."""
    _citations: list[Citation] | None = None

    @property
    def document(self) -> Document | None:
        """The text; None where it could not be read."""
        if self._document is None and self.outline is not None:
            from ...text.document import Document
            from ...text.lines import decode

            self._document = Document(self.key, decode(self.data))
        return self._document

    @property
    def head(self) -> MemoryHead | None:
        """The frontmatter with the place of every value; None for plain notes, which have none."""
        if self._head is None and self.outline is not None and (document := self.document) is not None:
            from ...text.memory_head import read_head
            from ...text.yaml import load

            span = document.frontmatter
            if span is not None:
                self._head = read_head(load(document.text[span.start : span.end], span.start, 2))
        return self._head

    @property
    def places(self) -> list[Cited]:
        """Path, line and snippet of every citation."""
        if self.outline is not None:
            return self.outline.cited
        return [] if self._head is None else [(entry.path, entry.line, entry.snippet) for entry in self._head.citations]

    @property
    def citations(self) -> list[Citation]:
        """The same as citations of the document, for who needs their places."""
        if self._citations is None:
            from ...dialects.memory import citations_of

            document = self.document
            self._citations = [] if document is None else citations_of(document.text, self._head)
        return self._citations

    @property
    def cited(self) -> bool:
        """Whether there is anything to verify."""
        return self.outline is not None or (self._head is not None and bool(self._head.citations))

    @property
    def subject(self) -> str:
        """What the memory says it is about; empty where it does not."""
        said = self.outline or self._head
        return "" if said is None else said.subject

    @property
    def links(self) -> list[Link]:
        """Its links to other memories."""
        if self.outline is not None:
            from ...text.memory_head import Link

            return [Link(kind, target) for kind, target in self.outline.links]
        return [] if self._head is None else self._head.links

    @property
    def warnings(self) -> list[str]:
        """What was skipped when it was read; nothing in the documented form is."""
        return [] if self._head is None else self._head.warnings

    @property
    def confidence(self) -> float:
        """The confidence the memory states, or the default."""
        from ...text.memory_head import DEFAULT_CONFIDENCE

        said = self.outline or self._head
        return DEFAULT_CONFIDENCE if said is None or said.confidence is None else said.confidence


class IdClash(Struct, frozen=True):
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
    clashes: tuple[IdClash, ...]

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


class BrokenMemoryCitation(Struct, frozen=True):
    """A citation that does not hold, as the output shows it."""

    path: str
    line: int | None
    snippet: str | None
    mismatch_reason: str

    @property
    def target(self) -> str:
        """`path` or `path:line`."""
        return self.path if self.line is None else f"{self.path}:{self.line}"


class MemoryResult(Struct):
    """What verifying one memory showed."""

    memory_id: str
    key: str
    holds: tuple[bool, ...]
    """One per citation, in order."""
    confidence: float
    stale: tuple[BrokenMemoryCitation, ...] = ()
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
        return self.holds.count(True)
