"""Does shards: brings mirrors up to date, checks commits in a child process, and writes what was found."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from msgspec.structs import replace

from .._version import __version__
from ..core.errors import PinciteError, UsageError
from ..safe.child import ChildFailed
from ..store.shared.backend import StoreUnavailable
from ..store.shared.records import NewShard, NewVerdict, ShardKey
from ..store.shared.verdicts import is_problem
from ..store.shared.web_records import NewSource
from .cited_mirrors import CitedMirrors
from .shard_records import ShardTask, citation_id
from .shard_worker import ShardWorker
from .shards import DONE, FAILED, SAME, UPDATE, Shard, ShardAnswer, encode_answer, parse_shard, settings_digest
from .structured_log import new_span

if TYPE_CHECKING:
    from ..store.shared import SharedStore
    from ..store.shared.records import StoredRepository, Team
    from .metrics import FleetMetrics
    from .shard_records import ShardResult
    from .structured_log import FleetLog

_TRIES = 3
"""How often a shard is begun whose process ended by itself: killed for memory, or by hand."""


class ShardRunner:
    """Does one shard after the other; the child process that reads repositories knows nothing of the store."""

    def __init__(
        self,
        store: SharedStore,
        mirrors: str,
        log: FleetLog,
        metrics: FleetMetrics,
        locations: dict[int, str] | None = None,
        mirror_bytes: int = 0,
        has_own_mirrors: bool = False,
    ) -> None:
        """`mirror_bytes` is what all mirrors together may take; 0 is no bound.

        `has_own_mirrors` where the run brings the mirrors of other workers up to date, and not all of those here.
        """
        self._store = store
        self._mirror_bytes = mirror_bytes
        self._mirrors = mirrors
        self._log = log
        self._metrics = metrics
        store.backend.retried = metrics.count_retry
        self._worker = ShardWorker()
        self._locations = locations or {}
        """Where repositories are, with credentials that the store does not keep."""
        self._others = CitedMirrors(store, self._worker, has_own_mirrors)
        self._teams: dict[int, Team] = {}

    async def run(self, uri: str) -> str:
        """What became of a shard; everything but a store that is gone, or a cancellation, is an answer."""
        shard = parse_shard(uri)
        log = self._log.bind(trace=shard.trace, span=new_span(), shard=shard.kind, repository=shard.repository)
        repository: StoredRepository | None = None
        try:
            repository = await self._find_repository(shard)
            log = log.bind(name=repository.name)
            answer = await self._attempt(shard, repository)
        except StoreUnavailable:
            raise
        except PinciteError as error:
            answer = ShardAnswer(shard.kind, shard.repository, FAILED, shard.commit, trouble=str(error))
            if repository is not None:
                team = await self._find_team(repository)
                record = self._store.verdicts.record_failure
                await asyncio.to_thread(record, team, repository.id, str(error), shard.trace)
        self._metrics.count_shard(answer.state, answer.seconds)
        note = log.warning if answer.state == FAILED else log.info
        note(
            "shard",
            state=answer.state,
            commit=answer.commit,
            citations=answer.citations,
            problems=answer.problems,
            seconds=round(answer.seconds, 3),
            **({"error": answer.trouble} if answer.trouble else {}),
            **({"note": answer.note} if answer.note else {}),
        )
        return encode_answer(answer)

    async def stop(self) -> None:
        """End the child process."""
        await self._worker.stop()

    async def _attempt(self, shard: Shard, repository: StoredRepository) -> ShardAnswer:
        for left in range(_TRIES - 1, -1, -1):
            try:
                return await self._do(shard, repository)
            except ChildFailed:
                if not left:
                    raise
        raise AssertionError

    async def _do(self, shard: Shard, repository: StoredRepository) -> ShardAnswer:
        team = await self._find_team(repository)
        task = self._make_task(shard, repository, team)
        if shard.kind == UPDATE:
            ticket = await asyncio.to_thread(self._store.verdicts.take_ticket)
            head = await self._worker.update(task)
            return ShardAnswer(UPDATE, repository.id, DONE, head.commit, ticket)
        result = await (self._check_with_evidence if shard.evidence else self._check)(shard, team, task)
        self._metrics.count_rows(len(result.rows))
        return await asyncio.to_thread(self._write, shard, repository, team, result)

    async def _check(self, shard: Shard, team: Team, task: ShardTask) -> ShardResult:
        result = await self._worker.check(task, shard.commit)
        if not result.others:
            return result
        if await self._others.bring(shard, team, result.others, self._make_task):
            result = await self._worker.check(task, shard.commit)
        return _add_trouble(result, self._others.explain_missing(result.others))

    async def _check_with_evidence(self, shard: Shard, team: Team, task: ShardTask) -> ShardResult:
        """The same with the captured output that documents cite and the team shares."""
        from .shard_evidence import bring_output

        cited = await self._worker.list_cited(task, shard.commit)
        shard = replace(shard, commit=cited.commit)
        if cited.prefixes == []:
            return await self._check(shard, team, task)
        async with bring_output(self._store, team, task.repository, cited.prefixes, self._mirrors) as (folder, trouble):
            result = await self._check(shard, team, replace(task, evidence=folder))
        return _add_trouble(result, trouble)

    def _write(self, shard: Shard, repository: StoredRepository, team: Team, result: ShardResult) -> ShardAnswer:
        key = ShardKey(repository.id, result.commit, settings_digest(shard.settings, shard.evidence), __version__)
        new = NewShard(
            key, result.committed, shard.ticket, result.seconds, result.documents, result.others, shard.trace
        )
        verdicts = [
            NewVerdict(
                citation_id(row.document, row.written, row.occurrence),
                *(row.document, row.line, row.outcome, row.finding, row.message, row.written),
            )
            for row in result.rows
        ]
        is_new = self._store.verdicts.write(team, new, verdicts, again=bool(shard.again))
        if is_new:
            self._list_sources(repository, team, result, shard.trace)
        return ShardAnswer(
            *(shard.kind, repository.id, DONE if is_new else SAME, result.commit, shard.ticket, len(verdicts)),
            problems=sum(is_problem(one.outcome) for one in verdicts),
            seconds=result.seconds,
            cpu_seconds=result.cpu_seconds,
            peak_bytes=result.peak_bytes,
            note=result.trouble,
        )

    def _list_sources(self, repository: StoredRepository, team: Team, result: ShardResult, trace: str) -> None:
        """Keep the web pages that the research of a repository cites; those that it no longer cites are forgotten."""
        pages = [
            NewSource(url, quote, f"{repository.name}:{folder}")
            for folder, listed in result.topics.items()
            for url, quote in listed
        ]
        try:
            if pages:
                self._store.sources.add(team, pages, place=repository.name)
            else:
                self._store.sources.forget(team, repository.name)
        except UsageError as error:
            # The check itself is stored; that the team has too many sources concerns no citation of it.
            self._log.warning("sources", trace=trace, name=repository.name, error=str(error))

    def _make_task(self, shard: Shard, repository: StoredRepository, team: Team) -> ShardTask:
        return ShardTask(
            repository=repository.name,
            location=self._locations.get(repository.id, repository.location),
            team=team.name,
            mirrors=self._mirrors,
            seconds=shard.seconds,
            settings=shard.settings,
            mirror_bytes=self._mirror_bytes,
        )

    async def _find_repository(self, shard: Shard) -> StoredRepository:
        found = await asyncio.to_thread(self._store.verdicts.find_repository, shard.repository)
        if found is None or shard.name not in ("", found.name):
            raise UsageError(
                f"the store of the worker, {self._store.address.shown}, has no such repository that its login may see; "
                "start the worker with the store of the run, and let its login work for the team"
            )
        return found

    async def _find_team(self, repository: StoredRepository) -> Team:
        if repository.team not in self._teams:
            teams = await asyncio.to_thread(self._store.teams.list)
            self._teams = {team.id: team for team in teams}
        return self._teams[repository.team]


def _add_trouble(result: ShardResult, trouble: str) -> ShardResult:
    return replace(result, trouble="; ".join(filter(None, (trouble, result.trouble))))
