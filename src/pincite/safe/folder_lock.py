"""Locks on whole folders, which several processes use and one of them may remove.

A lock ends with the process that holds it, whatever ended that.
"""

from __future__ import annotations

import fcntl
import os
from contextlib import contextmanager, suppress
from time import monotonic, sleep
from typing import TYPE_CHECKING

from ..core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
_FIRST_WAIT, _LONGEST_WAIT = 0.002, 0.1


class FolderBusy(UsageError):
    """Another process holds the folder."""


@contextmanager
def use_folder(path: str, seconds: float = 60.0) -> Iterator[None]:
    """Keep a folder from being removed; others may use it too. Raises FolderBusy, and FileNotFoundError."""
    held = _hold(path, fcntl.LOCK_SH, seconds)
    try:
        yield
    finally:
        os.close(held)


@contextmanager
def own_folder(path: str, seconds: float = 60.0) -> Iterator[None]:
    """Be the only user of a folder. Raises FolderBusy, and FileNotFoundError."""
    held = _hold(path, fcntl.LOCK_EX, seconds)
    try:
        yield
    finally:
        os.close(held)


@contextmanager
def own_file(path: str, seconds: float) -> Iterator[None]:
    """Be the only holder of a file that stands for a piece of work; it is made where it is missing."""
    held = os.open(path, _FILE, 0o600)
    try:
        _wait(held, fcntl.LOCK_EX, path, seconds)
        yield
    finally:
        os.close(held)


def _hold(path: str, kind: int, seconds: float) -> int:
    until = monotonic() + seconds
    while True:
        held = os.open(path, _FOLDER)
        try:
            _wait(held, kind, path, max(0.0, until - monotonic()))
            with suppress(FileNotFoundError):
                if os.path.samestat(os.lstat(path), os.fstat(held)):
                    return held
        except BaseException:
            os.close(held)
            raise
        # It was removed, and perhaps made again, between the two calls.
        os.close(held)


def _wait(file: int, kind: int, path: str, seconds: float) -> None:
    until, pause = monotonic() + seconds, _FIRST_WAIT
    while True:
        try:
            fcntl.flock(file, kind | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if monotonic() >= until:
                raise FolderBusy(f"{path}: in use by another process for more than {seconds:g} s; try again") from None
        sleep(pause)
        pause = min(2 * pause, _LONGEST_WAIT)
