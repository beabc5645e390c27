"""Shards in child processes of this machine: the default."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from ..shard_runner import ShardRunner


class ProcessEngine:
    """As many child processes as asked for; each does one shard at a time."""

    def __init__(self, jobs: int, make_runner: Callable[[], ShardRunner]) -> None:
        self._runners = [make_runner() for _ in range(max(1, jobs))]

    async def run(self, uris: Sequence[str]) -> AsyncIterator[str]:
        """The answer of every shard, as they come."""
        waiting = list(reversed(uris))
        answers: asyncio.Queue[str | BaseException] = asyncio.Queue()

        async def work(runner: ShardRunner) -> None:
            try:
                while waiting:
                    answers.put_nowait(await runner.run(waiting.pop()))
            except Exception as error:  # passed on to who waits for answers
                answers.put_nowait(error)

        tasks = [asyncio.create_task(work(runner)) for runner in self._runners]
        try:
            for _ in range(len(uris)):
                answer = await answers.get()
                if isinstance(answer, BaseException):
                    raise answer
                yield answer
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def close(self) -> None:
        """End the child processes."""
        await asyncio.gather(*(runner.stop() for runner in self._runners))
