"""A whole store to a file and back, from any kind of database to any other."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta, Struct

from ..database import StoreTrouble
from .backend import POSTGRESQL, RowsContradict, SchemaMismatch
from .export_file import ExportReader, ExportWriter
from .records import TeamLimits
from .schema import list_tables, load_migrations, migrate, read_state
from .teams import DEFAULT_TEAM, Teams
from .verdicts import Verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .backend import Backend, Row, TableColumn
    from .export_file import TableHeader

_WRITTEN_AT_ONCE = 2_000
_LOADED_AT_ONCE = 50_000
_LARGE_AT_ONCE = 8
"""Rows with bytes in them may be large: fewer of them are held at once."""
_DERIVED = ("ticket",)
"""Tables that follow from others."""
_LIMITED = ("repository", "verdict", "web_source")
"""Tables whose triggers keep the limits of teams in PostgreSQL."""
_INTEGER = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]


class TransferSummary(Struct, frozen=True):
    """What was exported or imported."""

    schema: int
    rows: dict[str, int]
    """Table to number of rows."""
    size: int = 0
    """Bytes of the file."""


def export_store(backend: Backend, path: str) -> TransferSummary:
    """Write all rows of a store to a file, as they are at one moment; others go on writing meanwhile.

    The file is whole, or as it was before. Raises StoreTrouble, also for a login that does not see all teams.
    """
    if not backend.sees_everything():
        raise StoreTrouble(
            f"{backend.address.shown}: this login does not see all teams, so that an export would not be whole; "
            "export as the owner"
        )
    rows: dict[str, int] = {}
    with backend.snapshot():
        schema = read_state(backend).version
        if schema > (latest := load_migrations(backend.address.kind)[-1].version):
            raise SchemaMismatch(
                f"{backend.address.shown}: has schema {schema}, newer than {latest} of this pincite, so that an export "
                "would not be whole; upgrade pincite"
            )
        with ExportWriter(path, schema) as file:
            for table in _list_transferred(backend):
                columns = backend.list_columns(table)
                file.begin_table(table, [column.name for column in columns])
                rows[table] = 0
                found = iter(backend.read(_select(backend, table, columns)))
                while batch := list(islice(found, _count_at_once(columns, _WRITTEN_AT_ONCE))):
                    file.add(batch)
                    rows[table] += len(batch)
            return TransferSummary(schema, rows, file.finish())


def import_store(backend: Backend, path: str) -> TransferSummary:
    """Read an export into a store that has no rows, whole or not at all.

    A database without a schema gets that of the file, and what came since after the rows. Raises StoreTrouble.
    """
    # Nothing is touched before all of the file was seen.
    with ExportReader(path) as file:
        file.verify()
    schema = file.header.schema
    latest, shown = load_migrations(backend.address.kind)[-1].version, backend.address.shown
    if not 1 <= schema <= latest:
        raise SchemaMismatch(f"{path}: has schema {schema}, newer than {latest} of this pincite; upgrade pincite")
    if not read_state(backend).version:
        migrate(backend, schema)
    elif read_state(backend).version != schema:
        raise SchemaMismatch(
            f"{path}: has schema {schema}, and {shown} has {read_state(backend).version}; "
            "import into a new, empty database: it is migrated afterwards"
        )
    with ExportReader(path) as file:
        rows = _load(backend, file, path)
    migrate(backend)
    return TransferSummary(schema, rows)


def _load(backend: Backend, file: ExportReader, path: str) -> dict[str, int]:
    rows: dict[str, int] = {}
    try:
        with backend.transaction():
            _require_empty(backend)
            tables = _list_transferred(backend)
            _set_triggers(backend, "DISABLE")
            # It has the number that it has in the file.
            backend.run("DELETE FROM team")
            for header, lines in file.tables():
                columns = _match(header, tables, backend)
                tables.remove(header.table)
                decoded = file.decode_rows(lines, [_kind_of(column) for column in columns])
                rows[header.table] = _load_table(backend, header, columns, decoded)
            if tables:
                raise StoreTrouble(f"the table {tables[0]} is missing")
            Verdicts(backend).follow_tickets()
            _set_triggers(backend, "ENABLE")
    except RowsContradict:
        raise StoreTrouble(
            f"{path}: nothing was imported: a row of it comes twice, or refers to one that is missing; export again"
        ) from None
    except StoreTrouble as error:
        raise StoreTrouble(f"{path}: nothing was imported: {error}") from None
    return rows


def _set_triggers(backend: Backend, word: str) -> None:
    """Disable or enable the limits of teams: a team that has more than its limit of today is restored all the same."""
    if backend.address.kind == POSTGRESQL:
        for table in filter(backend.has_table, _LIMITED):
            backend.run(f"ALTER TABLE {table} {word} TRIGGER USER")


def _load_table(backend: Backend, header: TableHeader, columns: list[TableColumn], rows: Iterator[Row]) -> int:
    total, most = 0, _count_at_once(columns, _LOADED_AT_ONCE)
    while batch := list(islice(rows, most)):
        total += backend.load(header.table, header.columns, batch)
    for column in columns:
        if column.name == "id":
            backend.follow_ids(header.table, column.name)
    return total


def _match(header: TableHeader, tables: list[str], backend: Backend) -> list[TableColumn]:
    """The columns of a table in the order of the file; raises StoreTrouble where they are not those of the store."""
    if header.table not in tables:
        raise StoreTrouble(f"the table {header.table[:80]!r} is not known, or comes twice")
    known = {column.name: column for column in backend.list_columns(header.table)}
    if sorted(known) != sorted(header.columns):
        raise StoreTrouble(f"the table {header.table} has other columns")
    return [known[name] for name in header.columns]


def _require_empty(backend: Backend) -> None:
    tables = _list_transferred(backend)
    if backend.address.kind == POSTGRESQL:
        # Else a fleet could begin between the look and the load.
        backend.run(f"LOCK TABLE {', '.join(tables)} IN EXCLUSIVE MODE")
    teams = Teams(backend).list()
    is_fresh = [(team.id, team.name, team.limits) for team in teams] in ([(1, DEFAULT_TEAM, TeamLimits())], [])
    if not is_fresh or any(
        backend.query(f"SELECT 1 FROM {table} LIMIT 1")  # noqa: S608
        for table in tables
        if table != "team"
    ):
        raise StoreTrouble(f"{backend.address.shown} is not empty; name a new database with --database")


def _list_transferred(backend: Backend) -> list[str]:
    return [table for table in list_tables(backend) if table not in _DERIVED]


def _select(backend: Backend, table: str, columns: list[TableColumn]) -> str:
    """All rows of a table, the same way from each kind of database."""
    names, order = [column.name for column in columns], sorted(filter(_key_of, columns), key=_key_of)
    if backend.address.kind == POSTGRESQL:
        names = [f"CAST({column.name} AS integer)" if column.kind is bool else column.name for column in columns]
        keys = [f'{column.name} COLLATE "C"' if column.kind is str else column.name for column in order]
    else:
        keys = [column.name for column in order]
    return f"SELECT {', '.join(names)} FROM {table} ORDER BY {', '.join(keys)}"  # noqa: S608


def _key_of(column: TableColumn) -> int:
    return column.key


def _kind_of(column: TableColumn) -> object:
    kind: object = _INTEGER if column.kind in (int, bool) else column.kind
    return kind | None if column.is_nullable else kind  # type: ignore[operator]


def _count_at_once(columns: list[TableColumn], usual: int) -> int:
    return _LARGE_AT_ONCE if any(column.kind is bytes for column in columns) else usual
