"""The shared store in one SQLite file: the default, for one machine."""

from __future__ import annotations

import os
import sqlite3
import stat as st
import threading
from contextlib import contextmanager
from time import monotonic, sleep
from typing import TYPE_CHECKING
from urllib.parse import quote

from ..database import DatabaseLocked, StoreTrouble, translate_sqlite_errors
from .backend import RowsContradict, StoreUnavailable, TableColumn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from typing import TypeVar

    from .backend import Row, StoreAddress

    T = TypeVar("T")

_APPLICATION = 0x70696E66
_REMEDY = "restore a backup, or move the file away and run `pincite store migrate`"
_TRIES = 3
_PAUSE = 0.01
_KINDS: dict[str, type] = {"INTEGER": int, "REAL": float, "TEXT": str, "BLOB": bytes}


class SqliteBackend:
    """A file that this user alone may read; one thread at a time, several processes."""

    def __init__(self, address: StoreAddress, patience: float = 60.0) -> None:
        self.address = address
        self._path = address.target
        self._patience = patience
        self.retried: Callable[[], None] = lambda: None
        self._lock = threading.RLock()
        self._made: sqlite3.Connection | None = None

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            connection, self._made = self._made, None
            if connection is not None:
                connection.close()

    def query(self, statement: str, values: Sequence[object] = ()) -> list[Row]:
        """The rows that a statement gives."""
        return self._ask(lambda one: one.execute(statement, tuple(values)).fetchall())

    def run(self, statement: str, values: Sequence[object] = ()) -> int:
        """Run a statement; how many rows it changed."""
        return self._ask(lambda one: one.execute(statement, tuple(values)).rowcount)

    def run_many(self, statement: str, rows: Iterable[Sequence[object]]) -> None:
        """Run a statement once for each row of values."""
        self._ask(lambda one: one.executemany(statement, rows))

    def run_all(self, statements: Sequence[tuple[str, Sequence[object]]]) -> None:
        """Run several statements, each with its values."""
        for statement, values in statements:
            self.run(statement, values)

    def load(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> int:
        """Append many rows to a table."""
        marks = ", ".join("?" * len(columns))
        statement = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})"  # noqa: S608
        return self._ask(lambda one: one.executemany(statement, rows).rowcount)

    def read(self, statement: str) -> Iterator[Row]:
        """The rows that a statement gives, one by one; within a transaction."""
        with self._lock, self._translated():
            yield from self._open().execute(statement)

    def transaction(self) -> AbstractContextManager[None]:
        """All or nothing; one writer at a time."""
        return self._begin("BEGIN IMMEDIATE")

    def snapshot(self) -> AbstractContextManager[None]:
        """A transaction that only reads, and sees what was there when it began."""
        return self._begin("BEGIN")

    @contextmanager
    def _begin(self, statement: str) -> Iterator[None]:
        with self._lock, self._translated():
            connection = self._open()
            connection.execute(statement)
            try:
                yield
                connection.execute("COMMIT")
            except BaseException:
                # A full disk rolls back by itself.
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def perform(self, work: Callable[[], T]) -> T:
        """The result of work in one transaction; tried again where other processes held the file for too long."""
        for left in range(_TRIES - 1, -1, -1):
            try:
                with self.transaction():
                    return work()
            except StoreUnavailable:
                if not left:
                    raise
                self.retried()
        raise AssertionError

    def run_script(self, script: str) -> None:
        """Run the statements of a migration."""
        with self._lock, self._translated():
            # `executescript` would end the transaction.
            for statement in _split_script(script):
                self._open().execute(statement)

    def lock_schema(self) -> None:
        """A transaction of SQLite keeps all other writers out already."""

    def has_table(self, name: str) -> bool:
        """Whether there is a table of that name."""
        return bool(self.query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", (name,)))

    def list_columns(self, table: str) -> list[TableColumn]:
        """The columns of a table, in order."""
        rows = self.query('SELECT name, type, "notnull", pk FROM pragma_table_info(?) ORDER BY cid', (table,))
        return [TableColumn(name, _KINDS[kind], not (fixed or key), key) for name, kind, fixed, key in rows]

    def measure_table(self, table: str) -> int:
        """How many bytes a table takes with its indexes; 0 where SQLite was built without the means to tell."""
        names = "SELECT name FROM sqlite_schema WHERE tbl_name = ?"
        try:
            rows = self.query(f"SELECT sum(pgsize) FROM dbstat WHERE aggregate = TRUE AND name IN ({names})", (table,))  # noqa: S608
        except StoreTrouble:
            return 0
        return int(rows[0][0] or 0)

    def sees_everything(self) -> bool:
        """SQLite has no logins."""
        return True

    def follow_ids(self, table: str, column: str) -> None:
        """SQLite always gives the next number after the largest."""

    def _ask(self, work: Callable[[sqlite3.Connection], T]) -> T:
        with self._lock, self._translated():
            return work(self._open())

    def _open(self) -> sqlite3.Connection:
        if self._made is None:
            if not os.path.lexists(self._path):
                folder = os.path.dirname(self._path)
                os.makedirs(folder, 0o700, exist_ok=True)
                os.close(os.open(self._path, os.O_CREAT | os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600))
            info = os.lstat(self._path)
            if not st.S_ISREG(info.st_mode):
                raise StoreTrouble(f"{self._path}: not a regular file; name another one")
            is_fixed = not all(os.access(place, os.W_OK) for place in (self._path, os.path.dirname(self._path)))
            # What cannot be written is read as it is; otherwise even a reader needs the shared index.
            connection = sqlite3.connect(
                f"file:{quote(self._path)}?{'immutable=1' if is_fixed else 'mode=rw'}",
                uri=True,
                isolation_level=None,
                timeout=self._patience,
                check_same_thread=False,
            )
            try:
                self._prepare_soon(connection, info.st_size == 0, is_fixed)
            except BaseException:
                connection.close()
                raise
            self._made = connection
        return self._made

    def _prepare_soon(self, connection: sqlite3.Connection, is_new: bool, is_fixed: bool) -> None:
        """Prepare a connection, again where others are just making the file: SQLite does not wait for them here."""
        end = monotonic() + self._patience
        while True:
            try:
                self._prepare(connection, is_new, is_fixed)
                return
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or monotonic() > end:
                    raise
            sleep(_PAUSE)

    def _prepare(self, connection: sqlite3.Connection, is_new: bool, is_fixed: bool) -> None:
        connection.execute("PRAGMA trusted_schema = OFF")
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        if is_new and not application:
            connection.execute(f"PRAGMA application_id = {_APPLICATION}")
        elif application != _APPLICATION:
            raise StoreTrouble(f"{self._path}: not a store of pincite; name another file")
        if is_fixed:
            return
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA temp_store = MEMORY")

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            with translate_sqlite_errors(self._path, _REMEDY, "make room"):
                try:
                    yield
                except sqlite3.IntegrityError as error:
                    raise RowsContradict(f"{self._path}: rows contradict one another ({error})") from None
        except DatabaseLocked as error:
            raise StoreUnavailable(str(error)) from None


def _split_script(script: str) -> Iterator[str]:
    """The statements of a script."""
    rest = ""
    for line in script.splitlines(keepends=True):
        rest += line
        if sqlite3.complete_statement(rest):
            yield rest
            rest = ""
    if rest.strip():
        yield rest
