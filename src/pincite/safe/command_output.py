"""What a command writes, passed on to where it would have gone, and read along."""

from __future__ import annotations

import errno
import fcntl
import os
import select
import signal
import stat as st
import sys
import termios
from contextlib import suppress
from time import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_PIPE = 1 << 20
_PIECE = 1 << 20
_GRACE = 0.05
"""How long output may still arrive after the command ended before it counts as that of a process left behind."""
_NAMES = {1: "standard output", 2: "standard error"}
_GONE = select.POLLERR | select.POLLHUP | select.POLLNVAL


def is_ours(stream: int) -> bool:
    """Whether a standard stream was given to us open, and is not a file of our own that took its number."""
    try:
        return os.get_inheritable(stream)
    except OSError:
        return False


def same_place(one: int, other: int) -> bool:
    """Whether what is written to two streams ends up in one place, in the order of writing."""
    try:
        first, second = os.fstat(one), os.fstat(other)
        if (first.st_dev, first.st_ino) != (second.st_dev, second.st_ino):
            return False
        if not st.S_ISREG(first.st_mode):
            return True
        flags, others = fcntl.fcntl(one, fcntl.F_GETFL), fcntl.fcntl(other, fcntl.F_GETFL)
        if flags & others & os.O_APPEND:
            return True
        # A flag without a meaning for files shows whether both are one description, with one position.
        fcntl.fcntl(one, fcntl.F_SETFL, flags ^ os.O_NONBLOCK)
        changed = fcntl.fcntl(other, fcntl.F_GETFL) != others
        fcntl.fcntl(one, fcntl.F_SETFL, flags)
        return changed
    except OSError:
        return False


def lift(descriptor: int) -> int:
    """The same thing under a number that is none of the standard streams', not inherited by commands."""
    if descriptor > 2:
        return descriptor
    lifted: int = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 3)
    os.close(descriptor)
    return lifted


def open_pipe(wide: bool = False) -> tuple[int, int]:
    """A pipe, its reading end first; a wide one means fewer switches between writer and reader."""
    # Both are open before either moves, so that neither takes the number the other one left.
    reading, writing = os.pipe()
    reading, writing = lift(reading), lift(writing)
    if wide:
        with suppress(AttributeError, OSError):
            fcntl.fcntl(reading, fcntl.F_SETPIPE_SZ, _PIPE)
    return reading, writing


def close_all_but(kept: Iterable[int], also_inherited: bool = False) -> None:
    """Close every descriptor that no command would inherit, and on demand those too."""
    keep = set(kept)
    for name in os.listdir("/dev/fd"):
        descriptor = int(name)
        if descriptor not in keep:
            with suppress(OSError):
                if also_inherited or not os.get_inheritable(descriptor):
                    os.close(descriptor)


class OutputRelay:
    """Sources that are read, each passed on to a stream of ours, all of them handed to `feed`."""

    def __init__(self, feed: Callable[[bytes], None]) -> None:
        self.routes: dict[int, int] = {}
        self.lost = ""
        self.writing = False
        """True while a write may wait for its reader."""
        self._feed: Callable[[bytes], None] | None = feed
        self.poll = select.poll()
        self._watched: set[int] = set()

    def add(self, source: int, target: int) -> None:
        """Read a source from now on; the tap closes it."""
        os.set_blocking(source, False)
        self.routes[source] = target
        self.poll.register(source, select.POLLIN)
        if _is_plain_pipe(target):
            # Some commands watch for their reader's end; what they watch is our pipe, so we watch for them.
            self.poll.register(target, 0)
            self._watched.add(target)

    def take(self, source: int) -> int:
        """Pass on one piece of a source, and say how long it was; 0 where there is none now."""
        try:
            data = os.read(source, _PIECE)
        except BlockingIOError:
            return 0
        except OSError:
            data = b""  # A terminal that no process has open any more ends like this.
        if not data:
            self.drop(source)
            return 0
        if not self._pass_on(self.routes[source], data):
            self.drop(source)
        if self._feed is not None:
            try:
                self._feed(data)
            except Exception:
                self._feed = None
        return len(data)

    def attend(self, descriptor: int, event: int) -> None:
        """Do what an event of `poll` asks for, if it is about a source or a stream of ours."""
        if descriptor in self.routes:
            self.take(descriptor)
        elif descriptor in self._watched and event & _GONE:
            for source in [source for source, target in self.routes.items() if target == descriptor]:
                self.drop(source)

    def drop(self, source: int) -> None:
        """Close a source: its writers then learn that the reader is gone."""
        target = self.routes.pop(source)
        self.poll.unregister(source)
        os.close(source)
        if target in self._watched and target not in self.routes.values():
            self._watched.discard(target)
            self.poll.unregister(target)

    def finish(self) -> None:
        """The command has ended: pass on what is there, and leave what others may still write to a process of its own.

        Everything is closed afterwards.
        """
        waiting = sum(_waiting(source) for source in self.routes)
        until = monotonic() + _GRACE
        while self.routes:
            left = until - monotonic()
            if waiting <= 0 and left <= 0:
                break
            events = self.poll.poll(max(left, 0) * 1000)
            if not events:
                waiting = 0
            for descriptor, event in events:
                if descriptor in self.routes:
                    waiting -= self.take(descriptor)
                else:
                    self.attend(descriptor, event)
        if self.routes:
            self._stay_behind()
        for source in tuple(self.routes):
            self.drop(source)

    def _stay_behind(self) -> None:
        """Go on passing on in a forked process that holds nothing else and ends with the last writer."""
        try:
            child = os.fork()
        except OSError:
            return
        if child:
            os.waitpid(child, 0)
            return
        try:
            if os.fork() == 0:
                for name in ("SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGTSTP", "SIGTTIN", "SIGTTOU"):
                    signal.signal(getattr(signal, name), signal.SIG_IGN)
                close_all_but({*self.routes, *self.routes.values()}, also_inherited=True)
                self._feed = None
                while self.routes:
                    for descriptor, event in self.poll.poll():
                        self.attend(descriptor, event)
        finally:
            os._exit(0)

    def _pass_on(self, target: int, data: bytes) -> bool:
        """Write everything, however long it takes; False where the reader is gone."""
        rest: bytes | memoryview = data
        self.writing = True
        try:
            while True:
                try:
                    written = os.write(target, rest)
                except BlockingIOError:
                    wait = select.poll()
                    wait.register(target, select.POLLOUT)
                    wait.poll()
                    continue
                if written == len(rest):
                    return True
                rest = memoryview(rest)[written:]
        except OSError as error:
            if error.errno != errno.EPIPE:
                self.lost = f"cannot write to {_NAMES.get(target, 'its stream')}: {error.strerror}"
            return False
        finally:
            self.writing = False


def _waiting(source: int) -> int:
    """How many bytes can be read at once."""
    try:
        return int.from_bytes(fcntl.ioctl(source, termios.FIONREAD, b"\0\0\0\0"), sys.byteorder)
    except OSError:
        return 0


def _is_plain_pipe(descriptor: int) -> bool:
    """Whether it is a pipe without a name: one whose reader, once gone, cannot come back."""
    try:
        return os.readlink(f"/proc/self/fd/{descriptor}").startswith("pipe:")
    except OSError:
        return False
