"""What every server has, whatever it serves: threads in which pages are made, and words for what went wrong."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

from ...core.errors import PinciteError
from ...safe.escape import escape_text

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

_THREADS = 4
"""Pages that are made at once: they share the interpreter, and each may hold folders open."""
_THREADS_OF_A_KIND = 2
"""Those of them that one kind of page may take: one that takes long, such as a planned fix, leaves the others some."""


class ServedSite:
    """What a server serves, whatever it is. Pages are made in threads; the loop runs the rest."""

    is_fleet = False
    """Whether it is a fleet; else it is the folder of one repository."""

    def __init__(self, name: str, read_only: bool) -> None:
        self.name = name
        self.read_only = read_only
        self._pool = ThreadPoolExecutor(_THREADS, "pincite-page")
        self._turns: defaultdict[str, asyncio.Semaphore] = defaultdict(lambda: asyncio.Semaphore(_THREADS_OF_A_KIND))

    async def run(self, kind: str, function: Callable[..., T], *arguments: Any) -> T:
        """Call something that reads, writes or computes, in a thread; `kind` is the page or action that it is for."""
        async with self._turns[kind]:
            return await asyncio.get_running_loop().run_in_executor(self._pool, function, *arguments)

    def describe_error(self, error: BaseException) -> str:
        """What went wrong, as the command line says it."""
        if isinstance(error, PinciteError):
            return "\n".join(escape_text(line) for line in str(error).split("\n"))
        if isinstance(error, MemoryError):
            return "out of memory; ask for less at once"
        if isinstance(error, OSError):
            return f"a file cannot be read or written: {error.strerror or type(error).__name__}; try again"
        return f"pincite failed ({type(error).__name__}); this is a defect of it, another request may work"

    def has_page(self, name: str) -> bool:
        """Whether the navigation leads to a page."""
        return True

    async def freshen(self) -> None:
        """Bring what pages show up to date, before one is made."""

    async def start(self) -> None:
        """Begin what runs beside the pages."""

    async def close(self) -> None:
        """End what runs."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def finish(self, seconds: float) -> None:
        """Let what is being written be finished, for so many seconds at most: the process ends."""
