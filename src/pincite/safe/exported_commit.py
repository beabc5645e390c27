"""The files of a commit in a temporary folder, where they can be checked as those of any folder."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from ..core.errors import Refused, UsageError
from .files import Root
from .git_names import refuse_git
from .git_tree import GitTree
from .write import make_folders, write_all

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .git import Git

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_MOST_FILES = 50_000
_MOST_BYTES = 1024 * 1024 * 1024


@contextmanager
def export_commit(
    git: Git, commit: str, step: Callable[[], None], most_files: int = _MOST_FILES, most_bytes: int = _MOST_BYTES
) -> Iterator[Root]:
    """A root with the files of a commit; it is removed at the end.

    The work tree is neither read nor written. Links, submodules and names that no folder may hold are left out.
    `step` is called before each file. Raises UsageError for a commit that is too large.
    """
    tree = GitTree(git, commit)
    if len(tree.files) > most_files:
        raise UsageError(f"{commit[:7]}: more than {most_files} files; it is not checked")
    with TemporaryDirectory(prefix="pincite-") as place, Root(place) as root:
        size = 0
        for key, data in tree.read_many(sorted(tree.files), root.limits.source_bytes):
            step()
            if isinstance(data, Refused):
                continue
            size += len(data)
            if size > most_bytes:
                raise UsageError(f"{commit[:7]}: more than {most_bytes} bytes; it is not checked")
            # A tree of a hostile repository may name `..` or git's own files.
            with suppress(Refused, OSError):
                _write(root, key, data)
        yield root


def _write(root: Root, key: str, data: bytes) -> None:
    """Write a file that nobody else reads and that is gone soon: unlike `put`, this does not wait for the disk."""
    refuse_git(root, key, "")
    folder, _, name = key.rpartition("/")
    file = os.open(name, _NEW, 0o600, dir_fd=make_folders(root, folder))
    try:
        write_all(file, data)
    finally:
        os.close(file)
