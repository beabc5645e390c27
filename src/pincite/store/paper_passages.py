"""Passages to search: which source holds them, and which terms they have. Only a hint, never evidence.

The index lies in a folder of the user, never in the tree that is searched: a tree may come from anyone, and must not be
able to bring an index of its own. What a hit points at is read again from its source before it is shown. An index
that is damaged or of another shape is thrown away; where none can be kept, one is built in memory.
"""

from __future__ import annotations

import os
import sqlite3
import stat as st
from collections import Counter
from contextlib import contextmanager, suppress
from hashlib import sha256
from math import log
from time import time

from msgspec import Struct

from ..core.errors import Refused
from .cache_folder import cache_folder, open_part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

VERSION = 2
"""Raised whenever the same texts would give other passages or terms."""
FOLDER = "passages"
MOST_TERMS = 64
_APPLICATION = 0x70696E70
_PATIENCE = 5.0
_KEPT = 64
"""How many indexes are kept; the one that was not used for the longest time goes first."""
_SCHEMA = (
    """CREATE TABLE source (
    id INTEGER PRIMARY KEY, paper TEXT NOT NULL, key TEXT NOT NULL, mark TEXT NOT NULL, digest TEXT NOT NULL,
    note TEXT NOT NULL, UNIQUE (paper, key)
)""",
    "CREATE TABLE place (id INTEGER PRIMARY KEY, source INTEGER NOT NULL, ordinal INTEGER NOT NULL)",
    "CREATE INDEX place_source ON place (source)",
    "CREATE VIRTUAL TABLE passage USING fts5 (terms, tokenize = 'unicode61 remove_diacritics 0')",
)


class IndexTrouble(Exception):
    """The index cannot be used: build one in memory instead."""

    def __init__(self, reason: str, busy: bool = False) -> None:
        super().__init__(reason)
        self.busy = busy
        """Another process holds it: it is sound, and not to be thrown away."""


class PaperSource(Struct, frozen=True):
    """A file whose passages are in the index."""

    paper: str
    key: str
    mark: str
    """What the file's status was when it was read; empty where that tells nothing."""
    digest: str
    """SHA-256 of the file."""
    note: str = ""
    """A word of the caller about it."""


class PaperHit(Struct, frozen=True):
    """A passage that may be what is looked for: which one of its source, and how well it fits (more is better)."""

    paper: str
    key: str
    ordinal: int
    score: float


class Passages:
    """An index of passages; use it as a context. Every method may raise IndexTrouble."""

    def __init__(self, connection: sqlite3.Connection, path: str = "") -> None:
        self._connection = connection
        self.path = path
        """The file; empty where the index is in memory."""

    @classmethod
    def open(cls, place: str, cache: bool = True) -> Passages:
        """The index for a place (any name for it), from an earlier time where `cache` allows, else one in memory."""
        path = _file(place) if cache else ""
        if path:
            try:
                with _translate_errors():
                    return cls(_open_index(path), path)
            except IndexTrouble as trouble:
                if not trouble.busy:
                    with suppress(OSError):
                        _remove(path)
            except OSError:
                pass
        try:
            return cls(_create_index(":memory:"))
        except sqlite3.Error:
            # Built without what it needs for this.
            return Postings()

    def __enter__(self) -> Passages:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def discard(self) -> None:
        """Throw the index away, file and all."""
        self._connection.close()
        if self.path:
            with suppress(OSError):
                _remove(self.path)

    def sources(self) -> dict[tuple[str, str], PaperSource]:
        """Every source by paper and key."""
        with _translate_errors():
            rows = self._connection.execute("SELECT paper, key, mark, digest, note FROM source").fetchall()
        found = (PaperSource(*map(str, row)) for row in rows)
        return {(source.paper, source.key): source for source in found}

    @contextmanager
    def changing(self) -> Iterator[None]:
        """All changes made inside become visible together, or none does."""
        with _translate_errors():
            self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            with suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")
            raise
        with _translate_errors():
            self._connection.execute("COMMIT")

    def put(self, source: PaperSource, passages: Iterable[Sequence[str]]) -> None:
        """Replace what is known of a source by these passages, each given as its terms."""
        self.drop(source.paper, source.key)
        with _translate_errors():
            run = self._connection.execute
            row = (source.paper, source.key, source.mark, source.digest, source.note)
            number = run("INSERT INTO source (paper, key, mark, digest, note) VALUES (?, ?, ?, ?, ?)", row).lastrowid
            for ordinal, words in enumerate(passages):
                place = run("INSERT INTO place (source, ordinal) VALUES (?, ?)", (number, ordinal)).lastrowid
                run("INSERT INTO passage (rowid, terms) VALUES (?, ?)", (place, " ".join(words)))

    def renew(self, source: PaperSource) -> None:
        """Note a new status of a source whose content did not change."""
        with _translate_errors():
            self._connection.execute(
                "UPDATE source SET mark = ? WHERE paper = ? AND key = ?", (source.mark, source.paper, source.key)
            )

    def drop(self, paper: str, key: str) -> None:
        """Forget a source."""
        with _translate_errors():
            run = self._connection.execute
            row = run("SELECT id FROM source WHERE paper = ? AND key = ?", (paper, key)).fetchone()
            if row is not None:
                run("DELETE FROM passage WHERE rowid IN (SELECT id FROM place WHERE source = ?)", row)
                run("DELETE FROM place WHERE source = ?", row)
                run("DELETE FROM source WHERE id = ?", row)

    def search(self, terms: Iterable[str], limit: int) -> list[PaperHit]:
        """The passages that share most with the terms, the best first."""
        wanted = _build_match_query(terms)
        if not wanted or limit < 1:
            return []
        with _translate_errors():
            rows = self._connection.execute(
                "SELECT source.paper, source.key, place.ordinal, found.rank FROM (SELECT rowid AS id, rank FROM passage"
                " WHERE passage MATCH ? ORDER BY rank LIMIT ?) AS found JOIN place ON place.id = found.id"
                " JOIN source ON source.id = place.source ORDER BY found.rank, source.paper, place.id",
                (wanted, limit),
            ).fetchall()
        return [PaperHit(str(paper), str(key), int(ordinal), -float(rank)) for paper, key, ordinal, rank in rows]

    def counts(self, terms: Iterable[str]) -> tuple[int, dict[str, int]]:
        """How many passages there are, and how many of them have each term."""
        with _translate_errors():
            run = self._connection.execute
            (total,) = run("SELECT count(*) FROM place").fetchone()
            run("CREATE VIRTUAL TABLE IF NOT EXISTS temp.known USING fts5vocab (main, passage, row)")
            found = {}
            for term in terms:
                row = run("SELECT doc FROM temp.known WHERE term = ?", (term.lower(),)).fetchone()
                found[term] = int(row[0]) if row is not None else 0
        return int(total), found


class Postings(Passages):
    """The same without a database, for a Python whose SQLite cannot search."""

    def __init__(self) -> None:
        self.path = ""
        self._sources: dict[tuple[str, str], tuple[PaperSource, list[Counter[str]]]] = {}

    def __exit__(self, *_: object) -> None:
        self._sources = {}

    def discard(self) -> None:
        self._sources = {}

    def sources(self) -> dict[tuple[str, str], PaperSource]:
        return {at: held[0] for at, held in self._sources.items()}

    @contextmanager
    def changing(self) -> Iterator[None]:
        yield

    def put(self, source: PaperSource, passages: Iterable[Sequence[str]]) -> None:
        self._sources[source.paper, source.key] = (source, [Counter(words) for words in passages])

    def renew(self, source: PaperSource) -> None:
        held = self._sources[source.paper, source.key][1]
        self._sources[source.paper, source.key] = (source, held)

    def drop(self, paper: str, key: str) -> None:
        self._sources.pop((paper, key), None)

    def search(self, terms: Iterable[str], limit: int) -> list[PaperHit]:
        wanted = list(dict.fromkeys(terms))[:MOST_TERMS]
        total, known = self.counts(wanted)
        mean = sum(held.total() for _, passages in self._sources.values() for held in passages) / max(total, 1)
        found = []
        for (paper, key), (_, passages) in self._sources.items():
            for ordinal, held in enumerate(passages):
                size = 1.2 * (0.25 + 0.75 * held.total() / max(mean, 1))
                score = sum(
                    log(1 + (total - known[term] + 0.5) / (known[term] + 0.5)) * held[term] * 2.2 / (held[term] + size)
                    for term in wanted
                    if term in held
                )
                if score > 0:
                    found.append(PaperHit(paper, key, ordinal, score))
        found.sort(key=lambda hit: (-hit.score, hit.paper, hit.key, hit.ordinal))
        return found[: max(limit, 0)]

    def counts(self, terms: Iterable[str]) -> tuple[int, dict[str, int]]:
        every = [held for _, passages in self._sources.values() for held in passages]
        return len(every), {term: sum(term in held for held in every) for term in terms}


def _build_match_query(terms: Iterable[str]) -> str:
    """A query in which every term is data: quoted, so that none is read as an operator."""
    kept = [term for term in dict.fromkeys(terms) if any(map(str.isalnum, term))][:MOST_TERMS]
    return " OR ".join('"' + term.replace('"', '""').replace("\0", " ") + '"' for term in kept)


@contextmanager
def _translate_errors() -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, ValueError, TypeError, OverflowError) as error:
        words = str(error)
        raise IndexTrouble(words, busy="locked" in words or "busy" in words) from None


def _file(place: str) -> str:
    """Where the index of a place is kept; empty where the user has no folder that is theirs alone."""
    try:
        with open_part(FOLDER, make=True):
            name = sha256(os.fsencode(place)).hexdigest()[:32] + ".db"
            return os.path.join(os.path.realpath(cache_folder()), FOLDER, name)
    except Refused:
        return ""


def _open_index(path: str) -> sqlite3.Connection:
    """The index at a path, made where it is missing; raises where it is not one of ours."""
    try:
        info = os.lstat(path)
    except FileNotFoundError:
        info = _begin(path)
    if not st.S_ISREG(info.st_mode) or info.st_uid != os.geteuid() or info.st_mode & 0o077:
        raise IndexTrouble("not a file of ours")
    connection = _connect_database(path)
    try:
        if _shape(connection) != _compute_expected_shape():
            raise IndexTrouble("of another shape")
    except BaseException:
        connection.close()
        raise
    os.utime(path)
    return connection


def _begin(path: str) -> os.stat_result:
    """Put an empty index in place: built aside, so that no reader sees half of one."""
    _make_room(os.path.dirname(path))
    temp = f"{path}.{os.getpid()}-{os.urandom(4).hex()}~"
    os.close(os.open(temp, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600))
    try:
        _create_index(temp).close()
        with suppress(FileExistsError):
            os.link(temp, path)
    finally:
        _remove(temp)
    return os.lstat(path)


def _connect_database(path: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, timeout=_PATIENCE)
    try:
        for setting in ("trusted_schema = OFF", "cell_size_check = ON", "synchronous = OFF", "temp_store = MEMORY"):
            connection.execute(f"PRAGMA {setting}")
    except BaseException:
        connection.close()
        raise
    return connection


def _create_index(path: str) -> sqlite3.Connection:
    """A new and empty index."""
    connection = _connect_database(path)
    try:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(f"PRAGMA application_id = {_APPLICATION}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
        for statement in _SCHEMA:
            connection.execute(statement)
        connection.execute("COMMIT")
    except BaseException:
        connection.close()
        raise
    return connection


def _shape(connection: sqlite3.Connection) -> tuple[object, ...]:
    """Everything about a database that could make it do what we do not expect."""
    marks = [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")]
    schema = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name").fetchall()
    return (*marks, *schema)


def _compute_expected_shape() -> tuple[object, ...]:
    connection = _create_index(":memory:")
    try:
        return _shape(connection)
    finally:
        connection.close()


def _remove(path: str) -> None:
    for suffix in ("-journal", "-wal", "-shm", ""):
        with suppress(FileNotFoundError):
            os.unlink(path + suffix)


def _make_room(folder: str) -> None:
    """Drop the indexes that were not used for the longest time."""
    found = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".db"):
                found.append((entry.stat(follow_symlinks=False).st_mtime, entry.path))
    long_ago = time() - 365 * 86400
    for at, (used, path) in enumerate(sorted(found, reverse=True), 1):
        if at >= _KEPT or used < long_ago:
            _remove(path)
