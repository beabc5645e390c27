"""What belongs to git: its files hold credentials and name programs, so none is cited or written.

A disk that ignores case has one folder for `.git` and `.GIT`; HFS+ ignores some invisible characters in names; NTFS
ignores dots and spaces at their end, reads what follows a colon as the name of a stream, and gives long names a short
form such as `GIT~1`. A name that is `.git` on one of them is refused on all: a checkout may move from one to another.
A folder of git is also known by what it holds: the one of a worktree, of a submodule or a bare repository can be called
anything.
"""

from __future__ import annotations

import os
import re

from ..core.errors import Blocked, Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .files import Root

_IGNORED = dict.fromkeys((*range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF))
"""Characters that HFS+ leaves out when it compares names."""
_SHORT = re.compile(r"git~[0-9]{1,6}", re.ASCII).fullmatch


def is_git_name(component: str) -> bool:
    """Whether one part of a path is `.git` on some disk."""
    if component.isascii():
        if len(component) < 4 or "git" not in (name := component.lower()):
            return False
    else:
        name = component.translate(_IGNORED).casefold()
    if "\\" in name:
        return any(map(is_git_name, name.split("\\")))
    name = name.partition(":")[0].rstrip(". ")
    return name == ".git" or _SHORT(name) is not None


def has_git_name(key: str) -> bool:
    """Whether a part of a path is `.git` on some disk."""
    if key.isascii() and "git" not in key.lower():
        return False
    return any(map(is_git_name, key.split("/")))


def refuse_git(root: Root, key: str, located: str) -> None:
    """Raise Blocked where a file must not be written: `key` names it, and links resolved it lies at `located`."""
    if has_git_name(key) or has_git_name(located) or _is_in_git_folder(root, located):
        raise Blocked(f"{key}: belongs to git, where pincite never writes; nothing was written")


def is_git_folder(folder: int) -> bool:
    """Whether an open folder holds what git wants to see before it takes one for a repository."""
    return _has(folder, "HEAD") and (_has(folder, "commondir") or (_has(folder, "objects") and _has(folder, "refs")))


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
