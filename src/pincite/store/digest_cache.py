"""Small things at rest in the user's cache folder: kept under a digest, given back whole, or not at all.

They lie outside every tree that is checked, so that a tree cannot bring answers of its own. An entry that is damaged,
of another version, or not ours is passed over in silence, and so is a place that cannot be used.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import Generic, TypeVar

import msgspec
from xxhash import xxh3_128_digest

from ..core.errors import Refused
from ..safe.files import take_open
from .cache_folder import cache_folder, drop_oldest, is_private, open_part

T = TypeVar("T")
_is_digest = re.compile(r"[0-9a-f]{16,128}\Z").match
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class _Entry(msgspec.Struct, array_like=True):
    version: int
    key: str
    check: bytes
    held: bytes


class DigestCache(Generic[T]):
    """One folder of entries of one kind, each below a size; when all together are too large, the oldest go."""

    def __init__(self, name: str, version: int, kind: type[T], entry_bytes: int, most_bytes: int) -> None:
        self._name = name
        self._version = version
        self._kind = kind
        self._entry_bytes = entry_bytes
        self._most = most_bytes
        # Looking at every entry after every entry would be slow; the room found last time tells.
        self._spare: dict[str, int] = {}

    def load(self, key: str) -> T | None:
        """What was kept under a hexadecimal digest; None where there is nothing sound."""
        try:
            with open_part(self._name, make=False) as folder:
                data, info = take_open(os.open(key, _FILE, dir_fd=folder), key, self._entry_bytes + 1024)
            if not is_private(info):
                return None
            entry = msgspec.msgpack.decode(data, type=_Entry)
            if (entry.version, entry.key, entry.check) != (self._version, key, xxh3_128_digest(entry.held)):
                return None
            return msgspec.msgpack.decode(entry.held, type=self._kind)
        except (Refused, ValueError, RecursionError):
            return None

    def keys(self) -> list[str]:
        """The digests that something is kept under, sorted."""
        try:
            with open_part(self._name, make=False) as folder:
                return sorted(name for name in os.listdir(folder) if _is_digest(name))
        except Refused:
            return []

    def save(self, key: str, kept: T) -> None:
        """Keep something, whole or not at all; what cannot be kept is no loss."""
        try:
            held = msgspec.msgpack.encode(kept)
        except UnicodeEncodeError:
            return
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
                    self._spare[place] = drop_oldest(folder, self._most)
        except Refused:
            return
