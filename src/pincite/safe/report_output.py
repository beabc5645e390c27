"""Where reports go: standard output, or a file that appears whole or not at all."""

from __future__ import annotations

import errno
import os
import stat as st
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from ..core.errors import Missing, Refused, Unreadable, UsageError
from .ci_log import LogGuard
from .files import read_path, stat_path
from .temp_files import open_temporary
from .user_paths import open_output, place_in_tree, refuse_way_out

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .files import Root


_STANDARD = ("-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")
_PIPE = os.O_WRONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NOCTTY
_PIPE_TRIES = 500
"""How often a pipe in the tree is tried before it is refused for lack of a reader: ten seconds in all."""
_PIPE_PAUSE = 0.02


@contextmanager
def output_to(path: str | None, root: str = "", commands: bool = False) -> Iterator[Callable[[str], object]]:
    """A function that writes text to standard output, or to a file put in place at the end.

    The file is made beside its name and then given that name, so that no link is written through; `user_paths` says
    which places are refused. `commands` says that the text is meant for a build server, and escaped for it.
    """
    if path is None or path in _STANDARD:
        reconfigure = getattr(sys.stdout, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
        guard = getattr(sys.stdout, "buffer", None) if commands else None
        if isinstance(guard, LogGuard):
            sys.stdout.flush()
            guard.trusted = True
        try:
            yield sys.stdout.write
            sys.stdout.flush()
        finally:
            if isinstance(guard, LogGuard):
                guard.trusted = False
        return
    place, key = open_output(path, root)
    with place:
        head, _, name = key.rpartition("/")
        temp, folder = "", -1
        try:
            special = _open_special(path, root, place, key)
            if special is None:
                folder = place.folder(head)
                temp, special = open_temporary(folder, 0o666)
            stream = open(special, "w", encoding="utf-8", errors="backslashreplace", newline="\n")  # noqa: SIM115
        except Missing:
            raise UsageError(f"{path}: cannot be written (no such folder)") from None
        except Refused as error:
            raise UsageError(f"{path}: cannot be written ({error})") from None
        except OSError as error:
            raise UsageError(f"{path}: cannot be written ({error.strerror})") from None
        try:
            with stream:
                yield stream.write
                if temp:
                    # Before it is closed, because an open one is never swept away.
                    stream.flush()
                    os.replace(temp, name, src_dir_fd=folder, dst_dir_fd=folder)
                    temp = ""
        except BaseException as error:
            if temp:
                with suppress(OSError):
                    os.unlink(temp, dir_fd=folder)
            if isinstance(error, OSError):
                raise UsageError(f"{path}: cannot be written ({error.strerror})") from None
            raise


def _open_special(path: str, root: str, place: Root, key: str) -> int | None:
    """A descriptor of what is no file and is written into, a pipe or a device; None where a file is to be made."""
    if place_in_tree(path, root) is None:
        # `/dev/null` or `/dev/fd/63`: a rename would put a file in its place. The user named it, so links count.
        info = stat_path(path)
        if info is None or st.S_ISREG(info.st_mode) or st.S_ISDIR(info.st_mode):
            return None
        return os.open(path, os.O_WRONLY | os.O_CLOEXEC | os.O_NOCTTY)
    head, _, name = key.rpartition("/")
    folder = place.folder(head)
    try:
        mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
    except FileNotFoundError:
        return None
    if st.S_ISREG(mode) or st.S_ISLNK(mode) or st.S_ISDIR(mode):
        return None
    if not st.S_ISFIFO(mode):
        raise Unreadable("a device or socket; name a file")
    from time import sleep

    for _ in range(_PIPE_TRIES):
        try:
            file = os.open(name, _PIPE, dir_fd=folder)
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
            sleep(_PIPE_PAUSE)
            continue
        os.set_blocking(file, True)
        return file
    raise Unreadable("a pipe without a reader")


def discard_stdout() -> None:
    """Let what is still to be written go nowhere: a reader that has seen enough is no error, also not at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def open_standard_streams() -> None:
    """Stand in for standard streams that the caller closed, so that no file we open becomes one of them.

    Commands that we start inherit none of the stand-ins: for them, what was closed is closed.
    """
    while (descriptor := os.open(os.devnull, os.O_RDWR)) < 3:
        pass
    os.close(descriptor)
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115


def read_file(path: str, limit: int, root: str = "") -> bytes | None:
    """A file that the user or the settings named; None where there is none. Pipes and devices are not waited for."""
    refuse_way_out(path, root)
    try:
        return read_path(path, limit)
    except Missing:
        if os.path.lexists(path):
            raise UsageError(f"{path}: not a regular file; name a file, or remove what is there") from None
        return None
    except Refused as error:
        raise UsageError(f"{path}: cannot be read ({error})") from None


def read_pieces(path: str, size: int = 1 << 20) -> Iterator[bytes]:
    """A file the user named on the command line, piece by piece; `-` is standard input. Raises UsageError."""
    descriptor = 0
    try:
        if path != "-":
            refuse_way_out(path)
            descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
            if st.S_ISDIR(os.fstat(descriptor).st_mode):
                raise UsageError(f"{path}: a folder; name a file")
        while data := os.read(descriptor, size):
            yield data
    except OSError as error:
        raise UsageError(f"{'standard input' if path == '-' else path}: cannot be read ({error.strerror})") from None
    finally:
        if descriptor:
            os.close(descriptor)


def pass_on(data: bytes) -> bool:
    """Write bytes to standard output at once; False once the reader is gone."""
    view = memoryview(data)
    try:
        while view:
            view = view[os.write(1, view) :]
    except BlockingIOError:
        from select import select

        select((), (1,), ())
        return pass_on(bytes(view))
    except OSError:
        return False
    return True


def keep_private(descriptor: int) -> bool:
    """Keep a descriptor that the caller left open for us from the commands we start; False where it is not open."""
    try:
        os.set_inheritable(descriptor, False)
    except OSError:
        return False
    return True
