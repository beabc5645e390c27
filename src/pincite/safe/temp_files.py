"""Files on their way to a name, and what is left of them where their writer was killed.

The writer of such a file holds it locked from the moment it is there. A lock ends with its process, whatever ended
that, on whatever machine or in whatever container: a file whose lock is free has no writer any more.
"""

from __future__ import annotations

import errno
import fcntl
import os
import re
import stat as st
from contextlib import suppress

from ..core.errors import Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from .files import Root

_NAME = re.compile(r"\.pincite-([0-9]{1,10})-[0-9a-f]{8}~")
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_FOUND = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
_TRIES = 16
_LONG = 86_400
"""Seconds after which a file counts as left where locks say nothing and its process is gone."""


def is_temporary(name: str) -> bool:
    """Whether a name is one that only files on their way to another have."""
    return name.endswith("~") and _NAME.fullmatch(name) is not None


def open_temporary(folder: int, mode: int) -> tuple[str, int]:
    """A new, empty file in an open folder: its name, and its descriptor, which holds it locked."""
    for _ in range(_TRIES):
        name = f".pincite-{os.getpid()}-{os.urandom(4).hex()}~"
        try:
            file = os.open(name, _NEW, mode, dir_fd=folder)
        except FileExistsError:
            continue
        try:
            # A sweep may have found it between the two calls: then it is lost, and another one is made.
            if lock(file) is not False and os.fstat(file).st_nlink:
                return name, file
        except BaseException:
            discard(folder, name, file)
            raise
        discard(folder, name, file)
    raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))


def discard(folder: int, name: str, file: int) -> None:
    """Remove a file that is not wanted, where it still has that name, and let go of it."""
    try:
        with suppress(OSError):
            os.unlink(name, dir_fd=folder)
    finally:
        os.close(file)


def sweep(root: Root, folders: Iterable[str]) -> int:
    """Remove what killed writers left directly in the given folders; how many files that were."""
    swept = 0
    for key in sorted(set(folders)):
        try:
            folder = root.folder(key)
            names = os.listdir(folder)
        except (OSError, Refused):
            continue
        swept += sum(_remove(folder, name) for name in names if is_temporary(name))
    return swept


def sweep_once(root: Root, key: str) -> None:
    """Sweep a folder that is about to be written into, the first time through this root."""
    if key not in root.swept:
        root.swept.add(key)
        sweep(root, (key,))


def _remove(folder: int, name: str) -> bool:
    """Remove a file that has no writer any more; False where it may have one."""
    try:
        if not _is_ours(os.stat(name, dir_fd=folder, follow_symlinks=False)):
            return False
        file = os.open(name, _FOUND, dir_fd=folder)
    except OSError:
        return False
    try:
        info = os.fstat(file)
        locked = lock(file)
        if not _is_ours(info) or locked is False or (locked is None and not _is_old(name, info)):
            return False
        if not is_at(folder, name, file):
            return False
        os.unlink(name, dir_fd=folder)
    except OSError:
        return False
    finally:
        os.close(file)
    return True


def is_at(folder: int, name: str, file: int) -> bool:
    """Whether an open file is the one that bears a name."""
    return os.path.samestat(os.stat(name, dir_fd=folder, follow_symlinks=False), os.fstat(file))


def _is_ours(info: os.stat_result) -> bool:
    # The superuser writes files in the name of their owners.
    return st.S_ISREG(info.st_mode) and os.geteuid() in (0, info.st_uid)


def lock(file: int) -> bool | None:
    """Take the lock of an open file: False where another holds it, None where the file system knows no locks."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


def _is_old(name: str, info: os.stat_result) -> bool:
    """Whether a file's process is gone and its last change long ago."""
    from time import time

    match = _NAME.fullmatch(name)
    if match is None or time() - info.st_mtime < _LONG:
        return False
    try:
        os.kill(int(match[1]), 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    return False
