"""Between a running command and the store, and never in the command's way.

`feed` takes what was printed; threads hide secrets, cut chunks, hash and store them. Whatever goes wrong there is kept
as words and ends the recording, never the command.
"""

from __future__ import annotations

from os import write
from threading import Condition, Thread
from time import monotonic
from typing import TYPE_CHECKING

from msgspec import Struct

from ..errors import PinciteError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .writer import Filter, Writer

_WAITING = 2 << 20
"""How many bytes may wait for a thread before the one before it has to."""
_WORTHWHILE = 256 << 10
_QUIET = 0.5
"""Seconds after which lines that fill no chunk yet are written down as well."""


class Recorded(Struct, frozen=True):
    """What a recording came to."""

    run: int
    """Its number; 0 where not even the attempt could be stored."""
    chunks: int
    masked: int
    trouble: str = ""
    """Why the recording is not complete; empty where it is."""


class _Belt:
    """What one thread hands to the next: bounded, so that a slow one slows the others, not fills memory."""

    def __init__(self) -> None:
        self._pieces: list[tuple[bytes, list[int]]] = []
        self._bytes = 0
        self._over = False
        self._changed = Condition()

    def put(self, data: bytes, marks: list[int]) -> None:
        """Hand on one piece; waits while too much is waiting."""
        with self._changed:
            if self._over:
                return
            self._pieces.append((data, marks))
            self._bytes += len(data)
            self._changed.notify_all()
            while self._bytes > _WAITING and not self._over:
                self._changed.wait()

    def end(self, drop: bool = False) -> None:
        """Nothing comes any more, or nobody takes any more; then what is waiting is dropped too."""
        with self._changed:
            self._over = True
            if drop:
                self._pieces, self._bytes = [], 0
            self._changed.notify_all()

    def take(self) -> list[tuple[bytes, list[int]]] | None:
        """All that is waiting, after a while even if that is nothing; None at the end."""
        with self._changed:
            if not self._pieces and not self._over:
                self._changed.wait(_QUIET)
            pieces, self._pieces, self._bytes = self._pieces, [], 0
            self._changed.notify_all()
            return None if self._over and not pieces else pieces


class Recorder:
    """The threads between a running command and the store: one hides secrets, the other hashes and writes."""

    def __init__(self, opened: Callable[[], Writer], masker: Filter) -> None:
        self._opened = opened
        self._masker = masker
        self._printed, self._masked = _Belt(), _Belt()
        self._ending: tuple[float | None, int | None, int] = (None, None, 0)
        self._writer: Writer | None = None
        self._trouble = ""
        self._threads: list[Thread] = []

    def feed(self, data: bytes) -> None:
        """Hand over what was printed; waits while the store is far behind."""
        if not self._threads:
            # Not before: until the command runs, this process forks, and threads do not survive that.
            self._start()
        self._printed.put(data, [])

    def finish(self, duration: float | None, code: int | None, signal: int = 0) -> Recorded:
        """The stream is over: store what is left."""
        self._ending = (duration, code, signal)
        if not self._threads:
            self._start()
        self._printed.end()
        for thread in self._threads:
            thread.join()
        writer = self._writer
        if writer is None:
            return Recorded(0, 0, 0, self._trouble)
        if self._trouble:
            writer.abandon()
        return Recorded(writer.run, writer.count, writer.masked, self._trouble)

    def _start(self) -> None:
        for work in (self._mask, self._store):
            self._threads.append(Thread(target=self._guarded, args=(work,), name=work.__name__, daemon=True))
        for thread in self._threads:
            thread.start()

    def _guarded(self, work: Callable[[], None]) -> None:
        """Do the work of one thread; what goes wrong ends the recording, with what was stored kept."""
        try:
            work()
        except PinciteError as error:
            self._trouble = str(error)
        except OSError as error:
            self._trouble = error.strerror or type(error).__name__
        except MemoryError:
            self._trouble = "out of memory"
        finally:
            if work == self._store:
                self._printed.end(drop=True)
            self._masked.end(drop=work == self._store)

    def _mask(self) -> None:
        while (pieces := self._printed.take()) is not None:
            for piece in _evened([data for data, _ in pieces]):
                self._masked.put(*self._masker.feed(piece))
        self._masked.put(*self._masker.close())

    def _store(self) -> None:
        self._writer = writer = self._opened()
        settled = monotonic()
        while (pieces := self._masked.take()) is not None:
            for data, marks in pieces:
                writer.take(data, marks)
            # Between pieces, now and then, see that little is lost by a crash.
            if monotonic() - settled >= _QUIET:
                writer.settle()
                settled = monotonic()
        if not self._trouble:
            writer.close(*self._ending)


def _evened(pieces: list[bytes]) -> Iterator[bytes]:
    """The same stream in pieces that are worth the trouble: small ones joined, large ones as they are."""
    little: list[bytes] = []
    size = 0
    for piece in pieces:
        little.append(piece)
        size += len(piece)
        if size >= _WORTHWHILE:
            yield little[0] if len(little) == 1 else b"".join(little)
            little, size = [], 0
    if little:
        yield little[0] if len(little) == 1 else b"".join(little)


def announce(descriptor: int | None) -> Callable[[str], None]:
    """A function that writes each stored digest to a descriptor, a line each; it stops when nobody listens."""
    listening = descriptor is not None

    def tell(digest: str) -> None:
        nonlocal listening
        if listening and descriptor is not None:
            try:
                write(descriptor, f"{digest}\n".encode())
            except OSError:
                listening = False

    return tell
