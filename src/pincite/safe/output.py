"""Where reports go: standard output, or a file that appears whole or not at all."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..errors import UsageError

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
    temp = os.path.join(os.path.dirname(path), f".pincite-{os.getpid()}~")
    try:
        stream = open(temp, "x", encoding="utf-8", errors="backslashreplace", newline="\n")  # noqa: SIM115
    except OSError as error:
        raise UsageError(f"{path}: cannot be written ({error.strerror})") from None
    try:
        with stream:
            yield stream.write
        os.replace(temp, path)
    except BaseException as error:
        os.unlink(temp)
        if isinstance(error, OSError):
            raise UsageError(f"{path}: cannot be written ({error.strerror})") from None
        raise


def discard_stdout() -> None:
    """Let what is still to be written go nowhere: a reader that has seen enough is no error, also not at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


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


def abandon_stdout() -> None:
    """Send what is still buffered nowhere: the reader has seen enough, and closing would complain again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
