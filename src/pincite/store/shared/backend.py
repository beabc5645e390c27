"""What the shared store asks of a database, and the addresses by which databases are known."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Protocol
from urllib.parse import unquote

from msgspec import Struct

from ...core.errors import UsageError
from ..database import StoreTrouble

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from contextlib import AbstractContextManager
    from typing import Any, TypeVar

    T = TypeVar("T")
    Row = tuple[Any, ...]

VARIABLE = "PINCITE_DATABASE"
"""The environment variable that names the store."""
POSTGRESQL, SQLITE = "postgresql", "sqlite"
_FORMS = "postgresql://user@host/name, or sqlite:///absolute/path.db"
_ENCODED = "in a password, write @ as %40, / as %2F, : as %3A, ? as %3F and % as %25"
_SECRET = re.compile(
    # Example: `postgresql://user:secret@host/name` or `password=secret`.
    r"(?P<url>://[^/@\s:]*):\S*@|(?P<key>password\s*=\s*)(?:'[^']*'|[^\s&]+)",
    re.IGNORECASE,
)
_CONNECTION_STRING = re.compile(r"\b(?:host|hostaddr|dbname|user|password|service|port)\s*=", re.IGNORECASE)
_LOGIN = re.compile(r"[^/@:]*:[^/@]*@")
"""What begins so is an address that lacks its `postgresql://`, and no path; it may hold a password."""
_HOST = re.compile(r"(?:\[[0-9A-Fa-f:.%]+\]|[^\[\]:@\s]*)(?::(?P<port>[0-9]{1,5}))?")
_HALF_ENCODED = re.compile(r"%(?![0-9A-Fa-f]{2})")
_SHOWN_PARAMETERS = ("service", "host", "port", "dbname", "user")
_SECRET_PARAMETERS = ("password", "sslpassword")
_SHORTEST_SECRET = 4
"""A shorter one would be hidden in the middle of ordinary words."""
_LARGEST_PORT = 65_535


class StoreUnavailable(StoreTrouble):
    """The database cannot be reached, or the connection to it broke; a later try may succeed."""


class RowsContradict(StoreTrouble):
    """A row comes twice, or refers to one that is not there; nothing of the transaction was stored."""


class SchemaMismatch(StoreTrouble):
    """The store has another schema than this program; nothing was changed."""


class StoreAddress(Struct, frozen=True):
    """Where a store is."""

    kind: str
    """`postgresql` or `sqlite`."""
    target: str
    """What the driver is given: the whole URL, which may hold a password, or the path of the file."""

    def __repr__(self) -> str:
        return f"StoreAddress({self.shown})"

    @property
    def shown(self) -> str:
        """The address without secrets."""
        if self.kind == SQLITE:
            return f"sqlite://{self.target}"
        parts = _split_url(self.target)
        user = f"{parts.user}@" if parts.user else ""
        asked = [(key, value) for key, value in parts.parameters if key in _SHOWN_PARAMETERS]
        query = "?" + "&".join(f"{key}={value}" for key, value in asked) if asked else ""
        return f"postgresql://{user}{parts.hosts}/{parts.name}{query}"

    def hide(self, text: str) -> str:
        """A text in which no password of this address, nor of any other, stands any more."""
        text = hide_secrets(text)
        if self.kind == SQLITE:
            return text
        parts = _split_url(self.target)
        found = [parts.password, *(value for key, value in parts.parameters if key in _SECRET_PARAMETERS)]
        for secret in sorted({*found, *map(unquote, found)}, key=len, reverse=True):
            if len(secret) >= _SHORTEST_SECRET:
                text = text.replace(secret, "***")
        return text


class _UrlParts(Struct, frozen=True):
    """A URL of PostgreSQL as libpq reads it; every part as it is written."""

    user: str
    password: str
    hosts: str
    name: str
    parameters: tuple[tuple[str, str], ...]


class TableColumn(Struct, frozen=True):
    """A column of a table."""

    name: str
    kind: type
    """What Python makes of its values: int, float, str, bytes or bool, for which SQLite has int."""
    is_nullable: bool
    key: int
    """Its place in the primary key, from 1; 0 where it is no part of it."""


class Backend(Protocol):
    """One connection to a database. Statements have `?` for values; names of tables are those of the migrations."""

    address: StoreAddress
    retried: Callable[[], None]
    """Called before work is done again because the database was gone or busy."""

    def query(self, statement: str, values: Sequence[object] = ()) -> list[Row]:
        """The rows that a statement gives."""

    def run(self, statement: str, values: Sequence[object] = ()) -> int:
        """Run a statement; how many rows it changed."""

    def run_many(self, statement: str, rows: Iterable[Sequence[object]]) -> None:
        """Run a statement once for each row of values."""

    def run_all(self, statements: Sequence[tuple[str, Sequence[object]]]) -> None:
        """Run several statements, each with its values, without waiting for each other; within a transaction."""

    def load(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> int:
        """Append many rows to a table in the fastest way there is; how many they were."""

    def read(self, statement: str) -> Iterable[Row]:
        """The rows that a statement gives, one by one, for what does not fit into memory; within a transaction."""

    def transaction(self) -> AbstractContextManager[None]:
        """All or nothing. Transactions do not nest."""

    def snapshot(self) -> AbstractContextManager[None]:
        """A transaction that only reads, and sees what was there when it began."""

    def perform(self, work: Callable[[], T]) -> T:
        """The result of work in one transaction; it is done again on a new connection where the old one broke."""

    def run_script(self, script: str) -> None:
        """Run the statements of a migration."""

    def lock_schema(self) -> None:
        """Keep other migrations out until the transaction ends."""

    def has_table(self, name: str) -> bool:
        """Whether there is a table of that name."""

    def list_columns(self, table: str) -> list[TableColumn]:
        """The columns of a table, in order."""

    def measure_table(self, table: str) -> int:
        """How many bytes a table takes with its indexes."""

    def sees_everything(self) -> bool:
        """Whether this login sees the rows of all teams."""

    def follow_ids(self, table: str, column: str) -> None:
        """See that the next number of an identity column is larger than all there are."""

    def close(self) -> None:
        """Let go of the database."""


def parse_address(text: str) -> StoreAddress:
    """The store that a URL or a path names; raises UsageError."""
    if "\0" in text or not text.strip():
        raise UsageError(f"the address of the store is empty; write {_FORMS}")
    scheme, sign, rest = text.partition("://")
    if not sign:
        is_url = text.startswith(("postgres:", "postgresql:", "sqlite:")) or _LOGIN.match(text) is not None
        if is_url or _CONNECTION_STRING.search(text) is not None:
            raise UsageError(f"not the address of a store; write {_FORMS}")
        return StoreAddress(SQLITE, os.path.abspath(text))
    if scheme in ("postgresql", "postgres"):
        return _parse_postgresql(f"postgresql://{rest}")
    if scheme == SQLITE:
        path = unquote(rest)
        if not rest.startswith("/") or "\0" in path or "?" in rest:
            raise UsageError(f"{hide_secrets(text)}: only a path may follow sqlite://; write {_FORMS}")
        # Other tools write four slashes for an absolute path.
        return StoreAddress(SQLITE, f"/{path.lstrip('/')}")
    raise UsageError(f"{hide_secrets(text)}: no kind of store; write {_FORMS}")


def _parse_postgresql(url: str) -> StoreAddress:
    shown = hide_secrets(url)
    if _HALF_ENCODED.search(url) is not None or any(char.isspace() or not char.isprintable() for char in url):
        # What libpq says about these quotes the password.
        raise UsageError(f"{shown.partition('://')[0]}://…: not a URL; {_ENCODED}")
    parts = _split_url(url)
    if "@" in parts.user + parts.password + parts.name or "/" in parts.name:
        raise UsageError(f"postgresql://…: the URL has a character too many; {_ENCODED}")
    for host in parts.hosts.split(","):
        match = _HOST.fullmatch(host)
        if match is None or not 0 < int(match["port"] or 1) <= _LARGEST_PORT:
            raise UsageError(f"{shown}: not the address of a PostgreSQL server; write {_FORMS}; {_ENCODED}")
    if not parts.name and not {"service", "dbname"} & {key for key, _ in parts.parameters}:
        raise UsageError(f"{shown}: names no database; write {_FORMS}")
    return StoreAddress(POSTGRESQL, url)


def _split_url(url: str) -> _UrlParts:
    main, _, query = url.partition("://")[2].partition("?")
    authority, _, name = main.partition("/")
    user_info, _, hosts = authority.rpartition("@")
    user, _, password = user_info.partition(":")
    parameters = tuple(
        (unquote(key), value) for key, _, value in (one.partition("=") for one in query.split("&") if one)
    )
    return _UrlParts(user, password, hosts, name, parameters)


def hide_secrets(text: str) -> str:
    """A text in which no password of a database stands any more."""
    return _SECRET.sub(lambda match: f"{match['url']}:***@" if match["url"] else f"{match['key']}***", text)


def clean_text(value: str, most: int = 1_000) -> str:
    """A text that every database takes: no NUL, no half of a character, and bounded."""
    if not value.isascii() or "\0" in value:
        value = value.encode("utf-8", "backslashreplace").decode("utf-8").replace("\0", "\\0")
    if len(value) <= most:
        return value
    from hashlib import sha256

    # Two long names that begin alike stay two.
    return f"{value[: most - 18]}… {sha256(value.encode()).hexdigest()[:16]}"
