"""Keeps what is known of the documents current: by the child process that checks, when a page is open or asked for."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING

from msgspec.msgpack import decode, encode

from ...core.model import Report, Summary
from ...safe.child import ChildFailed
from ...safe.worker_process import WorkerProcess
from .check_worker import (
    MODULE,
    CheckAnswer,
    CheckDone,
    CheckedReport,
    CheckFailed,
    CheckProgress,
    CheckRequest,
    CheckUnchanged,
)
from .checked_documents import CheckedDocuments
from .events import DocumentsChanged
from .long_work import DONE, FAILED, RUNNING, STOPPED, LongWork

if TYPE_CHECKING:
    from collections.abc import Callable

    from .events import EventHub
    from .long_work import WorkTable

_PAUSE = 0.3
"""Seconds between two looks at the files while a page is open."""
_SHARE = 6
"""A look that takes long is followed by a pause that many times as long."""
_SHARE_CHANGED = 1
"""The same for one that found a change: who changes a file often changes another, and looks at the page."""
_LONGEST_PAUSE = 30.0
"""Seconds between two looks where one after the other fails."""
_FRESH = 1.0
"""Seconds for which a page believes the last look when no page is open."""
_PATIENCE = 0.5
"""Seconds that a page waits for a look; one that takes longer is told to open pages when it is done."""
_MOST_FRAME = 512 * 1024 * 1024
_EARLY = 200
"""Documents after which the first check shows what it has."""


class DocumentKeeper:
    """The documents as they were last checked; `current` is replaced whenever a verdict changes."""

    def __init__(
        self,
        root: str,
        events: EventHub,
        works: WorkTable,
        tell: Callable[[LongWork], None],
        note_check: Callable[[CheckedDocuments, str], None],
    ) -> None:
        """`note_check` is called with what every check that is done found, and its commit."""
        self.current = CheckedDocuments(0, {}, Summary(), False)
        self.error = ""
        """Why the last check failed; empty where it did not."""
        self.head = ""
        """The commit of the last check."""
        self.is_stopped = False
        """Whether the user stopped the first check."""
        self._root = root
        self._events = events
        self._works = works
        self._tell = tell
        self._note_check = note_check
        self._worker = WorkerProcess(MODULE, _MOST_FRAME)
        self._number = 0
        self._looked = 0.0
        self._failures = 0
        self._has_changed = False
        """Whether the last look found a change."""
        self._are_verdicts_told = asyncio.Event()
        """Whether the look that is under way has told what changed. Trying edits takes longer: no page waits for it."""
        self.shown_writes = 0
        """Writes by this server that the verdicts take into account."""
        self._writes = 0
        self._counting = Lock()
        self._look: asyncio.Task[None] | None = None

    async def watch(self) -> None:
        """Look at the files again and again while a page is open."""
        # A look that the user stops is cancelled; waiting for it must not be.
        await asyncio.wait({self.look()})
        while True:
            await self._events.has_listeners.wait()
            started = monotonic()
            await asyncio.wait({self.look()})
            await asyncio.sleep(self._choose_pause(monotonic() - started))

    def _choose_pause(self, cost: float) -> float:
        """Seconds until the next look: more after one that cost much, and far more after one that failed."""
        if self.error:
            self._failures += 1
            return min(_LONGEST_PAUSE, _PAUSE * float(1 << min(self._failures, 10)))
        self._failures = 0
        return max(_PAUSE, cost * (_SHARE_CHANGED if self._has_changed else _SHARE))

    async def freshen(self) -> None:
        """Look at the files unless that was just done; returns early where it takes long."""
        is_old = monotonic() - self._looked > _FRESH or self.shown_writes < self._writes
        if is_old and not self.is_stopped:
            self.look()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._are_verdicts_told.wait(), _PATIENCE)

    def look(self) -> asyncio.Task[None]:
        """Look at the files now; who asks while one look is under way waits for that one."""
        if self._look is None or self._look.done():
            self._are_verdicts_told.clear()
            self._look = asyncio.get_running_loop().create_task(self._check(self._writes))
            self._look.add_done_callback(self._end_look)
        return self._look

    def count_write(self) -> int:
        """Note that this server wrote something, from any thread; returns the number of the write, from 1."""
        with self._counting:
            self._writes += 1
            return self._writes

    def look_after_write(self) -> None:
        """Look at the files, also where a look is under way: that one may have missed what was written."""
        self._are_verdicts_told.clear()
        self.look()

    def _end_look(self, ended: asyncio.Task[None]) -> None:
        if ended is self._look:
            self._are_verdicts_told.set()
            if self.shown_writes < self._writes and not (ended.cancelled() or self.error):
                self.look()

    def _tell_verdicts(self, writes: int) -> None:
        """Let the pages go on that wait for what a look finds."""
        self.shown_writes = writes
        self._are_verdicts_told.set()

    def restart(self) -> None:
        """Check after the user stopped the first check, or after one that failed."""
        self.is_stopped = False
        self.look()

    async def close(self) -> None:
        """End the child process."""
        if self._look is not None:
            self._look.cancel()
        await self._worker.stop()

    async def _check(self, writes: int) -> None:
        if self.is_stopped:
            return
        work = None
        if not self.current.is_complete:
            work = self._works.add(LongWork("First check", self._tell, self._make_stop()))
        try:
            await self._take_answer(work, writes)
        except ChildFailed as error:
            self.error = str(error)
            self._finish(work, FAILED, self.error)
        except asyncio.CancelledError:
            self.is_stopped = work is not None
            self._finish(work, STOPPED, "stopped: what was checked until then is shown")
            raise
        finally:
            self._looked = monotonic()

    def _make_stop(self) -> Callable[[], None]:
        """What stops the check that is running now, from any thread."""
        loop, task = asyncio.get_running_loop(), asyncio.current_task()

        def stop() -> None:
            if task is not None:
                loop.call_soon_threadsafe(task.cancel)

        return stop

    async def _take_answer(self, work: LongWork | None, writes: int) -> None:
        changed: dict[str, Report | None] = {}
        request = encode(CheckRequest(self._root, self._number))
        async for frame in self._worker.ask(request):
            answer = await asyncio.to_thread(_decode, frame) if len(frame) > 1 << 20 else _decode(frame)
            match answer:
                case CheckProgress(done, total) if work is not None:
                    work.step(done, total)
                case CheckedReport(report):
                    changed[report.document] = report
                    if work is not None and len(changed) % _EARLY == 0:
                        self._show_early(changed)
                case CheckDone() as done:
                    self.error, self._number, self.head = "", done.number, done.head
                    # A fresh child process tells everything; what it does not name is gone.
                    known = self.current.names() if done.number == 1 else done.gone
                    await self._replace({**dict.fromkeys(set(known) - changed.keys()), **changed}, done.summary)
                    self._finish(work, DONE, "")
                    self._note_check(self.current, self.head)
                    self._has_changed = True
                    self._tell_verdicts(writes)
                case CheckFailed(message):
                    self.error = message
                    self._finish(work, FAILED, message)
                case CheckUnchanged():
                    self.error, self._has_changed = "", False
                    self._tell_verdicts(writes)

    async def _replace(self, changed: dict[str, Report | None], summary: Summary) -> None:
        current = self.current
        really = {name: report for name, report in changed.items() if current.report(name) != report}
        if really or not current.is_complete or _without_time(current.summary) != _without_time(summary):
            fresh = current.update(current.version + 1, really, summary)
            await asyncio.to_thread(fresh.prepare)
            self.current = fresh
            self._events.publish(DocumentsChanged(self.current.version, tuple(sorted(really))))

    def _show_early(self, changed: dict[str, Report | None]) -> None:
        """Show what the first check has so far."""
        fresh = {name: report for name, report in changed.items() if self.current.report(name) is not report}
        self.current = self.current.update(self.current.version + 1, fresh, Summary(), False)
        self._events.publish(DocumentsChanged(self.current.version, (), True))

    def _finish(self, work: LongWork | None, state: str, message: str) -> None:
        if work is not None and work.state == RUNNING:
            work.finish(state, message, "/")


def _decode(frame: bytes) -> CheckAnswer:
    answer: CheckAnswer = decode(frame, type=CheckAnswer)
    return answer


def _without_time(summary: Summary) -> tuple[object, ...]:
    counted = summary.documents, summary.citations, summary.outcomes, summary.fixable, summary.unreadable
    return *counted, summary.drift, summary.ignored, summary.known, summary.accepted, summary.skipped, summary.unread
