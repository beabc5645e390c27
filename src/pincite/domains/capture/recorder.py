"""Between a running command and the store, and never in the command's way.

`feed` takes what was printed; one thread hides secrets, another cuts chunks, hashes and stores them. What goes wrong
there is kept as words and ends the recording, never the command.
"""

from __future__ import annotations

from os import write
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING

from msgspec import Struct

from ...core.errors import PinciteError
from .hand_over import HandOver

if TYPE_CHECKING:
    from collections.abc import Callable

    from .writer import CaptureWriter

_WAITING = 2 << 20
"""How many bytes may wait for each of the threads before the command has to."""
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
    """The threads between a running command and the store: one hides secrets, one cuts, hashes and stores."""

    def __init__(self, opened: Callable[[], CaptureWriter]) -> None:
        self._opened = opened
        self._printed: HandOver[bytes] = HandOver(_WAITING)
        self._masked: HandOver[tuple[bytes, list[int]]] = HandOver(_WAITING)
        self._ending: tuple[float | None, int | None, int] = (None, None, 0)
        self._writer: CaptureWriter | None = None
        self._trouble = ""
        self._failure: BaseException | None = None
        """What went wrong while secrets were looked for."""
        self._thread: Thread | None = None

    def feed(self, data: bytes) -> None:
        """Hand over what was printed; waits while the store is far behind."""
        if self._thread is None:
            # Not before: until the command runs, this process forks, and threads do not survive that.
            self._thread = self._start_run()
        self._printed.give(data, len(data))

    def finish(self, duration: float | None, code: int | None, signal: int = 0) -> Recording:
        """The stream is over: store what is left."""
        self._ending = (duration, code, signal)
        self._printed.close()
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
        try:
            self._record()
        except PinciteError as error:
            self._trouble = str(error)
        except OSError as error:
            self._trouble = error.strerror or type(error).__name__
        except MemoryError:
            self._trouble = "out of memory"
        finally:
            self._printed.stop()
            self._masked.stop()

    def _record(self) -> None:
        self._writer = writer = self._opened()
        masking = self._start_masking(writer)
        settled = monotonic()
        while (pieces := self._masked.take(_QUIET) if masking else self._mask_waiting(writer)) is not None:
            for data, marks in pieces:
                writer.store(data, marks)
            # Between pieces, now and then, see that little is lost by a crash.
            if monotonic() - settled >= _QUIET:
                writer.settle()
                settled = monotonic()
        if self._failure is not None:
            raise self._failure
        writer.close(*self._ending)

    def _start_masking(self, writer: CaptureWriter) -> bool:
        """Whether a thread of its own looks for secrets: searching, hashing and writing let one another run."""
        if not writer.masks:
            return False
        try:
            Thread(target=self._mask, args=(writer,), name="masking", daemon=True).start()
        except RuntimeError:
            # The system has no thread left.
            return False
        return True

    def _mask(self, writer: CaptureWriter) -> None:
        """Look for secrets in what comes, and pass it on."""
        try:
            while (pieces := self._mask_waiting(writer)) is not None:
                for piece in pieces:
                    self._masked.give(piece, len(piece[0]))
        except BaseException as error:
            # The other thread raises it.
            self._failure = error
        finally:
            self._masked.close()

    def _mask_waiting(self, writer: CaptureWriter) -> list[tuple[bytes, list[int]]] | None:
        """What is waiting, with its secrets hidden, after a while even if that is nothing; None at the end."""
        pieces = self._printed.take(_QUIET)
        if not pieces:
            return None if pieces is None else []
        return [writer.mask(pieces[0] if len(pieces) == 1 else b"".join(pieces))]


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
