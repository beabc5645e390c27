"""What locking makes of citations, and why."""

from msgspec import Struct


class LockedCitation(Struct, frozen=True):
    """One citation, and what locking makes of it."""

    id: str
    document: str
    cites: str
    line: int = 0
    """Where it stands in its document; 0 where it stands there no more."""
    reason: str = ""
    diff: tuple[str, ...] = ()
    """What was locked and what stands there now."""


class Plan(Struct):
    """What the lock becomes, and why."""

    old: bytes | None
    """The lock as it was read; None where there is none."""
    new: bytes = b""
    kept: int = 0
    """Entries that stay as they are."""
    added: list[LockedCitation] = []
    accepted: list[LockedCitation] = []
    """Evidence changed, and the user says to have read it again."""
    carried: list[LockedCitation] = []
    """Entries of a document that has another name now."""
    dropped: list[LockedCitation] = []
    """Entries whose citation is gone."""
    changed: list[LockedCitation] = []
    """Refused: the evidence is not what it was."""
    moved: list[LockedCitation] = []
    """Refused: the evidence stands elsewhere, and the citation can follow it."""
    broken: list[LockedCitation] = []
    """Refused: there is an entry, and nothing at the cited place now."""
    skipped: list[LockedCitation] = []
    """Citations that do not hold, so that there is nothing to lock."""

    @property
    def refused(self) -> int:
        """How many entries wait for a reader."""
        return len(self.changed) + len(self.moved) + len(self.broken)

    @property
    def is_current(self) -> bool:
        """Whether the lock says what is so."""
        return not (self.refused or self.added or self.accepted or self.carried or self.dropped)
