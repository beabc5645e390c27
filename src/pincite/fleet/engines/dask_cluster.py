"""Shards on a Dask cluster: one that is started for the run, or one that exists."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ...core.errors import PinciteError
from ..cluster import HTTP_ADDRESS, TlsFiles, configure, make_security
from ..cluster_worker import run_shard
from ..shards import ShardFailed

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence

_AHEAD = 4
"""Shards that are handed to the cluster for each of its threads: enough that no worker waits."""
_PATIENCE = 15
"""Seconds for which the first worker is waited for: after a restart of the scheduler they look for it again."""
_RETRIES = 10
"""How often a shard is begun again whose worker was killed: it may not be the shard's fault."""


class ClusterLost(PinciteError):
    """The cluster is gone; what was finished is in the store."""


class DaskEngine:
    """A client of a cluster; results are in the store, so only strings travel."""

    def __init__(self, jobs: int, scheduler: str, tls: TlsFiles, environment: Mapping[str, str]) -> None:
        configure()
        self._jobs = max(1, jobs)
        self._scheduler = scheduler
        self._tls = tls
        self._environment = dict(environment)
        self._client: Any = None
        self._cluster: Any = None

    async def run(self, uris: Sequence[str]) -> AsyncIterator[str]:
        """The answer of every shard, as they come."""
        from distributed import as_completed

        client = await self._open()
        waiting = list(reversed(uris))
        room = _AHEAD * max(self._jobs, await self._count_threads(client))
        first = [self._submit(client, waiting.pop()) for _ in range(min(room, len(waiting)))]
        if not first:
            return
        completed = as_completed(first, loop=client.loop, with_results=False)
        try:
            async for future in completed:
                yield await self._result(future)
                if waiting:
                    completed.add(self._submit(client, waiting.pop()))
        except OSError as error:
            raise self._lost(error) from None

    async def close(self) -> None:
        """Leave the cluster; one that was started here ends."""
        with suppress(Exception):
            if self._client is not None:
                await self._client.close()
        with suppress(Exception):
            if self._cluster is not None:
                await self._cluster.close()
        self._client = self._cluster = None

    def _submit(self, client: Any, uri: str) -> Any:
        return client.submit(run_shard, uri, pure=False, retries=_RETRIES)

    async def _result(self, future: Any) -> str:
        """An answer; a shard that no worker survives is one as well."""
        from distributed import KilledWorker
        from distributed.client import FutureCancelledError

        try:
            answer: str = await future.result()
        except KilledWorker as error:
            raise ShardFailed(f"every worker that began a shard was killed ({error})") from None
        except (OSError, FutureCancelledError) as error:
            raise self._lost(error) from None
        except asyncio.CancelledError as error:
            if future.status != "cancelled":
                raise
            raise self._lost(error) from None
        return answer

    def _lost(self, error: BaseException) -> ClusterLost:
        where = self._scheduler or "the cluster of this run"
        return ClusterLost(
            f"{where}: the scheduler is gone ({type(error).__name__}); finished shards are kept: run the command again"
        )

    async def _count_threads(self, client: Any) -> int:
        if self._scheduler:
            try:
                await client.wait_for_workers(1, timeout=_PATIENCE)
            except TimeoutError:
                raise ClusterLost(
                    f"{self._scheduler}: the cluster has no workers; start some with `pincite fleet worker`"
                ) from None
        return sum((await client.nthreads()).values())

    async def _open(self) -> Any:
        if self._client is None:
            from distributed import Client

            if self._scheduler:
                try:
                    self._client = await Client(
                        self._scheduler, security=make_security(self._tls), asynchronous=True, set_as_default=False
                    )
                except OSError as error:
                    raise ClusterLost(
                        f"{self._scheduler}: cannot be reached ({error}); is the scheduler running?"
                    ) from None
            else:
                self._cluster = await self._start()
                self._client = await Client(self._cluster, asynchronous=True, set_as_default=False)
        return self._client

    async def _start(self) -> Any:
        """A cluster on this machine. Other users can reach loopback, too: its certificates exist in memory only."""
        from distributed import LocalCluster
        from distributed.security import Security

        try:
            return await LocalCluster(
                n_workers=self._jobs,
                threads_per_worker=1,
                processes=True,
                host="127.0.0.1",
                protocol="tls://",
                security=Security.temporary(),
                dashboard_address=HTTP_ADDRESS,
                worker_dashboard_address=HTTP_ADDRESS,
                asynchronous=True,
                silence_logs=50,
                env=self._environment,
            )
        except (OSError, RuntimeError) as error:
            raise ClusterLost(f"a cluster cannot be started here ({error}); use --engine processes") from None
