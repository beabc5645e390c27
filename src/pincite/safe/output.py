"""Where reports go: standard output, or a file that appears whole or not at all."""

from __future__ import annotations

import os
import stat as st
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from ..errors import UsageError
from .leftovers import open_temporary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextmanager
def output_to(path: str | None) -> Iterator[Callable[[str], object]]:
    """A function that writes text to standard output, or to a file put in place at the end."""
    if path is None or path == "-":
        reconfigure = getattr(sys.stdout, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
        yield sys.stdout.write
        sys.stdout.flush()
        return
    try:
        if _is_special(path):
            # A device or a pipe, `/dev/stdout` among them, is written into; a rename would put a file in its place.
            temp, place, stream = "", path, open(path, "w", encoding="utf-8", errors="backslashreplace", newline="\n")  # noqa: SIM115
        else:
            # Where the name is a link, the file it leads to is meant.
            place = os.path.realpath(path)
            temp, file = open_temporary(None, 0o666, f"{os.path.dirname(place)}/")
            stream = open(file, "w", encoding="utf-8", errors="backslashreplace", newline="\n")  # noqa: SIM115
    except OSError as error:
        raise UsageError(f"{path}: cannot be written ({error.strerror})") from None
    try:
        with stream:
            yield stream.write
            if temp:
                # Before it is closed, because nobody sweeps it away as long as it is open.
                stream.flush()
                os.replace(temp, place)
                temp = ""
    except BaseException as error:
        if temp:
            with suppress(OSError):
                os.unlink(temp)
        if isinstance(error, OSError):
            raise UsageError(f"{path}: cannot be written ({error.strerror})") from None
        raise


def _is_special(path: str) -> bool:
    """Whether something other than a file or a folder stands at a path."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return not (st.S_ISREG(mode) or st.S_ISDIR(mode))


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


def read_file(path: str, limit: int) -> bytes | None:
    """A file the user named on the command line; None where there is none."""
    try:
        with open(path, "rb") as stream:
            data = stream.read(limit + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror})") from None
    if len(data) > limit:
        raise UsageError(f"{path}: exceeds the limit of {limit} bytes")
    return data


def read_pieces(path: str, size: int = 1 << 20) -> Iterator[bytes]:
    """A file the user named on the command line, piece by piece; `-` is standard input. Raises UsageError."""
    descriptor = 0
    try:
        if path != "-":
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
    """Write bytes to standard output at once; False once nobody reads there any more."""
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
