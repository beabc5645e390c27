"""Git's own folders: pincite never writes there, whatever a document, a link or a cache says.

A file in a git folder can name a command that git runs later. Such a folder is known by its name, as any disk reads it,
and by what it holds: the one of a worktree, of a submodule or a bare repository can be called anything.
"""

from __future__ import annotations

import os

from ..core.errors import Blocked, Refused
from .git_names import has_git_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .files import Root


def refuse_git(root: Root, key: str, located: str) -> None:
    """Raise Blocked where a file must not be written: `key` names it, and links resolved it lies at `located`."""
    if has_git_name(key) or has_git_name(located) or _is_in_git_folder(root, located):
        raise Blocked(f"{key}: belongs to git, where pincite never writes; nothing was written")


def is_git_folder(folder: int) -> bool:
    """Whether an open folder holds what git wants to see before it takes one for a repository."""
    if not _has(folder, "HEAD"):
        return False
    return _has(folder, "commondir") or (_has(folder, "objects") and _has(folder, "refs"))


def _is_in_git_folder(root: Root, located: str) -> bool:
    """Whether the folder of a file, or one above it in the root, is git's own; those that do not exist are not."""
    parts = located.split("/")[:-1]
    try:
        return any(is_git_folder(root.folder("/".join(parts[:depth]))) for depth in range(len(parts) + 1))
    except Refused:
        return False


def _has(folder: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except OSError:
        return False
    return True
