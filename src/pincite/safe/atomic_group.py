"""Several new files below a root: all of them appear, each whole, or none does."""

from __future__ import annotations

import fcntl
import os
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING

from ..core.errors import Blocked, Missing, Refused, Unreadable
from .git_folders import refuse_git
from .temp_files import sweep_once
from .write import Beside, make_folders

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .files import Root


@contextmanager
def alone_in(root: Root, key: str) -> Iterator[None]:
    """Keep others who ask for the same out of a folder meanwhile; it is made where it is missing."""
    try:
        folder = make_folders(root, key)
    except Blocked as error:
        raise error if str(error) != key else Refused(f"{key}: lies outside the root; nothing was written") from None
    except Missing:
        raise Refused(f"{key}: is no folder; nothing was written") from None
    with suppress(OSError):
        # Where a file system knows no locks, everybody goes on without.
        fcntl.flock(folder, fcntl.LOCK_EX)
    try:
        yield
    finally:
        with suppress(OSError):
            fcntl.flock(folder, fcntl.LOCK_UN)


def create_together(root: Root, folder: str, files: Sequence[tuple[str, bytes]]) -> None:
    """Create files, given by name and content, in one folder; raises Refused where one exists or cannot be."""
    for name, _ in files:
        refuse_git(root, f"{folder}/{name}", "")
    place = make_folders(root, folder)
    sweep_once(root, folder)
    named: list[str] = []
    name = files[0][0] if files else ""
    try:
        with ExitStack() as stack:
            written = [stack.enter_context(Beside(place, data)) for _, data in files]
            try:
                for file, (name, _) in zip(written, files, strict=True):
                    file.take(name)
                    named.append(name)
            except BaseException:
                for done in named:
                    with suppress(OSError):
                        os.unlink(done, dir_fd=place)
                raise
        with suppress(OSError):
            os.fsync(place)
    except FileExistsError:
        raise Refused(f"{folder}/{name}: exists already; nothing was written") from None
    except OSError as error:
        raise Unreadable(f"{folder}/{name}: cannot be written ({error.strerror})") from None
