"""A command with a terminal of its own, which stands in for ours: keys go in, what it shows comes out.

It is the front job there as we are in ours. Ctrl-C and Ctrl-Z are keys for it like any other; when it stops we stop,
when we are continued it is. Where others share our terminal (a pipe leads in, or we run in the background) ours stays
as it is until the command asks for keys: its terminal then stops it for reading from the back, and we hear of that.
"""

from __future__ import annotations

import fcntl
import os
import select
import signal
import stat as st
import termios
import tty
from contextlib import suppress
from time import sleep

from . import terminal_session
from .command_output import OutputRelay, is_ours, lift, open_pipe
from .command_start import FORWARDED, CommandEnd, decode_wait_status, describe_start_failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import FrameType

_HANDLED = (*FORWARDED, signal.SIGTSTP, signal.SIGCONT, signal.SIGWINCH, signal.SIGCHLD)
_KEYS = 1024
_SIZE = b"\0" * 8
_STOPPING = 500
"""Milliseconds that a command may take to stop while we cannot do anything else."""


def copy_size(real: int, screen: int) -> None:
    """Give one terminal the size of another, if that has one."""
    with suppress(OSError):
        fcntl.ioctl(screen, termios.TIOCSWINSZ, fcntl.ioctl(real, termios.TIOCGWINSZ, _SIZE))


def open_terminal(real: int) -> tuple[int, int]:
    """A terminal that changes nothing of what is written to it: our end, and the one for the command."""
    master, slave = (lift(end) for end in os.openpty())
    with suppress(termios.error):
        tty.setraw(slave)
    copy_size(real, master)
    return master, slave


def converse(command: Sequence[str], feed: Callable[[bytes], None]) -> CommandEnd | None:
    """Run a command in a session of its own, on a terminal that stands in for ours; None where there is no other."""
    try:
        master, slave = (lift(end) for end in os.openpty())
    except OSError:
        return None
    talk = _Talk(command, feed)
    try:
        if talk.start(master, slave):
            talk.go_on()
        return talk.end()
    except (OSError, ValueError, termios.error) as error:
        return describe_start_failure(command, error)
    finally:
        talk.close()


class _Talk:
    """One conversation between our terminal and a command."""

    def __init__(self, command: Sequence[str], feed: Callable[[bytes], None]) -> None:
        self._command = command
        self._tap = OutputRelay(feed)
        self._mask: set[int] = set()
        self._handlers: dict[int, object] = {}
        self._open: list[int] = []
        self._screen, self._reads = _find_screen()
        if self._screen > 2:
            self._open.append(self._screen)
        self._saved: list[object] | None = None
        self._borrowed: list[object] | None = None
        """What the command's terminal was set to while others used ours, perhaps as a shell that edits a line does."""
        self._reading = self._over = False
        self._typed = b""
        self._master = self._orders = self._reports = self._woken = -1
        self._monitor = self._group = self._status = self._refusal = 0
        self._moving = 0
        """Orders not yet carried out: a key that stops the command would be lost on one that is stopped still."""
        self._eager = not _is_shared(0)

    def start(self, master: int, slave: int) -> bool:
        """Start monitor and command; False where there is nothing to run."""
        self._mask = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        self._master = master
        ends = {stream: slave for stream in (0, 1, 2) if is_ours(stream) and os.isatty(stream)}
        passed = [slave]
        saved = self._settings()
        if saved is not None:
            termios.tcsetattr(slave, termios.TCSANOW, saved)  # type: ignore[arg-type]
        copy_size(1, master)
        self._tap.add(master, 1)
        if 2 not in ends and is_ours(2):
            source, ends[2] = open_pipe(wide=True)
            self._tap.add(source, 2)
            passed.append(ends[2])
        orders, self._orders = open_pipe()
        self._reports, reports = open_pipe()
        self._woken, waking = open_pipe()
        self._open += [self._orders, self._reports, self._woken, waking]
        front = self._eager and self._is_in_front()
        for number in _HANDLED:
            self._handlers[number] = signal.signal(number, self._handle)
        self._monitor = os.fork()
        if self._monitor == 0:
            try:
                terminal_session.Monitor(
                    *(self._command, ends, self._mask, self._handlers, front),
                    slave=slave,
                    orders=orders,
                    reports=reports,
                    screen=self._screen,
                    saved=saved,
                ).run()
            finally:
                os._exit(0)
        for end in (*passed, orders, reports):
            os.close(end)
        os.set_blocking(self._woken, False)
        os.set_blocking(waking, False)
        signal.set_wakeup_fd(waking, warn_on_full_buffer=False)
        if front:
            self._take_over()
        else:
            self._borrowed = saved
        return self._hear() == terminal_session.STARTED

    def go_on(self) -> None:
        """Pass on keys, output and signals until the command has ended."""
        signal.pthread_sigmask(signal.SIG_SETMASK, self._mask)
        poll = self._tap.poll
        poll.register(self._reports, select.POLLIN)
        poll.register(self._woken, select.POLLIN)
        while True:
            self._await_keys()
            for descriptor, event in poll.poll():
                if descriptor == self._reports:
                    if self._hear() not in (terminal_session.STOPPED, terminal_session.MOVED):
                        poll.unregister(self._reports)
                        poll.unregister(self._woken)
                        return
                elif descriptor == self._woken:
                    self._wake()
                elif descriptor == self._master and event & select.POLLOUT:
                    self._type()
                    if event & ~select.POLLOUT:
                        self._tap.attend(descriptor, event)
                elif descriptor == self._screen and self._reading:
                    self._read_keys()
                else:
                    self._tap.attend(descriptor, event)

    def end(self) -> CommandEnd:
        """Pass on what is left, and put our terminal back as it was."""
        self._stop_keys()
        os.waitpid(self._monitor, 0)
        self._monitor = 0
        self._tap.finish()
        self._give_back()
        if self._refusal:
            return describe_start_failure(self._command, OSError(self._refusal, os.strerror(self._refusal)))
        return decode_wait_status(self._status, self._tap.lost)

    def close(self) -> None:
        """Undo everything, whatever happened."""
        self._give_back()
        for source in tuple(self._tap.routes):
            self._tap.drop(source)
        if self._handlers:
            signal.set_wakeup_fd(-1)
        for number, handler in self._handlers.items():
            signal.signal(number, handler if handler is not None else signal.SIG_DFL)  # type: ignore[arg-type]
        for descriptor in self._open:
            os.close(descriptor)
        if self._monitor:
            os.waitpid(self._monitor, 0)
        signal.pthread_sigmask(signal.SIG_SETMASK, self._mask)

    # Signals

    def _handle(self, number: int, _: FrameType | None) -> None:
        """Between any two steps, also while a write waits: the command must not wait for our reader."""
        if number in FORWARDED or number == signal.SIGTSTP:
            try:
                os.killpg(self._group, number)
            except OSError:
                return
            if number == signal.SIGTSTP and self._tap.writing:
                poll = select.poll()
                poll.register(self._reports, select.POLLIN)
                # Our whole job is stopped, and its waiter waits for us too.
                if poll.poll(_STOPPING):
                    self._hear()
        elif number == signal.SIGWINCH:
            copy_size(1, self._master)
            if self._saved is None:
                # In the back of its terminal, the system sends the command no signal.
                with suppress(OSError):
                    os.killpg(self._group, number)

    def _wake(self) -> None:
        """We may have been continued, and brought to the front."""
        if bytes((signal.SIGCONT,)) in os.read(self._woken, 4096) and self._saved is None:
            self._resume()

    def _hear(self) -> bytes:
        """Take in one report of the monitor, and say of what kind."""
        report = os.read(self._reports, terminal_session.REPORT)
        kind, number = report[:1], int.from_bytes(report[1:], "big")
        if kind == terminal_session.STARTED:
            self._group = number
        elif kind == terminal_session.REFUSED:
            self._refusal = number
        elif kind == terminal_session.STOPPED:
            self._join_stop(number)
        elif kind == terminal_session.MOVED:
            self._moving -= 1
        elif kind == terminal_session.ENDED:
            self._status = number
            self._over = True
        elif not self._over:
            # Without a last word the monitor was killed, and its session with it.
            self._status = signal.SIGKILL
        return kind

    def _join_stop(self, number: int) -> None:
        """The command stopped: it wants our terminal, which it can have, or we stop as well."""
        if number in (signal.SIGTTIN, signal.SIGTTOU) and self._is_in_front():
            self._eager = True
            self._resume()
            return
        self._give_back()
        if number == signal.SIGSTOP:
            os.kill(os.getpid(), number)
        else:
            signal.signal(signal.SIGTSTP, signal.SIG_DFL)
            os.killpg(os.getpgrp(), number)
            signal.signal(signal.SIGTSTP, self._handle)
        if number in (signal.SIGTTIN, signal.SIGTTOU) and not self._is_in_front():
            sleep(0.1)  # There is no shell that could stop us; it must not spin.
        self._resume()

    def _resume(self) -> None:
        """Let the command go on, in front if we are and if it has the terminal to itself."""
        front = self._eager and self._is_in_front()
        if front:
            self._take_over()
        with suppress(OSError):
            os.write(self._orders, terminal_session.FRONT if front else terminal_session.BACK)
            self._moving += 1

    # Our terminal

    def _settings(self) -> list[object] | None:
        try:
            return termios.tcgetattr(self._screen)
        except (OSError, termios.error):
            return None

    def _is_in_front(self) -> bool:
        try:
            return os.tcgetpgrp(self._screen) == os.getpgrp()
        except OSError:
            return True  # A terminal that is not ours to control has no front and no back.

    def _take_over(self) -> None:
        """Every key goes to the command from now on."""
        if self._saved is None:
            self._saved = self._settings()
            self._pass_settings()
            try:
                tty.setraw(self._screen, termios.TCSADRAIN)
            except (OSError, termios.error):
                self._saved = None

    def _pass_settings(self) -> None:
        """In front for the first time: what our terminal is set to is meant for the command only now."""
        with suppress(OSError, termios.error):
            if self._saved is not None and self._borrowed == termios.tcgetattr(self._master):
                termios.tcsetattr(self._master, termios.TCSANOW, self._saved)  # type: ignore[arg-type]
        self._borrowed = None

    def _give_back(self) -> None:
        if self._saved is not None:
            self._stop_keys()
            saved, self._saved = self._saved, None
            with suppress(OSError, termios.error):
                termios.tcsetattr(self._screen, termios.TCSADRAIN, saved)  # type: ignore[arg-type]

    # Keys

    def _await_keys(self) -> None:
        """Read keys only where they are ours to read, and no faster than the command takes them."""
        if self._master in self._tap.routes:
            self._tap.poll.register(self._master, select.POLLIN | (select.POLLOUT if self._typed else 0))
        if self._reads and self._saved is not None and not self._typed and not self._moving:
            if not self._reading:
                self._tap.poll.register(self._screen, select.POLLIN)
                self._reading = True
        else:
            self._stop_keys()

    def _stop_keys(self) -> None:
        if self._reading:
            self._tap.poll.unregister(self._screen)
            self._reading = False

    def _read_keys(self) -> None:
        try:
            keys = os.read(self._screen, _KEYS)
        except OSError:
            keys = b""
        if not keys:
            self._stop_keys()
            self._reads = False
            try:
                keys = bytes(termios.tcgetattr(self._master)[6][termios.VEOF])
            except (OSError, termios.error):
                return
        self._typed += keys
        self._type()

    def _type(self) -> None:
        try:
            self._typed = self._typed[os.write(self._master, self._typed) :]
        except BlockingIOError:
            return
        except OSError:
            self._typed = b""


def _find_screen() -> tuple[int, bool]:
    """The terminal that keys come from, and whether they can be read there."""
    if is_ours(0) and os.isatty(0):
        return 0, True
    try:
        return lift(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY)), True
    except OSError:
        return 1, False


def _is_shared(stream: int) -> bool:
    """Whether what comes in is another program's, which may use our terminal too."""
    try:
        mode = os.fstat(stream).st_mode
    except OSError:
        return False
    return st.S_ISFIFO(mode) or st.S_ISSOCK(mode)
