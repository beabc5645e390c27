"""Running a command as if we were not there, and reading along what it writes.

It shares our process group, our session and our standard input. Only where its output would have gone straight to a
place of ours stands a pipe, or a terminal where that place is one, whose content is passed on at once. A command whose
standard output is a terminal may take that over entirely, and gets a session of its own: see `terminal`.
"""

from __future__ import annotations

import _thread
import os
import select
import signal
from contextlib import suppress

from .command_output import OutputRelay, is_ours, open_pipe, same_place
from .command_start import (
    FORWARDED,
    RESTORED,
    CommandEnd,
    decode_wait_status,
    describe_start_failure,
    environment,
    launch,
    leave,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["CommandEnd", "leave", "relay"]

_WATCHED = FORWARDED | {signal.SIGCHLD, signal.SIGWINCH}
_SILENT = (signal.SIGCHLD, signal.SIGWINCH)
_ANCESTORS = 64
_UNKNOWN = 255 << 8
"""The status of a command that another process waited for."""


def relay(command: Sequence[str], feed: Callable[[bytes], None], terminal: bool | None = None) -> CommandEnd:
    """Run a command with our own standard streams; hand every piece of its output to `feed`, in the order written."""
    if terminal is not False and is_ours(1) and os.isatty(1):
        from .terminal import converse

        done = converse(command, feed)
        if done is not None:
            return done
        terminal = False
    tap = OutputRelay(feed)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _WATCHED)
    silenced = _hear_silent_signals()
    watch = _Watch(tap)
    ends: dict[int, int] = {}
    try:
        ends = _plumb(tap, terminal, watch)
        actions = [(os.POSIX_SPAWN_DUP2, end, stream) for stream, end in ends.items()]
        watch.start()
        watch.follow(
            launch(
                command,
                lambda path, arguments: os.posix_spawn(
                    path, arguments, environment(), file_actions=actions, setsigmask=before, setsigdef=RESTORED
                ),
            )
        )
    except (OSError, ValueError, RuntimeError) as error:
        watch.follow(0)
        for source in tuple(tap.routes):
            tap.drop(source)
        return describe_start_failure(command, error)
    else:
        _close(ends)
        _pass_along(tap, watch.ended)
        tap.finish()
        return decode_wait_status(watch.status, tap.lost)
    finally:
        _close(ends)
        watch.close()
        for number in signal.sigpending() & FORWARDED:
            # Meant for the command, and it is gone.
            signal.sigwait({number})
        for number, handler in silenced:
            signal.signal(number, handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _pass_along(tap: OutputRelay, ending: int) -> None:
    """Pass on what arrives until the command has ended."""
    poll = tap.poll
    poll.register(ending, select.POLLIN)
    while True:
        for descriptor, event in poll.poll():
            if descriptor == ending:
                poll.unregister(ending)
                return
            tap.attend(descriptor, event)


def _plumb(tap: OutputRelay, terminal: bool | None, watch: _Watch) -> dict[int, int]:
    """What stands in for our output streams: by stream, the end that the command gets."""
    ends: dict[int, int] = {}
    for stream in (1, 2):
        if not is_ours(stream):
            continue
        if stream == 2 and 1 in ends and same_place(1, 2):
            ends[2] = ends[1]
            continue
        source = -1
        if terminal or (terminal is None and os.isatty(stream)):
            from .terminal import open_terminal

            # The system may have no terminal left.
            with suppress(OSError):
                source, ends[stream] = open_terminal(stream)
                watch.screens.append((stream, source))
        if source < 0:
            source, ends[stream] = open_pipe(wide=True)
        tap.add(source, stream)
    return ends


def _close(ends: dict[int, int]) -> None:
    for end in set(ends.values()):
        os.close(end)
    ends.clear()


def _hear_silent_signals() -> list[tuple[signal.Signals, signal._HANDLER]]:
    """Make signals arrive that are thrown away by default; gives what has to be put back."""
    try:
        return [(number, signal.signal(number, lambda *_: None) or signal.SIG_DFL) for number in _SILENT]
    except ValueError:
        # Not the main thread. Where they are thrown away all the same, the caller ignores them on purpose.
        return []


class _Watch:
    """A thread that waits for the command's end, and sends on what was meant for it: no wait of ours delays it."""

    def __init__(self, tap: OutputRelay) -> None:
        self.status = 0
        self._tap = tap
        self.screens: list[tuple[int, int]] = []
        """Terminals of ours, each with the one that stands in for it."""
        self.ended, self._writing = open_pipe()
        self._pid = 0
        self._started = False
        self._known = _thread.allocate_lock()
        self._known.acquire()

    def start(self) -> None:
        """Begin to wait; raises RuntimeError where the system has no thread left."""
        _thread.start_new_thread(self._run, ())
        self._started = True

    def follow(self, pid: int) -> None:
        """Say which process it is about; 0 for none."""
        self._pid = pid
        self._known.release()

    def close(self) -> None:
        """Wait for the thread's end and let go of everything."""
        if self._started:
            os.read(self.ended, 1)
        else:
            os.close(self._writing)
        os.close(self.ended)

    def _run(self) -> None:
        try:
            self._known.acquire()
            while self._pid:
                number, sent_to_us = self._next()
                if number == signal.SIGCHLD:
                    done, status = os.waitpid(self._pid, os.WNOHANG)
                    if done:
                        self.status = status
                        return
                elif number == signal.SIGWINCH:
                    self._resize()
                elif sent_to_us:
                    self._send(number)
        except OSError:
            self.status = _UNKNOWN
        finally:
            os.close(self._writing)

    def _next(self) -> tuple[int, bool]:
        """The next signal, and whether it reached us alone: the terminal's go to the whole group."""
        wait = getattr(signal, "sigwaitinfo", None)
        if wait is None:
            number: int = signal.sigwait(_WATCHED)
            return number, number not in (signal.SIGINT, signal.SIGQUIT) or not _is_in_front()
        info = wait(_WATCHED)
        return info.si_signo, info.si_code <= 0 and not self._is_from_command(info.si_pid)

    def _is_from_command(self, sender: int) -> bool:
        """Whether the command, or what it started, sent a signal: to its whole group then, and it needs no second."""
        with suppress(OSError, ValueError, IndexError):
            for _ in range(_ANCESTORS):
                if sender == self._pid or sender <= 1:
                    return sender == self._pid
                with open(f"/proc/{sender}/stat", "rb") as stream:
                    sender = int(stream.read().rpartition(b")")[2].split()[1])
        return False

    def _resize(self) -> None:
        if self.screens:
            from .terminal import copy_size

            for real, screen in self.screens:
                if screen in self._tap.routes:
                    copy_size(real, screen)
            # The first one came before the new size could be seen.
            self._send(signal.SIGWINCH)

    def _send(self, number: int) -> None:
        with suppress(OSError):  # A command with other rights than ours takes no signals from us.
            os.kill(self._pid, number)


def _is_in_front() -> bool:
    """Whether our group is the one that our terminal's keys reach."""
    try:
        terminal = os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY)
    except OSError:
        return False
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:
        return False
    finally:
        os.close(terminal)
