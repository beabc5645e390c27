"""Renaming a file or folder below a root, on disk and in git's index, and taking that back."""

from __future__ import annotations

import errno
import os
import stat as st
from contextlib import suppress

from ..core.errors import Conflict, Missing, Refused, UsageError
from .child import ChildFailed
from .git_names import refuse_git
from .write import make_folders

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .files import Root
    from .git import Git

_ONE_NAME = (errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EOPNOTSUPP, errno.EMLINK)
"""What a file system says on which files have one name only."""
_SUBMODULE = "160000"


class DiskRename:
    """One rename: `make` does it, `undo` takes it back. Keys are paths from the root without links on the way."""

    def __init__(self, root: Root, git: Git | None, old: str, new: str) -> None:
        """Raises UsageError where git's index cannot follow."""
        self._root, self._git = root, git
        self._old, self._new = old, new
        self._entries = list(_list_entries(git, old)) if git is not None else []
        self._intended = _list_intended(git, old, self._entries) if git is not None else frozenset()
        """What was only announced to git (`git add -N`): it has no content in the index."""
        self._made: list[str] = []
        """Folders that did not exist before."""
        self._moved = self._indexed = False

    def make(self) -> None:
        """Rename, on disk first; raises Refused or Conflict, and has done nothing then."""
        folder = self._new.rpartition("/")[0]
        self._made = list(_list_missing(self._root, folder))
        try:
            make_folders(self._root, folder)
            _rename(self._root, self._old, self._new)
            self._moved = True
            self._rename_in_index(self._old, self._new)
            self._indexed = bool(self._entries)
        except BaseException:
            self.undo()
            raise

    def undo(self) -> None:
        """Put everything back as it was; raises Refused or Conflict where that cannot be done."""
        if self._indexed:
            self._rename_in_index(self._new, self._old)
            self._indexed = False
        if self._moved:
            _rename(self._root, self._new, self._old)
            self._moved = False
        for folder in reversed(self._made):
            head, _, name = folder.rpartition("/")
            self._root.forget(folder)
            with suppress(OSError, Refused):
                os.rmdir(name, dir_fd=self._root.folder(head))
        self._made = []

    def _rename_in_index(self, old: str, new: str) -> None:
        """Give the entries below one path another name, with the content that is staged."""
        if self._git is None or not self._entries:
            return
        rows = []
        for mode, blob, rest in self._entries:
            if rest in self._intended:
                mode, blob = "0", "0" * len(blob)
            was, now = (os.fsencode(self._git.prefix + path + rest) for path in (old, new))
            rows.append(f"0 {'0' * len(blob)}\t".encode() + was + b"\0")
            rows.append(f"{mode} {blob}\t".encode() + now + b"\0")
        try:
            for _ in self._git.stream("update-index", "-z", "--index-info", given=b"".join(rows)):
                pass
            if self._intended:
                named = (f":(top,literal){self._git.prefix}{new}{rest}" for rest in sorted(self._intended))
                self._git.run("add", "--intent-to-add", "--", *named)
        except ChildFailed as error:
            raise Conflict(f"git's index could not be written ({error}); nothing was renamed") from None


def _list_entries(git: Git, old: str) -> Iterator[tuple[str, str, str]]:
    """Mode, object and the rest of the path of every entry at or below a path."""
    listed = git.run("ls-files", "-t", "-s", "-z", "--", f":(top,literal){git.prefix}{old}")
    whole = git.prefix + old
    for entry in listed.split(b"\0"):
        about, _, name = entry.partition(b"\t")
        path = os.fsdecode(name)
        if not entry or (path != whole and not path.startswith(f"{whole}/")):
            continue
        tag, mode, blob, stage = about.decode().split(" ")
        shown = path[len(git.prefix) :]
        if stage != "0":
            raise UsageError(f"{shown}: its merge is not finished; finish it first")
        if mode == _SUBMODULE:
            raise UsageError(f"{shown}: a submodule, which only `git mv` can rename")
        if tag in "Ss":
            raise UsageError(f"{shown}: outside of the sparse checkout; use `git mv --sparse`")
        yield mode, blob, path[len(whole) :]


def _list_intended(git: Git, old: str, entries: list[tuple[str, str, str]]) -> frozenset[str]:
    """The rest of the path of every entry that has no content yet; those look like empty files."""
    if git.hash_object("blob", b"") not in {blob for _, blob, _ in entries}:
        return frozenset()
    whole = git.prefix + old
    listed = git.run("diff-files", "--name-only", "--diff-filter=A", "-z", "--", f":(top,literal){whole}")
    return frozenset(os.fsdecode(name)[len(whole) :] for name in listed.split(b"\0") if name)


def _list_missing(root: Root, folder: str) -> Iterator[str]:
    """The folders on the way that do not exist, the outermost first."""
    parts = folder.split("/") if folder else []
    for depth in range(1, len(parts) + 1):
        key = "/".join(parts[:depth])
        if root.stat(key) is None:
            yield key


def _rename(root: Root, old: str, new: str) -> None:
    """Rename what bears a name, never onto something else."""
    for key in (old, new):
        refuse_git(root, key, key)
    (old_folder, _, old_name), (new_folder, _, new_name) = (key.rpartition("/") for key in (old, new))
    source, target = root.folder(old_folder), root.folder(new_folder)
    try:
        info = os.stat(old_name, dir_fd=source, follow_symlinks=False)
        if _is_taken(info, new_name, target):
            raise Conflict(f"{new}: appeared meanwhile; nothing was renamed. Run the command again.")
        root.forget(old)
        if st.S_ISDIR(info.st_mode) or old.casefold() == new.casefold():
            os.rename(old_name, new_name, src_dir_fd=source, dst_dir_fd=target)
            return
        try:
            # Unlike a rename this never replaces a file that appears at the last moment.
            os.link(old_name, new_name, src_dir_fd=source, dst_dir_fd=target, follow_symlinks=False)
        except OSError as error:
            if error.errno not in _ONE_NAME:
                raise
            os.rename(old_name, new_name, src_dir_fd=source, dst_dir_fd=target)
            return
        os.unlink(old_name, dir_fd=source)
    except FileNotFoundError:
        raise Missing(f"{old}: is gone; nothing was renamed") from None
    except OSError as error:
        raise Refused(f"{old}: cannot be renamed to {new} ({error.strerror}); nothing was renamed") from None


def _is_taken(info: os.stat_result, name: str, folder: int) -> bool:
    """Whether another file or folder has the new name."""
    try:
        other = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return (other.st_dev, other.st_ino) != (info.st_dev, info.st_ino)
