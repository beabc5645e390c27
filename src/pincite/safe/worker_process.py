"""Work that an event loop hands to a Python process of its own, and takes back or gives up at any time."""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress

from .child import ChildFailed

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
