"""What the shared store asks of a database, and the addresses by which databases are known."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Protocol
from urllib.parse import unquote, urlsplit

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
_SECRET = re.compile(
    # Example: `postgresql://user:secret@host/name` or `password=secret`.
    r"(?P<url>://[^/@\s:]*):[^@\s]*@|(?P<key>\bpassword\s*=\s*)(?:'[^']*'|\S+)",
    re.IGNORECASE,
)


class StoreUnavailable(StoreTrouble):
    """The database cannot be reached, or the connection to it broke; a later try may succeed."""


class SchemaMismatch(StoreTrouble):
    """The store has another schema than this program; nothing was changed."""


class StoreAddress(Struct, frozen=True):
    """Where a store is."""

    kind: str
    """`postgresql` or `sqlite`."""
    target: str
    """What the driver is given: the whole URL, which may hold a password, or the path of the file."""

    @property
    def shown(self) -> str:
        """The address without secrets."""
        if self.kind == SQLITE:
            return f"sqlite://{self.target}"
        parts = urlsplit(self.target)
        user = f"{parts.username}@" if parts.username else ""
        port = f":{parts.port}" if parts.port else ""
        return f"postgresql://{user}{parts.hostname or ''}{port}{parts.path}"


class Backend(Protocol):
    """One connection to a database. Statements have `?` for values; names of tables are those of the migrations."""

    address: StoreAddress

    def query(self, statement: str, values: Sequence[object] = ()) -> list[Row]:
        """The rows that a statement gives."""

    def run(self, statement: str, values: Sequence[object] = ()) -> int:
        """Run a statement; how many rows it changed."""

    def run_many(self, statement: str, rows: Iterable[Sequence[object]]) -> None:
        """Run a statement once for each row of values."""

    def load(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> int:
        """Append many rows to a table in the fastest way there is; how many they were."""

    def read(self, statement: str, size: int = 10_000) -> Iterable[list[Row]]:
        """The rows that a statement gives, in batches, for what does not fit into memory."""

    def transaction(self) -> AbstractContextManager[None]:
        """All or nothing. Transactions do not nest."""

    def perform(self, work: Callable[[], T]) -> T:
        """The result of work in one transaction; it is done again on a new connection where the old one broke."""

    def run_script(self, script: str) -> None:
        """Run the statements of a migration."""

    def lock_schema(self) -> None:
        """Keep other migrations out until the transaction ends."""

    def has_table(self, name: str) -> bool:
        """Whether there is a table of that name."""

    def close(self) -> None:
        """Let go of the database."""


def parse_address(text: str) -> StoreAddress:
    """The store that a URL or a path names; raises UsageError."""
    if "\0" in text or not text.strip():
        raise UsageError(f"the address of the store is empty; write {_FORMS}")
    scheme, sign, rest = text.partition("://")
    if not sign:
        if "=" in text and "/" not in text:
            raise UsageError(f"not the address of a store; write {_FORMS}")
        return StoreAddress(SQLITE, os.path.abspath(text))
    if scheme in ("postgresql", "postgres"):
        try:
            parts = urlsplit(f"postgresql://{rest}")
            named = parts.port is None or parts.port > 0
        except ValueError:
            named = False
        if not named or not parts.path.strip("/"):
            raise UsageError(f"{hide_secrets(text)}: not the address of a PostgreSQL database; write {_FORMS}")
        return StoreAddress(POSTGRESQL, f"postgresql://{rest}")
    if scheme == "sqlite":
        if not rest.startswith("/"):
            raise UsageError(f"{text}: a path must follow sqlite://; write {_FORMS}")
        return StoreAddress(SQLITE, unquote(rest))
    raise UsageError(f"{hide_secrets(text)}: no kind of store; write {_FORMS}")


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
