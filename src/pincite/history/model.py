"""What can be said about cited text that may have moved."""

from enum import Enum

from msgspec import Struct

from ..core.model import Lines, Place

WORKTREE = "worktree"
"""In place of the commit that wrote a line: it is not committed, so its author saw the work tree."""
UNKNOWN = "unknown"
"""The same: history cannot tell, for example because the clone is shallow."""


class TraceResult(Enum):
    """What became of cited text."""

    SAME = "same"
    """It stands where it stood, word for word."""
    MOVED = "moved"
    """It stands elsewhere, word for word."""
    CHANGED = "changed"
    """It was edited; the place says where it stands now, maybe where it stood."""
    GONE = "gone"
    """It is not there any more."""
    AMBIGUOUS = "ambiguous"
    """It is unknown, or several places are as likely."""


class CitedPassage(Struct, frozen=True):
    """Cited lines as they were seen, with what stood around them."""

    lines: Lines
    """Where they stood."""
    text: tuple[str, ...]
    before: tuple[str, ...] = ()
    """Up to three lines above, in order."""
    after: tuple[str, ...] = ()
    """Up to three lines below."""
    path: str = ""
    columns: tuple[int, int] | None = None
    """The part of the text that counts: offset of its first character in the first line, and after its last one in the
    last line."""


class FollowedText(Struct, frozen=True):
    """What became of cited text, and why that is believed."""

    became: TraceResult
    place: Place | None = None
    """Where it stands now; None where it is gone or unknown. An empty path is the file that was asked
    about."""
    candidates: tuple[Place, ...] = ()
    """Where it may stand, if it is ambiguous."""
    why: str = ""
    """One clause for people: `the only place with this text`."""
    columns: tuple[int, int] | None = None
    """Where the part that was cited stands in its first and last line, if a part was."""

    @property
    def lines(self) -> Lines | None:
        """The lines at the place."""
        return self.place.lines if self.place is not None else None
