"""Who cites what, kept up to date in the background: one index for each project."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from msgspec import MsgspecError
from msgspec.msgpack import decode, encode

from ...engine.citing_index import CitingIndex, CitingReference
from ...safe.child import ChildFailed
from ...safe.worker_process import ask_worker
from .background_work import MODULE, IndexRequest

if TYPE_CHECKING:
    from collections.abc import Callable

    from .open_files import OpenFile, OpenFiles
    from .work_lane import WorkLane

_PAUSE = 2.0
"""Seconds without a saved file before the documents are looked through again."""
_MOST_ANSWER = 512 * 1024 * 1024


class CitingIndexes:
    """The indexes of all projects that have an open file. Documents that are open count as they are in the editor."""

    def __init__(
        self, files: OpenFiles, lane: WorkLane, changed: Callable[[], object], note: Callable[[str], object]
    ) -> None:
        self._files = files
        self._lane = lane
        self._changed = changed
        self._note = note
        self._indexes: dict[str, CitingIndex] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._ready: dict[str, asyncio.Event] = {}
        self._slot = asyncio.Semaphore(1)

    def get(self, root: str) -> CitingIndex | None:
        """What is known so far; None before the first look at the documents has ended."""
        return self._indexes.get(root)

    async def wait(self, root: str) -> CitingIndex:
        """The index, as soon as there is one; an empty one where it cannot be made."""
        self.begin(root)
        await self._ready[root].wait()
        return self._indexes.get(root) or CitingIndex()

    def begin(self, root: str) -> None:
        """See to it that there will be an index."""
        if root not in self._ready:
            self._ready[root] = asyncio.Event()
            self._start(root, 0.0)

    def renew(self, root: str) -> None:
        """Look at the documents again after a while: a file was saved, made, moved or removed."""
        if root in self._ready:
            self._start(root, _PAUSE)

    def update(self, file: OpenFile) -> None:
        """Take in what an open document cites now."""
        index = self._indexes.get(file.place.root) if file.place is not None else None
        if index is not None and file.report is not None:
            index.update(file.report)

    def close(self) -> None:
        """Give up what is under way."""
        for task in self._tasks.values():
            task.cancel()

    def _start(self, root: str, delay: float) -> None:
        if root in self._tasks:
            self._tasks[root].cancel()
        self._tasks[root] = asyncio.get_running_loop().create_task(self._build(root, delay))

    async def _build(self, root: str, delay: float) -> None:
        try:
            await asyncio.sleep(delay)
            async with self._slot:
                answer = await ask_worker(MODULE, encode(IndexRequest(root)), _MOST_ANSWER)
            index = await self._lane.submit(lambda: CitingIndex(decode(answer, type=list[CitingReference])))
        except (ChildFailed, MsgspecError, UnicodeError) as error:
            self._note(f"who cites what is not known: {error}")
        else:
            self._indexes[root] = index
            for file in self._files:
                if file.place is not None and file.place.root == root:
                    self.update(file)
        # A renewal that was asked for meanwhile cancelled this one, and will say so itself.
        self._ready[root].set()
        self._changed()
