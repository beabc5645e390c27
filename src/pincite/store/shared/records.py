"""What the shared store holds, as records."""

from __future__ import annotations

from msgspec import Struct

MALFORMED = 7
"""The number of a malformed citation beside those of `Outcome`."""
FIRST_PROBLEM = 2
"""The lowest number of an outcome that is a problem: holds and unchecked are none."""


class TeamLimits(Struct, frozen=True):
    """How much a team may use; 0 is no limit."""

    repositories: int = 0
    citations: int = 0
    mirror_bytes: int = 0
    sources: int = 0


class Team(Struct, frozen=True):
    """A tenant of the store."""

    id: int
    name: str
    limits: TeamLimits


class StoredRepository(Struct, frozen=True):
    """A repository that the fleet checks."""

    id: int
    team: int
    name: str
    location: str
    """A URL without credentials, or a path."""
    current: int
    """The shard whose verdicts stand; 0 before the first."""


class ShardKey(Struct, frozen=True):
    """What makes two checks the same: a finished one is not done again."""

    repository: int
    commit: str
    settings: str
    version: str


class FinishedShard(Struct, frozen=True):
    """A check that was done."""

    id: int
    key: ShardKey
    others: dict[str, str]
    """The commits of other repositories that its citations lead to, by the name of the repository."""
    committed: int
    finished: int
    documents: int
    citations: int


class NewVerdict(Struct, frozen=True, array_like=True, gc=False):
    """What a shard found of one citation."""

    citation: int
    """Names the citation in its repository: a digest of document, text and occurrence, as a signed 64-bit number."""
    document: str
    line: int
    outcome: int
    finding: str
    """The check that decided; empty where the citation holds."""
    message: str
    written: str
    """The citation as it is written."""


class NewShard(Struct, frozen=True):
    """A check to be stored, without its verdicts."""

    key: ShardKey
    committed: int
    """Seconds since 1970 of the commit."""
    ticket: int
    """When the commit was found at the head: see `Verdicts.take_ticket`."""
    seconds: float
    documents: int
    others: dict[str, str] = {}
    trace: str = ""


class StoredVerdict(Struct, frozen=True):
    """What was true of a citation for some time."""

    citation: int
    document: str
    line: int
    outcome: int
    finding: str
    message: str
    written: str
    since: int
    """When the shard finished that found it, in seconds since 1970."""
    until: int
    """When it was found to be otherwise; 0 while it stands."""
    since_commit: str
    until_commit: str


class RepositorySummary(Struct, frozen=True):
    """One repository in numbers."""

    id: int
    name: str
    team: str
    commit: str
    """Empty before the first check."""
    checked: int
    """When what stands was found, or last found to be so still; 0 before the first check."""
    documents: int
    outcomes: dict[str, int]
    """Outcome to number of citations."""
    appeared: int
    """Problems that came since the time that was asked for."""
    trouble: str = ""
    """Why the last try failed; empty where it did not."""

    @property
    def citations(self) -> int:
        """All citations."""
        return sum(self.outcomes.values())

    @property
    def problems(self) -> int:
        """Citations that neither hold nor are unchecked."""
        return self.citations - self.outcomes.get("holds", 0) - self.outcomes.get("unchecked", 0)


class StoredEvidence(Struct, frozen=True):
    """A piece of evidence that a team shares."""

    kind: str
    project: str
    key: str
    recorded: int
    data: bytes
