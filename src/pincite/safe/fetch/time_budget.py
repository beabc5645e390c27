"""The time that is left for one page, and a way to stop before it is over."""

from __future__ import annotations

import threading
from contextlib import contextmanager, suppress
from time import monotonic
from typing import TYPE_CHECKING

from ...core.web import FetchFailure

if TYPE_CHECKING:
    import socket
    from collections.abc import Iterator

SLICE = 0.1
"""How long a thread sleeps at most before it looks again."""


class FetchStopped(FetchFailure):
    """The page is no longer wanted."""

    def __init__(self, what: str) -> None:
        super().__init__("timeout", f"{what}: stopped before it was fetched; fetch it again")


class StopSignal:
    """Stops everything that shares it: threads that wait for a socket wake up."""

    def __init__(self) -> None:
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self._sockets: set[socket.socket] = set()

    @property
    def stopped(self) -> bool:
        """Whether it is over."""
        return self._stopped.is_set()

    def wait(self, seconds: float) -> bool:
        """Sleep so long; True at once when it is over."""
        return self._stopped.wait(seconds)

    @contextmanager
    def watching(self, sock: socket.socket) -> Iterator[None]:
        """Inside, the socket is shut down when it is over; leave it before the socket is closed."""
        with self._lock:
            self._sockets.add(sock)
        try:
            if self.stopped:
                self._wake(sock)
            yield
        finally:
            with self._lock:
                self._sockets.discard(sock)

    def stop(self) -> None:
        """It is over."""
        self._stopped.set()
        with self._lock:
            for sock in self._sockets:
                self._wake(sock)

    @staticmethod
    def _wake(sock: socket.socket) -> None:
        import socket

        # Not the method of a TLS socket: that would take its state away from the thread that reads.
        with suppress(OSError):
            socket.socket.shutdown(sock, socket.SHUT_RDWR)


class Clock:
    """What is left of the time for one page; runs over everything that is done for it."""

    def __init__(self, seconds: float, halt: StopSignal, what: str) -> None:
        self.seconds = seconds
        self.halt = halt
        self.what = what
        self._end = monotonic() + seconds

    @property
    def remaining(self) -> float:
        """Seconds left; negative when it is over."""
        return self._end - monotonic()

    def left(self) -> float:
        """Seconds left, more than none; raises Trouble `timeout` when there are none."""
        if self.halt.stopped:
            raise FetchStopped(self.what)
        remaining = self.remaining
        if remaining <= 0:
            raise self.expired()
        return remaining

    def failure(self, kind: str, problem: str) -> FetchFailure:
        """The trouble to raise, which names the page."""
        return FetchFailure(kind, f"{self.what}: {problem}")

    def expired(self) -> FetchFailure:
        """The trouble to raise when time is over."""
        if self.halt.stopped:
            return FetchStopped(self.what)
        return self.failure("timeout", f"no complete answer within {self.seconds:g} s; raise research.seconds")

    def sleep(self, seconds: float) -> None:
        """Let time pass, no more than is left."""
        if self.halt.wait(min(seconds, self.left())):
            raise FetchStopped(self.what)
        self.left()

    def pause(self, seconds: float) -> None:
        """Let time pass that is not counted."""
        self._end += seconds
        self.sleep(seconds)

    def until(self, done: threading.Event) -> None:
        """Wait for an event."""
        while not done.wait(min(SLICE, self.left())):
            pass

    def acquire(self, lock: threading.Lock, name: str) -> None:
        """Take a lock; raises Trouble `busy` when others hold it for too long."""
        while not lock.acquire(timeout=max(0.0, min(SLICE, self.remaining))):
            if self.halt.stopped:
                raise FetchStopped(self.what)
            if self.remaining <= 0:
                raise self.failure("busy", f"{name} was busy with other pages for {self.seconds:g} s; fetch it again")
