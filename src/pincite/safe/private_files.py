"""Files with secrets: made for this user alone, and never in place of others."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def create_private_files(folder: str, files: Mapping[str, bytes]) -> str:
    """Write files into a folder that is made where it is missing: all, or none and the path of one that is there."""
    os.makedirs(folder, 0o700, exist_ok=True)
    made: list[str] = []
    try:
        for name, data in files.items():
            path = os.path.join(folder, name)
            try:
                file = os.open(path, _NEW, 0o600)
            except FileExistsError:
                _remove(made)
                return path
            made.append(path)
            with os.fdopen(file, "wb") as out:
                out.write(data)
                out.flush()
                os.fsync(out.fileno())
    except BaseException:
        _remove(made)
        raise
    return ""


def _remove(paths: list[str]) -> None:
    for path in paths:
        with suppress(OSError):
            os.unlink(path)
