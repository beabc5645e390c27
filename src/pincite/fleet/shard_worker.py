"""The worker's side of the process that reads repositories: one at a time, restarted when it ends or takes too long."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

from msgspec import DecodeError
from msgspec.msgpack import Decoder, encode
from msgspec.structs import replace

from ..core.errors import PinciteError
from ..safe.child import ChildFailed
from ..safe.worker_process import WorkerProcess
from .shard_records import (
    ShardBatch,
    ShardCited,
    ShardFarewell,
    ShardHead,
    ShardRefusal,
    ShardReply,
    ShardRequest,
    ShardResult,
    ShardRow,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from .shard_records import ShardTask

_MODULE = "pincite.fleet.shard_process"
_MOST_FRAME = 64 * 1024 * 1024
_GRACE = 5.0
"""Seconds that the process has beyond those of a task, to say itself that time is up."""
_PASSED_ON = frozenset(
    """
    PATH HOME USER LOGNAME LANG LC_ALL LC_CTYPE TZ TMPDIR PYTHONPATH PYTHONHOME LD_LIBRARY_PATH DYLD_LIBRARY_PATH
    XDG_CACHE_HOME XDG_CONFIG_HOME PINCITE_CACHE PINCITE_GIT_OBJECTS SSH_AUTH_SOCK SSL_CERT_FILE SSL_CERT_DIR
    GIT_SSH GIT_SSH_COMMAND GIT_SSH_VARIANT GIT_SSL_CAINFO GIT_SSL_CAPATH GIT_PROXY_SSL_CAINFO
    http_proxy https_proxy no_proxy all_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY
    """.split()
)
"""The variables that the process gets: none of them is a credential of the store."""


class ShardTrouble(PinciteError):
    """A repository cannot be brought up to date or checked; the message says why."""


class ShardWorker:
    """Asks for one shard after the other."""

    def __init__(self) -> None:
        environment = {name: value for name, value in os.environ.items() if name in _PASSED_ON}
        self._process = WorkerProcess(_MODULE, _MOST_FRAME, environment, is_session=True)
        self._decoder = Decoder(ShardReply)

    @property
    def pid(self) -> int | None:
        """The number of the process while it runs."""
        return self._process.pid

    async def update(self, task: ShardTask) -> ShardHead:
        """Bring the mirror of a repository up to date; the commit that it is at.

        Raises ShardTrouble where it cannot be fetched or takes too long, ChildFailed where the process ended.
        """
        found: ShardHead | None = None
        # Read to the end: a process whose answer is not wanted any more is killed.
        async for reply in self._ask(ShardRequest("update", task)):
            if isinstance(reply, ShardHead):
                found = reply
        if found is None:
            raise ChildFailed("the process gave no answer")
        return found

    async def list_cited(self, task: ShardTask, commit: str = "") -> ShardCited:
        """The captured output that a commit cites, by default that of HEAD. Raises as `update` does."""
        found: ShardCited | None = None
        async for reply in self._ask(ShardRequest("cited", task, commit)):
            if isinstance(reply, ShardCited):
                found = reply
        if found is None:
            raise ChildFailed("the process gave no answer")
        return found

    async def check(self, task: ShardTask, commit: str = "") -> ShardResult:
        """Check a commit, by default that of HEAD; the result with all rows. Raises as `update` does."""
        rows: list[ShardRow] = []
        result: ShardResult | None = None
        async for reply in self.stream_check(task, commit):
            if isinstance(reply, ShardResult):
                result = reply
                continue
            if reply.is_first:
                rows.clear()
            rows += reply.rows
        if result is None:
            raise ChildFailed("the process gave no answer")
        return replace(result, rows=rows)

    async def stream_check(self, task: ShardTask, commit: str = "") -> AsyncIterator[ShardBatch | ShardResult]:
        """The same with the rows in batches, and the result without rows at the end."""
        async for reply in self._ask(ShardRequest("check", task, commit)):
            if isinstance(reply, ShardBatch | ShardResult):
                yield reply

    async def stop(self) -> None:
        """End the process and all that it started."""
        await self._process.stop()

    async def _ask(self, request: ShardRequest) -> AsyncIterator[ShardReply]:
        """The replies to a request, all of them read; a refusal is raised as ShardTrouble."""
        seconds = request.task.seconds
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds + _GRACE
        frames = self._process.ask(encode(request))
        refusal, is_last = "", False
        try:
            while True:
                try:
                    async with asyncio.timeout_at(until):
                        frame = await anext(frames, None)
                except TimeoutError:
                    raise ShardTrouble(f"took longer than {round(seconds, 1):g} s and was ended") from None
                if frame is None:
                    break
                try:
                    reply = self._decoder.decode(frame)
                except DecodeError:
                    raise ChildFailed("the process sent what is no answer") from None
                if isinstance(reply, ShardRefusal):
                    refusal = reply.message
                elif isinstance(reply, ShardFarewell):
                    is_last = True
                else:
                    yield reply
        finally:
            await frames.aclose()
        if is_last:
            # A request that meets it while it ends would be lost.
            await self._process.stop()
        if refusal:
            raise ShardTrouble(refusal)
