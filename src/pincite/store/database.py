"""SQLite files, private to the user: captured output in `.pincite/`, and what is kept in the user's cache folder.

The former lie inside a tree that may come from anyone. Each is therefore opened only where it is a regular file of the
expected shape, with everything that a hostile schema could run switched off.
"""

from __future__ import annotations

import os
import re
import sqlite3
import stat as st
from contextlib import contextmanager, suppress
from urllib.parse import quote

from msgspec import Struct

from ..core.errors import PinciteError, Refused
from ..safe.write import make_folders, put
from . import FOLDER, KEY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..safe.files import Root

WATCHED = (KEY, f"{KEY}-wal")
"""What changes when the database of captured output does: answers that rest on it depend on these."""
_PAGE = 4096
_STARTS_ANEW = "`pincite doctor` says what is left, moving the file away starts anew"
_MAKES_ROOM = "make room, or run `pincite gc`"
_NO_FULL_TEXT = "no such module: fts5"
# What SQLite calls an error of operation although the file is to blame.
_DAMAGE = re.compile(r"decode to UTF-8|constructor failed|malformed|no such (?:table|column)|fts5 file format|corrupt")
PATIENCE = 10.0
"""Seconds to wait for another process that holds the store."""
_SCHEMA = (
    """CREATE TABLE run (
    id INTEGER PRIMARY KEY AUTOINCREMENT, origin TEXT NOT NULL, command TEXT NOT NULL, folder TEXT NOT NULL,
    started REAL NOT NULL, duration REAL, code INTEGER, signal INTEGER NOT NULL, revision TEXT NOT NULL,
    dirty INTEGER, file TEXT NOT NULL, state TEXT NOT NULL
)""",
    """CREATE TABLE text (
    id INTEGER PRIMARY KEY AUTOINCREMENT, head INTEGER NOT NULL, digest TEXT NOT NULL, file TEXT NOT NULL,
    start INTEGER NOT NULL, length INTEGER NOT NULL, masked INTEGER NOT NULL
)""",
    """CREATE TABLE chunk (
    run INTEGER NOT NULL, sequence INTEGER NOT NULL, text INTEGER NOT NULL, given TEXT NOT NULL,
    PRIMARY KEY (run, sequence)
) WITHOUT ROWID""",
    # Digests come in no order, and every page an index touches is written twice: only their first digits are indexed.
    "CREATE INDEX text_head ON text (head)",
    "CREATE INDEX chunk_text ON chunk (text)",
    "CREATE INDEX chunk_given ON chunk (given) WHERE given <> ''",
)


class Layout(Struct, frozen=True):
    """What one of the databases is called and made of."""

    name: str
    application: int
    version: int
    schema: tuple[str, ...]
    private: bool = True
    """Whether what is deleted must leave no trace in the file."""
    lasting: bool = True
    """Whether it has to outlive a power cut; what can be made again need not."""
    born: str = ""
    """A statement that notes the inode of a new file in it, and its owner: a copy has another inode."""
    owner: str = ""
    """What it was made for."""


CAPTURES = Layout(KEY.rpartition("/")[2], 0x70696E63, 1, _SCHEMA)


class StoreTrouble(PinciteError):
    """The store cannot be used just now; the message says why and what to do."""


class DatabaseLocked(StoreTrouble):
    """Another process holds the store; a later try may succeed."""


class Damaged(StoreTrouble):
    """What is stored is not what was stored."""


def open_database(
    root: Root, write: bool, layout: Layout = CAPTURES, folder: str = FOLDER
) -> sqlite3.Connection | None:
    """A database in a folder of a root, made where it is missing and `write` asks for it; None where there is none."""
    path = os.path.join(root.path, folder, layout.name)
    if write:
        exists = _exists(path)
        if folder:
            _make_folder(root, exists)
        if not exists:
            _make(path, layout)
    elif not _exists(path):
        return None
    with translate_sqlite_errors(path):
        connection = _connect(path, write, layout)
        try:
            _verify(connection, layout, _shorten_path(path))
        except BaseException:
            connection.close()
            raise
    return connection


def open_in_memory(layout: Layout) -> sqlite3.Connection:
    """An empty database that nothing is kept of."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        with translate_sqlite_errors(layout.name):
            _shape(connection, layout)
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def translate_sqlite_errors(path: str, remedy: str = _STARTS_ANEW, room: str = _MAKES_ROOM) -> Iterator[None]:
    """Turn what SQLite and the disk complain about into words with a remedy: of damage, and of a full disk."""
    shown = _shorten_path(path)
    try:
        yield
    except sqlite3.OperationalError as error:
        words = str(error)
        if "locked" in words or "busy" in words:
            raise DatabaseLocked(f"{shown}: locked by another process; try again when it has finished") from None
        if "full" in words:
            raise StoreTrouble(f"{shown}: the disk is full; {room}") from None
        if _DAMAGE.search(words) is not None:
            raise Damaged(f"{shown}: damaged ({words}); {remedy}") from None
        if words == _NO_FULL_TEXT:
            raise StoreTrouble(f"{shown}: the SQLite of this Python has no FTS5; use a Python that has it") from None
        raise StoreTrouble(f"{shown}: cannot be used ({words})") from None
    except (sqlite3.Error, UnicodeDecodeError) as error:
        # A complaint may quote what is damaged, and then not even be text.
        raise Damaged(f"{shown}: damaged ({error}); {remedy}") from None
    except OSError as error:
        raise StoreTrouble(f"{shown}: cannot be used ({error.strerror})") from None


def _shorten_path(path: str) -> str:
    """A path as users know it: below their project in short, elsewhere in full."""
    folder, name = os.path.split(path)
    return f"{FOLDER}/{name}" if os.path.basename(folder) == FOLDER else path


def private_folder(root: Root, key: str) -> int:
    """The open folder at `key`, made where it is missing, for this user alone."""
    folder = make_folders(root, key)
    with suppress(OSError):
        if st.S_IMODE(os.fstat(folder).st_mode) != 0o700:
            os.fchmod(folder, 0o700)
    return folder


def _exists(path: str) -> bool:
    """Whether a regular file is at the path, in a folder that is no link."""
    try:
        folder = os.lstat(os.path.dirname(path))
        if st.S_ISLNK(folder.st_mode):
            raise StoreTrouble(f"{FOLDER}: not a folder of its own; remove what is there")
        info = os.lstat(path)
    except PermissionError:
        raise StoreTrouble(f"{FOLDER}: belongs to another user; what was captured there is theirs alone") from None
    except OSError:
        return False
    if not st.S_ISDIR(folder.st_mode) or not st.S_ISREG(info.st_mode):
        raise StoreTrouble(f"{_shorten_path(path)}: not a regular file in a regular folder; remove what is there")
    for suffix in ("-wal", "-shm", "-journal"):
        # SQLite would follow a link here, and write where it leads.
        with suppress(FileNotFoundError):
            if not st.S_ISREG(os.lstat(path + suffix).st_mode):
                raise StoreTrouble(f"{_shorten_path(path)}{suffix}: not a regular file; remove what is there")
    return True


def _make_folder(root: Root, exists: bool) -> None:
    """See that the project has its own folder, ignored by git; it is made private together with its database."""
    try:
        if root.stat(f"{FOLDER}/.gitignore") is None:
            private_folder(root, FOLDER)
            put(root, f"{FOLDER}/.gitignore", b"*\n")
        if not exists:
            private_folder(root, FOLDER)
    except Refused as error:
        words = str(error).removeprefix(f"{FOLDER}: ")
        why = "not a folder of its own; remove what is there" if words == FOLDER else words
        raise StoreTrouble(f"{FOLDER}: {why}") from None


def _make(path: str, layout: Layout) -> None:
    """Make a database. It is built aside and linked into place, so that no reader sees half of one."""
    temp = f"{path}.{os.getpid()}-{os.urandom(4).hex()}~"
    with translate_sqlite_errors(path):
        os.close(os.open(temp, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600))
        try:
            connection = sqlite3.connect(temp, isolation_level=None)
            try:
                # One wait for the disk at the end does for all that is written here.
                connection.execute("PRAGMA synchronous = OFF")
                connection.execute(f"PRAGMA page_size = {_PAGE}")
                _shape(connection, layout)
                if layout.born:
                    connection.execute(layout.born, (f"{os.stat(temp).st_ino} {layout.owner}".encode(),))
                connection.execute("PRAGMA journal_mode = WAL")
            finally:
                connection.close()
            if layout.lasting:
                _sync(temp)
            with suppress(FileExistsError):
                os.link(temp, path)
        finally:
            os.unlink(temp)


def _shape(connection: sqlite3.Connection, layout: Layout) -> None:
    """Give an empty database its tables."""
    connection.execute(f"PRAGMA application_id = {layout.application}")
    connection.execute(f"PRAGMA user_version = {layout.version}")
    for statement in layout.schema:
        connection.execute(statement)


def _sync(path: str) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _connect(path: str, write: bool, layout: Layout) -> sqlite3.Connection:
    # A database on a disk that cannot be written is read as it is; otherwise even a reader needs the shared index.
    how = "mode=rw" if os.access(os.path.dirname(path), os.W_OK) else "immutable=1"
    connection = sqlite3.connect(
        f"file:{quote(path)}?{how}", uri=True, isolation_level=None, timeout=PATIENCE, check_same_thread=False
    )
    try:
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA cell_size_check = ON")
        if write:
            if st.S_IMODE(os.stat(path).st_mode) & 0o077:
                os.chmod(path, 0o600)
            connection.execute(f"PRAGMA synchronous = {'NORMAL' if layout.lasting else 'OFF'}")
            connection.execute(f"PRAGMA secure_delete = {'ON' if layout.private else 'OFF'}")
        else:
            connection.execute("PRAGMA query_only = ON")
    except BaseException:
        connection.close()
        raise
    return connection


def _verify(connection: sqlite3.Connection, layout: Layout, shown: str) -> None:
    """Refuse a database that is not ours, or of another shape: a schema can run things."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > layout.version:
        raise StoreTrouble(f"{shown}: made by a newer pincite; upgrade, or move the file away")
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    # What virtual tables keep their things in is theirs to say, so an empty database is asked.
    wanted = _tables_of(layout) if any("VIRTUAL" in sql for sql in layout.schema) else set(layout.schema)
    if application != layout.application or version != layout.version or _tables(connection) != wanted:
        raise Damaged(f"{shown}: not a store of pincite; move the file away to start anew")


def _tables(connection: sqlite3.Connection) -> set[str]:
    query = "SELECT sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    return {sql for (sql,) in connection.execute(query)}


def _tables_of(layout: Layout) -> set[str]:
    connection = open_in_memory(layout)
    try:
        return _tables(connection)
    finally:
        connection.close()
