"""From a stream to chunks in the store: cut at line ends, hashed, and written so that a crash loses little."""

from __future__ import annotations

from bisect import bisect_left
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ...store.captures import CapturedRun, Captures, NewChunk
from ...store.database import PATIENCE, DatabaseLocked, StoreTrouble

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...project.config import CaptureSettings
    from ...store.output_files import Output
    from .masking import Masker

_BATCH = 2 << 20
"""Bytes of finished chunks that are stored at once: more, and they cool down before they are written."""
_SPILL = 4 << 20
_BACKLOG = 64 << 20
"""How many bytes of finished chunks may wait for a store that another process holds."""
_SYNCED = 16 << 20
"""Up to this size we wait until the bytes are on the disk; of more, a power cut may take the end."""
_GLANCE = 0.05


class NoMasking:
    """Stands in for a `Masker` where nothing is to be hidden."""

    def feed(self, data: bytes) -> tuple[bytes, list[int]]:
        """Everything."""
        return data, []

    def close(self) -> tuple[bytes, list[int]]:
        """Nothing is held back."""
        return b"", []

    def words(self, command: Sequence[str]) -> tuple[str, ...]:
        """A command line as it is."""
        return tuple(command)


def chunk_end(data: bytes, start: int, size: int) -> int:
    """Where the chunk that begins at `start` ends; -1 while more of the stream is needed to tell.

    It holds as many whole lines as fit into `size` bytes, and at least one, however long that is.
    """
    stop = start + size
    if len(data) < stop:
        return -1
    end = data.rfind(b"\n", start, stop) + 1
    return end if end > 0 else data.find(b"\n", stop) + 1 or -1


class CaptureWriter:
    """Hides secrets in a stream, cuts it into chunks and stores them."""

    def __init__(
        self,
        captures: Captures,
        run: CapturedRun,
        settings: CaptureSettings,
        masker: Masker | NoMasking,
        stored: Callable[[str], None] = lambda digest: None,
    ) -> None:
        self._captures = captures
        self._output: Output = captures.output()
        self._size = settings.chunk_kilobytes * 1024
        self._masker = masker
        self._stored = stored
        self._finished: list[NewChunk] = []
        self._waiting = 0
        self._rest = b""
        """The lines of the chunk that is not full yet, as far as they are in memory."""
        self._marks: list[int] = []
        """Where something was hidden, as offsets into `_rest`."""
        self._written = 0
        """How much of `_rest` is in the output file already."""
        self._begin = -1
        """Where the open chunk begins in the output file; -1 where nothing of it is there."""
        self._spilled = 0
        """Bytes of the open chunk that are no longer in memory: only a very long line has any."""
        self._spilled_masks = 0
        self._hash = sha256()
        self._hurried = self._tight = False
        self.count = 0
        self.masked = 0
        try:
            self.run = captures.begin(replace(run, file=self._output.name))
        except BaseException:
            self._output.close()
            raise

    @property
    def masks(self) -> bool:
        """Whether secrets are looked for."""
        return not isinstance(self._masker, NoMasking)

    def write(self, data: bytes) -> None:
        """Take the next piece of the stream as it was printed."""
        self.store(*self.mask(data))

    def mask(self, data: bytes) -> tuple[bytes, list[int]]:
        """What may be stored after the next piece of the stream, and where something was hidden in it.

        For one thread, which may be another than the one that stores."""
        return self._masker.feed(data)

    def store(self, data: bytes, marks: list[int]) -> None:
        """Take what may be stored: cut the chunks that are complete, and keep the rest open."""
        if not data:
            return
        self.masked += len(marks)
        start, kept = 0, len(self._rest)
        if kept:
            data = self._rest + data
            marks = self._marks + [mark + kept for mark in marks]
        while (end := chunk_end(data, start, max(1, self._size - self._spilled))) >= 0:
            self._finish(data, start, end, marks)
            start = end
        self._rest = data[start:]
        self._marks = [mark - start for mark in marks if mark >= start]
        if self._waiting >= _BATCH:
            self.flush(patient=False)
        if len(self._rest) > _SPILL:
            self._spill()

    def _finish(self, data: bytes, start: int, end: int, marks: list[int]) -> None:
        """A chunk is complete: `data[start:end]`, after what was spilled of it."""
        piece = memoryview(data)[start:end]
        total = self._hash if self._spilled else sha256()
        total.update(piece)
        masked = bisect_left(marks, end) - bisect_left(marks, start) if marks else 0
        new = NewChunk(
            total.hexdigest(),
            piece[self._written :] if self._written else piece,
            self._spilled + len(piece),
            self._spilled_masks + masked,
            start=self._begin,
        )
        self._finished.append(new)
        self._waiting += len(piece)
        if self._begin >= 0:
            # The chunk's beginning lies at the end of the file: the rest has to follow before anything else does.
            self.flush(patient=False)
            self._begin, self._written, self._spilled, self._spilled_masks = -1, 0, 0, 0
            self._hash = sha256()

    def flush(self, patient: bool = True) -> None:
        """Store the finished chunks; when this returns, they stay, unless we are impatient and the store is busy."""
        while self._finished:
            # One whose beginning is in the file already goes alone; and so do all once the disk is nearly full.
            batch = self._finished[:1] if self._finished[0].start >= 0 or self._tight else self._finished
            try:
                self._captures.wait(PATIENCE if patient else _GLANCE)
                done = self._captures.add(self.run, self.count, batch, self._output)
            except DatabaseLocked:
                if patient or self._waiting > _BACKLOG:
                    raise
                return
            except StoreTrouble:
                if self._tight or len(batch) == 1:
                    raise
                self._tight = True
                continue
            if self._output.end > _SYNCED and not self._hurried:
                self._captures.hurry()
                self._hurried = True
            self.count += done
            self._finished = self._finished[done:]
            for new in batch[:done]:
                self._stored(new.digest)
        self._waiting = 0

    def settle(self) -> None:
        """Store the finished chunks, and write down the lines of the open one for the case that we are killed."""
        self.flush(patient=False)
        if not self._finished:
            self._write_down(self._rest.rfind(b"\n") + 1)

    def _write_down(self, upto: int) -> None:
        """Put the first bytes of the open chunk into the output file, without a row as yet."""
        if upto > self._written:
            if self._begin < 0:
                self._begin = self._output.end
            self._output.write([self._rest[self._written : upto]])
            self._written = upto

    def _spill(self) -> None:
        """Let go of the beginning of a line that is too long to keep in memory."""
        self.flush()
        self._write_down(len(self._rest))
        self._hash.update(self._rest)
        self._spilled += len(self._rest)
        self._spilled_masks += len(self._marks)
        self._rest, self._marks, self._written = b"", [], 0

    def close(self, duration: float | None, code: int | None, signal: int = 0) -> None:
        """Store what is left, and how it ended. Where the store does not take it, `abandon` is still to be called."""
        self.store(*self._masker.close())
        if self._rest or self._spilled:
            self._finish(self._rest, 0, len(self._rest), self._marks)
            self._rest, self._marks = b"", []
        self.flush()
        if self._output.end <= _SYNCED:
            self._output.sync()
        self._output.require()
        self._captures.end(self.run, duration, code, signal)
        if not self._hurried:
            self._captures.merge()
        self._output.close()

    def abandon(self) -> None:
        """Let go of a store that takes no more. What it did not take is put where a later opening finds it."""
        left = [new.data for new in self._finished]
        with suppress(OSError):
            self._output.write([*left, memoryview(self._rest)[self._written :]])
        self._output.close()
        with suppress(StoreTrouble):
            self._captures.wait(_GLANCE)
            self._captures.recover()
