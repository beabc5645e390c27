"""The queue of web sources, in the same PostgreSQL: one job for each host of a team, run by any number of workers.

A job visits the due pages of its host for a while and puts the next one into the queue. Jobs hold names and nothing
else. What a killed worker left is found by the next sweep, of any worker. Procrastinate keeps the queue.
"""

from __future__ import annotations

import asyncio
import logging
import re
import signal
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib.metadata import version
from importlib.resources import files
from pkgutil import get_data
from time import monotonic
from typing import TYPE_CHECKING

from ..core.errors import PinciteError, UsageError
from ..store.database import StoreTrouble
from ..store.shared import open_backend
from ..store.shared.backend import POSTGRESQL, StoreUnavailable
from ..store.shared.postgres import PATIENCE, SCHEMA
from ..store.shared.schema import load_rights
from ..store.shared.web_hosts import RESTING, WAITING
from .host_visits import AGAIN, DONE, LATER, open_visitor

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..store.shared import SharedStore
    from ..store.shared.backend import Backend, StoreAddress
    from ..store.shared.records import Team
    from ..store.shared.web_records import VisitResult
    from .host_visits import HostVisitor, VisitEnd, VisitOptions

SLICE_SECONDS = 120.0
"""How long a job visits its host before others have their turn."""
HORIZON_SECONDS = 600.0
"""How far ahead a job is put into the queue. A host that is due later is found by a sweep: thousands of jobs that wait
for days would make every look into the queue slow."""
SWEEP_SECONDS = 15.0
HEARTBEAT_SECONDS = 5.0
STALLED_SECONDS = 30.0
"""A worker without a sign for so long is dead; its jobs are done by others."""
POLL_SECONDS = 1.0
"""How often a worker looks for jobs that it was not told of, such as those that waited for the one before them."""
_TASK = "visit_host"
_TABLE = "procrastinate_jobs"
_MOST_QUEUED = 5_000
_RECONNECT_SECONDS = 2.0
_MIGRATION = re.compile(r"(\d+)\.(\d+)\.(\d+)_\d+_\w+\.sql")


def ensure_queue(address: StoreAddress) -> bool:
    """See that a store has the tables of the queue, as this Procrastinate wants them; whether it had not.

    Raises UsageError for SQLite, StoreTrouble where this login may not make them.
    """
    prepare_queue()
    if address.kind != POSTGRESQL:
        raise UsageError(f"{address.shown}: the queue needs PostgreSQL; name one with --database, or use --engine here")
    backend = open_backend(address)
    try:
        if _read_version(backend) == version("procrastinate"):
            return False
        with backend.transaction():
            backend.lock_schema()
            return _make_tables(backend)
    except StoreUnavailable:
        raise
    except StoreTrouble as error:
        raise StoreTrouble(f"{error}; the owner of the store makes the queue: pincite store migrate") from None
    finally:
        backend.close()


def _make_tables(backend: Backend) -> bool:
    known, mine = _read_version(backend), version("procrastinate")
    if known == mine:
        return False
    if known is None:
        names = ["schema.sql"]
    else:
        listed = [file.name for file in files("procrastinate.sql").joinpath("migrations").iterdir()]
        names = [f"migrations/{name}" for name in sorted(listed) if _is_between(name, known, mine)]
    for name in names:
        backend.run_script((get_data("procrastinate.sql", name) or b"").decode())
    backend.run_script(load_rights("queue_rights.sql"))
    backend.run(f"COMMENT ON TABLE {_TABLE} IS 'procrastinate {mine}'")
    return True


def _read_version(backend: Backend) -> str | None:
    """The version of Procrastinate that the tables of a store are made for; None where there are none."""
    if not backend.has_table(_TABLE):
        return None
    rows = backend.query("SELECT obj_description(to_regclass(?), 'pg_class')", (f"{SCHEMA}.{_TABLE}",))
    return str(rows[0][0] or "").removeprefix("procrastinate ") or "0"


def _is_between(name: str, known: str, mine: str) -> bool:
    match = _MIGRATION.fullmatch(name)
    if match is None:
        return False
    return _numbers(known) < tuple(map(int, match.groups())) <= _numbers(mine)


def _numbers(text: str) -> tuple[int, ...]:
    found = [int(part) for part in re.findall(r"\d+", text)[:3]]
    return (*found, 0, 0, 0)[:3]


def prepare_queue() -> None:
    """Raise UsageError where Procrastinate is missing, and keep its log off standard error."""
    try:
        import procrastinate  # noqa: F401
    except ImportError:
        raise UsageError("the queue needs an extra: install 'pincite[fleet]'") from None
    # It says on standard error what the command says better.
    logger = logging.getLogger("procrastinate")
    logger.addHandler(logging.NullHandler())
    logger.propagate = False
    pool = logging.getLogger("psycopg.pool")
    pool.addHandler(logging.NullHandler())
    pool.propagate = False


class WebQueue:
    """The jobs of one team."""

    def __init__(self, store: SharedStore, team: Team) -> None:
        import procrastinate

        self._store = store
        self._team = team
        self.name = f"web-{team.name}"
        options = {"options": f"-c search_path={SCHEMA},pg_temp", "application_name": "pincite"}
        self.app = procrastinate.App(
            connector=procrastinate.PsycopgConnector(
                conninfo=store.address.target, kwargs=options, min_size=1, max_size=4, timeout=10.0
            )
        )

    async def put(self, host: str, seconds: float = 0.0) -> bool:
        """Put a job for a host into the queue, to be done so many seconds from now; False where there is one."""
        from procrastinate.exceptions import AlreadyEnqueued

        # Both locks: one job of a host is done at a time, and one waits at most. Hosts are shared by teams through the
        # store; a job of another team that waits must not keep this one from being done.
        lock = f"{self._team.name}/{host}"
        scheduled = {"schedule_in": {"seconds": seconds}} if seconds > 0 else {}
        job = self.app.configure_task(
            _TASK, allow_unknown=True, queue=self.name, lock=lock, queueing_lock=lock, **scheduled
        )
        try:
            await job.defer_async(host=host)
        except AlreadyEnqueued:
            return False
        return True

    async def sweep(self, now: int, stalled_seconds: float = STALLED_SECONDS) -> int:
        """Put back what dead workers left, and put in hosts with due pages; how many jobs that were."""
        return await self._retry_stalled(stalled_seconds) + await self.put_due(now)

    async def put_due(self, now: int) -> int:
        """Put a job into the queue for each host with due pages that has none; how many there were."""
        backend = self._store.backend
        due, rows = await asyncio.to_thread(
            lambda: (
                self._store.sources.hosts.find_due(self._team, now, _MOST_QUEUED),
                backend.query(
                    f"SELECT queueing_lock FROM {_TABLE} WHERE queue_name = ? AND status IN ('todo', 'doing')",  # noqa: S608
                    (self.name,),
                ),
            )
        )
        known = {lock for (lock,) in rows}
        found = [host for host in due if f"{self._team.name}/{host}" not in known]
        return sum([await self.put(host) for host in found])

    async def _retry_stalled(self, seconds: float) -> int:
        from procrastinate.exceptions import ConnectorException
        from procrastinate.jobs import Status

        jobs = self.app.job_manager
        count = 0
        for job in await jobs.get_stalled_jobs(queue=self.name, seconds_since_heartbeat=seconds):
            try:
                await jobs.retry_job(job)
                count += 1
            except ConnectorException:
                # Its successor waits already, or another sweep was faster.
                with suppress(ConnectorException):
                    await jobs.finish_job(job, Status.FAILED, delete_job=True)
        await jobs.prune_stalled_workers(seconds)
        # A clock that was wrong may have put a job off for ever.
        await asyncio.to_thread(
            self._store.backend.run,
            f"UPDATE {_TABLE} SET scheduled_at = now() WHERE queue_name = ? AND status = 'todo' "  # noqa: S608
            "AND scheduled_at > now() + make_interval(secs => ?)",
            (self.name, 2 * HORIZON_SECONDS),
        )
        return count


async def queue_hosts(store: SharedStore, team: Team, now: int) -> int:
    """Put hosts with due pages into the queue; how many there were that were not in it."""
    queue = WebQueue(store, team)
    async with queue.app.open_async():
        return await queue.put_due(now)


class QueueWorker:
    """A worker: takes jobs from the queue until it is told to stop."""

    def __init__(
        self,
        store: SharedStore,
        team: Team,
        options: VisitOptions,
        *,
        visited: Callable[[str, VisitEnd], None] = lambda *_: None,
        recorded: Callable[[VisitResult], None] = lambda _: None,
        ready: Callable[[], None] = lambda: None,
        sweep_seconds: float = SWEEP_SECONDS,
        stalled_seconds: float = STALLED_SECONDS,
        slice_seconds: float = SLICE_SECONDS,
    ) -> None:
        """`visited` is called after each job, `recorded` for each page, `ready` once signals end it in good order."""
        self._store = store
        self._team = team
        self._options = options
        self._visited = visited
        self._recorded = recorded
        self._ready = ready
        self._sweep_seconds = sweep_seconds
        self._stalled_seconds = stalled_seconds
        self._slice_seconds = slice_seconds
        self._stop = asyncio.Event()
        self._error: PinciteError | None = None

    async def run(self) -> None:
        """Work until SIGINT or SIGTERM; raises StoreTrouble where the store is gone for long."""
        loop = asyncio.get_running_loop()
        with (
            open_visitor(self._store, self._team, self._options, self._recorded) as visitor,
            ThreadPoolExecutor(self._options.hosts, "visits") as threads,
        ):

            def end() -> None:
                self._stop.set()
                visitor.stop()

            for number in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(number, end)
            try:
                self._ready()
                await self._work(visitor, threads)
            finally:
                end()
                for number in (signal.SIGINT, signal.SIGTERM):
                    loop.remove_signal_handler(number)
        if self._error is not None:
            raise self._error

    async def _work(self, visitor: HostVisitor, threads: ThreadPoolExecutor) -> None:
        """Work, and connect again where the database went away, as long as it comes back."""
        from procrastinate.exceptions import ConnectorException

        lost = 0.0
        while not self._stop.is_set():
            began = monotonic()
            try:
                await self._work_connected(visitor, threads)
                reason = "the connection broke"
            except (ConnectorException, StoreUnavailable) as error:
                reason = str(error.__cause__ or error)
            except Exception as error:
                # The pool has an error of its own for a server that is not there.
                if type(error).__module__.partition(".")[0] != "psycopg_pool":
                    raise
                reason = str(error)
            if monotonic() - began > PATIENCE:
                lost = 0.0
            lost = lost or began
            if not self._stop.is_set() and monotonic() - lost > PATIENCE:
                words = self._store.address.hide(reason)
                raise StoreUnavailable(f"{self._store.address.shown}: cannot be reached ({words[:200]})")
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stop.wait(), _RECONNECT_SECONDS)

    async def _work_connected(self, visitor: HostVisitor, threads: ThreadPoolExecutor) -> None:
        queue = WebQueue(self._store, self._team)

        @queue.app.task(name=_TASK, queue=queue.name)
        async def visit_host(host: str) -> None:
            await self._visit_host(queue, visitor, threads, host)

        async with queue.app.open_async():
            worker = asyncio.create_task(
                queue.app.run_worker_async(
                    queues=[queue.name],
                    name=self._options.name or "worker",
                    concurrency=self._options.hosts,
                    install_signal_handlers=False,
                    delete_jobs="always",
                    fetch_job_polling_interval=POLL_SECONDS,
                    update_heartbeat_interval=min(HEARTBEAT_SECONDS, self._stalled_seconds / 4),
                    stalled_worker_timeout=self._stalled_seconds,
                )
            )
            sweeps = asyncio.create_task(self._sweep(queue))
            stopped = asyncio.create_task(self._stop.wait())
            try:
                await asyncio.wait({worker, sweeps, stopped}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in (sweeps, stopped, worker):
                    # Cancelled, the worker takes no more jobs and waits for those that it has.
                    task.cancel()
                ends = await asyncio.gather(worker, sweeps, stopped, return_exceptions=True)
            for one in ends:
                if isinstance(one, Exception):
                    raise one

    async def _visit_host(self, queue: WebQueue, visitor: HostVisitor, threads: ThreadPoolExecutor, host: str) -> None:
        began = monotonic()
        try:
            end = await asyncio.get_running_loop().run_in_executor(
                threads, visitor.visit, host, None, lambda: monotonic() - began > self._slice_seconds
            )
        except PinciteError as error:
            # The store, or the disk: no other job fares better.
            self._error = self._error or error
            self._stop.set()
            visitor.stop()
            return
        self._visited(host, end)
        seconds = end.seconds if end.state in (DONE, LATER, RESTING, WAITING) else 0.0
        is_due = end.state in (AGAIN, LATER, RESTING, WAITING) or (end.state == DONE and end.seconds > 0)
        if is_due and seconds <= HORIZON_SECONDS:
            await queue.put(host, seconds)

    async def _sweep(self, queue: WebQueue) -> None:
        from time import time

        while True:
            await queue.sweep(int(time()), self._stalled_seconds)
            await asyncio.sleep(self._sweep_seconds)
