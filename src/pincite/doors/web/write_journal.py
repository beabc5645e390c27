"""What this server wrote: kept in memory, so that each write can be taken back while its files are as it left them."""

from __future__ import annotations

from secrets import token_hex
from threading import Lock
from time import time
from typing import TYPE_CHECKING, NamedTuple

from ...core.errors import Conflict
from ...engine.file_changes import FileRewrite, digest_bytes, read_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...safe.files import Root
    from .records import CitationRow
    from .site import Site

_KEY = "writes"
_MOST_WRITES = 200
_MOST_BYTES = 64 * 1024 * 1024
"""Old contents that are kept in all; of more, the oldest writes are forgotten."""


class KeptFile(NamedTuple):
    """A file as it was before a write, and the digest of what the write left."""

    path: str
    old: bytes | None
    left: str


class KeptWrite:
    """One write."""

    def __init__(
        self, title: str, settled: Sequence[CitationRow], changes: Sequence[FileRewrite], number: int = 0
    ) -> None:
        self.id = token_hex(6)
        self.time = time()
        self.title = title
        self.settled = tuple(settled)
        """The citations that it was made for, as they were before."""
        self.files = tuple(KeptFile(one.path, one.old, digest_bytes(one.new)) for one in changes)
        self.number = number
        """Which write of the server it is: verdicts take it into account when they say that they do."""
        self.is_taken_back = False

    @property
    def size(self) -> int:
        """The bytes that it keeps."""
        return sum(len(file.old or b"") for file in self.files)


class WriteJournal:
    """The writes of a server, from any thread."""

    def __init__(self) -> None:
        self._writes: dict[str, KeptWrite] = {}
        self._lock = Lock()

    def add(self, write: KeptWrite) -> None:
        """Keep a write; the newest is kept whatever its size."""
        with self._lock:
            self._writes[write.id] = write
            size = sum(one.size for one in self._writes.values())
            for old in tuple(self._writes.values())[:-1]:
                if len(self._writes) <= _MOST_WRITES and size <= _MOST_BYTES:
                    break
                size -= old.size
                del self._writes[old.id]

    def newest_first(self) -> list[KeptWrite]:
        """Every write."""
        with self._lock:
            return list(reversed(self._writes.values()))

    def find(self, id: str) -> KeptWrite | None:
        """The write with an id."""
        return self._writes.get(id)

    def has_settled(self, id: str) -> bool:
        """Whether a write was made for a citation."""
        return any(row.id == id for write in self.newest_first() for row in write.settled)

    def find_settled(self, shown: int) -> set[str]:
        """The citations that were settled by writes after the number `shown`: no verdict takes those into account."""
        unseen = (write for write in self.newest_first() if write.number > shown and not write.is_taken_back)
        return {row.id for write in unseen for row in write.settled}

    def plan_taking_back(self, root: Root, write: KeptWrite) -> list[FileRewrite]:
        """The changes that take a write back; raises Conflict where a file is not as the write left it."""
        if write.is_taken_back:
            raise Conflict("it was taken back already")
        changes = []
        for file in write.files:
            now = read_file(root, file.path)
            if digest_bytes(now) != file.left:
                raise Conflict(self._explain_change(write, file.path, digest_bytes(now)))
            changes.append(FileRewrite(file.path, now, file.old))
        return changes[::-1]

    def _explain_change(self, write: KeptWrite, path: str, digest: str) -> str:
        for later in self.newest_first():
            if later is write:
                break
            if not later.is_taken_back and any((one.path, one.left) == (path, digest) for one in later.files):
                return f"{path}: was written again since; take that back first"
        return f"{path}: changed since; nothing can be taken back"


def get_journal(site: Site) -> WriteJournal:
    """The journal of a site."""
    journal: WriteJournal = site.kept.setdefault(_KEY, WriteJournal())
    return journal
