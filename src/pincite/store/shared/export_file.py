"""The file that a whole store is exported to: JSON lines in gzip, the same bytes for the same rows.

    {"pincite-store": 1, "schema": 3}
    {"table": "team", "columns": ["id", "name", …]}
    [1, "default", …]
    …
    {"rows": 12, "sha256": "…"}

The rows of a table come in the order of its primary key. Bytes are base64, truth values 0 or 1. The last line counts
the rows and has the SHA-256 of all bytes before it, so that a file that was cut or changed is refused.
"""

from __future__ import annotations

import gzip
import os
import stat as st
import zlib
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING, TypeVar

import msgspec

from ...core.errors import UsageError
from ...safe.files import Closing
from ..database import StoreTrouble
from .evidence import LARGEST

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from .backend import Row

T = TypeVar("T")

FORMAT = 1
_LONGEST_LINE = LARGEST * 4 // 3 + 1024 * 1024
"""A record of the largest size, in base64, and the rest of its row."""
_LEVEL = 4
"""Half the time of the default, and a twentieth more bytes."""
_PIECE = 1 << 20
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_EXISTING = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY


class ExportHeader(msgspec.Struct, frozen=True):
    """The first line."""

    format: int = msgspec.field(name="pincite-store")
    schema: int


class TableHeader(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The line before the rows of a table."""

    table: str
    columns: tuple[str, ...]


class _ExportEnd(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rows: int
    sha256: str


class ExportWriter(Closing):
    """Writes an export beside its place; `finish` puts it there in one step, anything else leaves what was there."""

    def __init__(self, path: str, schema: int) -> None:
        self._path = os.path.abspath(path)
        _refuse_foreign(self._path)
        self._temp = f"{os.path.dirname(self._path)}/.{os.path.basename(self._path)[:200]}.{os.urandom(4).hex()}~"
        self._digest = sha256()
        self._rows = 0
        self._encoder = msgspec.json.Encoder()
        try:
            self._raw = open(os.open(self._temp, _NEW, 0o600), "wb", buffering=_PIECE)  # noqa: SIM115
        except OSError as error:
            raise _trouble(self._path, error) from None
        # Neither a name nor a time: the same rows give the same bytes.
        self._file = gzip.GzipFile("", "wb", _LEVEL, self._raw, mtime=0)
        self._put(self._encoder.encode(ExportHeader(FORMAT, schema)) + b"\n")

    def begin_table(self, table: str, columns: Sequence[str]) -> None:
        """Say that the rows of a table follow."""
        self._put(self._encoder.encode(TableHeader(table, tuple(columns))) + b"\n")

    def add(self, rows: Sequence[Row]) -> None:
        """Write rows."""
        self._put(self._encoder.encode_lines(rows))
        self._rows += len(rows)

    def finish(self) -> int:
        """Write the end, see that all of it is on the disk, and put it in place; how many bytes it has."""
        end = _ExportEnd(self._rows, self._digest.hexdigest())
        try:
            self._file.write(self._encoder.encode(end) + b"\n")
            self._file.close()
            self._raw.flush()
            os.fsync(self._raw.fileno())
            size = os.fstat(self._raw.fileno()).st_size
            os.replace(self._temp, self._path)
        except OSError as error:
            raise _trouble(self._path, error) from None
        self._temp = ""
        return size

    def close(self) -> None:
        """Let go of the file; one that is not finished is removed."""
        with suppress(OSError):
            self._raw.close()
        if self._temp:
            with suppress(OSError):
                os.unlink(self._temp)
            self._temp = ""

    def _put(self, data: bytes) -> None:
        self._digest.update(data)
        try:
            self._file.write(data)
        except OSError as error:
            raise _trouble(self._path, error) from None


class ExportReader(Closing):
    """Reads an export line by line; raises StoreTrouble where it is not one, or not whole."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._digest = sha256()
        self._number = 0
        self._rows = 0
        self._line = b""
        try:
            descriptor = os.open(path, _EXISTING)
            self._raw = open(descriptor, "rb", buffering=_PIECE)  # noqa: SIM115
            if not st.S_ISREG(os.fstat(descriptor).st_mode):
                self._raw.close()
                raise StoreTrouble(f"{path}: not a regular file; name an export")
        except OSError as error:
            raise StoreTrouble(f"{path}: cannot be read ({error.strerror})") from None
        self._file = gzip.GzipFile("", "rb", fileobj=self._raw)
        try:
            self._advance()
            self.header = self._decode(ExportHeader)
            if self.header.format != FORMAT:
                raise StoreTrouble(f"{path}: has format {self.header.format}, this pincite knows {FORMAT}; upgrade it")
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let go of the file."""
        with suppress(OSError, zlib.error):
            self._file.close()
        with suppress(OSError):
            self._raw.close()

    def tables(self) -> Iterator[tuple[TableHeader, Iterator[bytes]]]:
        """Every table with its rows, each a line; those of one table are read before the next one is asked for.

        When this ends without an error, the file was whole.
        """
        self._advance()
        while not self._line.startswith(b'{"rows":'):
            header = self._decode(TableHeader)
            rows = self._read_rows()
            yield header, rows
            for _ in rows:
                pass
        end = self._decode(_ExportEnd)
        if (end.rows, end.sha256) != (self._rows, self._digest.hexdigest()):
            raise self._wrong("the digest does not fit: the file was changed")
        if self._read():
            raise self._wrong("something follows the last line: the file was changed")

    def verify(self) -> None:
        """Read all of it; raises StoreTrouble where it is not whole."""
        for _, rows in self.tables():
            for _ in rows:
                pass

    def decode_rows(self, lines: Iterable[bytes], kinds: Sequence[object]) -> Iterator[Row]:
        """Rows as values of these kinds."""
        decoder = msgspec.json.Decoder(tuple[tuple(kinds)])  # type: ignore[misc]
        for line in lines:
            try:
                yield decoder.decode(line)
            except (ValueError, RecursionError) as error:
                raise self._wrong(f"not a row of its table ({error})") from None

    def _read_rows(self) -> Iterator[bytes]:
        while True:
            self._advance()
            if not self._line.startswith(b"["):
                return
            self._rows += 1
            yield self._line

    def _advance(self) -> None:
        """Go to the next line; the digest is that of all lines before it."""
        self._digest.update(self._line)
        self._line = self._read()
        if not self._line.endswith(b"\n"):
            raise self._wrong("the line is too long" if len(self._line) > _LONGEST_LINE else "the file was cut")

    def _read(self) -> bytes:
        self._number += 1
        try:
            return self._file.readline(_LONGEST_LINE + 1)
        except (EOFError, OSError, zlib.error) as error:
            raise self._wrong(f"no export, or the file was cut or changed ({error})") from None

    def _decode(self, kind: type[T]) -> T:
        try:
            return msgspec.json.decode(self._line, type=kind)
        except (ValueError, RecursionError) as error:
            raise self._wrong(f"not a line of an export ({error})") from None

    def _wrong(self, problem: str) -> StoreTrouble:
        return StoreTrouble(f"{self._path}: line {self._number}: {problem}; take another copy")


def _refuse_foreign(path: str) -> None:
    """Raise UsageError where a file that is no export would be replaced."""
    try:
        info = os.lstat(path)
    except FileNotFoundError:
        return
    except OSError as error:
        raise _trouble(path, error) from None
    if st.S_ISREG(info.st_mode) and info.st_size:
        with suppress(StoreTrouble), ExportReader(path):
            return
    if not st.S_ISREG(info.st_mode) or info.st_size:
        raise UsageError(f"{path}: is there and is no export; name another file")


def _trouble(path: str, error: OSError) -> StoreTrouble:
    return StoreTrouble(f"{path}: cannot be written ({error.strerror or error}); nothing was changed")
