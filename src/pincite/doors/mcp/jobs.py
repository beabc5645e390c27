"""Work that may outlast a call: it runs in a thread, and a cursor leads back to it.

A call waits for its job until the deadline. What was found by then is the answer, and the job goes on; the next call
with the cursor takes what came since.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import Future, ThreadPoolExecutor
from secrets import token_urlsafe
from threading import Lock
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ...core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

DEADLINE = 15.0
"""Seconds that a call waits; many clients give up after 20 to 60."""
_WORKERS = 4
"""Jobs that run at once: the engine is bound by one core, and each holds folders open."""
_MOST_JOBS = 256
"""Jobs that are under way at once; most of them wait."""
_MOST_DONE = 32
"""Jobs that are done and whose rest may be asked for; the oldest go first."""
_MOST_ITEMS = 1000
"""Items that are kept of one job; further ones are counted."""


class JobCancelled(Exception):
    """The client does not want the answer any more, or the server ends."""


class JobItem(Struct, frozen=True):
    """One of the things that a job found."""

    text: str
    fields: dict[str, Any]


class JobResult(Struct, frozen=True):
    """What a job has to say beside its items."""

    text: str = ""
    fields: dict[str, Any] = {}
    receipt: str = ""
    """Of the one piece of evidence that the answer is about; empty where there is none."""


class Job:
    """One piece of work: what it found so far, and how it ended."""

    def __init__(self, listed: str = "") -> None:
        # Who guesses a cursor could read what another client asked.
        self.id = token_urlsafe(9)
        self.listed = listed
        """What an answer calls the items; empty where there are none."""
        self.items: list[JobItem] = []
        self.dropped = 0
        """Items beyond those that are kept."""
        self.result: JobResult | None = None
        self.error = ""
        self.steps = (0, 0)
        """Documents that were looked at, and all of them, as far as that is known."""
        self.future: Future[None] = Future()
        self._is_cancelled = False

    def cancel(self) -> None:
        """Let the work end at its next step."""
        self._is_cancelled = True

    def step(self, done: int = 0, total: int = 0) -> None:
        """Note how far the work is; raises JobCancelled where it is not wanted any more."""
        self.steps = (done, total) if total else self.steps
        if self._is_cancelled:
            raise JobCancelled

    def add(self, text: str, fields: dict[str, Any]) -> None:
        """Keep something that was found; raises JobCancelled where it is not wanted any more."""
        self.step()
        self.keep(text, fields)

    def keep(self, text: str, fields: dict[str, Any]) -> None:
        """Keep something that was done, wanted or not."""
        if len(self.items) < _MOST_ITEMS:
            self.items.append(JobItem(text, fields))
        else:
            self.dropped += 1


class JobTable:
    """The jobs of a server."""

    def __init__(self, describe_error: Callable[[BaseException], str]) -> None:
        self._describe_error = describe_error
        self._jobs: dict[str, Job] = {}
        self._lock = Lock()
        self._pool = ThreadPoolExecutor(_WORKERS, "pincite-job")

    def start(self, work: Callable[[Job], JobResult], listed: str = "") -> Job:
        """Start some work; raises UsageError where too much is under way."""
        job = Job(listed)
        with self._lock:
            done = [key for key, one in self._jobs.items() if one.future.done()]
            for key in done[: max(0, len(done) - _MOST_DONE)]:
                del self._jobs[key]
            if len(self._jobs) - min(len(done), _MOST_DONE) >= _MOST_JOBS:
                raise UsageError(f"{_MOST_JOBS} calls are under way already; wait for some of them to end")
            self._jobs[job.id] = job
        job.future = self._pool.submit(self._perform, job, work)
        return job

    def find(self, cursor: str, listed: str = "") -> tuple[Job, int]:
        """The job that a cursor leads to, and how many of its items were given out; raises UsageError.

        A cursor of a tool that lists something else is not known.
        """
        key, _, offset = cursor.rpartition(".")
        job = self._jobs.get(key)
        known = job is not None and offset.isascii() and offset.isdigit() and len(offset) <= len(str(_MOST_ITEMS))
        if job is None or not known or int(offset) > len(job.items) or job.listed != listed:
            raise UsageError("this cursor is not known to this tool, or no longer; call again without it")
        return job, int(offset)

    async def wait(self, job: Job, seconds: float) -> None:
        """Wait until a job is done, or for so long; a call that is cancelled cancels its job."""
        try:
            if not job.future.done():
                await asyncio.wait({asyncio.wrap_future(job.future)}, timeout=seconds)
        except asyncio.CancelledError:
            job.cancel()
            raise

    def cancel_all(self) -> None:
        """Let all work end at its next step; takes no lock, because a signal may have interrupted who holds it."""
        for job in tuple(self._jobs.values()):
            job.cancel()

    def _perform(self, job: Job, work: Callable[[Job], JobResult]) -> None:
        try:
            job.step()
            job.result = work(job)
        except JobCancelled:
            job.error = "cancelled"
        except Exception as error:
            job.error = self._describe_error(error)
