"""Several new files below a root: all of them appear, each whole, or none does."""

from __future__ import annotations

import errno
import fcntl
import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from ..errors import Blocked, Missing, Refused, Unreadable
from .write import make_folders

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .files import Root

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


@contextmanager
def alone_in(root: Root, key: str) -> Iterator[None]:
    """Keep others who ask for the same out of a folder meanwhile; it is made where it is missing."""
    try:
        folder = make_folders(root, key)
    except Blocked:
        raise Refused(f"{key}: lies outside the root; nothing was written") from None
    except Missing:
        raise Refused(f"{key}: is no folder; nothing was written") from None
    with suppress(OSError):
        # Where a file system knows no locks, everybody goes on without.
        fcntl.flock(folder, fcntl.LOCK_EX)
    try:
        yield
    finally:
        with suppress(OSError):
            fcntl.flock(folder, fcntl.LOCK_UN)


def create_together(root: Root, folder: str, files: Sequence[tuple[str, bytes]]) -> None:
    """Create files, given by name and content, in one folder; raises Refused where one exists or cannot be."""
    place = make_folders(root, folder)
    temps: list[str] = []
    named: list[str] = []
    name = files[0][0] if files else ""
    try:
        for _, data in files:
            temps.append(f".pincite-{os.getpid()}-{os.urandom(4).hex()}~")
            with open(os.open(temps[-1], _NEW, 0o644, dir_fd=place), "wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
        for temp, (name, _) in zip(temps, files, strict=True):
            _name(place, temp, name)
            named.append(name)
    except BaseException as error:
        for done in named:
            with suppress(OSError):
                os.unlink(done, dir_fd=place)
        if isinstance(error, FileExistsError):
            raise Refused(f"{folder}/{name}: exists already; nothing was written") from None
        if isinstance(error, OSError):
            raise Unreadable(f"{folder}/{name}: cannot be written ({error.strerror})") from None
        raise
    finally:
        for temp in temps:
            with suppress(OSError):
                os.unlink(temp, dir_fd=place)


def _name(place: int, temp: str, name: str) -> None:
    """Give a whole file its name; raises FileExistsError where that is taken."""
    try:
        os.link(temp, name, src_dir_fd=place, dst_dir_fd=place)
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.ENOSYS):
            raise
        # A file system on which files have one name only.
        os.close(os.open(name, _NEW, 0o644, dir_fd=place))
        os.replace(temp, name, src_dir_fd=place, dst_dir_fd=place)
