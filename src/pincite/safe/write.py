"""Writing below a root: the whole new file or the whole old one, never anything between.

A file is written beside its place under a name of its own, made safe on disk, and only then given its name, in one
step. A signal that would end the process waits until that is done; after a kill or a power cut there is the old file
or the new one, and at most a leftover beside it that the next run sweeps (see `temp_files`). Nothing is ever written
into a folder of git (see `git_names`).
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat as st
from contextlib import ExitStack, contextmanager, suppress

from ..core.errors import Blocked, Conflict, Missing, Refused, Unreadable
from .git_names import refuse_git
from .held_signals import block_signals, restore_signals
from .temp_files import discard, is_at, lock, open_temporary, sweep_once

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .files import Root

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_APPENDED = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
# Open for writing too, though nothing is written through it: what may not be written is not replaced either.
_KNOWN = os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
_PIECE = 1 << 20
_PAUSE = 0.005
_TRIES = 2_000
"""How often to ask for a file that another process is writing: ten seconds in all."""
_LEADS_OUT = "{}: leads outside the root, or into what belongs to git; nothing was written"
_ONE_NAME = (errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EOPNOTSUPP, errno.EMLINK)
"""What a file system says on which files have one name only."""


def replace(root: Root, key: str, old: bytes, new: bytes) -> None:
    """Replace a file's content with `new`, provided it still is `old`; mode, owner and attributes stay.

    Of processes that replace one file at the same time each sees what the one before it wrote. A file that is `new`
    already stays as it is. Other names of the same file (hard links) keep the old content. Raises Conflict when the
    file changed since it was read, Refused when it cannot be written.
    """
    folder, name = _find(root, key)
    with _translate_os_errors(key), _alone(folder, name, key) as file:
        before = os.fstat(file)
        if not _holds(file, old):
            if _holds(file, new):
                return
            raise Conflict(f"{key}: changed since it was read; nothing was written. Run the command again.")
        with _write_beside(folder, new, like=file) as written:
            now = os.stat(name, dir_fd=folder, follow_symlinks=False)
            if _identity(now) != _identity(before) or not _holds(file, old):
                raise Conflict(
                    f"{key}: changed while it was being written; nothing was written. Run the command again."
                )
            written.replace(name)
        _sync(folder)


def remove(root: Root, key: str, old: bytes) -> None:
    """Remove a file, provided it still is `old` and no link; raises Conflict or Refused."""
    folder, name = _find(root, key)
    if root.locate(key) != key:
        raise Conflict(f"{key}: a link is in its place; nothing was removed.")
    with _translate_os_errors(key), _alone(folder, name, key) as file:
        if not _holds(file, old):
            raise Conflict(f"{key}: changed since it was read; nothing was removed. Run the command again.")
        os.unlink(name, dir_fd=folder)
        _sync(folder)


def create(root: Root, key: str, data: bytes, mode: int = 0o644, hook: bool = False) -> None:
    """Create a file that must not exist yet; raises Refused where it does or cannot be.

    Only a `hook` that the user asked for by its command may lie in a folder of git, which is the root then.
    """
    folder, _, name = key.rpartition("/")
    create_together(root, folder, [(name, data)], mode, hook)


def create_together(
    root: Root, folder: str, files: Sequence[tuple[str, bytes]], mode: int = 0o644, hook: bool = False
) -> None:
    """Create files, given by name and content, in one folder: all of them appear, each whole, or none does.

    Raises Refused where one exists or cannot be written.
    """
    prefix = f"{folder}/" if folder else ""
    for name, _ in () if hook else files:
        refuse_git(root, prefix + name, "")
    place = make_folders(root, folder, hook)
    sweep_once(root, folder)
    named: list[str] = []
    name = files[0][0] if files else ""
    try:
        with ExitStack() as stack:
            written = [stack.enter_context(_write_beside(place, data, mode)) for _, data in files]
            try:
                for file, (name, _) in zip(written, files, strict=True):
                    file.take(name)
                    named.append(name)
            except BaseException:
                for done in named:
                    with suppress(OSError):
                        os.unlink(done, dir_fd=place)
                raise
        _sync(place)
    except FileExistsError:
        raise Refused(f"{prefix}{name}: exists already; nothing was written") from None
    except OSError as error:
        raise _describe_failure(prefix + name, error) from None


@contextmanager
def alone_in(root: Root, key: str) -> Iterator[None]:
    """Keep others who ask for the same out of a folder meanwhile; it is made where it is missing."""
    try:
        folder = make_folders(root, key)
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


def put(root: Root, key: str, data: bytes, lasting: bool = True) -> None:
    """Create or replace a file of our own (a report, a baseline) in one step; raises Refused.

    The file takes the place of a link that stays inside the root; one that leads out is refused.
    What need not be there after a power cut, such as a cache, is written faster when it is not `lasting`.
    """
    folder, name = _make_place(root, key)
    _refuse_way_out(root, folder, key)
    with _translate_os_errors(key):
        with _write_beside(folder, data) as written:
            written.replace(name)
        if lasting:
            _sync(folder)


def append(root: Root, key: str, data: bytes) -> None:
    """Add to the end of a file of our own (a log), made where it is missing, never through a link; raises Refused."""
    folder, name = _make_place(root, key)
    with _translate_os_errors(key):
        file = os.open(name, _APPENDED, 0o644, dir_fd=folder)
        try:
            if not st.S_ISREG(os.fstat(file).st_mode):
                raise Missing(key)
            write_all(file, data)
        finally:
            os.close(file)


def make_folders(root: Root, key: str, hook: bool = False) -> int:
    """The open folder at `key`, made where it is missing, never through a link that leads out or to git's own."""
    path = ""
    if not hook:
        refuse_git(root, key, "")
    for part in filter(None, key.split("/")):
        parent, _ = _open_inside(root, path, key)
        try:
            os.mkdir(part, 0o755, dir_fd=parent)
        except FileExistsError:
            pass
        except OSError as error:
            raise Unreadable(f"{key}: cannot be made ({error.strerror})") from None
        path = f"{path}/{part}" if path else part
        _, located = _open_inside(root, path, key)
        if not hook:
            refuse_git(root, key, f"{located}/")
    return _open_inside(root, path, key)[0]


def _open_inside(root: Root, path: str, key: str) -> tuple[int, str]:
    """An open folder on the way to `key`, and where it lies; raises Blocked where a link leads out of the root."""
    try:
        return root.folder(path), root.locate(path) if path else ""
    except Blocked:
        raise Blocked(f"{key}: leads outside the root by a link, or is git's own; nothing was written") from None


def _refuse_way_out(root: Root, folder: int, key: str) -> None:
    """Raise Blocked where the name of a file to be made is a link that leads out of the root."""
    try:
        # Nearly always there is none: one look is enough.
        linked = st.S_ISLNK(os.stat(key.rpartition("/")[2], dir_fd=folder, follow_symlinks=False).st_mode)
    except OSError:
        return
    if linked:
        try:
            root.locate(key)
        except Blocked:
            raise Blocked(f"{key}: is a link that leads outside the root; nothing was written") from None
        except Refused:
            # It leads nowhere, and the file takes its place.
            return


def _make_place(root: Root, key: str) -> tuple[int, str]:
    """The open folder for a file of our own, made where it is missing, and the file's name there."""
    head, _, name = key.rpartition("/")
    refuse_git(root, key, "")
    folder = make_folders(root, head)
    sweep_once(root, head)
    return folder, name


@contextmanager
def _write_beside(folder: int, data: bytes, mode: int = 0o644, like: int | None = None) -> Iterator[_Unnamed]:
    """A file written into a folder that has no name to last yet; it is gone afterwards unless it got one.

    It has the given mode, or mode, owner and attributes of the open file `like`. Meanwhile signals wait.
    """
    held = block_signals()
    try:
        name, file = open_temporary(folder, mode if like is None else 0o600)
        written = _Unnamed(folder, name)
        try:
            write_all(file, data)
            if like is not None:
                _resemble(file, like)
            os.fsync(file)
            yield written
        finally:
            if written.waits:
                discard(folder, name, file)
            else:
                os.close(file)
    finally:
        restore_signals(held)


class _Unnamed:
    """A whole file under a name that no other file has."""

    def __init__(self, folder: int, name: str) -> None:
        self._folder = folder
        self._name = name
        self.waits = True
        """Whether it has no name to last yet; one that `take` linked has two until the end."""

    def replace(self, name: str) -> None:
        """Give the file its name, in the place of what bears it."""
        os.replace(self._name, name, src_dir_fd=self._folder, dst_dir_fd=self._folder)
        self.waits = False

    def take(self, name: str) -> None:
        """Give the file its name; raises FileExistsError where that is taken."""
        try:
            os.link(self._name, name, src_dir_fd=self._folder, dst_dir_fd=self._folder)
        except OSError as error:
            if error.errno not in _ONE_NAME:
                raise
            os.close(os.open(name, _NEW, 0o600, dir_fd=self._folder))
            try:
                self.replace(name)
            except BaseException:
                with suppress(OSError):
                    os.unlink(name, dir_fd=self._folder)
                raise


@contextmanager
def _translate_os_errors(key: str) -> Iterator[None]:
    """Turn what the system complains about into words that name the file."""
    try:
        yield
    except OSError as error:
        raise _describe_failure(key, error) from None


def _describe_failure(key: str, error: OSError) -> Unreadable:
    return Unreadable(f"{key}: cannot be written ({error.strerror or type(error).__name__})")


def _find(root: Root, key: str) -> tuple[int, str]:
    """The open folder of a file, and its name there, links followed inside the root."""
    refuse_git(root, key, "")
    try:
        located = root.locate(key)
        head, _, name = located.rpartition("/")
        folder = root.folder(head)
        with _translate_os_errors(key):
            if name and st.S_ISREG(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
                refuse_git(root, key, located)
                sweep_once(root, head)
                return folder, name
    except Missing:
        pass
    except Blocked as error:
        raise error if str(error) != key else Blocked(_LEADS_OUT.format(key)) from None
    except Unreadable as error:
        raise error if str(error).startswith(key) else Unreadable(f"{key}: cannot be written ({error})") from None
    raise Missing(f"{key}: no such file; nothing was written")


@contextmanager
def _alone(folder: int, name: str, key: str) -> Iterator[int]:
    """The file of that name, open; no other of our processes replaces it meanwhile."""
    for _ in range(_TRIES):
        file = os.open(name, _KNOWN, dir_fd=folder)
        try:
            # Where a file system knows no locks, everybody goes on without. Another process may have put a new file
            # into its place meanwhile: that is the one to hold.
            if lock(file) is not False and is_at(folder, name, file):
                yield file
                return
        finally:
            with suppress(OSError):
                # A child that inherited the descriptor would keep the lock.
                fcntl.flock(file, fcntl.LOCK_UN)
            os.close(file)
        from time import sleep

        sleep(_PAUSE)
    raise Conflict(f"{key}: another program holds it; nothing was written. Run the command again.")


def _holds(file: int, data: bytes) -> bool:
    """Whether an open file's content is `data`."""
    if os.fstat(file).st_size != len(data):
        return False
    at = 0
    while piece := os.pread(file, _PIECE, at):
        if piece != data[at : at + len(piece)]:
            return False
        at += len(piece)
    return at == len(data)


def write_all(file: int, data: bytes) -> None:
    """Write to an open file until nothing is left."""
    view = memoryview(data)
    while view:
        view = view[os.write(file, view) :]


def _resemble(file: int, like: int) -> None:
    """Give an open file the owner, the attributes and the mode of another; raises OSError where it cannot be."""
    wanted, given = os.fstat(like), os.fstat(file)
    if (wanted.st_uid, wanted.st_gid) != (given.st_uid, given.st_gid):
        os.fchown(file, wanted.st_uid, wanted.st_gid)
    if hasattr(os, "listxattr"):
        # Access lists and labels: what a file system or the kernel will not have is left out.
        with suppress(OSError):
            kept = os.listxattr(like)
            for attribute in kept:
                with suppress(OSError):
                    os.setxattr(file, attribute, os.getxattr(like, attribute))
            for attribute in set(os.listxattr(file)).difference(kept):
                # A folder may give what lies in it an access list that this file does not have.
                with suppress(OSError):
                    os.removexattr(file, attribute)
    # Last, because a new owner and a new access list change it.
    os.fchmod(file, st.S_IMODE(wanted.st_mode))


def _sync(folder: int) -> None:
    """Make the names in a folder last through a power cut; the files are whole either way."""
    with suppress(OSError):
        os.fsync(folder)


def _identity(info: os.stat_result) -> tuple[int, ...]:
    return info.st_dev, info.st_ino, info.st_size, info.st_mtime_ns, info.st_mode, info.st_uid, info.st_gid
