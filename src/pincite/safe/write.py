"""Writing below a root: the whole new file or the whole old one, never anything between."""

from __future__ import annotations

import os
import stat as st
from contextlib import suppress

from ..errors import Conflict, Missing, Refused, Unreadable
from .files import Root

_TEMP = ".pincite-"
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def replace(root: Root, key: str, old: bytes, new: bytes) -> None:
    """Replace a file's content with `new`, provided it still is `old`; mode and owner stay.

    Raises Conflict when the file changed since it was read, Refused when it cannot be written.
    """
    place = root.locate(key)
    head, _, name = place.rpartition("/")
    folder = root.folder(head)
    try:
        before = os.stat(name, dir_fd=folder, follow_symlinks=False)
        if not st.S_ISREG(before.st_mode):
            raise Missing(key)
        if root.read(place) != old:
            raise Conflict(f"{key}: changed since it was read; nothing was written. Run the command again.")
        temp = _write_beside(folder, name, new, before)
        try:
            now = os.stat(name, dir_fd=folder, follow_symlinks=False)
            if _identity(now) != _identity(before) or root.read(place) != old:
                raise Conflict(
                    f"{key}: changed while it was being written; nothing was written. Run the command again."
                )
            os.replace(temp, name, src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException:
            os.unlink(temp, dir_fd=folder)
            raise
        with suppress(OSError):
            # The file is whole either way; this only makes its name last through a power cut.
            os.fsync(folder)
    except OSError as error:
        raise Unreadable(f"{key}: cannot be written ({error.strerror})") from None


def create(root: Root, key: str, data: bytes, mode: int = 0o644) -> None:
    """Create a file that must not exist yet; raises Refused where it does or cannot be."""
    head, _, name = key.rpartition("/")
    folder = make_folders(root, head)
    try:
        descriptor = os.open(name, _NEW, mode, dir_fd=folder)
    except FileExistsError:
        raise Refused(f"{key}: exists already; nothing was written") from None
    except OSError as error:
        raise Unreadable(f"{key}: cannot be written ({error.strerror})") from None
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
    except BaseException as error:
        os.unlink(name, dir_fd=folder)
        if isinstance(error, OSError):
            raise Unreadable(f"{key}: cannot be written ({error.strerror})") from None
        raise


def put(root: Root, key: str, data: bytes) -> None:
    """Create or replace a file of our own (a cache, a baseline) in one step; raises Refused."""
    head, _, name = key.rpartition("/")
    folder = make_folders(root, head)
    try:
        temp = _write_beside(folder, name, data, None)
        try:
            os.replace(temp, name, src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException:
            os.unlink(temp, dir_fd=folder)
            raise
    except OSError as error:
        raise Unreadable(f"{key}: cannot be written ({error.strerror})") from None


def append(root: Root, key: str, data: bytes) -> None:
    """Add to the end of a file of our own (a log), made where it is missing, never through a link; raises Refused."""
    head, _, name = key.rpartition("/")
    folder = make_folders(root, head)
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        descriptor = os.open(name, flags, 0o644, dir_fd=folder)
        try:
            if not st.S_ISREG(os.fstat(descriptor).st_mode):
                raise Missing(key)
            view = memoryview(data)
            while view:
                view = view[os.write(descriptor, view) :]
        finally:
            os.close(descriptor)
    except OSError as error:
        raise Unreadable(f"{key}: cannot be written ({error.strerror})") from None


def make_folders(root: Root, key: str) -> int:
    """The open folder at `key`, made where it is missing, never through a link that leads out."""
    path = ""
    for part in filter(None, key.split("/")):
        parent = root.folder(path)
        try:
            os.mkdir(part, 0o755, dir_fd=parent)
        except FileExistsError:
            pass
        except OSError as error:
            raise Unreadable(f"{key}: cannot be made ({error.strerror})") from None
        path = f"{path}/{part}" if path else part
    return root.folder(path)


def _write_beside(folder: int, name: str, data: bytes, like: os.stat_result | None) -> str:
    """Write a temporary file into the same folder, safely on disk, with the mode and owner of `like`."""
    temp = f"{_TEMP}{os.getpid()}-{os.urandom(4).hex()}~"
    descriptor = os.open(temp, _NEW, 0o600 if like is not None else 0o644, dir_fd=folder)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            if like is not None:
                if (like.st_uid, like.st_gid) != (os.geteuid(), os.getegid()):
                    os.fchown(stream.fileno(), like.st_uid, like.st_gid)
                os.fchmod(stream.fileno(), st.S_IMODE(like.st_mode))
            os.fsync(stream.fileno())
    except BaseException:
        os.unlink(temp, dir_fd=folder)
        raise
    return temp


def _identity(info: os.stat_result) -> tuple[int, int, int, int]:
    return info.st_dev, info.st_ino, info.st_size, info.st_mtime_ns
