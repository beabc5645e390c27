"""Starting a command the way a shell does: found on PATH, with the signals and the environment the user gave it."""

from __future__ import annotations

import errno
import os
import signal
from contextlib import suppress

from msgspec import Struct

from .escape import escape_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import NoReturn, TypeVar

    T = TypeVar("T")

# The interpreter ignores these from its first moment on; a command expects to be ended by them.
RESTORED = tuple(getattr(signal, name) for name in ("SIGPIPE", "SIGXFSZ", "SIGXFZ") if hasattr(signal, name))
FORWARDED = frozenset(
    getattr(signal, name) for name in ("SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGUSR1", "SIGUSR2", "SIGALRM")
)
"""What is sent to us and meant for the command."""
_SHELL = "/bin/sh"
_NOT_HERE = (errno.ENOENT, errno.ENOTDIR, errno.ESTALE, errno.ENODEV, errno.ETIMEDOUT)
_COERCED = ("C.UTF-8", "C.utf8", "UTF-8")


class CommandEnd(Struct, frozen=True):
    """How a command ended."""

    code: int
    """The exit code as a shell counts it: 127 no such command, 126 cannot be executed, 128+n for signal n."""
    signal: int = 0
    """The signal that ended it, 0 where it exited by itself."""
    trouble: str = ""
    """Why it could not be started, in words with the command's name; else empty."""
    lost: str = ""
    """Why some of its output could not be passed on (a full disk); empty also where its reader just went away."""


def decode_wait_status(status: int, lost: str = "") -> CommandEnd:
    """What a status from waitpid says."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        return CommandEnd(128 + number, number, lost=lost)
    return CommandEnd(os.WEXITSTATUS(status), lost=lost)


def describe_start_failure(command: Sequence[str], error: Exception) -> CommandEnd:
    """A command that could not be started, with the code a shell would give."""
    name = escape_text(command[0], 200) if command and command[0] else "(no command)"
    if isinstance(error, FileNotFoundError):
        bare = "/" not in name
        return CommandEnd(127, trouble=f"{name}: {'command not found' if bare else 'no such file, or its interpreter'}")
    return CommandEnd(126, trouble=f"{name}: {getattr(error, 'strerror', None) or error}")


def launch(command: Sequence[str], start: Callable[[str, list[str]], T]) -> T:
    """Call `start` with the place of the command and its arguments; raises OSError or ValueError where none starts."""
    if not command:
        raise ValueError("there is none")
    name = command[0]
    if "/" in name:
        return _attempt(name, command, start)
    refusal = FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
    # Relative and empty entries count: this is what the user typed, where the user typed it.
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep) if name else ():
        path = os.path.join(folder, name)
        if os.path.exists(path):
            try:
                return _attempt(path if folder else f"./{name}", command, start)
            except PermissionError as error:
                refusal = error  # type: ignore[assignment]
            except OSError as error:
                if error.errno not in _NOT_HERE:
                    raise
    raise refusal


def environment() -> dict[str, str]:
    """The environment as it was given to us."""
    given = dict(os.environ)
    if given.get("LC_CTYPE") in _COERCED and "LC_ALL" not in given:
        # In the C locale the interpreter sets this for itself, and no command should hear of it.
        try:
            with open("/proc/self/environ", "rb") as stream:
                first = stream.read()
        except OSError:
            return given
        if not first.startswith(b"LC_CTYPE=") and b"\0LC_CTYPE=" not in first:
            del given["LC_CTYPE"]
    return given


def leave(ended: CommandEnd) -> NoReturn:
    """End this process the way the command ended: same code, or by the same signal and without a second core dump."""
    import sys

    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
    if ended.signal:
        with suppress(OSError, ValueError):
            _leave_no_core(ended.signal)
            if ended.signal != signal.SIGKILL:
                signal.signal(ended.signal, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {ended.signal})
            os.kill(os.getpid(), ended.signal)
    os._exit(ended.code or (1 if ended.lost else 0))


def _attempt(path: str, command: Sequence[str], start: Callable[[str, list[str]], T]) -> T:
    """Start what is at a path; a file of no known format is a script for the shell, unless it looks binary."""
    try:
        return start(path, list(command))
    except OSError as error:
        if error.errno != errno.ENOEXEC or _looks_binary(path):
            raise
    return start(_SHELL, [_SHELL, path, *command[1:]])


def _looks_binary(path: str) -> bool:
    try:
        with open(path, "rb") as stream:
            return b"\0" in stream.read(128).partition(b"\n")[0]
    except OSError:
        return True


def _leave_no_core(number: int) -> None:
    """The command has left its own core already; ours would only bury it."""
    cores = ("SIGQUIT", "SIGILL", "SIGTRAP", "SIGABRT", "SIGBUS", "SIGFPE", "SIGSEGV", "SIGXCPU", "SIGXFSZ", "SIGSYS")
    if number not in [getattr(signal, name, 0) for name in cores]:
        return
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    # Where cores are piped to a program, that limit is not looked at, and only this keeps it from being started.
    with suppress(ImportError, OSError, AttributeError):
        import ctypes

        ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)
