"""Work that may take all the memory there is, or crash: done in a forked process of its own, with limits."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from .write import write_all

if TYPE_CHECKING:
    from collections.abc import Callable


def run_in_child(work: Callable[[], bytes], memory: int, seconds: int) -> bytes | None:
    """What `work` gives, or None where it died, took more memory on top of what is in use, or more time.

    Nothing that `work` changes lasts. It must start no threads and wait for none.
    """
    import signal
    import warnings

    reader, writer = os.pipe()
    try:
        with warnings.catch_warnings():
            # Other threads may hold locks that stay locked in the child; what works there takes none of them.
            warnings.simplefilter("ignore", DeprecationWarning)
            pid = os.fork()
    except OSError:
        os.close(reader)
        os.close(writer)
        return None
    if not pid:
        _work(work, reader, writer, memory, seconds)
    os.close(writer)
    pieces = []
    try:
        while piece := os.read(reader, 1 << 20):
            pieces.append(piece)
    except BaseException:
        os.kill(pid, signal.SIGKILL)
        raise
    finally:
        os.close(reader)
        status = 1
        # Another waiter may have taken its status.
        with suppress(ChildProcessError):
            status = os.waitpid(pid, 0)[1]
    return b"".join(pieces) if status == 0 else None


def _work(work: Callable[[], bytes], reader: int, writer: int, memory: int, seconds: int) -> None:
    """The child's whole life."""
    status = 1
    try:
        os.close(reader)
        # What a library prints as it dies is dropped.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        if "faulthandler" in sys.modules:
            sys.modules["faulthandler"].disable()
        confine(memory, seconds)
        write_all(writer, work())
        status = 0
    finally:
        # Straight out: the parent's buffers and exit handlers are not ours to run.
        os._exit(status)


def confine(memory: int, seconds: int = 0) -> None:
    """Bound what this process may take: memory on top of what is in use, and processor time unless it is 0."""
    import resource

    wanted = [("RLIMIT_CORE", 0), *([("RLIMIT_CPU", seconds)] if seconds else [])]
    # Where the size of a process is unknown, the limit on its time has to do.
    with suppress(OSError, ValueError, IndexError), open("/proc/self/statm", "rb") as file:
        wanted.append(("RLIMIT_AS", int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE") + memory))
    for name, most in wanted:
        with suppress(AttributeError, OSError, ValueError):
            _, hard = resource.getrlimit(getattr(resource, name))
            resource.setrlimit(getattr(resource, name), (most, hard))
