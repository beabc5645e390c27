"""Work that an event loop hands to a Python process of its own, and takes back or gives up at any time."""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from .child import ChildFailed

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping

_MOST_COMPLAINT = 16 * 1024


async def ask_worker(module: str, request: bytes, most: int) -> bytes:
    """What a module of this package answers to a request on its standard input.

    Cancelling kills the process. Raises ChildFailed with the last line that it wrote to standard error where it fails,
    or where its answer is longer than `most` bytes.
    """
    # Neither the working folder nor the folder of a script may offer modules: both may belong to what is checked.
    command = [sys.executable, "-P", "-m", module]
    pipe = asyncio.subprocess.PIPE
    try:
        process = await asyncio.create_subprocess_exec(*command, cwd="/", stdin=pipe, stdout=pipe, stderr=pipe)
    except OSError as error:
        raise ChildFailed(f"cannot run {sys.executable}: {error.strerror}") from None
    try:
        answer, complaint, _ = await asyncio.gather(
            _read_all(process.stdout, most), _read_all(process.stderr, _MOST_COMPLAINT), _send(process.stdin, request)
        )
        code = await process.wait()
    except OverflowError:
        raise ChildFailed(f"an answer of more than {most} bytes was dropped") from None
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await asyncio.shield(process.wait())
    if code:
        said = complaint.decode("utf-8", "replace").strip().rpartition("\n")[2]
        raise ChildFailed(said or f"the process ended with code {code}")
    return answer


async def _send(stream: asyncio.StreamWriter | None, data: bytes) -> None:
    if stream is not None:
        # A process that ends early says why on its standard error.
        with suppress(ConnectionError):
            stream.write(data)
            await stream.drain()
            stream.close()


async def _read_all(stream: asyncio.StreamReader | None, most: int) -> bytes:
    """Everything that a stream holds; raises OverflowError where that is too much."""
    pieces: list[bytes] = []
    size = 0
    while stream is not None and (piece := await stream.read(1 << 16)):
        pieces.append(piece)
        size += len(piece)
        if size > most:
            raise OverflowError
    return b"".join(pieces)


class WorkerProcess:
    """A Python process that stays: it answers one request after another, each with frames until an empty one.

    Its standard input and output carry frames: four bytes of length, then so many bytes.
    """

    def __init__(
        self, module: str, most: int, environment: Mapping[str, str] | None = None, is_session: bool = False
    ) -> None:
        """`environment` replaces ours. With `is_session` it has a session of its own, which ends with it as a whole."""
        self._module = module
        self._most = most
        self._environment = environment
        self._is_session = is_session
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()

    @property
    def pid(self) -> int | None:
        """The process's number while it runs."""
        return self._process.pid if self._process is not None and self._process.returncode is None else None

    async def ask(self, request: bytes) -> AsyncGenerator[bytes, None]:
        """The frames of the answer; raises ChildFailed where the process ends before the answer is complete.

        Not reading on, cancelling included, ends the process: the next request starts another one.
        """
        async with self._turn:
            is_complete = False
            try:
                process = await self._start()
                if process.stdin is None or process.stdout is None:
                    raise ChildFailed("the process has no streams")
                process.stdin.write(len(request).to_bytes(4, "big") + request)
                await process.stdin.drain()
                while frame := await self._read_frame(process.stdout):
                    yield frame
                is_complete = True
            except (ConnectionError, asyncio.IncompleteReadError):
                raise ChildFailed("the process ended before its answer was complete") from None
            finally:
                if not is_complete:
                    await self.stop()

    async def stop(self) -> None:
        """End the process, whatever it does."""
        process, self._process = self._process, None
        if process is None:
            return
        if self._is_session:
            from .bounded_child import kill_session

            kill_session(process.pid, process.returncode is not None)
        if process.returncode is None:
            if not self._is_session:
                # After a signal from elsewhere this would take the exit code that the event loop waits for.
                with suppress(ProcessLookupError):
                    process.kill()
            await asyncio.shield(process.wait())

    async def _start(self) -> asyncio.subprocess.Process:
        process = self._process
        if process is None or process.returncode is not None:
            pipe = asyncio.subprocess.PIPE
            command = [sys.executable, "-P", "-m", self._module]
            try:
                # What it says on standard error is for the terminal that the server runs in.
                process = await asyncio.create_subprocess_exec(
                    *command,
                    cwd="/",
                    env=self._environment,
                    stdin=pipe,
                    stdout=pipe,
                    start_new_session=self._is_session,
                )
            except OSError as error:
                raise ChildFailed(f"cannot run {sys.executable}: {error.strerror}") from None
            self._process = process
        return process

    async def _read_frame(self, stream: asyncio.StreamReader) -> bytes:
        size = int.from_bytes(await stream.readexactly(4), "big")
        if size > self._most:
            raise ChildFailed(f"an answer of more than {self._most} bytes was dropped")
        return await stream.readexactly(size)
