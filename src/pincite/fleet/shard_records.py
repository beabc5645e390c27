"""What a worker and the process that reads repositories tell each other: plain records, no code and no database."""

from __future__ import annotations

from hashlib import blake2b

from msgspec import Struct

from ..core.model import Outcome
from ..safe.git_mirror import hide_credentials

MALFORMED = len(Outcome)
"""The outcome of a row whose text is meant as a citation and is none."""
MALFORMED_CHECK = "malformed-citation"
MOST_TEXT = 300
"""Characters of a citation or a message that a row keeps."""


class ShardTask(Struct, frozen=True):
    """A repository that is to be brought up to date or checked, and what that may take."""

    repository: str
    """Its name, as in `FleetRepository`."""
    location: str
    """A folder, or an address that may hold credentials."""
    team: str = ""
    mirrors: str = ""
    """The folder of all mirrors."""
    settings: str = ""
    """Settings in TOML for a repository that has none of its own."""
    seconds: float = 600.0
    """For one request: then the process and all that it started are killed."""
    repository_bytes: int = 4 * 1024**3
    """What the objects of the repository, and one pack that is fetched, may take."""
    mirror_bytes: int = 0
    """What all mirrors together may take; 0 where another process sees to that."""
    checkout_files: int = 200_000
    checkout_bytes: int = 2 * 1024**3
    memory_bytes: int = 2 * 1024**3
    """Address space of the process."""
    evidence: str = ""
    """A folder with captured output that the team shares, as in a project; empty where there is none."""

    def __repr__(self) -> str:
        return f"ShardTask({self.repository!r}, {hide_credentials(self.location)!r}, {self.team!r})"


class ShardRequest(Struct, frozen=True):
    """What the process is asked for."""

    kind: str
    """`update`, `cited` or `check`."""
    task: ShardTask
    commit: str = ""
    """The commit to check; empty for that of the repository's HEAD."""


class ShardHead(Struct, frozen=True, tag="head"):
    """The commit that a repository is at."""

    commit: str
    """Empty where there is none yet."""
    committed: int
    """When it was made, in seconds since 1970."""


class ShardCited(Struct, frozen=True, tag="cited"):
    """The captured output that a commit cites."""

    commit: str
    prefixes: list[str] | None
    """The ids that it is cited by; None where they cannot be listed: it may be any."""


class ShardRow(Struct, frozen=True, array_like=True, gc=False):
    """One citation and its verdict."""

    document: str
    line: int
    written: str
    """As it stands in the document; a long one is shortened and ends in a digest of the whole."""
    occurrence: int
    """Its number among the citations of the document that are written alike, from 0."""
    dialect: str
    outcome: int
    """A number of `Outcome`, or `MALFORMED`."""
    finding: str
    """The check that found the worst; empty where the citation plainly holds."""
    message: str
    severity: int = -1
    """The loudest severity that is reported; -1 where nothing is: all is well, or silenced."""


class ShardBatch(Struct, frozen=True, tag="batch"):
    """Some of the citations of a commit."""

    rows: list[ShardRow]
    is_first: bool = False
    """Whether they are the first ones: rows that came before do not count, as the mirror had to be made again."""


class ShardResult(Struct, frozen=True, tag="result"):
    """A commit that was checked."""

    commit: str
    committed: int
    documents: int
    rows: list[ShardRow] = []
    """All citations, malformed ones included; empty where they were streamed."""
    others: dict[str, str] = {}
    """The other repositories that citations lead to, with the commit seen there."""
    topics: dict[str, list[tuple[str, str]]] = {}
    """Its research topics by their folders, each with the pages that it cites: the address and the quote."""
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    """Of the process and of all that it started."""
    peak_bytes: int = 0
    """The most memory that the process itself took."""
    trouble: str = ""
    """What could not be done, though the commit was checked: a history or a document that cannot be read."""


class ShardRefusal(Struct, frozen=True, tag="refusal"):
    """Why a request cannot be answered."""

    message: str


class ShardFarewell(Struct, frozen=True, tag="farewell"):
    """The process ends after this answer, since it grew too large or ran out of memory."""


ShardReply = ShardFarewell | ShardHead | ShardCited | ShardBatch | ShardResult | ShardRefusal


def citation_id(document: str, written: str, occurrence: int) -> int:
    """A number for a citation that stays the same while lines around it come and go: 64 bits, signed."""
    named = f"{len(document)} {occurrence} {document}{written}".encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(named, digest_size=8).digest(), "big", signed=True)


def shorten(text: str, most: int = MOST_TEXT) -> str:
    """A text of bounded length: two long ones that begin alike stay two."""
    if len(text) <= most:
        return text
    mark = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    return f"{text[: most - len(mark) - 2]}… {mark}"
