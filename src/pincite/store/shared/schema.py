"""The schema of the shared store: numbered SQL files, applied forward only, one transaction each."""

from __future__ import annotations

import re
from functools import cache, partial
from hashlib import sha256
from importlib.resources import files
from time import time
from typing import TYPE_CHECKING

from msgspec import Struct

from ..database import StoreTrouble
from .backend import POSTGRESQL, SQLITE, SchemaMismatch

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from .backend import Backend

_NAME = re.compile(r"([0-9]{4})_[a-z_]+\.sql")
_READERS = re.compile(r"-- readers: ([0-9]+)\n")
_CREATED = re.compile(r"^CREATE TABLE ([a-z_]+) \(", re.MULTILINE)
_TABLE = {
    POSTGRESQL: """CREATE TABLE IF NOT EXISTS schema_version (
    version integer PRIMARY KEY, readers integer NOT NULL, digest text NOT NULL, applied bigint NOT NULL)""",
    SQLITE: """CREATE TABLE IF NOT EXISTS schema_version (
    version INTEGER PRIMARY KEY, readers INTEGER NOT NULL, digest TEXT NOT NULL, applied INTEGER NOT NULL)""",
}


class Migration(Struct, frozen=True):
    """One numbered SQL file."""

    version: int
    readers: int
    """The oldest schema whose readers still understand the store afterwards."""
    script: str

    @property
    def digest(self) -> str:
        """SHA-256 of the file: one that was applied never changes."""
        return sha256(self.script.encode()).hexdigest()


class SchemaState(Struct, frozen=True):
    """What is applied."""

    version: int
    readers: int


@cache
def load_migrations(kind: str) -> tuple[Migration, ...]:
    """The migrations for a kind of database, the first first."""
    found = []
    for file in _folder(kind).iterdir():
        match = _NAME.fullmatch(file.name)
        if match is not None:
            script = file.read_text(encoding="utf-8")
            readers = _READERS.match(script)
            if readers is None:
                raise StoreTrouble(f"{file.name}: the first line does not say which readers it suits")
            found.append(Migration(int(match[1]), int(readers[1]), script))
    return tuple(sorted(found, key=lambda one: one.version))


def read_state(backend: Backend) -> SchemaState:
    """What is applied to a store; version 0 where nothing is."""
    if not backend.has_table("schema_version"):
        return SchemaState(0, 0)
    rows = backend.query("SELECT version, readers FROM schema_version ORDER BY version DESC LIMIT 1")
    return SchemaState(*rows[0]) if rows else SchemaState(0, 0)


def require_schema(backend: Backend, write: bool) -> None:
    """Raise SchemaMismatch where this program cannot use the store as it is."""
    state, latest = read_state(backend), load_migrations(backend.address.kind)[-1].version
    shown = backend.address.shown
    if state.version < latest:
        was = (
            f"has schema {state.version}, older than {latest} of this pincite" if state.version else "has no schema yet"
        )
        raise SchemaMismatch(f"{shown}: {was}; run `pincite store migrate`")
    if state.version > latest and (write or state.readers > latest):
        what = "write to it" if write else "read it"
        raise SchemaMismatch(
            f"{shown}: has schema {state.version}, newer than {latest} of this pincite, which must not {what}; "
            "upgrade pincite"
        )


def require_writable(backend: Backend) -> None:
    """Raise SchemaMismatch where the store was migrated to a newer schema since it was opened; in a transaction."""
    latest = load_migrations(backend.address.kind)[-1].version
    version: int = backend.query("SELECT max(version) FROM schema_version")[0][0]
    if version > latest:
        raise SchemaMismatch(
            f"{backend.address.shown}: was migrated to schema {version}, newer than {latest} of this pincite, which "
            "must not write to it; upgrade pincite"
        )


def migrate(backend: Backend, until: int = 0) -> list[int]:
    """Apply what is missing, each file whole or not at all; the versions that were applied.

    Readers go on meanwhile. Two migrations at once wait for one another. Raises SchemaMismatch for a newer store, and
    for one whose applied files are not those of this program.
    """
    migrations = load_migrations(backend.address.kind)
    wanted = [one for one in migrations if not until or one.version <= until]
    applied = [one.version for one in wanted if backend.perform(partial(_apply, backend, one, migrations[-1].version))]
    if backend.address.kind == POSTGRESQL:
        backend.perform(partial(_set_rights, backend))
    return applied


def make_schema(backend: Backend) -> None:
    """Give an empty store its schema, all of it or nothing: who opens it at the same moment sees no part of it."""
    migrations = load_migrations(backend.address.kind)

    def apply_all() -> None:
        for one in migrations:
            _apply(backend, one, migrations[-1].version)

    backend.perform(apply_all)


def _apply(backend: Backend, migration: Migration, latest: int) -> bool:
    """Apply one migration within a transaction; False where it is applied already."""
    backend.lock_schema()
    backend.run_script(_TABLE[backend.address.kind])
    known: dict[int, str] = dict(backend.query("SELECT version, digest FROM schema_version"))
    newest = max(known, default=0)
    if newest > latest:
        raise SchemaMismatch(
            f"{backend.address.shown}: has schema {newest}, newer than {latest} of this pincite; nothing was changed; "
            "upgrade pincite"
        )
    if migration.version in known:
        if known[migration.version] != migration.digest:
            raise SchemaMismatch(
                f"{backend.address.shown}: migration {migration.version} was applied in another form; nothing was "
                "changed; install the pincite that made the store"
            )
        return False
    backend.run_script(migration.script)
    backend.run(
        "INSERT INTO schema_version (version, readers, digest, applied) VALUES (?, ?, ?, ?)",
        (migration.version, migration.readers, migration.digest, int(time())),
    )
    return True


def _set_rights(backend: Backend) -> None:
    backend.lock_schema()
    backend.run_script(load_rights("rights.sql"))


def load_rights(name: str) -> str:
    """A script that says who may do what in PostgreSQL; it may be run as often as one likes."""
    return _folder(POSTGRESQL).joinpath(name).read_text(encoding="utf-8")


def list_tables(backend: Backend) -> list[str]:
    """The tables that migrations made, in an order in which each comes after those that it refers to."""
    scripts = (one.script for one in load_migrations(backend.address.kind))
    names = (match[1] for script in scripts for match in _CREATED.finditer(script))
    return [name for name in names if backend.has_table(name)]


def _folder(kind: str) -> Traversable:
    return files(__package__).joinpath("migrations", kind)
