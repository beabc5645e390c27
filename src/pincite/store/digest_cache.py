"""Small things at rest in the user's cache folder: kept under a digest, given back whole, or not at all.

They lie outside every tree that is checked, so that a tree cannot bring answers of its own. An entry that is damaged,
of another version, or not ours is passed over in silence, and so is a place that cannot be used.
"""

from __future__ import annotations

import os
import stat as st
from contextlib import suppress

import msgspec
from xxhash import xxh3_128_digest

from ..core.errors import Refused
from .cache_folder import cache_folder, is_private, open_part

_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class _Entry(msgspec.Struct, array_like=True):
    version: int
    key: str
    check: bytes
    held: bytes


class DigestCache:
    """One folder of entries, each below a size; when all together are too large, the oldest go."""

    def __init__(self, name: str, version: int, entry_bytes: int, most_bytes: int) -> None:
        self._name = name
        self._version = version
        self._entry_bytes = entry_bytes
        self._most = most_bytes
        # Looking at every entry after every entry would be slow; the room found last time tells.
        self._spare: dict[str, int] = {}

    def load(self, key: str) -> bytes | None:
        """What was kept under a hexadecimal digest; None where there is nothing sound."""
        try:
            with open_part(self._name, make=False) as folder:
                data = _bytes_of(folder, key, self._entry_bytes + 1024)
            entry = msgspec.msgpack.decode(data, type=_Entry)
        except (Refused, ValueError, RecursionError):
            return None
        if (entry.version, entry.key, entry.check) != (self._version, key, xxh3_128_digest(entry.held)):
            return None
        return entry.held

    def save(self, key: str, held: bytes) -> None:
        """Keep something, whole or not at all; what cannot be kept is no loss."""
        if len(held) > self._entry_bytes:
            return
        data = msgspec.msgpack.encode(_Entry(self._version, key, xxh3_128_digest(held), held))
        if len(data) > self._most:
            return
        place, temp = cache_folder(), f".{os.getpid()}-{os.urandom(4).hex()}~"
        try:
            with open_part(self._name, make=True) as folder:
                try:
                    with open(os.open(temp, _NEW, 0o600, dir_fd=folder), "wb") as stream:
                        stream.write(data)
                    os.replace(temp, key, src_dir_fd=folder, dst_dir_fd=folder)
                except BaseException:
                    with suppress(OSError):
                        os.unlink(temp, dir_fd=folder)
                    raise
                self._spare[place] = self._spare.get(place, 0) - len(data)
                if self._spare[place] < 0:
                    self._spare[place] = _make_room(folder, self._most)
        except Refused:
            return


def _bytes_of(folder: int, name: str, most: int) -> bytes:
    descriptor = os.open(name, _FILE, dir_fd=folder)
    try:
        info = os.fstat(descriptor)
        if not st.S_ISREG(info.st_mode) or not is_private(info) or info.st_size > most:
            raise PermissionError(name)
        data = b""
        while len(data) < info.st_size and (more := os.read(descriptor, info.st_size - len(data))):
            data = data + more if data else more
        return data
    finally:
        os.close(descriptor)


def _make_room(folder: int, most: int) -> int:
    """Drop the oldest entries until the rest fits; gives what may be added before it is worth looking again."""
    entries = []
    with os.scandir(folder) as found:
        for entry in found:
            with suppress(OSError):
                info = entry.stat(follow_symlinks=False)
                if st.S_ISREG(info.st_mode):
                    entries.append((info.st_mtime_ns, info.st_size, entry.name))
    total = sum(size for _, size, _ in entries)
    if total > most:
        # The newest one was just written and stays; a little more than needed goes, so that this stays rare.
        for _, size, name in sorted(entries)[:-1]:
            if total <= most * 7 // 8:
                break
            with suppress(OSError):
                os.unlink(name, dir_fd=folder)
                total -= size
    return max(0, most - total)
