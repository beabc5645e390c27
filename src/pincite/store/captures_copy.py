"""Captured output that was brought for a project, put into another folder with the files of the project."""

from __future__ import annotations

import os
from contextlib import closing, suppress
from shutil import copyfileobj
from typing import TYPE_CHECKING

from . import FOLDER, KEY
from .database import private_folder
from .output_files import OUTPUT, PIECE, list_output

if TYPE_CHECKING:
    from ..safe.files import Root

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def copy_captures(source: Root, target: Root) -> bool:
    """Copy all captured output of a root to one that has none; False, and nothing done, where it may have some.

    No process may write to either of them. Raises OSError where there is no room.
    """
    if os.path.lexists(os.path.join(target.path, FOLDER)):
        # A log of SQLite that lies there would become part of the copy.
        return False
    private_folder(target, OUTPUT)
    private_folder(target, FOLDER)
    for key in (f"{FOLDER}/.gitignore", KEY, *(f"{OUTPUT}/{name}" for name in list_output(source))):
        folder, _, name = key.rpartition("/")
        with suppress(FileNotFoundError), open(os.path.join(source.path, key), "rb") as old:
            file = os.open(name, _NEW, 0o600, dir_fd=target.folder(folder))
            with closing(os.fdopen(file, "wb")) as new:
                copyfileobj(old, new, PIECE)
    return True
