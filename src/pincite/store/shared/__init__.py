"""The store that a team shares: verdicts over time, evidence and web sources, in PostgreSQL or in one SQLite file.

One interface, two backends. `check` imports nothing of this. Only this folder imports psycopg.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ...safe.data_folder import find_data_place
from ...safe.files import Closing
from ..database import StoreTrouble
from .backend import POSTGRESQL, VARIABLE, SchemaMismatch, StoreUnavailable, parse_address
from .evidence import SharedEvidence
from .overview import Overview
from .schema import make_schema, read_state, require_schema
from .sources import WebSources
from .teams import DEFAULT_TEAM, Teams
from .verdicts import Verdicts

if TYPE_CHECKING:
    from .backend import Backend, StoreAddress

__all__ = [
    "DEFAULT_TEAM",
    "SchemaMismatch",
    "SharedStore",
    "StoreUnavailable",
    "default_address",
    "open_backend",
    "open_store",
]

PATIENCE = 60.0
"""Seconds for which a store that is gone is tried again: a server restarts in less."""


class SharedStore(Closing):
    """The store that a team shares; use it as a context. Raises StoreTrouble where it cannot be used."""

    def __init__(self, backend: Backend) -> None:
        self.backend = backend
        self.address = backend.address
        self.teams = Teams(backend)
        self.verdicts = Verdicts(backend)
        self.overview = Overview(backend)
        self.evidence = SharedEvidence(backend)
        self.sources = WebSources(backend)

    def close(self) -> None:
        """Let go of the database."""
        self.backend.close()


def default_address(given: str | None = None) -> StoreAddress:
    """The store that was named, else that of PINCITE_DATABASE, else a file in the user's data folder."""
    named = given or os.environ.get(VARIABLE, "")
    if named:
        return parse_address(named)
    place = find_data_place("fleet.db", f"name the store with --database, or set {VARIABLE}")
    return parse_address(f"sqlite://{place}")


def open_backend(address: StoreAddress, patience: float = PATIENCE) -> Backend:
    """A connection to the database at an address, whatever schema it has."""
    if address.kind == POSTGRESQL:
        from .postgres import PostgresBackend

        return PostgresBackend(address, patience)
    from .sqlite_file import SqliteBackend

    return SqliteBackend(address, patience)


def open_store(address: StoreAddress, write: bool = True, patience: float = PATIENCE) -> SharedStore:
    """The store at an address, with the schema that this program knows.

    A new SQLite file gets its schema at once: it belongs to this user alone. A PostgreSQL database gets it by `pincite
    store migrate`. Raises SchemaMismatch and StoreTrouble; then nothing was changed.
    """
    is_new = address.kind != POSTGRESQL and not os.path.exists(address.target)
    if is_new and not write:
        raise StoreTrouble(
            f"{address.shown}: there is no store; `pincite fleet check` or `pincite store migrate` makes one"
        )
    backend = open_backend(address, patience)
    try:
        if write and address.kind != POSTGRESQL and not read_state(backend).version:
            make_schema(backend)
        require_schema(backend, write)
    except BaseException:
        backend.close()
        raise
    return SharedStore(backend)
