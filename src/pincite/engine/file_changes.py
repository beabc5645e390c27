"""Changes of several files that belong together: shown as a diff, told apart by a digest, made all or not at all."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from msgspec import Struct

from ..core.errors import Blocked, Conflict, Missing, PinciteError, Unreadable
from ..safe import write
from ..safe.held_signals import hold_signals
from .repair.patch import patch_between

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..safe.files import Root


class FileRewrite(Struct, frozen=True):
    """What a file is, and what it becomes; None where there is no file."""

    path: str
    old: bytes | None
    new: bytes | None

    def reverse(self) -> FileRewrite:
        """The change that takes this one back."""
        return FileRewrite(self.path, self.new, self.old)

    def make_diff(self) -> list[str]:
        """The change as a unified diff to be looked at, line by line, without line ends."""
        old, new = ((data or b"").decode(errors="surrogateescape") for data in (self.old, self.new))
        return [row.removesuffix("\r") for row in patch_between(self.path, old, new)]


def digest_bytes(data: bytes | None) -> str:
    """Tells one content of a file from another; empty where there is no file."""
    return "" if data is None else sha256(data).hexdigest()


def digest_files(files: Sequence[tuple[str, bytes | None]]) -> str:
    """Tells one state of some files from another."""
    whole = sha256()
    for path, data in files:
        whole.update(f"{digest_bytes(data)} {path}\n".encode(errors="surrogateescape"))
    return whole.hexdigest()


def read_file(root: Root, path: str) -> bytes | None:
    """A file as it is now, None where there is none; raises Refused where it cannot be read or leads out."""
    try:
        return root.read(path, max(root.limits.document_bytes, root.limits.lock_bytes))
    except Blocked:
        raise Blocked(f"{path}: leads outside the root by a link, or is git's own; nothing was written") from None
    except Missing:
        if root.stat(path) is not None:
            raise Unreadable(f"{path}: is no regular file; nothing was written") from None
        return None


def write_changes(root: Root, changes: Sequence[FileRewrite]) -> None:
    """Make changes, where every file still is what it was; raises Conflict or Refused where nothing was changed.

    Where one fails, those before it are taken back. A signal that would end the process waits meanwhile.
    """
    for change in changes:
        if read_file(root, change.path) != change.old:
            raise Conflict(f"{change.path}: changed since it was read; nothing was written.")
    done: list[FileRewrite] = []
    with hold_signals():
        try:
            for change in changes:
                _write(root, change)
                done.append(change)
        except BaseException as error:
            stuck = _take_back(root, done)
            if not stuck or not isinstance(error, PinciteError):
                raise
            raise type(error)(f"{error} These could not be put back: {', '.join(stuck)}.") from None


def _take_back(root: Root, done: list[FileRewrite]) -> list[str]:
    """Undo changes, the last one first; the files of those that could not be undone."""
    stuck = []
    for change in reversed(done):
        try:
            _write(root, change.reverse())
        except (PinciteError, OSError):
            stuck.append(change.path)
    return stuck


def _write(root: Root, change: FileRewrite) -> None:
    if change.old is None and change.new is not None:
        write.create(root, change.path, change.new)
    elif change.old is not None and change.new is None:
        write.remove(root, change.path, change.old)
    elif change.old is not None and change.new is not None:
        write.replace(root, change.path, change.old, change.new)
