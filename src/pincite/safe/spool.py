"""Text that is written later: in memory while it is short, in a file without a name once it is long."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import IO

_IN_MEMORY = 1024 * 1024
_PIECE = 1024 * 1024


class Spool:
    """Takes text in pieces and gives it back once, in order."""

    def __init__(self) -> None:
        self.pieces = 0
        """How many pieces were added."""
        self._held: list[str] = []
        self._size = 0
        self._file: IO[bytes] | None = None

    def add(self, text: str) -> None:
        """Take one more piece."""
        self.pieces += 1
        self._held.append(text)
        self._size += len(text)
        if self._size > _IN_MEMORY:
            if self._file is None:
                from tempfile import TemporaryFile

                self._file = TemporaryFile()  # noqa: SIM115 - it lives as long as the spool
            self._file.write("".join(self._held).encode(errors="surrogatepass"))
            self._held.clear()
            self._size = 0

    def lines(self) -> Iterator[str]:
        """The lines of everything, without their ends, for text that ends one; the spool is empty afterwards."""
        file, held = self._empty()
        if file is not None:
            with file:
                for line in file:
                    yield line[:-1].decode(errors="surrogatepass")
        for piece in held:
            yield from piece.split("\n")[:-1]

    def write_to(self, write: Callable[[str], object]) -> None:
        """Write everything; the spool is empty afterwards."""
        file, held = self._empty()
        if file is not None:
            from codecs import getincrementaldecoder

            decoder = getincrementaldecoder("utf-8")("surrogatepass")
            with file:
                while data := file.read(_PIECE):
                    write(decoder.decode(data))
        write("".join(held))

    def _empty(self) -> tuple[IO[bytes] | None, list[str]]:
        """Give everything away, from its beginning."""
        file, held = self._file, self._held
        self._file, self._held, self._size, self.pieces = None, [], 0, 0
        if file is not None:
            file.seek(0)
        return file, held
