"""The search index at rest: what it keeps, and that nothing in its file can harm anybody."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from pincite.core.errors import PinciteError
from pincite.safe.files import Root
from pincite.search.index import Index
from pincite.store.cache_folder import root_cache_path
from pincite.store.database import Damaged, StoreTrouble
from pincite.store.search_index import IndexedDocument, IndexStore, StoredPassage, has_index, pack


def kept(top: Path) -> Path:
    """Where pincite keeps what it knows of a root."""
    with Root(str(top)) as root:
        return Path(root_cache_path(root))


WEIGHTS = (1.0, 1.0, 1.0)


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Root]:
    with Root(str(tmp_path)) as opened:
        yield opened


def opened(root: Root, write: bool = True) -> IndexStore:
    store = IndexStore.open(root, write)
    assert store is not None
    return store


def entry(path: str, *texts: str) -> IndexedDocument:
    kept = [StoredPassage(0, len(text), 1, 1, ("H",), 0, sha256(text.encode()).digest()) for text in texts]
    digest = sha256(path.encode()).digest()
    return IndexedDocument(path, "", "text", digest, (1, 2, 3), "", pack(kept), [(text, "", "") for text in texts])


def fill(store: IndexStore, *entries: IndexedDocument) -> None:
    with store.changing():
        for one in entries:
            store.put(one, 5.0)


def found(store: IndexStore, word: str) -> list[tuple[int, int]]:
    return sorted((number, base) for number, _, base in store.search(f'"{word}"', WEIGHTS, 100))


def test_there_is_none_before_one_is_made(root: Root, tmp_path: Path) -> None:
    assert IndexStore.open(root, write=False) is None
    assert not has_index(root)
    opened(root).close()
    assert has_index(root)
    assert list(tmp_path.iterdir()) == []
    assert (kept(tmp_path) / "index.db").stat().st_mode & 0o777 == 0o600


def test_what_is_put_is_found(root: Root) -> None:
    with opened(root) as store:
        fill(store, entry("a", "one two", "two"), entry("b", "two three"), entry("empty"))
        assert store.counts() == (3, 3, 0)
        assert (found(store, "two"), found(store, "three")) == ([(1, 1), (2, 1), (3, 3)], [(3, 3)])
        document = store.document(3)
        assert document is not None and document.path == "b"
        assert [kept.headings for kept in document.read_passages()] == [("H",)]
        assert (document.indexed, store.document(2)) == (5.0, None)
        assert [stored.path for stored in store.documents()] == ["a", "b", "empty"]
        assert store.paths_of(sha256(b"a").digest()) == ["a"]


def test_a_reader_sees_what_was_written_and_writes_nothing(root: Root) -> None:
    with opened(root) as store:
        fill(store, entry("a", "one"))
    with opened(root, write=False) as store:
        assert found(store, "one") == [(1, 1)]
        with pytest.raises(PinciteError), store.changing():
            store.set_state("x", b"y")


def test_a_change_that_fails_leaves_nothing(root: Root) -> None:
    with opened(root) as store:
        fill(store, entry("a", "one"))
        with pytest.raises(KeyError), store.changing():
            store.put(entry("b", "two"), 5.0)
            store.flush()
            store.drop(store.list_documents()["a"])
            raise KeyError
        assert (set(store.list_documents()), found(store, "two"), store.counts()[2]) == ({"a"}, [], 0)
        fill(store, entry("c", "three"))
        assert found(store, "three") == [(2, 2)]


def test_dropped_passages_stay_behind_and_count(root: Root) -> None:
    with opened(root) as store:
        fill(store, entry("a", "one", "one"), entry("b", "one"))
        with store.changing():
            store.drop(store.list_documents()["a"])
        assert store.counts() == (1, 1, 2)
        assert [base for _, base in found(store, "one")] == [0, 0, 3]
        with store.changing():
            store.clear()
        assert (store.counts(), found(store, "one")) == ((0, 0, 0), [])


def test_numbers_of_what_was_dropped_are_not_given_again(root: Root) -> None:
    with opened(root) as store:
        fill(store, entry("a", "old"))
        with store.changing():
            store.drop(store.list_documents()["a"])
        fill(store, entry("b", "new"))
        assert (found(store, "new"), found(store, "old")) == ([(2, 2)], [(1, 0)])


@pytest.mark.parametrize(
    ("paths", "name", "unique"),
    [
        (["a.md"], "a.md", True),
        (["a.md", "d/a.md"], "a.md", False),
        (["x/a.md", "y/a.md"], "a.md", False),
        (["x/ba.md", "a.md"], "a.md", True),
        (["x/%.md", "a.md"], "%.md", True),
        ([], "a.md", True),
    ],
)
def test_whether_a_name_tells_a_document(root: Root, paths: list[str], name: str, unique: bool) -> None:
    with opened(root) as store:
        fill(store, *(entry(path, "x") for path in paths))
        assert store.is_unique(name) is unique


def test_an_index_from_elsewhere_is_thrown_away(root: Root, tmp_path: Path) -> None:
    with opened(root) as store:
        fill(store, entry("a", "one"))
    other = tmp_path / "clone"
    other.mkdir()
    shutil.copytree(kept(tmp_path), kept(other))
    with Root(str(other)) as clone:
        with pytest.raises(StoreTrouble, match="pincite index"):
            IndexStore.open(clone, write=False)
        with opened(clone) as store:
            assert store.counts() == (0, 0, 0)
    with opened(root) as store:
        assert store.counts() == (1, 1, 0)


def test_an_index_that_does_not_say_where_it_was_made_is_thrown_away(root: Root, tmp_path: Path) -> None:
    with opened(root) as store:
        fill(store, entry("a", "one"))
    connection = sqlite3.connect(kept(tmp_path) / "index.db")
    with connection:
        connection.execute("DELETE FROM state WHERE name = 'inode'")
    connection.close()
    with opened(root) as store:
        assert store.counts() == (0, 0, 0)


def _run(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        connection.execute(statement)
    connection.close()


@pytest.mark.parametrize(
    "statements",
    [
        ["CREATE TRIGGER t AFTER INSERT ON document BEGIN DELETE FROM document; END"],
        ["CREATE VIEW v AS SELECT load_extension('x')"],
        ["CREATE TABLE more (x)"],
        ["CREATE INDEX i ON document (title)"],
        ["PRAGMA user_version = 0"],
        ["PRAGMA application_id = 7"],
        ["DROP TABLE vector"],
        ["DROP TABLE document", "CREATE VIEW document AS SELECT 1 AS base"],
        ["DROP TABLE passage"],
    ],
)
def test_a_schema_that_is_not_ours_is_thrown_away(root: Root, tmp_path: Path, statements: list[str]) -> None:
    with opened(root) as store:
        fill(store, entry("a", "one"))
    _run(kept(tmp_path) / "index.db", *statements)
    with pytest.raises(StoreTrouble):
        IndexStore.open(root, write=False)
    with opened(root) as store:
        assert store.counts() == (0, 0, 0)


def test_an_index_of_a_newer_version_is_left_alone(root: Root, tmp_path: Path) -> None:
    opened(root).close()
    _run(kept(tmp_path) / "index.db", "PRAGMA user_version = 99")
    with pytest.raises(StoreTrouble, match="newer"):
        IndexStore.open(root, write=True)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE document SET path = x'ff00' WHERE path = 'a.md'",
        "UPDATE document SET path = CAST(x'ff' AS TEXT) WHERE path = 'a.md'",
        "UPDATE document SET digest = 'text'",
        "UPDATE document SET changed = 'soon'",
        "UPDATE document SET indexed = 1e300",
        "UPDATE document SET indexed = -1e300",
        "UPDATE document SET passages = x'c1'",
        "UPDATE document SET passages = x''",
        "UPDATE document SET passages = 'text'",
        "UPDATE document SET count = -5",
        "UPDATE document SET count = 1000000000000",
        "UPDATE document SET base = -3 WHERE path = 'a.md'",
        "UPDATE document SET base = base + 1000",
        "UPDATE document SET kind = 'nonsense'",
        "UPDATE document SET kind = 'pdf'",
        "UPDATE state SET value = x'ffffffffffffffffff' WHERE name = 'next'",
        "UPDATE state SET value = 'text' WHERE name = 'next'",
        "UPDATE state SET value = 99999999999 WHERE name = 'next'",
        "UPDATE state SET value = zeroblob(1000) || x'01' WHERE name = 'next'",
        "DELETE FROM state WHERE name = 'next'",
        "UPDATE state SET value = x'ffffffffffffffffff' WHERE name = 'watch'",
        "INSERT OR REPLACE INTO state VALUES ('dead', x'ffffffffffffffffffffffff')",
        "INSERT OR REPLACE INTO state VALUES ('dead', -5)",
        "DELETE FROM passage_data",
        "UPDATE passage_data SET block = x'00'",
        "UPDATE passage_data SET block = zeroblob(100)",
        "UPDATE passage_data SET block = 'text'",
        "DELETE FROM passage_idx",
        "DELETE FROM passage_docsize",
        "UPDATE passage_docsize SET sz = x''",
        "UPDATE passage_config SET v = 99 WHERE k = 'version'",
        "DELETE FROM passage_config",
        "INSERT OR REPLACE INTO passage_config VALUES ('rank', 'nonsense(1)')",
    ],
)
def test_nonsense_in_it_is_never_a_traceback(tmp_path: Path, statement: str) -> None:
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text(f"# {name}\n\ncommon words\n")
    with Index.open(tmp_path) as index:
        index.refresh()
    _run(kept(tmp_path) / "index.db", statement)
    survives(tmp_path)


def survives(top: Path) -> None:
    """Whatever was done to the index: reading it says so or finds nothing false, and refreshing makes it good."""
    with Root(str(top)) as root:
        try:
            store = IndexStore.open(root, write=False)
            if store is not None:
                with store:
                    list(store.documents())
                    store.list_documents()
                    list(store.search('"common"', WEIGHTS, 10))
        except StoreTrouble:
            pass
    for name in ("a.md", "b.md"):
        (top / name).write_text((top / name).read_text() + "\nAnd common things.\n")
    with Index.open(top) as index:
        index.refresh()
        for hit in index.search("common"):
            text = Path(hit.document.file_path).read_text()
            assert text[hit.chunk.start_offset : hit.chunk.end_offset] == hit.chunk.content
        index.refresh(rebuild=True)
        assert len(index.search("things")) == 2
        assert index.store.counts() == (2, 2, 0)


@pytest.mark.parametrize("seed", range(40))
def test_a_damaged_file_is_never_a_traceback(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text(f"# {name}\n\ncommon words\n")
    with Index.open(tmp_path) as index:
        index.refresh()
    place = kept(tmp_path) / "index.db"
    data = bytearray(place.read_bytes())
    way = seed % 4
    if way == 0:
        for _ in range(chance.choice((1, 10, 200))):
            data[chance.randrange(100, len(data))] = chance.randrange(256)
    elif way == 1:
        del data[chance.randrange(len(data)) :]
    elif way == 2:
        start = chance.randrange(len(data))
        end = min(len(data), start + chance.choice((10, 4096, 20_000)))
        data[start:end] = bytes(end - start)
    else:
        # One page in the place of another.
        one, other = (4096 * chance.randrange(1, len(data) // 4096) for _ in range(2))
        data[one : one + 4096] = data[other : other + 4096]
    with open(place, "r+b") as stream:
        # The inode stays: the file is damaged, not replaced.
        stream.write(data)
        stream.truncate()
    survives(tmp_path)


class WithoutFullText(sqlite3.Connection):
    """A connection of a SQLite that was built without FTS5."""

    def execute(self, statement: str, *values: object) -> sqlite3.Cursor:
        if "fts5" in statement:
            raise sqlite3.OperationalError("no such module: fts5")
        return super().execute(statement, *values)


@pytest.mark.parametrize("make", [IndexStore.make, lambda root: IndexStore.in_memory()], ids=["kept", "in memory"])
def test_a_python_without_full_text_search_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: Callable[[Root], IndexStore]
) -> None:
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *place, **how: connect(*place, **how, factory=WithoutFullText))
    with Root(str(tmp_path)) as root, pytest.raises(StoreTrouble, match="this Python has no FTS5; use a Python that"):
        make(root)


@pytest.mark.parametrize("content", [b"", b"x", b"SQLite format 3\0", bytes(8192), b"# text\n" * 1000])
def test_a_file_that_is_no_database(tmp_path: Path, content: bytes) -> None:
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text(f"# {name}\n\ncommon words\n")
    kept(tmp_path).mkdir(0o700, parents=True)
    (kept(tmp_path) / "index.db").write_bytes(content)
    survives(tmp_path)


def _link(place: Path) -> None:
    place.symlink_to("elsewhere.db")


def _loop(place: Path) -> None:
    place.symlink_to(place.name)


def _fifo(place: Path) -> None:
    os.mkfifo(place)


@pytest.mark.parametrize("make", [_link, _loop, _fifo, Path.mkdir])
@pytest.mark.parametrize("suffix", ["", "-wal", "-shm", "-journal"])
def test_what_is_no_file_is_not_opened(root: Root, tmp_path: Path, make: Callable[[Path], None], suffix: str) -> None:
    opened(root).close()
    place = kept(tmp_path) / f"index.db{suffix}"
    place.unlink(missing_ok=True)
    elsewhere = kept(tmp_path) / "elsewhere.db"
    elsewhere.write_bytes(b"precious")
    make(place)
    for write in (True, False):
        with pytest.raises(StoreTrouble, match="not a regular file"):
            IndexStore.open(root, write)
    assert elsewhere.read_bytes() == b"precious"


def test_two_who_find_it_damaged_make_one_index(root: Root, tmp_path: Path) -> None:
    one, other = opened(root), opened(root)
    again = one.anew(root)
    fill(again, entry("a", "one"))
    # The other's damaged file is not there any more: what is there now is left alone.
    third = other.anew(root)
    assert third.counts() == (1, 1, 0)
    again.close()
    third.close()


def test_damage_names_the_remedy(root: Root, tmp_path: Path) -> None:
    with opened(root) as store:
        fill(store, entry("a", "one"))
    _run(kept(tmp_path) / "index.db", "UPDATE document SET passages = x'c1'")
    with opened(root, write=False) as store:
        stored = store.document(1)
        assert stored is not None
        with pytest.raises(Damaged, match="pincite index --rebuild"):
            stored.read_passages()


def test_vectors(root: Root) -> None:
    with opened(root) as store:
        with store.changing():
            store.put_vectors([(b"a", b"1"), (b"b", b"2")])
            store.clear()
        assert store.vectors() == {b"a": b"1", b"b": b"2"}
