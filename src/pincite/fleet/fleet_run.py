"""A run over a fleet: every repository is brought up to date, then what is not checked yet is checked."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

from msgspec import Struct

from .._version import __version__
from .shards import CHECK, FAILED, SAME, UPDATE, Shard, ShardAnswer, decode_answer, settings_digest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..store.shared import SharedStore
    from ..store.shared.records import FinishedShard, StoredRepository
    from .engines import ShardEngine

    Step = Callable[["FleetSummary"], None]


class FleetSummary(Struct):
    """A run in numbers; complete when it is over."""

    trace: str
    repositories: int = 0
    stage: str = UPDATE
    updated: int = 0
    checked: int = 0
    unchanged: int = 0
    """Repositories whose check is in the store already."""
    failed: int = 0
    to_check: int = 0
    citations: int = 0
    """Citations of the repositories that were checked now."""
    problems: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_bytes: int = 0
    """The most memory that one child process took."""
    troubles: dict[str, str] = {}
    """Why repositories could not be checked, by name."""
    notes: dict[str, str] = {}
    """What could not be read of repositories that were checked, by name."""


class FleetRun:
    """One run. Killed at any time, the next one goes on where it ended."""

    def __init__(
        self, store: SharedStore, engine: ShardEngine, repositories: Sequence[StoredRepository], shard: Shard
    ) -> None:
        """`shard` has what all shards of the run share: trace, ticket, settings and seconds."""
        self._store = store
        self._engine = engine
        self._repositories = {one.id: one for one in repositories}
        self._shard = shard
        self._heads: dict[int, ShardAnswer] = {}
        self._again = False
        self._evidence: dict[tuple[int, str], str] = {}
        """What stands for the captured output of projects, by team and name."""
        self.summary = FleetSummary(shard.trace, len(self._repositories))

    async def run(self, heads: dict[int, str], step: Step = lambda _: None, again: bool = False) -> None:
        """Do everything; `heads` are commits that were found after `ticket`. `again` checks what is stored, too.

        Mirrors are brought up to date first, all of them: citations of one repository may lead into any other.
        """
        started, self._again = monotonic(), again
        current = self._store.verdicts.load_current()
        for number, commit in heads.items():
            # Its mirror is brought where a citation of another repository needs it.
            if not again and (known := current.get(number)) is not None and known.key.commit == commit:
                self._heads[number] = ShardAnswer(UPDATE, number, "done", commit, self._shard.ticket)
        await self._update([number for number in self._repositories if number not in self._heads], step)
        # One question for all repositories: most have nothing there.
        self._evidence = self._store.evidence.digest_output()
        todo = list(self._heads) if again else self._choose()
        self._store.verdicts.note_visits(sorted(set(self._heads) - set(todo)))
        self.summary.stage = CHECK
        self.summary.to_check = len(todo)
        self.summary.unchanged = len(self._heads) - len(todo)
        step(self.summary)
        await self._check(todo, step)
        self.summary.seconds = round(monotonic() - started, 3)

    async def _update(self, numbers: Sequence[int], step: Step) -> None:
        uris = [self._name(UPDATE, number) for number in numbers]
        async for text in self._engine.run(uris):
            answer = decode_answer(text)
            if answer.state == FAILED:
                self._fail(answer)
            else:
                self._heads[answer.repository] = answer
            self.summary.updated += 1
            step(self.summary)

    def _choose(self) -> list[int]:
        """The repositories whose commit was not checked with these settings, this evidence and this version."""
        current = self._store.verdicts.load_current()
        known: dict[int, dict[str, str]] = {}
        # Those that are not part of this run have mirrors, too.
        for one in self._store.verdicts.list_repositories():
            head = self._heads.get(one.id)
            commit = head.commit if head is not None else current[one.id].key.commit if one.id in current else ""
            names = known.setdefault(one.team, {})
            names[one.name] = commit
            # What was cited without its host, and had no mirror then, is named so.
            names[f"*/{one.name.partition('/')[2]}"] = commit
        return [
            number
            for number, head in self._heads.items()
            if not _stands(
                *(current.get(number), head.commit, settings_digest(self._shard.settings, self._find_evidence(number))),
                known[self._repositories[number].team],
            )
        ]

    def _find_evidence(self, number: int) -> str:
        one = self._repositories[number]
        return self._evidence.get((one.team, one.name), "")

    async def _check(self, numbers: Sequence[int], step: Step) -> None:
        uris = [self._name(CHECK, number) for number in numbers]
        async for text in self._engine.run(uris):
            answer = decode_answer(text)
            if answer.state == FAILED:
                self._fail(answer)
            else:
                self._count(answer)
            step(self.summary)

    def _count(self, answer: ShardAnswer) -> None:
        summary = self.summary
        summary.checked += answer.state != SAME
        summary.unchanged += answer.state == SAME
        summary.citations += answer.citations
        summary.problems += answer.problems
        summary.cpu_seconds += answer.cpu_seconds
        summary.peak_bytes = max(summary.peak_bytes, answer.peak_bytes)
        if answer.note:
            summary.notes[self._repositories[answer.repository].name] = answer.note

    def _fail(self, answer: ShardAnswer) -> None:
        self.summary.failed += 1
        self.summary.troubles[self._repositories[answer.repository].name] = answer.trouble

    def _name(self, kind: str, number: int) -> str:
        shard, head = self._shard, self._heads.get(number)
        commit, ticket = (head.commit, head.ticket) if head is not None else ("", 0)
        name, is_check = self._repositories[number].name, kind == CHECK
        evidence, again = (self._find_evidence(number), int(self._again)) if is_check else ("", 0)
        return Shard(
            kind, number, shard.trace, commit, ticket, shard.seconds, shard.settings, name, evidence, again
        ).uri


def _stands(shard: FinishedShard | None, commit: str, settings: str, known: dict[str, str]) -> bool:
    """Whether a finished shard is what checking a commit now would give."""
    if shard is None or (shard.key.commit, shard.key.settings, shard.key.version) != (commit, settings, __version__):
        return False
    return all(known.get(name, "") == seen for name, seen in shard.others.items())
