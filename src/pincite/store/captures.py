"""Captured output at rest: runs, their chunks, and each text once.

SQLite holds what is known about a text; its bytes lie in `.pincite/output/`, appended to a file per run. A text is
registered only after its bytes are written, so a row that is found has its bytes, whenever the writer was killed.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import contextmanager, suppress
from hashlib import sha256

import msgspec

from ..core.errors import Refused
from ..core.limits import LIMITS
from ..safe.files import Closing
from . import KEY
from .database import Damaged, StoreTrouble, open_database, private_folder, translate_sqlite_errors
from .output_files import OUTPUT, PIECE, Output, is_held, is_name, read_part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any, Self

    from ..safe.files import Root

FROM_TEAM = "team"
"""The origin of a run that came from a shared store: it did not take place here."""
_MOST_CANDIDATES = 50
_ASKED = 500
_HEAD = 15
"""As many hex digits as fit into an SQLite integer."""
_THIS = "head = ? AND digest = ?"
_OF_THIS = f"FROM text WHERE {_THIS}"
_MOVED_TEXT = "UPDATE text SET file = ?, start = ?, length = ?, masked = ? WHERE id = ?"
_NEW_TEXT = "INSERT INTO text (head, digest, file, start, length, masked) VALUES (?, ?, ?, ?, ?, ?)"


class CapturedRun(msgspec.Struct, frozen=True, array_like=True):
    """One capture: what was run, where, when, and how it ended."""

    id: int
    origin: str
    """`run`, `pipe`, `file`, `transcript`, or `team` for what came from a shared store."""
    command: tuple[str, ...]
    """The command line with its secrets hidden; the name of the file for what came from one; empty for a pipe."""
    folder: str
    """Where it ran: a path from the root, else an absolute one."""
    started: float
    """Seconds since the epoch, UTC."""
    duration: float | None
    code: int | None
    """The exit code as a shell counts it; None where it is unknown."""
    signal: int
    revision: str
    """The commit the work tree stood on; empty outside git."""
    dirty: bool | None
    """Whether the work tree differed from the commit; None where that was not found out."""
    file: str
    state: str
    """`running`, `ended`, or `lost` where the recorder itself was killed."""


class OutputChunk(msgspec.Struct, frozen=True, array_like=True):
    """One piece of a run's output, in order; the text itself is known by its digest."""

    run: int
    sequence: int
    digest: str
    given: str
    """The id another tool gave it; empty for our own, which are the start of the digest."""
    length: int
    masked: int
    """How many secrets were hidden in it."""


class NewChunk(msgspec.Struct):
    """A finished chunk on its way into the store."""

    digest: str
    data: bytes | memoryview
    """What of it is not in the output file yet."""
    length: int
    masked: int
    given: str = ""
    start: int = -1
    """Where its bytes begin in the output file, if some are there already."""


class Captures(Closing):
    """The captures of one root. Raises StoreTrouble where they cannot be had."""

    def __init__(self, root: Root, connection: sqlite3.Connection) -> None:
        self._root = root
        self._db = connection
        self._path = os.path.join(root.path, KEY)

    @classmethod
    def open(cls, root: Root, write: bool = False) -> Self | None:
        """The captures below a root; None where nothing was ever captured and `write` does not ask to begin."""
        connection = open_database(root, write)
        if connection is None:
            return None
        found = cls(root, connection)
        if write:
            try:
                private_folder(root, OUTPUT)
            except Refused as error:
                found.close()
                why = "not a folder of its own; remove what is there" if error.kind == "path-blocked" else str(error)
                raise StoreTrouble(f"{OUTPUT}: {why}") from None
        return found

    def close(self) -> None:
        """Let go of the database."""
        with suppress(sqlite3.Error):
            self._db.close()

    # Looking up

    def find(self, prefix: str) -> dict[str, str]:
        """The different texts an id may mean, a bounded number: digest to the id where that is not its start."""
        rows = self._all(
            "SELECT digest, '' FROM text WHERE head BETWEEN ?1 AND ?2 AND digest >= ?3 AND digest < ?3 || 'g' "
            "UNION ALL SELECT DISTINCT digest, given FROM chunk JOIN text ON text.id = chunk.text "
            "WHERE given >= ?3 AND given < ?3 || 'g' AND given <> '' LIMIT ?4",
            (_head(prefix), _head(prefix, "f"), prefix, _MOST_CANDIDATES),
        )
        found: dict[str, str] = {}
        for digest, given in rows:
            found.setdefault(digest, given)
        return found

    def short(self, digest: str) -> str:
        """The shortest id, of six digits or more, that means this text alone."""
        length = 6
        while length < len(digest) and self.find(digest[:length]).keys() - {digest}:
            length += 1
        return digest[:length]

    def text(self, digest: str, limit: int = LIMITS.source_bytes) -> bytes:
        """The bytes of a text, their digest compared; raises Damaged where they are not what was stored."""
        for _ in range(2):
            # Twice, because tidying up may move a text to another file between the two looks.
            where = self._one(f"SELECT file, start, length {_OF_THIS}", (_head(digest), digest))
            if where is None:
                break
            file, start, length = where
            if length > limit:
                raise StoreTrouble(f"captured output {digest[:12]}: {length} bytes exceed the limit of {limit}")
            data = self._read(file, start, length)
            if sha256(data).hexdigest() == digest:
                return data
        raise Damaged(f"captured output {digest[:12]}: its bytes are gone or changed since they were captured")

    def key(self, digest: str) -> str:
        """The key of the file a text lies in; empty where there is no such text."""
        row = self._one(f"SELECT file {_OF_THIS}", (_head(digest), digest))
        return "" if row is None else f"{OUTPUT}/{row[0]}"

    def runs(self, newest: int = -1, before: int = 0) -> list[CapturedRun]:
        """Runs, the newest first."""
        rows = self._all("SELECT * FROM run WHERE ?1 <= 0 OR id < ?1 ORDER BY id DESC LIMIT ?2", (before, newest))
        return [_run(row) for row in rows]

    def run(self, number: int) -> CapturedRun | None:
        """One run by its number."""
        row = self._one("SELECT * FROM run WHERE id = ?", (number,))
        return None if row is None else _run(row)

    def chunks(self, run: int, first: int = 0, last: int = 1 << 62) -> list[OutputChunk]:
        """The chunks of a run, in order; only those between two sequence numbers, both included, if they are given."""
        return self._chunks("run = ? AND sequence BETWEEN ? AND ? ORDER BY sequence", (run, first, last))

    def length(self, run: int) -> int:
        """How many chunks a run had, those that were dropped since counted where others follow."""
        (last,) = self._one("SELECT max(sequence) FROM chunk WHERE run = ?", (run,)) or (None,)
        return 0 if last is None else last + 1

    def occurrences(self, digest: str) -> list[OutputChunk]:
        """Everywhere a text was printed, the newest run first."""
        return self._chunks(f"{_THIS} ORDER BY run DESC, sequence", (_head(digest), digest))

    def digests(self) -> list[tuple[str, str]]:
        """Every text there is, with the ids that other tools gave it joined by commas."""
        return self._all(
            "SELECT digest, group_concat(DISTINCT given) FROM text LEFT JOIN chunk ON chunk.text = text.id "
            "GROUP BY text.id",
            (),
        )

    # Recording

    def output(self) -> Output:
        """A new file for the bytes of a run."""
        return Output.make(self._root)

    def begin(self, run: CapturedRun) -> int:
        """Note that a capture begins, whatever number it has; the number it gets."""
        words = msgspec.json.encode(run.command).decode()
        with self._transaction():
            cursor = self._db.execute(
                "INSERT INTO run (origin, command, folder, started, signal, revision, dirty, file, state)"
                " VALUES (?, ?, ?, ?, 0, ?, ?, ?, 'running')",
                (run.origin, words, run.folder, run.started, run.revision, run.dirty, run.file),
            )
            return cursor.lastrowid or 0

    def add(self, run: int, sequence: int, chunks: Sequence[NewChunk], output: Output) -> int:
        """Store finished chunks, the first of them at least, and say how many: when this returns, those stay.

        A text that is there already is not stored again. A chunk whose beginning is in the file already comes alone.
        Raises Locked, with nothing changed, where another process holds the store.
        """
        end = output.end
        try:
            with self._transaction():
                # After a crash, what no row covers counts as the next thing printed. New texts come first, therefore:
                # known ones between them would leave a gap in the file that looks like the command's work.
                chunks, fresh, ids = self._stretch(chunks)
                self._place(fresh, ids, output)
                self._db.executemany(
                    "INSERT INTO chunk VALUES (?, ?, ?, ?)",
                    [(run, number, ids[chunk.digest], chunk.given) for number, chunk in enumerate(chunks, sequence)],
                )
                if fresh:
                    output.write([chunk.data for chunk in fresh])
                elif chunks[0].start >= 0:
                    output.truncate(chunks[0].start)
        except BaseException:
            output.truncate(min(end, output.end))
            raise
        return len(chunks)

    def _stretch(self, chunks: Sequence[NewChunk]) -> tuple[Sequence[NewChunk], list[NewChunk], dict[str, int]]:
        """The first chunks up to where a new text follows a known one, those of them that are new, and the rows of
        the texts there are. One whose bytes are damaged counts as new."""
        ids, intact = self._find_known([chunk.digest for chunk in chunks])
        fresh: dict[str, NewChunk] = {}
        for at, chunk in enumerate(chunks):
            if chunk.digest in intact or chunk.digest in fresh:
                continue
            if len(fresh) < at:
                return chunks[:at], list(fresh.values()), ids
            fresh[chunk.digest] = chunk
        return chunks, list(fresh.values()), ids

    def _find_known(self, digests: list[str]) -> tuple[dict[str, int], set[str]]:
        """Those of the digests whose texts are stored, with their rows, and those whose bytes are as they were."""
        ids: dict[str, int] = {}
        intact: set[str] = set()
        wanted = set(digests)
        for at in range(0, len(digests), _ASKED):
            asked = [_head(digest) for digest in digests[at : at + _ASKED]]
            marks = ",".join("?" * len(asked))
            rows = self._db.execute(f"SELECT id, digest, file, start, length FROM text WHERE head IN ({marks})", asked)  # noqa: S608
            for number, digest, file, start, length in rows:
                if digest in wanted:
                    ids[digest] = number
                    if length > LIMITS.source_bytes or self.digest_of(file, start, length) == digest:
                        intact.add(digest)
        return ids, intact

    def _place(self, fresh: Iterable[NewChunk], ids: dict[str, int], output: Output) -> None:
        """Rows for new texts, which are appended to the output file one after the other."""
        end = output.end
        for chunk in fresh:
            place = (output.name, chunk.start if chunk.start >= 0 else end, chunk.length, chunk.masked)
            known = ids.get(chunk.digest)
            if known is not None:
                self._db.execute(_MOVED_TEXT, (*place, known))
            else:
                row = (_head(chunk.digest), chunk.digest, *place)
                ids[chunk.digest] = self._db.execute(_NEW_TEXT, row).lastrowid or 0
            end += len(chunk.data)

    def wait(self, seconds: float) -> None:
        """How long to wait, from now on, for another process that holds the store."""
        self._db.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")

    def merge(self) -> None:
        """Merge the log into the database as far as no other process blocks it; on the disk when this returns."""
        with translate_sqlite_errors(self._path):
            self._db.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def hurry(self) -> None:
        """Leave it to a later opening to merge the log into the database: merging waits for the disk to take all
        that is being written, the output as well."""
        self._db.execute("PRAGMA wal_autocheckpoint = 0")

    def end(self, run: int, duration: float | None, code: int | None, signal: int = 0, state: str = "ended") -> None:
        """Note how a capture ended."""
        with self._transaction():
            self._db.execute(
                "UPDATE run SET duration = ?, code = ?, signal = ?, state = ? WHERE id = ?",
                (duration, code, signal, state, run),
            )

    def recover(self) -> int:
        """Finish the runs whose recorder was killed: what it had written last becomes their last chunk."""
        found = 0
        for row in self._all("SELECT * FROM run WHERE state = 'running'", ()):
            run = _run(row)
            output = Output.resume(self._root, run.file)
            if output is None:
                if is_held(self._root, run.file) is None and self.run(run.id) == run:
                    # Its recorder gave up before anything was written, or the file was removed.
                    self.end(run.id, None, None, state="lost")
                    found += 1
                continue
            with output:
                if self.run(run.id) != run:
                    continue
                (last,) = self._one("SELECT max(start + length) FROM text WHERE file = ?", (run.file,)) or (0,)
                (sequence,) = self._one("SELECT count(*) FROM chunk WHERE run = ?", (run.id,)) or (0,)
                rest = output.end - (last or 0)
                if rest > 0:
                    digest = self.digest_of(run.file, last or 0, rest)
                    self.add(run.id, sequence, [NewChunk(digest, b"", rest, 0, start=last or 0)], output)
                self.end(run.id, max(0.0, output.modified - run.started), None, state="lost")
                found += 1
        return found

    def digest_of(self, file: str, start: int, length: int) -> str:
        """SHA-256 of the bytes at a place of an output file, as far as they are there."""
        total = sha256()
        for at in range(start, start + length, PIECE):
            piece = self._read(file, at, min(PIECE, start + length - at))
            if not piece:
                break  # A damaged length may promise more than there is time to look for.
            total.update(piece)
        return total.hexdigest()

    def _read(self, file: str, start: int, length: int) -> bytes:
        """Bytes of an output file, as many of the wanted ones as there are; empty where it is gone."""
        if not is_name(file) or min(start, length) < 0:
            raise Damaged(f"{KEY}: names no output file; move the store away to start anew")
        return read_part(self._root, file, start, length)

    def _chunks(self, where: str, given: tuple[object, ...]) -> list[OutputChunk]:
        rows = self._all(
            "SELECT run, sequence, coalesce(digest, ''), given, coalesce(length, 0), coalesce(masked, 0) "  # noqa: S608
            f"FROM chunk LEFT JOIN text ON text.id = chunk.text WHERE {where}",
            given,
        )
        try:
            return msgspec.convert(rows, list[OutputChunk])
        except ValueError as error:
            raise Damaged(f"{KEY}: a chunk cannot be read ({error}); `pincite doctor` says what is left") from None

    def _all(self, query: str, given: tuple[object, ...]) -> list[tuple[Any, ...]]:
        with translate_sqlite_errors(self._path):
            return self._db.execute(query, given).fetchall()

    def _one(self, query: str, given: tuple[object, ...]) -> tuple[Any, ...] | None:
        return next(iter(self._all(query, given)), None)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with translate_sqlite_errors(self._path):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    self._db.execute("ROLLBACK")
                raise


def _run(row: tuple[Any, ...]) -> CapturedRun:
    """A row of the table as what it means; what does not fit the shape counts as damage."""
    try:
        command = msgspec.json.decode(row[2], type=tuple[str, ...])
        dirty = None if row[9] is None else bool(row[9])
        return msgspec.convert((*row[:2], command, *row[3:9], dirty, *row[10:]), CapturedRun)
    except (ValueError, TypeError, RecursionError) as error:
        raise Damaged(f"{KEY}: run {row[0]} cannot be read ({error}); move the store away to start anew") from None


def _head(digest: str, fill: str = "0") -> int:
    """The first digits of a digest as a number, by which it is looked up; of a prefix, the least or greatest one."""
    return int(digest[:_HEAD].ljust(_HEAD, fill), 16)


def open_for_writing(root: Root) -> Captures:
    """The captures below a root, made where there are none; what an earlier recorder left behind is finished."""
    captures = Captures.open(root, write=True)
    if captures is None:
        raise StoreTrouble(f"{KEY}: cannot be made")
    captures.recover()
    return captures
