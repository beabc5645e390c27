"""What a server serves: one root, what is known of its documents, its long work, and those who listen."""

from __future__ import annotations

import asyncio
import os
from threading import Lock
from typing import TYPE_CHECKING, Any

from ...core.errors import UsageError
from ...project.project import open_project
from .checking import DocumentKeeper
from .events import EventHub, WorkChanged
from .long_work import LongWork, WorkTable
from .served_site import ServedSite
from .trend_recorder import record_documents

if TYPE_CHECKING:
    from ...project.project import Project
    from .checked_documents import CheckedDocuments


class Site(ServedSite):
    """One root and everything that the pages of it share."""

    def __init__(self, root: str, read_only: bool = False) -> None:
        self.root = os.path.realpath(root)
        super().__init__(os.path.basename(self.root) or self.root, read_only)
        self.events = EventHub()
        self.works = WorkTable(self._tell_work, self.describe_error)
        self.keeper = DocumentKeeper(self.root, self.events, self.works, self._tell_work, self._note_check)
        self.writing = Lock()
        """Held while files of the root are written."""
        self.kept: dict[str, Any] = {}
        """What a page keeps from one request to the next, by the page's own key."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._watching: asyncio.Task[None] | None = None

    @property
    def documents(self) -> CheckedDocuments:
        """The documents as they were last checked."""
        return self.keeper.current

    def open(self) -> Project:
        """The project as it is now; close it after use. Raises UsageError where its root is gone."""
        if not os.path.isdir(self.root):
            raise UsageError("the root is gone: the folder that this server was started for was removed or renamed")
        return open_project(self.root, option="")

    async def freshen(self) -> None:
        """Wait for a check that a write asked for."""
        await self.keeper.freshen()

    def finish(self, seconds: float) -> None:
        """Stop long work, and let the file that is being written be finished."""
        self.works.stop_all()
        self.writing.acquire(timeout=seconds)

    def look_again(self) -> int:
        """Let the verdicts be brought up to date after a file was written; from any thread. Returns the number of the
        write."""
        number = self.keeper.count_write()
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self.keeper.look_after_write)
        return number

    def check_again(self) -> None:
        """Check after the user stopped the first check; from any thread."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self.keeper.restart)

    async def start(self) -> None:
        """Begin to check, and to watch."""
        self._loop = asyncio.get_running_loop()
        self._watching = self._loop.create_task(self.keeper.watch())

    async def close(self) -> None:
        """End what runs; a write that has begun is finished first."""
        if self._watching is not None:
            self._watching.cancel()
        self.works.stop_all()
        await self.keeper.close()
        await super().close()

    def _note_check(self, documents: CheckedDocuments, head: str) -> None:
        if self._loop is not None and not self.read_only:
            self._loop.run_in_executor(self._pool, record_documents, self, documents, head)

    def _tell_work(self, work: LongWork) -> None:
        if self._loop is not None:
            event = WorkChanged(work.id, work.title, work.done, work.total, work.state)
            self._loop.call_soon_threadsafe(self.events.publish, event)
