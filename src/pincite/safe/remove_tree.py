"""Removing a folder that may be nested deeper than any path is long, and than any recursion goes."""

from __future__ import annotations

import os
from contextlib import suppress

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def remove_tree(path: str) -> None:
    """Remove a folder and all below it, links as what they are; what cannot be removed is left.

    Folders are moved to the top before they are emptied, so that none is ever deeper than one level.
    """
    try:
        top = os.open(path, _FOLDER)
    except OSError:
        return
    try:
        todo = _empty(top, top, "")
        number = 0
        # No name of the folder can be the same.
        prefix = os.urandom(8).hex()
        while todo:
            name = todo.pop()
            with suppress(OSError):
                folder = os.open(name, _FOLDER, dir_fd=top)
                try:
                    number += 1
                    todo += _empty(folder, top, f"{prefix}.{number}.")
                finally:
                    os.close(folder)
                os.rmdir(name, dir_fd=top)
    finally:
        os.close(top)
    with suppress(OSError):
        os.rmdir(path)


def _empty(folder: int, top: int, mark: str) -> list[str]:
    """Remove the files of a folder, and move its folders to the top, each with a mark before its name; their names."""
    found: list[str] = []
    try:
        with os.scandir(folder) as entries:
            listed = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
    except OSError:
        return found
    for at, (name, is_folder) in enumerate(listed):
        with suppress(OSError):
            if not is_folder:
                os.unlink(name, dir_fd=folder)
                continue
            moved = f"{mark}{at}" if mark else name
            if mark:
                os.rename(name, moved, src_dir_fd=folder, dst_dir_fd=top)
            found.append(moved)
    return found
