"""What can be said of a citation when something changes."""

from enum import Enum

from msgspec import Struct

from ...core.model import Outcome, Place


class Effect(Enum):
    """What a change does to what is cited."""

    DELETES = "deletes"
    """It is not there any more."""
    EDITS = "edits"
    """It reads differently."""
    MOVES = "moves"
    """It stands elsewhere, word for word."""
    UNKNOWN = "unknown"
    """It is unknown."""
    NEW = "new"
    """The change adds the citation, or the file that is cited: it was checked as usual."""
    UNAFFECTED = "unaffected"
    """It is what it was, where it was."""


class AffectedCitation(Struct, frozen=True):
    """One citation and what the change does to it."""

    document: str
    line: int
    column: int
    raw: str
    dialect: str
    target: str
    """The cited place in the form people type."""
    effect: Effect
    why: str = ""
    """One sentence for people; empty where the effect says it all."""
    detail: str = ""
    """A short diff of the cited lines, or places where they may be, one per line."""
    place: Place | None = None
    """Where the cited text stands after the change."""
    fix: str = ""
    """The citation as it would have to be written."""
    outcome: str = ""
    """For what is new: the outcome of checking it, `malformed` among them."""
    ignored: bool = False
    """Whether a comment or a setting says that this is not to be reported."""

    @property
    def needs_attention(self) -> bool:
        """Whether a person has to look at it."""
        if self.ignored or self.effect is Effect.UNAFFECTED:
            return False
        return self.effect is not Effect.NEW or self.outcome not in ("holds", "unchecked")

    @property
    def is_fine(self) -> bool:
        """Whether there is nothing to see: it is what it was, or it is new and holds."""
        return not self.ignored and (
            self.effect is Effect.UNAFFECTED or (self.effect is Effect.NEW and self.outcome == Outcome.HOLDS.label)
        )


class AffectedResult(Struct):
    """All that a change does to citations."""

    before: str
    """What is compared: a revision as it was typed, with the id it stands for."""
    after: str
    """With what: likewise, or `the work tree`, `the index`."""
    files: list[tuple[str | None, str | None]]
    """The files that differ: the path before and the one after, None where there is no file."""
    items: list[AffectedCitation] = []
    """By document and place."""
    gone: list[str] = []
    """Documents that the change deletes."""
    errors: list[tuple[str, str]] = []
    """Documents that could not be read, and why."""

    @property
    def exit_code(self) -> int:
        """2 something could not be read, 1 something needs attention, else 0."""
        return 2 if self.errors else int(any(item.needs_attention for item in self.items))

    def count(self, effect: Effect) -> int:
        """How many citations the change does this to."""
        return sum(item.effect is effect for item in self.items)
