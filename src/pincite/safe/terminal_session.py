"""The process between us and a command that has a terminal of its own: the head of that terminal's session.

It starts the command in a process group of its own, says when that stops or ends, and moves it to the front or the
background of its terminal on request. It ends with the command, and when we are gone it hangs up on it.
"""

from __future__ import annotations

import errno
import fcntl
import os
import select
import signal
import termios
from contextlib import suppress

from .command_output import close_all_but, open_pipe
from .command_start import RESTORED, environment, launch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

STARTED, REFUSED, STOPPED, MOVED, ENDED = b"+", b"!", b"s", b"m", b"e"
"""What the monitor reports, each followed by a number: a process id, an errno, a signal, nothing, a status."""
FRONT, BACK = b"f", b"b"
"""The orders to the monitor for its command; both let it continue."""
REPORT = 5


class Monitor:
    """The running monitor, seen from its own side."""

    def __init__(
        self,
        command: Sequence[str],
        ends: Mapping[int, int],
        mask: set[int],
        handlers: Mapping[int, object],
        front: bool,
        *,
        slave: int,
        orders: int,
        reports: int,
        screen: int,
        saved: list[object] | None,
    ) -> None:
        self._command, self._ends, self._mask, self._handlers, self._front = command, ends, mask, handlers, front
        self._slave, self._orders, self._reports, self._screen, self._saved = slave, orders, reports, screen, saved
        self._pid = 0

    def run(self) -> None:
        """Start the command and attend to it until it ends; every signal is blocked on entry."""
        for number in self._handlers:
            signal.signal(number, signal.SIG_DFL)
        kept = {self._slave, self._orders, self._reports, *self._ends.values()}
        if self._screen >= 0:
            kept.add(self._screen)
        close_all_but(kept)
        os.setsid()
        fcntl.ioctl(self._slave, termios.TIOCSCTTY, 0)
        trouble, troubled = open_pipe()
        pid = os.fork()
        if pid == 0:
            self._become(troubled)
        os.close(troubled)
        self._pid = pid
        refusal = os.read(trouble, 4)
        if refusal:
            os.waitpid(pid, 0)
            self._report(REFUSED, int.from_bytes(refusal, "big"))
            return
        close_all_but({self._slave, self._orders, self._reports, self._screen}, also_inherited=True)
        self._report(STARTED, pid)
        self._attend()

    def _become(self, troubled: int) -> None:
        """In a process of its own: turn into the command."""
        refusal = errno.EINVAL
        try:
            os.setpgid(0, 0)
            if self._front:
                os.tcsetpgrp(self._slave, os.getpid())
            for stream, end in self._ends.items():
                os.dup2(end, stream)
            for number, handler in self._handlers.items():
                if handler == signal.SIG_IGN and number != signal.SIGCHLD:
                    signal.signal(number, signal.SIG_IGN)
            for number in RESTORED:
                signal.signal(number, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_SETMASK, self._mask)
            given = environment()
            launch(self._command, lambda path, arguments: os.execve(path, arguments, given))  # noqa: S606
        except OSError as error:
            refusal = error.errno or errno.EINVAL
        finally:
            os.write(troubled, refusal.to_bytes(4, "big"))
            os._exit(127)

    def _attend(self) -> None:
        """Report stops and the end, obey orders."""
        woken, waking = open_pipe()
        os.set_blocking(waking, False)
        os.set_blocking(woken, False)
        signal.set_wakeup_fd(waking, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
        poll = select.poll()
        poll.register(woken, select.POLLIN)
        poll.register(self._orders, select.POLLIN)
        while True:
            for descriptor, _ in poll.poll():
                if descriptor == woken:
                    os.read(woken, 4096)
                    if self._look():
                        return
                else:
                    order = os.read(self._orders, 1)
                    if not order:
                        self._hang_up()
                        return
                    self._move(order == FRONT)

    def _look(self) -> bool:
        """Report what became of the command; True where it ended."""
        while True:
            done, status = os.waitpid(self._pid, os.WNOHANG | os.WUNTRACED)
            if not done:
                return False
            if os.WIFSTOPPED(status):
                self._report(STOPPED, os.WSTOPSIG(status))
                continue
            # The foreground group gets a signal when a session ends; what the command left behind must not.
            self._put_in_front(os.getpgrp())
            self._report(ENDED, status)
            return True

    def _move(self, front: bool) -> None:
        self._front = front
        self._put_in_front(self._pid if front else os.getpgrp())
        self._signal(signal.SIGCONT)
        self._report(MOVED, 0)

    def _put_in_front(self, group: int) -> None:
        with suppress(OSError):
            os.tcsetpgrp(self._slave, group)

    def _hang_up(self) -> None:
        """We are gone without a word: the command hears that its terminal is, and the real one becomes usable again."""
        if self._front and self._saved is not None:
            with suppress(OSError, termios.error):
                termios.tcsetattr(self._screen, termios.TCSANOW, self._saved)  # type: ignore[arg-type]
        self._signal(signal.SIGHUP)
        self._signal(signal.SIGCONT)

    def _signal(self, number: int) -> None:
        with suppress(OSError):
            os.killpg(self._pid, number)

    def _report(self, kind: bytes, number: int) -> None:
        with suppress(OSError):  # The parent is gone; the end of orders says so too.
            os.write(self._reports, kind + number.to_bytes(4, "big"))
