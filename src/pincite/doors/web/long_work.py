"""Work that takes longer than a page may: it runs on its own, says how far it is, and can be stopped."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from secrets import token_hex
from threading import Lock
from typing import TYPE_CHECKING

from msgspec import Struct

from ...core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    Told = Callable[["LongWork"], None]

_THREADS = 2
"""Pieces of work at once; the others wait."""
_MOST_WAITING = 16
_MOST_KEPT = 50
"""Pieces of work that are done and can still be looked at."""
RUNNING, DONE, FAILED, STOPPED = "running", "done", "failed", "stopped"


class WorkStopped(Exception):
    """The user stopped the work."""


class WorkRecord(Struct, frozen=True):
    """A piece of work at one moment."""

    id: str
    title: str
    state: str
    """`running`, `done`, `failed` or `stopped`."""
    done: int
    total: int
    """0 where it is not known how much there is to do."""
    message: str
    """What came of it, or why it failed."""
    location: str
    """The page that shows what came of it; empty where none does."""


class LongWork:
    """One piece of work. `step` belongs to the thread that does it, the rest to everyone."""

    def __init__(self, title: str, tell: Told, stop: Callable[[], None] | None = None) -> None:
        self.id = token_hex(6)
        self.title = title
        self.state = RUNNING
        self.done = self.total = 0
        self.message = self.location = ""
        self._tell = tell
        self._stop = stop
        self._is_stopped = False

    def step(self, done: int, total: int = 0) -> None:
        """Note how far the work is; raises WorkStopped where the user stopped it."""
        if self._is_stopped:
            raise WorkStopped
        # A page need not hear of every document of thousands.
        told = total <= 0 or done == total or done * 100 // total != self.done * 100 // total
        self.done, self.total = done, total
        if told:
            self._tell(self)

    def finish(self, state: str, message: str = "", location: str = "") -> None:
        """Note how the work ended."""
        self.state, self.message, self.location = state, message, location
        self._tell(self)

    def stop(self) -> None:
        """Let the work end at its next step."""
        self._is_stopped = True
        if self._stop is not None and self.state == RUNNING:
            self._stop()

    def record(self) -> WorkRecord:
        """The work as it is now."""
        return WorkRecord(self.id, self.title, self.state, self.done, self.total, self.message, self.location)


class WorkTable:
    """The long work of a server. `tell` is called from any thread."""

    def __init__(self, tell: Told, describe_error: Callable[[BaseException], str]) -> None:
        self._tell = tell
        self._describe_error = describe_error
        self._work: dict[str, LongWork] = {}
        self._lock = Lock()
        self._pool = ThreadPoolExecutor(_THREADS, "pincite-work")

    def start(self, title: str, perform: Callable[[LongWork], tuple[str, str]]) -> LongWork:
        """Start work in a thread; it returns what came of it and the page that shows it. Raises UsageError where too
        much waits already."""
        if sum(one.state == RUNNING for one in self.list()) >= _MOST_WAITING:
            raise UsageError(f"{_MOST_WAITING} pieces of work are under way already; wait for one of them or stop it")
        work = self.add(LongWork(title, self._tell))
        self._pool.submit(self._perform, work, perform)
        return work

    def add(self, work: LongWork) -> LongWork:
        """List work that is done elsewhere."""
        with self._lock:
            ended = [key for key, one in self._work.items() if one.state != RUNNING]
            for key in ended[: max(0, len(ended) - _MOST_KEPT)]:
                del self._work[key]
            self._work[work.id] = work
        return work

    def find(self, id: str) -> LongWork | None:
        """The work with an id."""
        return self._work.get(id)

    def list(self) -> list[LongWork]:
        """All work, the newest first."""
        with self._lock:
            return list(reversed(self._work.values()))

    def stop_all(self) -> None:
        """Let everything end at its next step."""
        for work in tuple(self._work.values()):
            work.stop()

    def _perform(self, work: LongWork, perform: Callable[[LongWork], tuple[str, str]]) -> None:
        try:
            work.step(0)
            message, location = perform(work)
        except WorkStopped:
            work.finish(STOPPED, "stopped")
        except Exception as error:
            work.finish(FAILED, self._describe_error(error))
        else:
            work.finish(DONE, message, location)
