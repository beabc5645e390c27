"""The shared store in PostgreSQL, by psycopg."""

from __future__ import annotations

import logging
import re
import threading
from contextlib import contextmanager, suppress
from functools import lru_cache
from random import uniform
from time import monotonic, sleep
from typing import TYPE_CHECKING

from ...core.errors import PinciteError, UsageError
from ..database import StoreTrouble
from .backend import RowsContradict, StoreUnavailable, TableColumn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from typing import TypeVar

    import psycopg

    from .backend import Row, StoreAddress

    T = TypeVar("T")

SCHEMA = "pincite"
"""The schema of all tables. Nothing else is on the search path, so that no table of another user is taken for ours."""
PATIENCE = 60.0
"""Seconds for which a broken connection is tried again: a server restarts in less."""
_CONNECT_SECONDS = 10
_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 5.0
_STATEMENT_SECONDS = 300
_LOCK_SECONDS = 30
_MIGRATION_LOCK_SECONDS = 2
_SCHEMA_LOCK = 0x70696E63
"""The advisory lock of migrations."""
_PASSING = ("40001", "40P01", "55P03", "53300", "57P03")
"""Conditions that pass by themselves: serialisation, deadlock, lock timeout, too many connections, starting up."""
_FULL = ("53100", "53200")
_NO_RIGHTS = "42501"
_OVER_LIMIT = "PN001"
"""What the triggers of the limits of teams raise, in words for people."""
_LOGIN_REFUSED = (
    "authentication failed",
    "no pg_hba.conf entry",
    "no password supplied",
    "role ",
    "not permitted to log",
)
_PASSING_REFUSALS = ("starting up", "shutting down", "too many", "connection slots", "recovery", "terminating")
_LONGEST_WORDS = 300
_KINDS: dict[str, type] = {
    "smallint": int,
    "integer": int,
    "bigint": int,
    "boolean": bool,
    "double precision": float,
    "text": str,
    "bytea": bytes,
}


class PostgresBackend:
    """A connection to PostgreSQL, made when it is first needed and again where it broke; one thread at a time."""

    def __init__(self, address: StoreAddress, patience: float = PATIENCE) -> None:
        try:
            import psycopg
        except ImportError:
            raise UsageError("a store in PostgreSQL needs an extra: install 'pincite[postgres]'") from None
        # What it says of a pipeline that failed comes beside the error itself, and is for nobody.
        logging.getLogger("psycopg").addHandler(logging.NullHandler())
        self.address = address
        self._psycopg = psycopg
        self._patience = patience
        self._connection: psycopg.Connection[Row] | None = None
        self.retried: Callable[[], None] = lambda: None
        self._lock = threading.RLock()
        self._within = 0
        """The thread that has a transaction open; 0 where none has."""
        self._was_there = False
        """Whether the server answered once: only then is a lost one waited for."""
        self._types: dict[tuple[str, str], list[int]] = {}
        """The types of columns that were loaded."""

    def close(self) -> None:
        """Let go of the connection."""
        with self._lock:
            connection, self._connection = self._connection, None
            if connection is not None:
                with suppress(Exception):
                    connection.close()

    def query(self, statement: str, values: Sequence[object] = ()) -> list[Row]:
        """The rows that a statement gives."""
        return self._ask(lambda one: one.execute(_translate(statement), values).fetchall())

    def run(self, statement: str, values: Sequence[object] = ()) -> int:
        """Run a statement; how many rows it changed."""
        return self._ask(lambda one: one.execute(_translate(statement), values).rowcount)

    def run_many(self, statement: str, rows: Iterable[Sequence[object]]) -> None:
        """Run a statement once for each row of values."""
        kept = list(rows)

        def send(connection: psycopg.Connection[Row]) -> None:
            with connection.cursor() as cursor:
                cursor.executemany(_translate(statement), kept)

        self._ask(send)

    def run_all(self, statements: Sequence[tuple[str, Sequence[object]]]) -> None:
        """Run several statements, each with its values, sent at once; within a transaction."""
        with self._lock, self._translated():
            connection = self._open()
            with connection.pipeline(), connection.cursor() as cursor:
                for statement, values in statements:
                    cursor.execute(_translate(statement), values)

    def load(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> int:
        """Append many rows to a table by COPY, in the binary form."""
        names, number = ", ".join(columns), 0
        with self._lock, self._translated(), self._open().cursor() as cursor:
            types = self._types.get((table, names))
            if types is None:
                described = cursor.execute(f"SELECT {names} FROM {table} LIMIT 0").description or ()  # noqa: S608
                types = self._types[table, names] = [column.type_code for column in described]
            try:
                with cursor.copy(f"COPY {table} ({names}) FROM STDIN (FORMAT binary)") as copy:
                    copy.set_types(types)
                    for row in rows:
                        copy.write_row(row)
                        number += 1
            except (OverflowError, TypeError) as error:
                raise StoreTrouble(f"{self.address.shown}: {table} cannot hold a row ({error})") from None
        return number

    def read(self, statement: str) -> Iterator[Row]:
        """The rows that a statement gives, one by one, by COPY; within a transaction."""
        with self._lock, self._translated(), self._open().cursor() as cursor:
            # All rows of a large table may take longer than any other statement.
            cursor.execute("SET LOCAL statement_timeout = 0")
            described = cursor.execute(f"{statement} LIMIT 0").description or ()
            with cursor.copy(f"COPY ({statement}) TO STDOUT (FORMAT binary)") as copy:
                copy.set_types([column.type_code for column in described])
                yield from copy.rows()

    def transaction(self) -> AbstractContextManager[None]:
        """All or nothing."""
        return self._begin("")

    def snapshot(self) -> AbstractContextManager[None]:
        """A transaction that only reads, and sees what was there when it began."""
        return self._begin("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")

    @contextmanager
    def _begin(self, setting: str) -> Iterator[None]:
        with self._lock, self._translated():
            connection = self._open()
            self._within = threading.get_ident()
            try:
                with connection.transaction():
                    if setting:
                        connection.execute(setting)
                    yield
            finally:
                self._within = 0

    def perform(self, work: Callable[[], T]) -> T:
        """The result of work in one transaction; done again on a new connection where the old one broke."""
        end, pause = monotonic() + self._patience, _FIRST_PAUSE
        while True:
            try:
                with self.transaction():
                    return work()
            except StoreUnavailable:
                self.close()
                if not self._was_there or monotonic() + pause > end:
                    raise
            self.retried()
            # Many workers must not come back at the same moment.
            sleep(pause * uniform(0.5, 1.0))  # noqa: S311
            pause = min(pause * 2, _LONGEST_PAUSE)

    def run_script(self, script: str) -> None:
        """Run the statements of a migration."""
        with self._lock, self._translated():
            self._open().execute(script)

    def lock_schema(self) -> None:
        """Keep other migrations out until the transaction ends; readers are not kept out."""
        self.query("SELECT pg_advisory_xact_lock(?)", (_SCHEMA_LOCK,))
        # A change that waits for a long query makes everyone wait behind it: it rather gives up, and is tried again.
        self.run(f"SET LOCAL lock_timeout = '{_MIGRATION_LOCK_SECONDS}s'")
        self.run("SET LOCAL statement_timeout = 0")
        rows = self.query("SELECT pg_has_role(nspowner, 'USAGE') FROM pg_namespace WHERE nspname = ?", (SCHEMA,))
        if not rows:
            self.run(f"CREATE SCHEMA {SCHEMA}")
        elif not rows[0][0]:
            raise StoreTrouble(
                f"{self.address.shown}: the schema {SCHEMA} belongs to another login; migrate as that one"
            )

    def has_table(self, name: str) -> bool:
        """Whether there is a table of that name in the schema of pincite; raises StoreTrouble without rights to it."""
        ((found, is_closed),) = self.query(
            "SELECT to_regclass(?) IS NOT NULL, EXISTS (SELECT FROM pg_namespace WHERE nspname = ? "
            "AND NOT has_schema_privilege(oid, 'USAGE'))",
            (f"{SCHEMA}.{name}", SCHEMA),
        )
        if is_closed:
            raise StoreTrouble(f"{self.address.shown}: no rights; ask the owner to run `pincite store grant`")
        return found is True

    def list_columns(self, table: str) -> list[TableColumn]:
        """The columns of a table, in order."""
        rows = self.query(
            """SELECT attname, format_type(atttypid, NULL), NOT attnotnull,
    coalesce(array_position(conkey, attnum), 0) FROM pg_attribute
LEFT JOIN pg_constraint ON conrelid = attrelid AND contype = 'p'
WHERE attrelid = to_regclass(?) AND attnum > 0 AND NOT attisdropped ORDER BY attnum""",
            (f"{SCHEMA}.{table}",),
        )
        return [TableColumn(name, _KINDS[kind], is_nullable, key) for name, kind, is_nullable, key in rows]

    def measure_table(self, table: str) -> int:
        """How many bytes a table takes with its indexes."""
        return int(self.query("SELECT pg_total_relation_size(to_regclass(?))", (f"{SCHEMA}.{table}",))[0][0])

    def sees_everything(self) -> bool:
        """Whether this login sees the rows of all teams: the owner of the tables does."""
        return self.query("SELECT NOT row_security_active(to_regclass(?))", (f"{SCHEMA}.team",))[0][0] is True

    def follow_ids(self, table: str, column: str) -> None:
        """See that the next number of an identity column is larger than all there are."""
        self.query(
            f"SELECT setval(pg_get_serial_sequence(?, ?), max({column})) FROM {table} HAVING count(*) > 0",  # noqa: S608
            (f"{SCHEMA}.{table}", column),
        )

    def _ask(self, work: Callable[[psycopg.Connection[Row]], T]) -> T:
        if self._within == threading.get_ident():
            with self._lock, self._translated():
                return work(self._open())
        return self.perform(lambda: work(self._open()))

    def _open(self) -> psycopg.Connection[Row]:
        connection = self._connection
        if connection is None or connection.closed:
            self._connection = None
            options = (
                f"-c statement_timeout={_STATEMENT_SECONDS}s -c lock_timeout={_LOCK_SECONDS}s "
                f"-c idle_in_transaction_session_timeout=600s -c client_encoding=UTF8 -c search_path={SCHEMA},pg_temp "
                # What comes after a lock must be newer than the lock.
                "-c default_transaction_isolation=read\\ committed"
            )
            connection = self._psycopg.connect(
                self.address.target,
                autocommit=True,
                connect_timeout=_CONNECT_SECONDS,
                options=options,
                application_name="pincite",
                keepalives_idle=30,
            )
            self._connection = connection
            self._was_there = True
        return connection

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Turn what the driver complains about into words without secrets."""
        try:
            yield
        except self._psycopg.Error as error:
            raise self._trouble(error) from None

    def _trouble(self, error: psycopg.Error) -> PinciteError:
        shown, code = self.address.shown, error.sqlstate or ""
        if code == _OVER_LIMIT:
            return UsageError(error.diag.message_primary or "over the limit of the team")
        words = self.address.hide(" ".join(str(error).split()))[:_LONGEST_WORDS]
        if self._connection is None and not code:
            return self._explain_refusal(error, words)
        if "create role" in words:
            return StoreTrouble(
                f"{shown}: no rights to make roles; ask an administrator for CREATE ROLE pincite_reader NOLOGIN and "
                "CREATE ROLE pincite_worker NOLOGIN"
            )
        if code == _NO_RIGHTS:
            return StoreTrouble(f"{shown}: no rights ({words}); ask the owner to run `pincite store grant`")
        if code in _FULL:
            return StoreUnavailable(f"{shown}: the disk or the memory of the server is full ({words}); make room")
        if code.startswith("23"):
            return RowsContradict(f"{shown}: rows contradict one another ({words})")
        if code in ("42P01", "42703"):
            return StoreTrouble(f"{shown}: not the schema of pincite ({words}); run `pincite store migrate`")
        is_lost = self._connection is None or self._connection.broken or self._connection.closed
        if code in _PASSING or code.startswith(("08", "57P")) or is_lost:
            return StoreUnavailable(f"{shown}: cannot be reached ({words}); is the server running?")
        return StoreTrouble(f"{shown}: the database refused the statement ({words})")

    def _explain_refusal(self, error: psycopg.Error, words: str) -> StoreTrouble:
        """Why there is no connection: the driver gives no code then, and what failed for good is not tried again."""
        shown = self.address.shown
        if "permission denied" in words:
            return StoreTrouble(f"{shown}: no rights ({words}); ask the owner to run `pincite store grant`")
        if 'database "' in words and "does not exist" in words:
            return StoreTrouble(f"{shown}: there is no such database; create it with `createdb`")
        if any(phrase in words for phrase in _LOGIN_REFUSED):
            return StoreTrouble(f"{shown}: the server refused the login ({words}); check user and password")
        is_misspelt = "definition of service" in words or re.search(r"invalid \w+ value", words) is not None
        if isinstance(error, self._psycopg.ProgrammingError) or is_misspelt:
            return StoreTrouble(f"{shown}: not an address that can be used ({words}); correct it")
        if "FATAL" in words and not any(phrase in words for phrase in _PASSING_REFUSALS):
            return StoreTrouble(f"{shown}: the server refused the connection ({words})")
        return StoreUnavailable(f"{shown}: cannot be reached ({words}); is the server running?")


@lru_cache(256)
def _translate(statement: str) -> str:
    """A statement as psycopg wants it; no statement of ours has a `?` or a `%` in a literal."""
    return statement.replace("?", "%s")
