"""The search index at rest: an FTS5 table in the user's cache folder that keeps terms and places but no text.

What a hit points at is read again from its document before it is shown, so the index is a hint and never evidence.
It can be made again from the documents at any time; one that is damaged, of another version, or that was made for
another root is thrown away. A text table would be twice as slow to write and five times as large, but FTS5 can
take a row out of a textless one only if given its text: rows of documents that changed stay behind as dead ones, are
passed over, and go when the index is made anew.
"""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import cast

import msgspec
from msgspec.structs import replace

from ..core.errors import PinciteError, Refused
from ..safe.write import alone_in
from .cache_folder import name_root, open_root_cache
from .database import Damaged, Layout, StoreTrouble, open_database, open_in_memory, translate_sqlite_errors

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator

    from ..safe.files import Root

VERSION = 2
"""Raised whenever the same documents would give other passages or terms."""
NAME, PAPERS = "index.db", "papers.db"
"""The index of a root's documents, and that of the papers of its corpus."""
_LAYOUT = Layout(
    NAME,
    0x70696E69,
    VERSION,
    (
        """CREATE TABLE document (
    base INTEGER PRIMARY KEY, count INTEGER NOT NULL, path TEXT NOT NULL UNIQUE, title TEXT NOT NULL,
    kind TEXT NOT NULL, digest BLOB NOT NULL, changed INTEGER NOT NULL, size INTEGER NOT NULL, inode INTEGER NOT NULL,
    indexed REAL NOT NULL, trouble TEXT NOT NULL, passages BLOB NOT NULL
)""",
        "CREATE VIRTUAL TABLE passage USING fts5 (text, names, head, content = '', "
        "tokenize = 'porter unicode61 remove_diacritics 2')",
        "CREATE TABLE vector (digest BLOB PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID",
        "CREATE TABLE state (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID",
        # How much FTS5 gathers in memory before it writes a segment: few large ones are faster to make and to search.
        "INSERT INTO passage (passage, rank) VALUES ('hashsize', 33554432)",
    ),
    private=False,
    lasting=False,
    born="INSERT INTO state VALUES ('inode', ?)",
)
_BATCH = 2000
_MOST_OTHERS = 2000
"""Vectors of passages that are gone, below which it is not worth to look for them."""
_MAKE_ANEW = "`pincite index --rebuild` makes it anew"
_HIGHEST, _LATEST = 1 << 62, 1e11
# Writing the function out is a third faster than FTS5's own `rank`, for which it sorts everything that matches.
_SEARCH = """SELECT id, -score, ifnull((SELECT base FROM document WHERE base <= id ORDER BY base DESC LIMIT 1), 0)
FROM (SELECT rowid AS id, bm25(passage, ?, ?, ?) AS score FROM passage WHERE passage MATCH ? ORDER BY score LIMIT ?)
ORDER BY score"""
_COUNT = """SELECT count(*) FROM (SELECT rowid AS id FROM passage WHERE passage MATCH ?)
WHERE id < (SELECT base + count FROM document WHERE base <= id ORDER BY base DESC LIMIT 1)"""


class StoredPassage(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A passage as the index keeps it: where it stands and what it said, not the words."""

    start: int
    end: int
    first: int
    last: int
    headings: tuple[str, ...]
    page: int
    digest: bytes
    """SHA-256 of its text."""


class DocumentState(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What the index knows of a document without looking into it."""

    base: int
    count: int
    path: str
    title: str
    kind: str
    digest: bytes
    """SHA-256 of the file; empty where it could not be read."""
    changed: int
    size: int
    inode: int
    indexed: float
    """Seconds since the epoch, UTC."""
    trouble: str
    """Why it could not be indexed; empty where it was."""

    @property
    def mark(self) -> tuple[int, int, int]:
        """Change time, size and inode when it was read."""
        return self.changed, self.size, self.inode


class StoredDocument(DocumentState, frozen=True, array_like=True, gc=False):
    """A document of the index."""

    passages: bytes

    def read_passages(self) -> list[StoredPassage]:
        """Its passages."""
        try:
            return _KEPT.decode(self.passages)
        except (ValueError, RecursionError):
            raise _make_damage_error() from None


class IndexedDocument(msgspec.Struct, frozen=True):
    """A document to be put into the index."""

    path: str
    title: str
    kind: str
    digest: bytes
    mark: tuple[int, int, int]
    trouble: str
    passages: bytes
    rows: list[tuple[str, str, str]]
    """For each passage what is searched: its text, the parts of its names, its headings."""


_KEPT = msgspec.msgpack.Decoder(list[StoredPassage])
pack = msgspec.msgpack.Encoder().encode


class IndexStore(AbstractContextManager["IndexStore"]):
    """The index of one root; use it as a context."""

    def __init__(self, connection: sqlite3.Connection, path: str = "", write: bool = True) -> None:
        self._connection = connection
        self.write = write
        self.path = path
        """The file; empty where the index is in memory."""
        self._rows: list[tuple[object, ...]] = []
        self._documents: list[tuple[object, ...]] = []
        self.inode = os.stat(path).st_ino if path else 0
        self._next = self._number("next") or 1

    @classmethod
    def in_memory(cls) -> IndexStore:
        """An empty index that is gone when it is closed."""
        return cls(open_in_memory(_LAYOUT))

    @classmethod
    def open(cls, root: Root, write: bool, file: str = NAME) -> IndexStore | None:
        """An index of a root, made where it is missing and `write` asks for it; None where there is none."""
        layout = replace(_LAYOUT, name=file, owner=name_root(root))
        try:
            with open_root_cache(root, make=write) as cache:
                with suppress(Damaged):
                    return cls._open_database(cache, write, layout)
                if not write:
                    raise StoreTrouble("the index cannot be used; run `pincite index` to make it anew")
                with alone_in(cache, ""):
                    # Another process may have made it anew meanwhile.
                    with suppress(Damaged):
                        return cls._open_database(cache, write, layout)
                    _discard(cache, file)
                    return cls._open_database(cache, write, layout)
        except Refused as error:
            if not write:
                return None
            raise StoreTrouble(f"no index can be kept: {error}") from None

    @classmethod
    def make(cls, root: Root, file: str = NAME) -> IndexStore:
        """An index of a root, to be written; made where it is missing."""
        # One that is opened to be written is never missing.
        return cast("IndexStore", cls.open(root, write=True, file=file))

    def anew(self, root: Root) -> IndexStore:
        """An empty index in the place of this one, which proved to be damaged; gives the one that is there now."""
        self.close()
        file = os.path.basename(self.path)
        with open_root_cache(root) as cache, alone_in(cache, ""), suppress(OSError):
            if os.stat(self.path).st_ino == self.inode:
                _discard(cache, file)
        return IndexStore.make(root, file)

    @contextmanager
    def refreshing(self, root: Root) -> Iterator[None]:
        """Keep other processes from bringing the index up to date meanwhile."""
        if self.path:
            with open_root_cache(root) as cache, alone_in(cache, ""):
                yield
        else:
            yield

    @classmethod
    def _open_database(cls, cache: Root, write: bool, layout: Layout) -> IndexStore | None:
        path = os.path.join(cache.path, layout.name)
        connection = open_database(cache, write, layout, folder="")
        if connection is None:
            return None
        try:
            with translate_sqlite_errors(path, _MAKE_ANEW):
                store = cls(connection, path, write)
                # A copy has another inode, and what was made for another root says so.
                if store.state("inode") != f"{store.inode} {layout.owner}".encode():
                    raise Damaged(f"{path}: made elsewhere")
        except BaseException:
            connection.close()
            raise
        return store

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    @contextmanager
    def changing(self) -> Iterator[None]:
        """All changes made inside become visible together, or none does."""
        with self._explain_errors():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                self._next = self._number("next") or 1
                yield
                self.flush()
                self.set_state("next", self._next.to_bytes(9, "big"))
                self._connection.execute("COMMIT")
            except BaseException:
                self._rows, self._documents = [], []
                if self._connection.in_transaction:
                    with suppress(PinciteError), self._explain_errors():
                        self._connection.execute("ROLLBACK")
                raise

    def state(self, name: str) -> bytes:
        """What was noted under a name; empty where nothing was."""
        with self._explain_errors():
            query = "SELECT value FROM state WHERE name = ?"
            (value,) = self._connection.execute(query, (name,)).fetchone() or (b"",)
        if not isinstance(value, bytes):
            raise _make_damage_error()
        return value

    def _number(self, name: str) -> int:
        """A number that was noted; 0 where none was."""
        number = int.from_bytes(self.state(name), "big")
        if number > _HIGHEST:
            raise _make_damage_error()
        return number

    def _explain_errors(self) -> AbstractContextManager[None]:
        return translate_sqlite_errors(self.path, _MAKE_ANEW)

    def set_state(self, name: str, value: bytes) -> None:
        """Note something under a name."""
        self._connection.execute("INSERT OR REPLACE INTO state VALUES (?, ?)", (name, value))

    def list_documents(self) -> dict[str, DocumentState]:
        """Every document by its path."""
        query = "SELECT base, count, path, title, kind, digest, changed, size, inode, indexed, trouble FROM document"
        with self._explain_errors():
            rows = self._connection.execute(query).fetchall()
        try:
            return {state.path: state for state in msgspec.convert(rows, list[DocumentState])}
        except ValueError:
            raise _make_damage_error() from None

    def put(self, entry: IndexedDocument, indexed: float) -> None:
        """Add a document, which must not be in the index; inside `changing`."""
        base = self._next
        self._next += max(len(entry.rows), 1)
        self._rows += [(base + at, *row) for at, row in enumerate(entry.rows)]
        head = (base, len(entry.rows), entry.path, entry.title, entry.kind, entry.digest)
        self._documents.append((*head, *entry.mark, indexed, entry.trouble, entry.passages))
        if len(self._rows) >= _BATCH or len(self._documents) >= _BATCH:
            self.flush()

    def flush(self) -> None:
        """Hand what was put to the database."""
        run = self._connection.executemany
        run("INSERT INTO passage (rowid, text, names, head) VALUES (?, ?, ?, ?)", self._rows)
        run("INSERT INTO document VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", self._documents)
        self._rows, self._documents = [], []

    def drop(self, known: DocumentState) -> None:
        """Take a document out; inside `changing`."""
        self._connection.execute("DELETE FROM document WHERE base = ?", (known.base,))
        self.set_state("dead", (self._number("dead") + max(known.count, 0)).to_bytes(9, "big"))

    def renew(self, known: DocumentState, mark: tuple[int, int, int]) -> None:
        """Note a new status of a document whose content did not change; inside `changing`."""
        row = (*mark, known.base)
        self._connection.execute("UPDATE document SET changed = ?, size = ?, inode = ? WHERE base = ?", row)

    def clear(self) -> None:
        """Empty the index; inside `changing`. What was worked out about the meaning of passages stays."""
        run = self._connection.execute
        run("INSERT INTO passage (passage) VALUES ('delete-all')")
        run("DELETE FROM document")
        run("DELETE FROM state WHERE name NOT IN ('inode', 'model', 'scope')")
        self._next = 1

    def counts(self) -> tuple[int, int, int]:
        """How many documents and passages there are, and passages of documents that changed since or are gone."""
        with self._explain_errors():
            row = self._connection.execute("SELECT count(*), total(count) FROM document WHERE trouble = ''").fetchone()
            return int(row[0]), int(row[1]), self._number("dead")

    def search(self, match: str, weights: tuple[float, float, float], limit: int) -> Iterator[tuple[int, float, int]]:
        """Passages that an FTS5 expression finds: number, score, base of their document; the best first.

        Dead ones are among them: their number is beyond the passages of the document with that base.
        """
        with self._explain_errors():
            yield from self._connection.execute(_SEARCH, (*weights, match, limit))

    def count_matches(self, match: str) -> int:
        """How many passages an FTS5 expression finds, without dead ones."""
        with self._explain_errors():
            return int(self._connection.execute(_COUNT, (match,)).fetchone()[0])

    def document(self, base: int) -> StoredDocument | None:
        """The document whose passages begin at a number."""
        with self._explain_errors():
            row = self._connection.execute("SELECT * FROM document WHERE base = ?", (base,)).fetchone()
        return _convert_row(row) if row is not None else None

    def is_unique(self, name: str) -> bool:
        """Whether no more than one document has this file name."""
        query = "SELECT count(*) FROM document WHERE path = ?1 OR substr(path, -length(?1) - 1) = '/' || ?1"
        with self._explain_errors():
            return bool(self._connection.execute(query, (name,)).fetchone()[0] < 2)

    def paths_of(self, digest: bytes) -> list[str]:
        """The documents with this content."""
        with self._explain_errors():
            rows = self._connection.execute("SELECT path FROM document WHERE digest = ? ORDER BY path", (digest,))
            return [path for (path,) in rows]

    def documents(self) -> Iterator[StoredDocument]:
        """Every document, in the order they were put."""
        with self._explain_errors():
            for row in self._connection.execute("SELECT * FROM document ORDER BY base"):
                yield _convert_row(row)

    def put_vectors(self, vectors: Iterable[tuple[bytes, bytes]]) -> None:
        """Note the meaning of passages; inside `changing`."""
        self._connection.executemany("INSERT OR REPLACE INTO vector VALUES (?, ?)", vectors)

    def keep_vectors(self, digests: set[bytes]) -> None:
        """Forget the meaning of all other passages once they are the most; inside `changing`."""
        others = self.vectors().keys() - digests
        # Not before: who goes back to another branch finds its passages again.
        if len(others) > max(_MOST_OTHERS, len(digests)):
            self._connection.executemany("DELETE FROM vector WHERE digest = ?", [(digest,) for digest in others])

    def clear_vectors(self) -> None:
        """Forget the meaning of all passages; inside `changing`."""
        self._connection.execute("DELETE FROM vector")

    def vectors(self) -> dict[bytes, bytes]:
        """The meaning of every passage it was worked out for, by the passage's digest."""
        with self._explain_errors():
            return dict(self._connection.execute("SELECT digest, data FROM vector").fetchall())


def has_index(root: Root) -> bool:
    """Whether there is an index of a root."""
    with suppress(Refused), open_root_cache(root, make=False) as cache:
        return cache.is_file(NAME)
    return False


def _discard(cache: Root, file: str) -> None:
    """Throw an index of a root away."""
    for suffix in ("-journal", "-wal", "-shm", ""):
        with suppress(OSError):
            os.unlink(file + suffix, dir_fd=cache.folder(""))


def _convert_row(row: tuple[object, ...]) -> StoredDocument:
    try:
        stored = msgspec.convert(row, StoredDocument)
    except ValueError:
        raise _make_damage_error() from None
    if not 0 <= stored.indexed < _LATEST:
        raise _make_damage_error()
    return stored


def _make_damage_error() -> Damaged:
    return Damaged(f"the index is damaged; {_MAKE_ANEW}")
