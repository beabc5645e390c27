"""Forked workers for long lists of documents. Results come back in order, through pipes, a block at a time."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from msgspec.msgpack import Decoder, Encoder

from ..errors import PinciteError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, BinaryIO

_BLOCK = 64
_UNSENDABLE = (1 << 64) - 1
"""Instead of a size: the block holds a name that is not UTF-8, and whoever asked has to work it out."""


def in_workers(
    paths: Sequence[str], jobs: int, work: Callable[[Sequence[str]], Iterator[Any]], kind: Any, block: int = _BLOCK
) -> Iterator[Any]:
    """What `work` gives for all paths, in their order and each a `kind`; blocks are dealt to the workers in turn."""
    blocks = [paths[at : at + block] for at in range(0, len(paths), block)]
    jobs = min(jobs, len(blocks))
    workers: list[tuple[int, BinaryIO]] = []
    try:
        for number in range(jobs):
            inherited = [stream.fileno() for _, stream in workers]
            pid, reader = _start(blocks[number::jobs], work, inherited)
            workers.append((pid, os.fdopen(reader, "rb")))
        decoder: Decoder[Any] = Decoder(list[kind])
        for number in range(len(blocks)):
            stream = workers[number % jobs][1]
            size = int.from_bytes(stream.read(8), "big")
            if size == _UNSENDABLE:
                yield from work(blocks[number])
                continue
            data = stream.read(size)
            if not size or len(data) != size:
                raise PinciteError("a worker ended early; run again with --jobs 1 to see why")
            yield from decoder.decode(data)
    finally:
        for pid, stream in workers:
            stream.close()
            _end(pid)


def _start(
    blocks: list[Sequence[str]], work: Callable[[Sequence[str]], Iterator[Any]], inherited: list[int]
) -> tuple[int, int]:
    """Fork one worker; gives its process id and the pipe it writes to."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writer)
        return pid, reader
    status = 1
    try:
        for descriptor in (reader, *inherited):
            os.close(descriptor)
        encoder = Encoder()
        with os.fdopen(writer, "wb") as stream:
            for block in blocks:
                try:
                    data = encoder.encode(list(work(block)))
                    stream.write(len(data).to_bytes(8, "big") + data)
                except UnicodeEncodeError:
                    stream.write(_UNSENDABLE.to_bytes(8, "big"))
                stream.flush()
        status = 0
    except BrokenPipeError:
        status = 0
    finally:
        # Straight out: the parent's buffers and exit handlers are not ours to run.
        os._exit(status)


def _end(pid: int) -> None:
    """Wait for a worker; one that still works when nobody reads any more is told to stop."""
    import signal

    try:
        done, _ = os.waitpid(pid, os.WNOHANG)
        if not done:
            os.kill(pid, signal.SIGTERM)
            os.waitpid(pid, 0)
    except (ChildProcessError, ProcessLookupError):
        return
