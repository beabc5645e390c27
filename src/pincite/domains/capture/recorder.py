"""Between a running command and the store, and never in the command's way.

`feed` takes what was printed; a thread hides secrets, cuts chunks, hashes and stores them. Whatever goes wrong there is
kept as words and ends the recording, never the command.
"""

from __future__ import annotations

from os import write
from threading import Condition, Thread
from time import monotonic
from typing import TYPE_CHECKING

from msgspec import Struct

from ...core.errors import PinciteError

if TYPE_CHECKING:
    from collections.abc import Callable

    from .writer import CaptureWriter

_WAITING = 2 << 20
"""How many bytes may wait for the thread before the command has to."""
_QUIET = 0.5
"""Seconds after which lines that fill no chunk yet are written down as well."""


class Recording(Struct, frozen=True):
    """What a recording came to."""

    run: int
    """Its number; 0 where not even the attempt could be stored."""
    chunks: int
    masked: int
    trouble: str = ""
    """Why the recording is not complete; empty where it is."""


class Recorder:
    """The thread between a running command and the store."""

    def __init__(self, opened: Callable[[], CaptureWriter]) -> None:
        self._opened = opened
        self._pieces: list[bytes] = []
        self._bytes = 0
        self._over = False
        self._changed = Condition()
        self._ending: tuple[float | None, int | None, int] = (None, None, 0)
        self._writer: CaptureWriter | None = None
        self._trouble = ""
        self._thread: Thread | None = None

    def feed(self, data: bytes) -> None:
        """Hand over what was printed; waits while the store is far behind."""
        if self._thread is None:
            # Not before: until the command runs, this process forks, and threads do not survive that.
            self._thread = self._start_run()
        with self._changed:
            if self._trouble:
                return
            self._pieces.append(data)
            self._bytes += len(data)
            self._changed.notify_all()
            while self._bytes > _WAITING and not self._trouble:
                self._changed.wait()

    def finish(self, duration: float | None, code: int | None, signal: int = 0) -> Recording:
        """The stream is over: store what is left."""
        with self._changed:
            self._ending = (duration, code, signal)
            self._over = True
            self._changed.notify_all()
        (self._thread or self._start_run()).join()
        writer = self._writer
        if writer is None:
            return Recording(0, 0, 0, self._trouble)
        if self._trouble:
            writer.abandon()
        return Recording(writer.run, writer.count, writer.masked, self._trouble)

    def _start_run(self) -> Thread:
        thread = Thread(target=self._work, name="recorder", daemon=True)
        thread.start()
        return thread

    def _work(self) -> None:
        """Store what comes; what goes wrong ends the recording, with what was stored kept."""
        trouble = ""
        try:
            self._record()
        except PinciteError as error:
            trouble = str(error)
        except OSError as error:
            trouble = error.strerror or type(error).__name__
        except MemoryError:
            trouble = "out of memory"
        with self._changed:
            self._trouble = trouble
            self._pieces, self._bytes = [], 0
            self._changed.notify_all()

    def _record(self) -> None:
        self._writer = writer = self._opened()
        settled = monotonic()
        while (pieces := self._take()) is not None:
            if pieces:
                writer.write(pieces[0] if len(pieces) == 1 else b"".join(pieces))
            # Between pieces, now and then, see that little is lost by a crash.
            if monotonic() - settled >= _QUIET:
                writer.settle()
                settled = monotonic()
        writer.close(*self._ending)

    def _take(self) -> list[bytes] | None:
        """All that is waiting, after a while even if that is nothing; None at the end."""
        with self._changed:
            if not self._pieces and not self._over:
                self._changed.wait(_QUIET)
            pieces, self._pieces, self._bytes = self._pieces, [], 0
            self._changed.notify_all()
            return None if self._over and not pieces else pieces


def announce(descriptor: int | None) -> Callable[[str], None]:
    """A function that writes each stored digest to a descriptor, a line each; it stops when the reader is gone."""
    listening = descriptor is not None

    def tell(digest: str) -> None:
        nonlocal listening
        if listening and descriptor is not None:
            try:
                write(descriptor, f"{digest}\n".encode())
            except OSError:
                listening = False

    return tell
