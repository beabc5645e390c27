"""The files that captured bytes lie in: one per run, appended to by one recorder that holds it locked."""

from __future__ import annotations

import fcntl
import os
import stat as st
from contextlib import suppress

from ..core.errors import Refused
from ..safe.files import Closing
from . import FOLDER
from .database import StoreTrouble

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..safe.files import Root

OUTPUT = f"{FOLDER}/output"
PIECE = 1 << 20
_AT_ONCE = 512
_FLAGS = os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class Output(Closing):
    """An output file held open and locked. No other process appends to it, moves it or removes it meanwhile."""

    def __init__(self, folder: int, name: str, descriptor: int) -> None:
        self.name = name
        self._folder = folder
        self._file = descriptor
        info = os.fstat(descriptor)
        self.end = info.st_size
        """How many bytes are in it."""
        self.modified = info.st_mtime

    @classmethod
    def make(cls, root: Root) -> Output:
        """A new, empty one; raises StoreTrouble."""
        try:
            folder = root.folder(OUTPUT)
            while True:
                name = os.urandom(8).hex()
                descriptor = os.open(name, _FLAGS | os.O_CREAT | os.O_EXCL, 0o600, dir_fd=folder)
                fcntl.flock(descriptor, fcntl.LOCK_EX)
                # A clean-up may have found it empty and unlocked between the two calls.
                if os.fstat(descriptor).st_nlink:
                    return cls(folder, name, descriptor)
                os.close(descriptor)
        except (OSError, Refused) as error:
            raise StoreTrouble(f"{OUTPUT}: cannot be written ({getattr(error, 'strerror', None) or error})") from None

    @classmethod
    def resume(cls, root: Root, name: str) -> Output | None:
        """An existing one whose recorder is gone; None where it still writes, or there is no such file."""
        if not is_name(name):
            return None
        try:
            folder = root.folder(OUTPUT)
            descriptor = os.open(name, _FLAGS, dir_fd=folder)
        except (OSError, Refused):
            return None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # It may have been removed between the two calls.
            if os.fstat(descriptor).st_nlink and st.S_ISREG(os.fstat(descriptor).st_mode):
                return cls(folder, name, descriptor)
        except OSError:
            pass
        os.close(descriptor)
        return None

    def write(self, pieces: Sequence[bytes | memoryview]) -> None:
        """Append all the pieces, one after the other."""
        for at in range(0, len(pieces), _AT_ONCE):
            some = pieces[at : at + _AT_ONCE]
            left = sum(map(len, some))
            done = os.pwritev(self._file, some, self.end) if left else 0
            self.end += done
            view = memoryview(b"".join(some))[done:] if done < left else b""
            while view:
                done = os.pwrite(self._file, view, self.end)
                self.end += done
                view = view[done:]

    def read(self, start: int, length: int) -> bytes:
        """Bytes of it, fewer where it ends before."""
        return pread(self._file, start, length)

    def truncate(self, end: int) -> None:
        """Take back what was appended after `end`."""
        with suppress(OSError):
            os.ftruncate(self._file, end)
        self.end = end

    def sync(self) -> None:
        """See that it is on the disk."""
        os.fsync(self._file)

    def require(self) -> None:
        """Raise StoreTrouble where it was removed meanwhile: what was written is lost."""
        if not os.fstat(self._file).st_nlink:
            raise StoreTrouble(f"{OUTPUT}: removed while the output was being recorded")

    def remove(self) -> None:
        """Unlink it."""
        with suppress(OSError):
            os.unlink(self.name, dir_fd=self._folder)

    def close(self) -> None:
        """Let go of it and of the lock; an empty file is removed."""
        if self._file >= 0:
            if not self.end:
                self.remove()
            os.close(self._file)
            self._file = -1


def list_output(root: Root) -> list[str]:
    """The names of the output files, and of what else lies beside them."""
    try:
        return sorted(os.listdir(root.folder(OUTPUT)))
    except (Refused, OSError):
        return []


def is_held(root: Root, name: str) -> bool | None:
    """Whether a recorder still writes an output file; None where there is no such file."""
    descriptor = _open_output_file(root, name)
    if descriptor < 0:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(descriptor)
    return False


def read_part(root: Root, name: str, start: int, length: int) -> bytes:
    """Bytes of an output file, as many of the wanted ones as there are; empty where it is gone."""
    descriptor = _open_output_file(root, name)
    if descriptor < 0:
        return b""
    try:
        return pread(descriptor, start, length)
    except (OSError, OverflowError):
        return b""
    finally:
        os.close(descriptor)


def _open_output_file(root: Root, name: str) -> int:
    """The open file of that name; -1 where there is none."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        descriptor = os.open(name, flags, dir_fd=root.folder(OUTPUT)) if is_name(name) else -1
    except (OSError, Refused):
        return -1
    if descriptor >= 0 and not st.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        return -1
    return descriptor


def is_name(file: str) -> bool:
    """Whether a text from the database can be the name of an output file."""
    return len(file) == 16 and all(char in "0123456789abcdef" for char in file)


def pread(descriptor: int, start: int, length: int) -> bytes:
    """Bytes of an open file from an offset on, fewer where it ends before."""
    parts = []
    while length > 0 and (data := os.pread(descriptor, length, start)):
        parts.append(data)
        start += len(data)
        length -= len(data)
    return b"".join(parts)
