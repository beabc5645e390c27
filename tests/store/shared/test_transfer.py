"""A whole store to a file and back: both ways without loss, and a damaged or hostile file changes nothing."""

from __future__ import annotations

import gzip
import os
import random
import resource
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from pincite.core.errors import UsageError
from pincite.store.database import StoreTrouble
from pincite.store.shared import SchemaMismatch, SharedStore, open_backend, open_store
from pincite.store.shared.backend import parse_address
from pincite.store.shared.records import NewVerdict, StoredEvidence
from pincite.store.shared.schema import load_migrations, migrate, read_state
from pincite.store.shared.transfer import export_store, import_store
from support_store import fill_everything, fill_store, make_login, make_store, make_verdicts, write_check

LATEST = load_migrations("sqlite")[-1].version


def export(address: str, path: Path) -> bytes:
    """The bytes of an export."""
    with open_store(parse_address(address), write=False) as store:
        export_store(store.backend, str(path))
    return path.read_bytes()


def take_in(address: str, path: Path) -> None:
    with closing(open_backend(parse_address(address))) as backend:
        import_store(backend, str(path))


def row_count(address: str) -> int:
    """How many rows there are in all tables but those that every store has."""
    with closing(open_backend(parse_address(address))) as backend:
        if not read_state(backend).version:
            return 0
        return sum(
            backend.query(f"SELECT count(*) FROM {table}")[0][0] for table in ("repository", "verdict", "evidence")
        )


@pytest.fixture
def exported(tmp_path: Path) -> Path:
    """The export of a small store."""
    address, path = f"sqlite://{tmp_path}/from.db", tmp_path / "store.jsonl.gz"
    with make_store(address) as store:
        fill_everything(store)
    export(address, path)
    return path


@pytest.mark.parametrize("seed", range(4))
def test_random_stores_travel_both_ways_without_loss(tmp_path: Path, postgres_server: Any, seed: int) -> None:
    first, third = f"sqlite://{tmp_path}/1.db", f"sqlite://{tmp_path}/3.db"
    second, fourth = postgres_server.new_database(), postgres_server.new_database()
    with make_store(first) as store:
        fill_everything(store, seed)
        counted = [store.overview.summarize(), store.teams.list(), store.evidence.count()]
    files = [export(first, tmp_path / "0.gz")]
    for number, address in enumerate((second, third, fourth), 1):
        take_in(address, tmp_path / f"{number - 1}.gz")
        files.append(export(address, tmp_path / f"{number}.gz"))
        with open_store(parse_address(address)) as store:
            assert store.verdicts.reconcile() == []
            assert [store.overview.summarize(), store.teams.list(), store.evidence.count()] == counted
    assert len(set(files)) == 1


TEXT = some.text(some.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    some.lists(
        some.tuples(TEXT, TEXT, TEXT, some.integers(-(2**63), 2**63 - 1), some.binary(max_size=50)),
        max_size=8,
        unique_by=(lambda row: row[3]),
    )
)
def test_any_text_number_and_bytes_come_back(
    postgres_server: Any, tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str, str, int, bytes]]
) -> None:
    folder = tmp_path_factory.mktemp("any")
    first, second = f"sqlite://{folder}/1.db", postgres_server.new_database()
    with make_store(first) as store:
        team = store.teams.get("default")
        store.evidence.put(
            team, [StoredEvidence("text", one, two, abs(number) // 2, data) for one, two, _, number, data in rows]
        )
        verdicts = [NewVerdict(number, one, 1, 2, two, three, one) for one, two, three, number, _ in rows]
        write_check(store, "a", "1", verdicts, 1)
    before = export(first, folder / "1.gz")
    take_in(second, folder / "1.gz")
    assert export(second, folder / "2.gz") == before
    postgres_server.execute(f"DROP DATABASE {second.rpartition('/')[2]}")


def test_a_database_that_sorts_by_language(postgres_server: Any, tmp_path: Path) -> None:
    try:
        postgres_server.execute(
            "CREATE DATABASE swedish TEMPLATE template0 ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'sv-SE'"
        )
    except Exception as error:
        pytest.skip(f"this PostgreSQL sorts by bytes only ({error})")
    keys = ["a", "B", "b", "ä", "z", "Z", "å", "a b", "a-b", "ab", "_", "漢"]
    first, second = f"sqlite://{tmp_path}/1.db", postgres_server.address("swedish")
    with make_store(first) as store:
        store.evidence.put(store.teams.get("default"), [StoredEvidence("text", "p", key, 1, b"") for key in keys])
    before = export(first, tmp_path / "1.gz")
    take_in(second, tmp_path / "1.gz")
    assert export(second, tmp_path / "2.gz") == before
    with open_store(parse_address(second)) as store:
        found = [one.key for one in store.evidence.read_all(store.teams.get("default"), "text", "p")]
        assert sorted(found) == sorted(keys) and found != sorted(keys)


def test_what_is_imported_goes_on(store_address: str, exported: Path) -> None:
    """New rows get new numbers, and new checks stand over imported ones."""
    take_in(store_address, exported)
    with open_store(parse_address(store_address)) as store:
        before = {one.name for one in store.overview.summarize()}
        ticket = store.verdicts.take_ticket()
        assert ticket > max(number for (number,) in store.backend.query("SELECT ticket FROM shard"))
        assert write_check(store, "github.com/default/0", "e" * 40, make_verdicts(9), ticket)
        assert write_check(store, "new", "e" * 40, make_verdicts(9), store.verdicts.take_ticket())
        fresh = {one.name: one for one in store.overview.summarize()}
        assert set(fresh) == before | {"new"}
        assert fresh["github.com/default/0"].commit == "e" * 40
        assert store.teams.set("green").id > 2
        assert store.verdicts.reconcile() == []


def test_an_export_is_of_one_moment(store_address: str, tmp_path: Path) -> None:
    """A fleet goes on writing; every export adds up."""
    ended, failures = threading.Event(), list[BaseException]()
    make_store(store_address).close()

    def work() -> None:
        try:
            with open_store(parse_address(store_address)) as store:
                ticket = 0
                while not ended.is_set():
                    ticket += 1
                    write_check(store, f"r{ticket % 5}", f"{ticket:x}", make_verdicts(40, ticket), ticket)
        except BaseException as error:
            failures.append(error)

    writer = threading.Thread(target=work)
    writer.start()
    try:
        for number in range(5):
            export(store_address, tmp_path / f"{number}.gz")
    finally:
        ended.set()
        writer.join()
    assert failures == []
    for number in range(5):
        take_in(f"sqlite://{tmp_path}/{number}.db", tmp_path / f"{number}.gz")
        with open_store(parse_address(f"sqlite://{tmp_path}/{number}.db")) as store:
            assert store.verdicts.reconcile() == []


def test_a_store_that_is_not_empty_is_left_alone(store_address: str, exported: Path) -> None:
    for prepare in (
        lambda store: write_check(store, "mine", "1", make_verdicts(3), 1),
        lambda store: store.teams.set("mine"),
        lambda store: store.teams.set("default", store.teams.get("default").limits.__class__(sources=3)),
    ):
        with make_store(store_address) as store:
            prepare(store)
            before = store.overview.summarize(), store.teams.list()
            with pytest.raises(StoreTrouble, match="is not empty; name a new database with --database"):
                import_store(store.backend, str(exported))
            assert (store.overview.summarize(), store.teams.list()) == before


def test_a_login_that_sees_some_teams_exports_none(postgres_server: Any, tmp_path: Path) -> None:
    address = postgres_server.new_database()
    with make_store(address) as store:
        fill_store(store)
        login = make_login(postgres_server, address, "exporter_1")
        store.teams.grant("exporter_1", "default", "worker")
    with open_store(parse_address(login)) as store, pytest.raises(StoreTrouble, match="does not see all teams"):
        export_store(store.backend, str(tmp_path / "x.gz"))
    assert list(tmp_path.iterdir()) == []


# Damage


def test_a_cut_file_changes_nothing(exported: Path, tmp_path: Path, store_address: str) -> None:
    data = exported.read_bytes()
    draw = random.Random(2)
    cuts = {0, 1, 5, 11, len(data) - 1, len(data) - 4, len(data) - 9} | {draw.randrange(len(data)) for _ in range(40)}
    place = tmp_path / "cut.gz"
    for cut in cuts:
        place.write_bytes(data[:cut])
        with pytest.raises(StoreTrouble):
            take_in(store_address, place)
        assert row_count(store_address) == 0


def test_a_file_cut_between_lines_changes_nothing(exported: Path, tmp_path: Path, store_address: str) -> None:
    lines = gzip.decompress(exported.read_bytes()).splitlines(keepends=True)
    place = tmp_path / "cut.gz"
    for number in (0, 1, 2, len(lines) // 2, len(lines) - 1):
        place.write_bytes(gzip.compress(b"".join(lines[:number])))
        with pytest.raises(StoreTrouble, match=r"line [0-9]+: "):
            take_in(store_address, place)
        assert row_count(store_address) == 0


def test_a_changed_byte_changes_nothing(exported: Path, tmp_path: Path, store_address: str) -> None:
    data = exported.read_bytes()
    plain, draw = gzip.decompress(data), random.Random(3)
    place = tmp_path / "changed.gz"
    for _ in range(60):
        at = draw.randrange(len(data))
        place.write_bytes(data[:at] + bytes([data[at] ^ (1 << draw.randrange(8))]) + data[at + 1 :])
        try:
            take_in(store_address, place)
        except (StoreTrouble, UsageError):
            assert row_count(store_address) == 0
        else:
            # A field of the gzip header that says nothing about the content.
            assert at < 10
            return
        at = draw.randrange(len(plain))
        place.write_bytes(gzip.compress(plain[:at] + bytes([plain[at] ^ 1]) + plain[at + 1 :]))
        with pytest.raises(StoreTrouble):
            take_in(store_address, place)
        assert row_count(store_address) == 0


def seal(lines: list[bytes]) -> bytes:
    """A file with these lines and the right digest: one that was made to deceive."""
    body = b"".join(line + b"\n" for line in lines)
    rows = sum(line.startswith(b"[") for line in lines)
    return gzip.compress(body + b'{"rows":%d,"sha256":"%s"}\n' % (rows, sha256(body).hexdigest().encode()))


def hostile_files(lines: list[bytes]) -> Iterator[tuple[str, list[bytes]]]:
    at = next(number for number, line in enumerate(lines) if line.startswith(b'{"table":"repository"'))
    row = lines[at + 1]
    header = lines[at]
    for name, changed in {
        "number too large": row.replace(b"[1,", b"[9223372036854775808,", 1),
        "number out of the range of the column": row.replace(b"[1,1,", b"[1,99999999,", 1),
        "text for a number": row.replace(b"[1,", b'["x",', 1),
        "too few": b"[1]",
        "too many": row[:-1] + b",1]",
        "object": b'{"a":1}',
        "a team that is not there": row.replace(b"[1,1,", b"[1,77,", 1),
        "null": row.replace(b"[1,", b"[null,", 1),
        "the same row twice": row + b"\n" + row,
        "deep": b"[" * 10_000 + b"]" * 10_000,
        "no JSON": b"[1,",
        "not text": b'[1,1,"\xff\xfe","x",1,null]',
    }.items():
        yield name, [*lines[: at + 1], *changed.split(b"\n"), *lines[at + 2 :]]
    for name, changed in {
        "unknown table": header.replace(b'"repository"', b'"pg_authid"'),
        "statement as a table": header.replace(b'"repository"', b'"team; DROP TABLE team"'),
        "statement as a column": header.replace(b'"location"', b'"location) VALUES (1); DROP TABLE team; --"'),
        "column missing": header.replace(b',"location"', b""),
        "column twice": header.replace(b'"location"', b'"name"'),
        "table twice": lines[1],
        "schema_version": header.replace(b'"repository"', b'"schema_version"'),
    }.items():
        yield name, [*lines[:at], changed, *lines[at + 1 :]]
    for schema in (0, -1, LATEST + 1, 10**6):
        yield f"schema {schema}", [b'{"pincite-store":1,"schema":%d}' % schema, *lines[1:]]
    yield "format 2", [b'{"pincite-store":2,"schema":%d}' % LATEST, *lines[1:]]
    yield "no header", lines[1:]
    yield "a table is missing", [line for line in lines if not line.startswith(b'{"table":"evidence"')]
    yield "nothing", []


def test_a_hostile_file_changes_nothing(exported: Path, tmp_path: Path, store_address: str) -> None:
    lines = gzip.decompress(exported.read_bytes()).splitlines()[:-1]
    place = tmp_path / "hostile.gz"
    for name, changed in hostile_files(lines):
        place.write_bytes(seal(changed))
        with pytest.raises(StoreTrouble) as error:
            take_in(store_address, place)
        assert row_count(store_address) == 0, name
        if name in ("the same row twice", "a team that is not there"):
            # The file is at fault, not the store that it was to go into.
            assert str(error.value).startswith(f"{place}: nothing was imported: a row of it comes twice, or refers to")
    place.write_bytes(seal(lines))
    take_in(store_address, place)
    assert row_count(store_address) > 0


def test_a_text_that_only_sqlite_takes(exported: Path, tmp_path: Path, postgres_address: str) -> None:
    data = gzip.decompress(exported.read_bytes()).replace(b'"github.com/default/0"', b'"a\\u0000b"')
    place = tmp_path / "nul.gz"
    place.write_bytes(seal(data.splitlines()[:-1]))
    with pytest.raises(StoreTrouble, match="nothing was imported"):
        take_in(postgres_address, place)
    assert row_count(postgres_address) == 0


def test_a_line_without_end_does_not_fill_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pincite.store.shared import export_file

    monkeypatch.setattr(export_file, "_LONGEST_LINE", 1_000_000)
    place = tmp_path / "bomb.gz"
    with gzip.open(place, "wb") as file:
        file.write(b'{"pincite-store":1,"schema":1}\n[')
        for _ in range(100):
            file.write(b" " * 1_000_000)
    with pytest.raises(StoreTrouble, match="line 2: the line is too long"):
        take_in(f"sqlite://{tmp_path}/x.db", place)


@pytest.mark.parametrize("kind", ["missing", "folder", "pipe", "text", "empty"])
def test_what_is_no_export(tmp_path: Path, kind: str) -> None:
    place = tmp_path / "x.gz"
    if kind == "folder":
        place.mkdir()
    elif kind == "pipe":
        os.mkfifo(place)
    elif kind != "missing":
        place.write_bytes(b"hello\n" if kind == "text" else b"")
    with pytest.raises(StoreTrouble):
        take_in(f"sqlite://{tmp_path}/x.db", place)
    assert not (tmp_path / "x.db").exists()


# The file that is written


def test_a_file_that_is_no_export_is_not_replaced(tmp_path: Path) -> None:
    address = f"sqlite://{tmp_path}/x.db"
    make_store(address).close()
    for name in ("x.db", "notes.md"):
        place = tmp_path / name
        if name == "notes.md":
            place.write_text("mine\n")
        before = place.read_bytes()
        with pytest.raises(UsageError, match="is there and is no export; name another file"):
            export(address, place)
        assert place.read_bytes() == before
    (tmp_path / "folder").mkdir()
    with pytest.raises(UsageError, match="is no export"):
        export(address, tmp_path / "folder")


def test_an_export_replaces_an_older_one_whole_or_not_at_all(
    exported: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, before = f"sqlite://{tmp_path}/other.db", exported.read_bytes()
    make_store(address).close()
    with monkeypatch.context() as broken:
        broken.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(28, "No space left on device")))
        with pytest.raises(StoreTrouble, match="No space left on device"):
            export(address, exported)
    assert exported.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir() if one.name.endswith("~")] == []
    assert export(address, exported) != before
    assert exported.stat().st_mode & 0o777 == 0o600


LIMITED = """
import resource, sys
sys.path.insert(0, sys.argv[3])
from pincite.store.database import StoreTrouble
from pincite.store.shared import open_backend
from pincite.store.shared.backend import parse_address
from pincite.store.shared.transfer import export_store
import signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
backend = open_backend(parse_address(sys.argv[1]))
backend.query("SELECT 1")
resource.setrlimit(resource.RLIMIT_FSIZE, (2_000, 2_000))
try:
    export_store(backend, sys.argv[2])
except StoreTrouble as error:
    print(error)
"""


def test_a_full_disk_leaves_the_old_file(exported: Path, tmp_path: Path) -> None:
    address, before = f"sqlite://{tmp_path}/large.db", exported.read_bytes()
    with make_store(address) as store:
        write_check(store, "a", "1", make_verdicts(5_000), 1)
    command = [sys.executable, "-c", LIMITED, address, str(exported), str(Path(__file__).parents[3] / "src")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "cannot be written (File too large); nothing was changed" in done.stdout, done.stderr
    assert exported.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir() if one.name.endswith("~")] == []
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 2_000


# Schemas


@pytest.mark.parametrize("version", range(1, LATEST + 1))
def test_an_export_of_every_earlier_schema(tmp_path: Path, store_address: str, version: int) -> None:
    with closing(open_backend(parse_address(f"sqlite://{tmp_path}/old.db"))) as old:
        migrate(old, version)
        with SharedStore(old) as store:
            write_check(store, "a", "1", make_verdicts(10), 1)
            export_store(old, str(tmp_path / "old.gz"))
    take_in(store_address, tmp_path / "old.gz")
    with open_store(parse_address(store_address)) as store:
        assert [one.citations for one in store.overview.summarize()] == [10]


def test_a_store_of_a_newer_schema_is_not_exported_by_halves(
    tmp_path: Path, store_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_store(store_address).close()
    with closing(open_backend(parse_address(store_address))) as backend:
        backend.run("INSERT INTO schema_version VALUES (?, 1, 'later', 1)", (LATEST + 1,))
        with pytest.raises(SchemaMismatch, match="an export would not be whole; upgrade pincite"):
            export_store(backend, str(tmp_path / "half.gz"))
    assert not (tmp_path / "half.gz").exists()


def test_an_older_export_into_a_newer_store(tmp_path: Path, store_address: str) -> None:
    with closing(open_backend(parse_address(f"sqlite://{tmp_path}/old.db"))) as old:
        migrate(old, 1)
        export_store(old, str(tmp_path / "old.gz"))
    make_store(store_address).close()
    with pytest.raises(SchemaMismatch, match="import into a new, empty database"):
        take_in(store_address, tmp_path / "old.gz")
