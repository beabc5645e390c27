"""The files that git opens whenever it starts: pipes, devices and giants among them are refused before git waits.

Looked at by their status alone. What git opens later (objects, ignore rules in folders) is not worth looking at each
time; a git that waits for one of those is ended, see `child`.
"""

from __future__ import annotations

import os
from stat import S_ISDIR, S_ISREG

from ..core.errors import UsageError
from ..core.limits import LIMITS
from .files import stat_path

_OWN = (
    *("HEAD", "FETCH_HEAD", "MERGE_HEAD", "ORIG_HEAD", "commondir", "config.worktree", "gitdir", "index"),
    *("logs/HEAD", "info/sparse-checkout"),
)
"""What each work tree has for itself."""
_SHARED = (
    *("config", "packed-refs", "shallow", "info/attributes", "info/exclude", "info/grafts", "logs/refs/stash"),
    *("objects/info/alternates", "objects/info/commit-graph", "objects/info/http-alternates", "objects/info/packs"),
    *("objects/info/commit-graphs/commit-graph-chain", "objects/pack/multi-pack-index", "reftable/tables.list"),
)
_LARGE = frozenset(("index", "packed-refs", "objects/info/commit-graph", "objects/pack/multi-pack-index"))
"""What grows with the repository, and is mapped into memory instead of read."""
_IN_TREE = (".gitattributes", ".gitignore", ".gitmodules", ".mailmap")
_MOST_REFERENCES = 256 * 1024 * 1024
"""Bytes of packed references: some millions of them."""
_MOST_ENTRIES = 20_000
"""So many are looked at; in a repository with more of them the rest is left to the deadline."""


def check_git_files(top: str) -> None:
    """Raise UsageError where something other than a file stands in the place of a file that git reads at its start."""
    own = os.path.join(top, ".git")
    if os.path.isfile(own):
        # A linked work tree or a submodule: one line says where its files are.
        own = os.path.join(top, read_first_line(own).removeprefix("gitdir:").strip())
    for name in _OWN:
        _check(f"{own}/{name}", name)
    shared = os.path.join(own, read_first_line(f"{own}/commondir").strip()).rstrip("/")
    for name in _SHARED:
        _check(f"{shared}/{name}", name)
    reference = read_first_line(f"{own}/HEAD").removeprefix("ref:").strip()
    if reference.startswith("refs/"):
        _check(f"{shared}/logs/{reference}", reference)
    for name in _IN_TREE:
        _check(f"{top}/{name}", name)
    _check_below([f"{shared}/refs"], small=True)
    _check_below([f"{shared}/objects/pack", f"{shared}/objects/info"], small=False)


def read_start(path: str) -> bytes:
    """The beginning of one of git's own small files; empty where it is none. Pipes and devices are not waited for."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return b""
    try:
        return os.read(descriptor, LIMITS.config_bytes) if S_ISREG(os.fstat(descriptor).st_mode) else b""
    except OSError:
        return b""
    finally:
        os.close(descriptor)


def read_first_line(path: str) -> str:
    """The first line of one of git's own small files; empty where it is none."""
    return os.fsdecode(read_start(path).partition(b"\n")[0])


def _check(path: str, name: str) -> None:
    info = stat_path(path)
    if info is None or (S_ISDIR(info.st_mode) and name in _IN_TREE):
        return
    if not S_ISREG(info.st_mode):
        raise _refusal(path)
    giant = name == "packed-refs" and info.st_size > _MOST_REFERENCES
    if giant or (info.st_size > LIMITS.git_file_bytes and name not in _LARGE):
        raise _too_large(path, info.st_size)


def _check_below(folders: list[str], small: bool) -> None:
    """Refuse what is neither a file nor a folder below some folders, and giants where files are small.

    Links to folders are not entered.
    """
    left = _MOST_ENTRIES
    while folders and left > 0:
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    left -= 1
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
                    else:
                        info = stat_path(entry.path) if small or not entry.is_file(follow_symlinks=False) else None
                        if info is not None and not (S_ISREG(info.st_mode) or S_ISDIR(info.st_mode)):
                            raise _refusal(entry.path)
                        if small and info is not None and info.st_size > LIMITS.git_file_bytes:
                            raise _too_large(entry.path, info.st_size)
                    if left <= 0:
                        break
        except (OSError, ValueError):
            continue


def _too_large(path: str, size: int) -> UsageError:
    return UsageError(f"{path}: {size} bytes, the limit for this file of git is {LIMITS.git_file_bytes}; restore it")


def _refusal(path: str) -> UsageError:
    return UsageError(f"{path}: not a regular file, and git would wait for it; remove or restore it")
