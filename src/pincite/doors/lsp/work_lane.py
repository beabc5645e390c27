"""A thread that works for the event loop, one thing after the other."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


class WorkLane:
    """One thread and what it still has to do. Work that is cancelled before its turn is not begun."""

    def __init__(self, name: str) -> None:
        self._todo: SimpleQueue[tuple[Future[Any], Callable[[], Any]]] = SimpleQueue()
        # It must not keep a server alive whose client is gone.
        Thread(target=self._work, name=name, daemon=True).start()

    def submit(self, work: Callable[[], T]) -> asyncio.Future[T]:
        """What the work will give, to be awaited."""
        future: Future[T] = Future()
        self._todo.put((future, work))
        return asyncio.wrap_future(future)

    def _work(self) -> None:
        while True:
            future, work = self._todo.get()
            if not future.set_running_or_notify_cancel():
                continue
            try:
                result = work()
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(result)
            # Nothing of the last job is kept while the next one is waited for.
            del future, work
