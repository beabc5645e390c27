"""A folder that the user named and that is written as a whole: it appears complete, or what was there stays.

The files go into a new folder beside it, which takes its place in the end. After an interrupt or a kill there is the
old folder, or none, or the new one, and at most a leftover beside it that the next run removes. Only what an earlier
run wrote is replaced: it lists its files in a file of its own.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import stat as st
from contextlib import contextmanager, suppress

from msgspec import DecodeError, Struct
from msgspec.json import decode, encode, format

from ..core.errors import Refused, UsageError
from .held_signals import hold_signals
from .user_paths import open_output
from .write import make_folders, write_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_LARGEST_LIST = 64 * 1024 * 1024
_MOST_NAMED = 3
"""Foreign files that a message names."""
_LONGEST_NAME = 200


class WrittenFolder(Struct, frozen=True):
    """What an earlier run wrote into a folder."""

    written_by: str
    files: tuple[str, ...]


@contextmanager
def write_folder(path: str, marker: str, written_by: str, root: str = "") -> Iterator[Callable[[str, bytes], None]]:
    """A function that adds a file, by its path in the folder; the folder takes its place when the block ends.

    `marker` is the name of the file that lists the others. Raises UsageError where the place cannot be used: it is
    outside of the tree by a link, or holds something that no earlier run wrote.
    """
    place, key = open_output(path, root)
    with place:
        head, _, name = key.rpartition("/")
        try:
            parent = make_folders(place, head)
        except Refused as error:
            raise UsageError(f"{path}: cannot be written ({error})") from None
        try:
            _refuse_foreign(parent, name, path, marker)
            with _make_beside(parent, name, path) as (fresh, folder):
                files: list[str] = []

                def add(key: str, data: bytes) -> None:
                    _write(folder, key, data)
                    files.append(key)

                yield add
                listing = WrittenFolder(written_by, tuple(sorted([*files, marker])))
                _write(folder, marker, format(encode(listing), indent=1) + b"\n")
                # It may have changed meanwhile.
                _refuse_foreign(parent, name, path, marker)
                _take_place(parent, fresh, name)
        except OSError as error:
            raise UsageError(f"{path}: cannot be written ({error.strerror or type(error).__name__})") from None


def _refuse_foreign(parent: int, name: str, path: str, marker: str) -> None:
    """Raise UsageError where a folder holds anything that no earlier run wrote."""
    try:
        info = os.stat(name, dir_fd=parent, follow_symlinks=False)
    except FileNotFoundError:
        return
    if not st.S_ISDIR(info.st_mode):
        raise UsageError(f"{path}: is no folder; name a new one, or an empty one")
    found = _list_files(parent, name)
    if not found:
        return
    remedy = "name a new folder, an empty one, or one that this command wrote"
    try:
        known = set(_read_list(parent, name, marker).files)
    except (OSError, DecodeError):
        raise UsageError(f"{path}: holds files already, such as {sorted(found)[0]}; {remedy}") from None
    foreign = sorted(found - known)
    if foreign:
        more = ", …" if len(foreign) > _MOST_NAMED else ""
        named = ", ".join(foreign[:_MOST_NAMED])
        raise UsageError(f"{path}: holds files that this command did not write ({named}{more}); move them, or {remedy}")


def _list_files(parent: int, name: str) -> set[str]:
    """Everything in a folder but the folders, by its path there; nothing is followed."""
    found: set[str] = set()
    for folder, folders, names, opened in os.fwalk(name, dir_fd=parent):
        links = [one for one in folders if st.S_ISLNK(os.stat(one, dir_fd=opened, follow_symlinks=False).st_mode)]
        found.update(os.path.relpath(os.path.join(folder, one), name) for one in (*names, *links))
    return found


def _read_list(parent: int, name: str, marker: str) -> WrittenFolder:
    folder = os.open(name, _FOLDER, dir_fd=parent)
    try:
        file = os.open(marker, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    finally:
        os.close(folder)
    with open(file, "rb") as stream:
        return decode(stream.read(_LARGEST_LIST), type=WrittenFolder)


@contextmanager
def _make_beside(parent: int, name: str, path: str) -> Iterator[tuple[str, int]]:
    """A new folder beside the place, by name and open; it is gone afterwards unless it took the place."""
    fresh = _name_beside(name, "new")
    _remove_leftover(parent, _name_beside(name, "old"), path)
    _remove_leftover(parent, fresh, path)
    os.mkdir(fresh, 0o755, dir_fd=parent)
    folder = os.open(fresh, _FOLDER, dir_fd=parent)
    try:
        with suppress(OSError):
            # Where a file system knows no locks, two runs at once fail at the first file that both write.
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield fresh, folder
    finally:
        with suppress(OSError):
            if os.path.samestat(os.fstat(folder), os.stat(fresh, dir_fd=parent, follow_symlinks=False)):
                shutil.rmtree(fresh, dir_fd=parent)
        os.close(folder)


def _remove_leftover(parent: int, name: str, path: str) -> None:
    """Remove what a run left that was killed; raises UsageError where that run goes on."""
    try:
        folder = os.open(name, _FOLDER, dir_fd=parent)
    except FileNotFoundError:
        return
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(name, dir_fd=parent)
    except BlockingIOError:
        raise UsageError(f"{path}: is being written by another run; try again when that is done") from None
    finally:
        os.close(folder)


def _name_beside(name: str, what: str) -> str:
    cut = os.fsencode(name)[:_LONGEST_NAME]
    return f".{os.fsdecode(cut)}.pincite-{what}"


def _write(folder: int, key: str, data: bytes) -> None:
    *heads, name = parts = key.split("/")
    if not {"", ".", ".."}.isdisjoint(parts):
        raise ValueError(f"{key!r}: not the path of a file in a folder")
    opened: list[int] = []
    try:
        for head in heads:
            with suppress(FileExistsError):
                os.mkdir(head, 0o755, dir_fd=folder)
            folder = os.open(head, _FOLDER, dir_fd=folder)
            opened.append(folder)
        file = os.open(name, _NEW, 0o644, dir_fd=folder)
        opened.append(file)
        write_all(file, data)
    finally:
        for one in opened:
            os.close(one)


def _take_place(parent: int, fresh: str, name: str) -> None:
    """Put the new folder into the place of the old one, which is there again where that fails."""
    old = _name_beside(name, "old")
    with hold_signals():
        try:
            os.rename(name, old, src_dir_fd=parent, dst_dir_fd=parent)
        except FileNotFoundError:
            os.rename(fresh, name, src_dir_fd=parent, dst_dir_fd=parent)
            return
        try:
            os.rename(fresh, name, src_dir_fd=parent, dst_dir_fd=parent)
        except OSError:
            os.rename(old, name, src_dir_fd=parent, dst_dir_fd=parent)
            raise
    with suppress(OSError):
        shutil.rmtree(old, dir_fd=parent)
