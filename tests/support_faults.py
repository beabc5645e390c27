"""Faults at chosen system calls of the code that writes files: an error, an interrupt, or the end of the process."""

from __future__ import annotations

import errno
import fcntl
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

WRITING = ("pincite.safe.write", "pincite.safe.temp_files")
CALLS = (
    *("open", "close", "write", "pread", "fsync", "fstat", "stat", "fchmod", "fchown", "replace", "link", "unlink"),
    *("listxattr", "getxattr", "setxattr", "removexattr", "urandom", "listdir", "mkdir"),
)
ERRORS = (
    *(errno.ENOSPC, errno.EACCES, errno.EPERM, errno.EIO, errno.EINTR, errno.EXDEV, errno.EDQUOT, errno.EROFS),
    *(errno.ENOENT, errno.ESTALE, errno.EMFILE),
)


def fail(number: int) -> Callable[[], None]:
    """A fault that is an error of the system."""

    def fault() -> None:
        raise OSError(number, os.strerror(number))

    return fault


def interrupt() -> None:
    """A fault that is Ctrl-C."""
    raise KeyboardInterrupt


def die() -> None:
    """A fault that no code survives."""
    os.kill(os.getpid(), signal.SIGKILL)


class Faults:
    """Counts the system calls of writing code and does something before chosen ones."""

    def __init__(self, fault: Callable[[int, str], None]) -> None:
        self.seen: list[str] = []
        """The calls so far."""
        self._fault = fault

    def wrapped(self, name: str, really: Callable[..., Any]) -> Callable[..., Any]:
        """A function that is counted, and may fail, when writing code calls it."""

        def call(*arguments: Any, **keywords: Any) -> Any:
            if sys._getframe(1).f_globals.get("__name__") in WRITING:
                self.seen.append(name)
                try:
                    self._fault(len(self.seen), name)
                except BaseException:
                    if name == "close":
                        # What the system says, the descriptor is gone.
                        really(*arguments, **keywords)
                    raise
            return really(*arguments, **keywords)

        return call


@contextmanager
def faults(fault: Callable[[int, str], None]) -> Iterator[Faults]:
    """Ask `fault` before every system call of writing code, with its number from 1 on and its name."""
    watch = Faults(fault)
    names = [name for name in CALLS if hasattr(os, name)]
    patched = [patch.object(os, name, watch.wrapped(name, getattr(os, name))) for name in names]
    patched.append(patch.object(fcntl, "flock", watch.wrapped("flock", fcntl.flock)))
    for one in patched:
        one.start()
    try:
        yield watch
    finally:
        for one in patched:
            one.stop()


def at(number: int, fault: Callable[[], None]) -> Callable[[int, str], None]:
    """A fault at one call only."""
    return lambda seen, _: fault() if seen == number else None
