"""The mirrors of other repositories that citations lead to: without them these citations would seem to be gone."""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import TYPE_CHECKING

from msgspec import Struct

from ..safe.child import ChildFailed
from .shard_worker import ShardTrouble

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..store.shared import SharedStore
    from ..store.shared.records import StoredRepository, Team
    from .shard_records import ShardTask
    from .shard_worker import ShardWorker
    from .shards import Shard

    MakeTask = Callable[[Shard, StoredRepository, Team], ShardTask]


_TRIES = 3
"""How often a mirror is begun whose process ended by itself."""


class _Brought(Struct, frozen=True):
    """What became of a mirror in a run."""

    commit: str
    """Empty where the repository has none yet, or could not be fetched."""
    trouble: str = ""


class CitedMirrors:
    """Brings mirrors of repositories of the fleet, each once in a run, and again where it was removed meanwhile."""

    def __init__(self, store: SharedStore, worker: ShardWorker, has_own: bool) -> None:
        """`has_own` where the run does not bring all mirrors of this folder up to date by itself."""
        self._store = store
        self._worker = worker
        self._has_own = has_own
        self._run: tuple[str, int] = ("", 0)
        """The trace and the team that the rest belongs to."""
        self._names: dict[str, list[StoredRepository]] = {}
        self._brought: dict[int, _Brought] = {}
        self._missing: dict[int, StoredRepository] = {}
        """Those that the last check asked for and did not find."""

    async def bring(self, shard: Shard, team: Team, seen: dict[str, str], make_task: MakeTask) -> bool:
        """Bring the mirrors that a check asked for; whether one is other than the commit in `seen`, which it saw.

        Those that are there are fetched again only where nothing else in the run does. All of it takes no longer than
        one shard may: a repository may cite the whole team.
        """
        await self._list_names(shard, team)
        until = monotonic() + shard.seconds
        is_other = False
        self._missing = {}
        for name, commit in seen.items():
            for one in self._names.get(name, ()):
                if one.id == shard.repository:
                    continue
                if not commit:
                    self._missing[one.id] = one
                if self._is_wanted(one, commit):
                    brought = self._brought[one.id] = await self._update(make_task(shard, one, team), until)
                    is_other |= brought.commit not in ("", commit)
        return is_other

    def explain_missing(self, seen: dict[str, str]) -> str:
        """Which mirrors are missing still, and why; empty where none is.

        Raises ShardTrouble for one that was there once: what was found with it stands.
        """
        said = []
        for one in self._missing.values():
            brought = self._brought[one.id]
            has_commit = bool(brought.commit or brought.trouble)
            if not has_commit or any(seen.get(name) for name in _list_names(one)):
                continue
            why = brought.trouble or "there is no room for it beside the others; raise --mirror-bytes"
            said.append(f"it cites {one.name}, whose mirror is missing: {why}")
            if one.current:
                forget = f"; if it is gone for good: pincite fleet forget {one.name}" if brought.trouble else ""
                raise ShardTrouble(f"{said[-1]}{forget}")
        return "; ".join(said)

    def _is_wanted(self, one: StoredRepository, commit: str) -> bool:
        brought = self._brought.get(one.id)
        if commit:
            return self._has_own and brought is None
        return brought is None or bool(brought.commit)

    async def _update(self, task: ShardTask, until: float) -> _Brought:
        if monotonic() > until:
            return _Brought("", "fetching the others that it cites took too long; raise --timeout")
        # A process that was killed by hand is no fault of the repository.
        for _ in range(_TRIES):
            try:
                return _Brought((await self._worker.update(task)).commit)
            except ShardTrouble as error:
                return _Brought("", str(error))
            except ChildFailed:
                continue
        return _Brought("", "the process that fetched it was killed again and again")

    async def _list_names(self, shard: Shard, team: Team) -> None:
        if self._run == (shard.trace, team.id):
            return
        listed: Sequence[StoredRepository] = await asyncio.to_thread(self._store.verdicts.list_repositories, team)
        self._run, self._brought = (shard.trace, team.id), {}
        self._names = {}
        for one in listed:
            for name in _list_names(one):
                self._names.setdefault(name, []).append(one)


def _list_names(one: StoredRepository) -> tuple[str, str]:
    """What a check calls a repository: the second where it is cited without its host, and has no mirror."""
    return one.name, f"*/{one.name.partition('/')[2]}"
