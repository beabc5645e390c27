"""Evidence: the bytes that were seen, with their digest and the time they were seen."""

from __future__ import annotations

from time import time

from msgspec import Struct

from ..core.model import Citation, Lines, SourceRef
from .lines import decode, split_lines
from .snippets import has_snippet

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class CaptureRecord(Struct, frozen=True, gc=False):
    """How captured output came to be at hand."""

    given: str = ""
    """The id another tool gave it, where it was cited by that; it says nothing about the text."""
    masked: int = 0
    """How many secrets were hidden in it before it was stored."""
    place: str = ""
    """The bundle or document it was read from; empty for this machine's own store."""
    code: int | None = None
    """The exit code of the command, where all runs that printed it failed; None where one did not, or it is unknown."""


class Evidence:
    """One source as it was read. Lines are split once, however many citations point at them."""

    __slots__ = ("_digest", "blob", "data", "headings", "lines", "passages", "record", "retrieved", "source")

    def __init__(self, source: SourceRef, data: bytes, lines: list[str] | None = None) -> None:
        self.source = source
        self.data = data
        self.retrieved = time()
        """Seconds since the epoch, UTC."""
        self._digest = ""
        self.blob = ""
        """The id git gives to the bytes, once computed."""
        self.record: CaptureRecord | None = None
        """Set for captured output."""
        self.headings: Any = None
        """What its headings are, once needed; kept by the caller."""
        self.passages: Any = None
        """What its passages are called and where they begin, likewise."""
        self.lines = split_lines(decode(data)) if lines is None else lines
        """All lines, without their ends."""

    @property
    def digest(self) -> str:
        """SHA-256 of the bytes, in full."""
        if not self._digest:
            from hashlib import sha256

            self._digest = sha256(self.data).hexdigest()
        return self._digest

    def shows(self, citation: Citation) -> bool:
        """Whether the cited lines exist and carry what is cited: the quoted words, or anything but white space."""
        cited = citation.lines
        lines = self.lines
        if cited is None or not 0 < cited.first <= cited.last <= len(lines):
            return False
        line = lines[cited.first - 1]
        if citation.quote is not None:
            words = citation.quote.exact
            return has_snippet(words, line) and bool(words.strip())
        return bool(line and not line.isspace()) or any(
            line and not line.isspace() for line in lines[cited.first : cited.last]
        )

    def block(self, lines: Lines) -> list[str]:
        """The cited lines, as far as they exist."""
        return self.lines[max(lines.first, 1) - 1 : lines.last]


class SymbolEvidence(Evidence):
    """A file with the definition in it that is cited by name."""

    __slots__ = ("cited", "name")

    def __init__(self, file: Evidence, name: str, cited: Lines) -> None:
        super().__init__(file.source, file.data, file.lines)
        self.retrieved = file.retrieved
        self._digest = file.digest
        self.name = name
        """What it is called from the top of its file."""
        self.cited = cited
        """Its lines, from its first decorator to its end."""
