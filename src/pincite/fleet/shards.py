"""Shards: the pieces of work of a fleet. Its name is a string, and so is its answer; nothing else travels.

A shard may run several times, on several machines, and end at any moment: its result is written in one transaction, and
one that is written already is not written again.
"""

from __future__ import annotations

from hashlib import sha256
from urllib.parse import parse_qsl, urlencode

import msgspec
from msgspec import Struct

from ..core.errors import PinciteError, UsageError

UPDATE, CHECK = "update", "check"
"""The kinds of shards: bring a mirror up to date, and check a commit of it."""
DONE, SAME, FAILED = "done", "same", "failed"
"""How a shard may end: `same` where another one wrote the same result before."""
_SCHEME = "pincite-shard:"
_LONGEST = 128 * 1024


class ShardFailed(PinciteError):
    """A shard could not be done; the message says why."""


class Shard(Struct, frozen=True, omit_defaults=True):
    """One piece of work."""

    kind: str
    repository: int
    """Its number in the store."""
    trace: str
    """The run of the fleet that it belongs to."""
    commit: str = ""
    ticket: int = 0
    """When the commit was found: see `Verdicts.take_ticket`."""
    seconds: float = 600.0
    """How long it may take."""
    settings: str = ""
    """Settings in TOML for repositories that have none of their own."""
    name: str = ""
    """What the repository is called in the store of the run: a worker with another store is found out."""
    evidence: str = ""
    """What stands for the captured output that its team shares; empty where there is none."""
    again: int = 0
    """1 where what is checked already is written anew."""

    @property
    def uri(self) -> str:
        """The string that names it."""
        fields = {
            name: value for name, value in msgspec.to_builtins(self).items() if name not in ("kind", "repository")
        }
        return f"{_SCHEME}{self.kind}/{self.repository}?{urlencode(fields)}"


class ShardAnswer(Struct, frozen=True, omit_defaults=True):
    """What became of a shard."""

    kind: str
    repository: int
    state: str
    """`done`, `same` or `failed`."""
    commit: str = ""
    ticket: int = 0
    citations: int = 0
    problems: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_bytes: int = 0
    trouble: str = ""
    """Why it failed."""
    note: str = ""
    """What could not be done, though it did not fail: a history or a document that cannot be read."""


def settings_digest(settings: str, evidence: str = "") -> str:
    """What stands for the settings of a fleet in the key of a shard, and for the evidence that the team shares."""
    digest = sha256(settings.encode()).hexdigest()[:16] if settings else ""
    return f"{digest}+{evidence}" if evidence else digest


def parse_shard(uri: str) -> Shard:
    """The shard that a string names; raises UsageError."""
    scheme, _, rest = uri.partition(":")
    place, _, query = rest.partition("?")
    kind, _, number = place.partition("/")
    try:
        if f"{scheme}:" != _SCHEME or len(uri) > _LONGEST or kind not in (UPDATE, CHECK):
            raise ValueError
        fields = dict(parse_qsl(query, keep_blank_values=True, strict_parsing=True))
        return msgspec.convert({**fields, "kind": kind, "repository": number}, Shard, strict=False)
    except ValueError:
        raise UsageError(f"{uri[:80]!r}: not the name of a shard") from None


def encode_answer(answer: ShardAnswer) -> str:
    """An answer as the string that travels."""
    return msgspec.json.encode(answer).decode()


def decode_answer(text: str) -> ShardAnswer:
    """The opposite of `encode_answer`; raises ShardFailed."""
    try:
        return msgspec.json.decode(text, type=ShardAnswer)
    except (ValueError, RecursionError):
        raise ShardFailed("a worker sent what is no answer; does it run the same pincite?") from None
