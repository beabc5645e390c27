"""Forked workers for long lists of documents. Results come back in order, through pipes, a block at a time."""

from __future__ import annotations

import os
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING

from msgspec.msgpack import Decoder, Encoder

from ..core.errors import PinciteError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, BinaryIO

_BLOCK = 64
_AT_ONCE = 16
"""Results that are sent together."""
_EARLY = "a worker ended early; run again with --jobs 1 to see why"
_UNSENDABLE = (1 << 64) - 1
"""Instead of a size: the block holds a name that is not UTF-8, and the caller has to work it out."""


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
            received = 0
            while size := _next_size(stream):
                if size == _UNSENDABLE:
                    yield from islice(work(blocks[number]), received, None)
                    break
                data = stream.read(size)
                if len(data) != size:
                    raise PinciteError(_EARLY)
                for result in decoder.decode(data):
                    received += 1
                    yield result
    finally:
        for pid, stream in workers:
            stream.close()
            _end(pid)


def _next_size(stream: BinaryIO) -> int:
    """How many bytes come next; 0 at the end of a block."""
    head = stream.read(8)
    if len(head) != 8:
        raise PinciteError(_EARLY)
    return int.from_bytes(head, "big")


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
                    # Some at a time: the parts of a large document would fill memory on both sides.
                    results = work(block)
                    while some := list(islice(results, _AT_ONCE)):
                        data = encoder.encode(some)
                        stream.write(len(data).to_bytes(8, "big") + data)
                    stream.write(bytes(8))
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
    """Wait for a worker; one that still works when the reader is gone is stopped."""
    import signal

    with suppress(ChildProcessError, ProcessLookupError):
        done, _ = os.waitpid(pid, os.WNOHANG)
        if not done:
            os.kill(pid, signal.SIGTERM)
            os.waitpid(pid, 0)
