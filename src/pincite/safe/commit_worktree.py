"""The files of a commit of a mirror in a folder of their own, with which git works as in any clone.

It is a linked work tree of the mirror, as `git worktree add --detach` makes it. No filter runs: the mirror's settings
name none. Files that are too large to be read are there with their size and without their content, which takes no room.
"""

from __future__ import annotations

import fcntl
import os
from contextlib import ExitStack, closing, contextmanager, suppress
from stat import S_ISDIR
from typing import TYPE_CHECKING

from msgspec import Struct

from ..core.errors import Refused, UsageError
from ..core.limits import LIMITS
from .child import ChildFailed
from .files import Root
from .git import is_id
from .git_mirror import MirrorDamaged, run_in_mirror, stream_in_mirror
from .remove_tree import remove_tree
from .write import make_folders

if TYPE_CHECKING:
    from collections.abc import Iterator

_ADMINISTRATION = "worktrees"
_ON_DISK = "checkouts"
_MEMORY = "/dev/shm"  # noqa: S108
"""A file system in memory, where new files cost a tenth of what they cost on a disk."""
_MOST_IN_MEMORY = 64 * 1024 * 1024
_SPARE_MEMORY = 64 * 1024 * 1024
"""What is left free there at least."""
_MOST_FILES = 200_000
_MOST_LISTED = 256 * 1024 * 1024
"""Bytes of the names of all files."""
_MOST_BYTES = 2 * 1024 * 1024 * 1024
_TRIES = 16
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_SUBMODULE = b"160000"


class _CommitFiles(Struct, frozen=True):
    """What a commit holds."""

    size: int
    names: bytes
    """The files that are checked out, each with a NUL; empty where that is all of them."""
    giants: dict[bytes, int]
    """The sizes of those that are too large to be read."""
    absent: list[bytes]
    """Those whose content is not in the repository, as in a partial clone."""


@contextmanager
def check_out(
    mirror: str,
    commit: str,
    seconds: float = 300.0,
    most_files: int = _MOST_FILES,
    most_bytes: int = _MOST_BYTES,
    largest: int = LIMITS.source_bytes,
    memory: str = _MEMORY,
    is_partial: bool = False,
) -> Iterator[str]:
    """A folder with the files of a commit, which is removed at the end. It lies in memory where there is room.

    The caller keeps the mirror from being removed. Raises UsageError for a commit that is too large or cannot be
    checked out, and MirrorDamaged where objects are missing. With `is_partial`, files whose content is missing are not
    checked out, as in a sparse work tree.
    """
    mirror = os.path.realpath(mirror)
    if not is_id(commit):
        raise UsageError(f"{commit[:80]!a}: not the id of a commit")
    files = _list_files(mirror, commit, seconds, most_files, most_bytes, largest)
    if files.absent and not is_partial:
        raise MirrorDamaged(f"{commit[:12]}: the content of {os.fsdecode(files.absent[0])!a} is missing")
    on_disk = os.path.join(mirror, _ON_DISK)
    parents = [parent for parent in (_find_memory(memory, files.size), on_disk) if parent]
    with ExitStack() as held:
        for parent in parents:
            try:
                with ExitStack() as trying:
                    place = _fill(mirror, parent, commit, files, seconds, trying)
                    held.push(trying.pop_all())
                break
            except ChildFailed as error:
                # Memory may have been full; git does not say why it could not write.
                if parent == on_disk:
                    raise MirrorDamaged(f"{commit[:12]} cannot be checked out: {error}") from None
        yield place


def _find_memory(memory: str, size: int) -> str:
    """A folder of our own in memory with room for so many bytes; empty where there is none."""
    if not memory or size > _MOST_IN_MEMORY:
        return ""
    place = os.path.join(memory, f"pincite-{os.geteuid()}")
    try:
        with suppress(FileExistsError):
            os.mkdir(place, 0o700)
        info, room = os.lstat(place), os.statvfs(memory)
    except OSError:
        return ""
    if not S_ISDIR(info.st_mode) or info.st_uid != os.geteuid() or info.st_mode & 0o077:
        # Anyone can make folders there.
        return ""
    return place if room.f_bavail * room.f_frsize > 2 * size + _SPARE_MEMORY else ""


@contextmanager
def hold_new_folder(parent: str) -> Iterator[str]:
    """A new folder that is locked while it is in use, and removed at the end; others that no process uses go as well.

    Raises UsageError.
    """
    try:
        os.makedirs(parent, 0o700, exist_ok=True)
        remove_leftovers(parent)
        for _ in range(_TRIES):
            path = os.path.join(parent, os.urandom(8).hex())
            os.mkdir(path, 0o700)
            # Another process may take it for a leftover until it is locked.
            with suppress(FileNotFoundError):
                held = os.open(path, _FOLDER)
                if _lock(held) and os.path.lexists(path):
                    break
                os.close(held)
        else:
            raise UsageError(f"{parent}: in use by too many processes")
    except OSError as error:
        raise UsageError(f"{parent}: no work tree can be made there ({error.strerror})") from None
    try:
        yield path
    finally:
        remove_tree(path)
        os.close(held)


def remove_leftovers(parent: str) -> None:
    """Remove the folders of processes that were killed: those that no process holds."""
    for name in os.listdir(parent):
        path = os.path.join(parent, name)
        with suppress(OSError):
            held = os.open(path, _FOLDER)
            try:
                if _lock(held):
                    remove_tree(path)
            finally:
                os.close(held)


def _lock(file: int) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _administer(place: str, own: str, commit: str) -> None:
    """Write the files that tie a work tree to its repository."""
    files = {"HEAD": f"{commit}\n", "commondir": "../..\n", "gitdir": f"{place}/.git\n"}
    for name, text in files.items():
        _write(os.path.join(own, name), text)
    _write(os.path.join(place, ".git"), f"gitdir: {own}\n")


def _write(path: str, text: str) -> None:
    file = os.open(path, _NEW, 0o600)
    try:
        os.write(file, os.fsencode(text))
    finally:
        os.close(file)


def _fill(mirror: str, parent: str, commit: str, files: _CommitFiles, seconds: float, held: ExitStack) -> str:
    """A new work tree with its index and files; raises ChildFailed."""
    place = held.enter_context(hold_new_folder(parent))
    own = held.enter_context(hold_new_folder(os.path.join(mirror, _ADMINISTRATION)))
    try:
        _administer(place, own, commit)
    except OSError as error:
        raise UsageError(f"{own}: cannot be written ({error.strerror})") from None

    def run(*arguments: str, given: bytes = b"") -> None:
        run_in_mirror(own, *arguments, work_tree=place, given=given, seconds=seconds)

    if not files.giants and not files.absent:
        run("read-tree", "-u", "--reset", commit)
        return place
    run("read-tree", "--reset", commit)
    if files.names:
        run("checkout-index", "-u", "-q", "-z", "--stdin", given=files.names)
    # git takes their content for that of the commit, and never reads it.
    for flag, some in (("--assume-unchanged", files.giants), ("--skip-worktree", files.absent)):
        if some:
            run("update-index", flag, "-z", "--stdin", given=b"".join(name + b"\0" for name in some))
    with Root(place, is_checked=False) as root:
        for name, size in files.giants.items():
            _make_hole(root, os.fsdecode(name), size)
    return place


def _make_hole(root: Root, key: str, size: int) -> None:
    """A file of a size, of which nothing is on the disk: it is refused for its size, as the file itself would be."""
    folder, _, name = key.rpartition("/")
    with suppress(Refused, OSError):
        file = os.open(name, _NEW, 0o600, dir_fd=make_folders(root, folder))
        try:
            os.truncate(file, size)
        finally:
            os.close(file)


def _list_files(
    mirror: str, commit: str, seconds: float, most_files: int, most_bytes: int, largest: int
) -> _CommitFiles:
    """The files of a commit; raises UsageError where there are too many."""
    asked = ("ls-tree", "-r", "-l", "-z", "--full-tree", commit)
    listing = bytearray()
    count = 0
    try:
        # A tree of a few kilobytes may name itself over and over, and stand for billions of files.
        with closing(stream_in_mirror(mirror, *asked, seconds=seconds)) as pieces:
            for piece in pieces:
                listing += piece
                count += piece.count(b"\0")
                if count > most_files or len(listing) > _MOST_LISTED:
                    raise UsageError(f"{commit[:12]}: more than {most_files:,} files, the limit; it is not checked")
    except ChildFailed as error:
        raise MirrorDamaged(f"{commit[:12]} cannot be read: {error}") from None
    entries = bytes(listing).split(b"\0")
    giants: dict[bytes, int] = {}
    absent: list[bytes] = []
    names: list[bytes] = []
    total = 0
    for entry in entries[:-1]:
        about, _, name = entry.partition(b"\t")
        mode, _, _, size = about.split()
        if mode == _SUBMODULE:
            continue
        if not size.isdigit():
            absent.append(name)
            continue
        if int(size) > largest:
            giants[name] = int(size)
            continue
        total += int(size)
        names.append(name)
    if total > most_bytes:
        raise UsageError(f"{commit[:12]}: its files take more than {most_bytes:,} bytes, the limit; it is not checked")
    listed = b"".join(name + b"\0" for name in names) if giants or absent else b""
    return _CommitFiles(total, listed, giants, absent)
