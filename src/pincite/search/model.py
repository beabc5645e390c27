"""The nouns of retrieval: what was found, what is cited of it, and what became of it since."""

from __future__ import annotations

from datetime import UTC, datetime
from enum import Enum
from uuid import UUID

from msgspec import Struct

from .passages.identity import chunk_identity as chunk_identity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import PathLike

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
CODE_POINTS, UTF16, UTF8 = "code-points", "utf-16", "utf-8"
"""In which unit offsets are counted: Python counts code points, .NET, JavaScript and editors UTF-16, others bytes."""


class CitationStyle(Enum):
    """How a citation is written."""

    INLINE = "inline"
    """`[document.md, §Heading]`"""
    FOOTNOTE = "footnote"
    """`[^1a2b3c4d]: /path/to/document.md:42`"""
    MARKDOWN = "markdown"
    """`[Title](file:///path/to/document.md#L42)`"""


class Chunk(Struct, frozen=True):
    """A stretch of a document as an index keeps it."""

    id: UUID
    start_offset: int
    end_offset: int
    content: str = ""
    """Its text; empty where the index does not keep it."""
    heading: str | None = None
    """The innermost heading above it."""
    headings: tuple[str, ...] = ()
    """All headings above it, the outermost first."""
    page: int | None = None
    """The page of a PDF, counted from 1."""
    unit: str = CODE_POINTS
    """What the offsets count: `code-points`, `utf-16` or `utf-8`."""


class SourceDocument(Struct, frozen=True):
    """A document as an index knows it."""

    file_path: str
    title: str | None = None
    indexed_at: datetime = EPOCH
    digest: str = ""
    """SHA-256 of the bytes that were indexed; empty where it is not known."""


class SearchHit(Struct, frozen=True):
    """A passage that was found, and where it stands."""

    chunk: Chunk
    document: SourceDocument
    score: float = 0.0
    """How well it fits; more is better, and only hits of one search compare."""

    @classmethod
    def of(
        cls,
        path: str | PathLike[str],
        start: int,
        end: int,
        content: str = "",
        *,
        title: str | None = None,
        heading: str | None = None,
        indexed_at: datetime | None = None,
        chunk_id: UUID | None = None,
        unit: str = CODE_POINTS,
        page: int | None = None,
        score: float = 0.0,
    ) -> SearchHit:
        """A hit from what any index knows; without an id it gets one that depends on path, place and content."""
        if chunk_id is not None and not isinstance(chunk_id, UUID):
            raise TypeError(f"chunk_id: expected a UUID, not {type(chunk_id).__name__}; leave it out to get one")
        where = str(path)
        identity = chunk_id or chunk_identity(where, f"{start}:{end}:{content}")
        chunk = Chunk(identity, start, end, content, heading, (heading,) if heading else (), page, unit)
        return cls(chunk, SourceDocument(where, title, indexed_at or datetime.now(UTC)), score)


class Citation(Struct, frozen=True, kw_only=True):
    """Where a passage stands, as it was when it was cited. Offsets are code points, half open; lines count from 1."""

    chunk_id: UUID
    document_path: str
    """Absolute where the hit's path was."""
    document_title: str
    """What the document calls itself; its file name where it does not."""
    start_offset: int
    end_offset: int
    heading: str | None = None
    line_number: int | None = None
    """The line on which the passage begins; None where the document could not be read or has no such offset."""
    indexed_at: datetime | None = EPOCH
    """When the document was last indexed, UTC; None or the epoch where that is not known."""
    relative_path: str | None = None
    """The path from the workspace's root; None where there is no root or the document lies outside it."""
    end_line: int | None = None
    page: int | None = None
    text: str = ""
    """The passage, word for word; what a later look is compared with."""
    document_digest: str = ""
    """SHA-256 of the document when it was cited or indexed; empty where it was not read."""

    @property
    def file_name(self) -> str:
        """The last part of the path."""
        return self.document_path.rpartition("/")[2]

    @property
    def has_heading(self) -> bool:
        """Whether there is a heading to name."""
        return bool(self.heading)

    @property
    def has_line_number(self) -> bool:
        """Whether there is a line to name."""
        return self.line_number is not None and self.line_number > 0


class Status(Enum):
    """What became of a cited passage."""

    VALID = "valid"
    STALE = "stale"
    MISSING = "missing"
    ERROR = "error"


class Validation(Struct, frozen=True, kw_only=True):
    """The answer to whether a citation still stands."""

    citation: Citation
    status: Status
    reason: str = ""
    """Why, in words for people; empty where the passage stands as it was cited."""
    diff: str = ""
    """Where it is stale: the passage then and now, as a unified diff."""
    now: Citation | None = None
    """Where it is known where the passage stands now: the citation to use instead."""

    @property
    def ok(self) -> bool:
        """Whether the passage stands as it was cited."""
        return self.status is Status.VALID


class CitationCreated(Struct, frozen=True):
    """A citation was created."""

    citation: Citation
    timestamp: datetime


class CitationStale(Struct, frozen=True):
    """A cited passage is no longer what it was."""

    validation: Validation
    timestamp: datetime


class CitationMissing(Struct, frozen=True):
    """A cited document is no longer where it was."""

    validation: Validation
    timestamp: datetime


Event = CitationCreated | CitationStale | CitationMissing
