"""Migrations: from every earlier version with rows in it, at once, killed, newer, older, altered; readers go on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from textwrap import dedent
from time import monotonic

import pytest

from pincite.store.shared import SchemaMismatch, SharedStore, open_backend, open_store, schema
from pincite.store.shared.backend import POSTGRESQL, SQLITE, Backend, parse_address
from pincite.store.shared.overview import Overview
from pincite.store.shared.postgres import PostgresBackend
from pincite.store.shared.schema import Migration, list_tables, load_migrations, migrate, read_state, require_schema
from support_store import fill_store, make_store, make_verdicts, write_check

LATEST = load_migrations(POSTGRESQL)[-1].version
ADDED = "ALTER TABLE repository ADD COLUMN extra integer NOT NULL DEFAULT 7;\n"
"""What a next migration might do."""


@pytest.fixture
def backend(store_address: str) -> Iterator[Backend]:
    with closing(open_backend(parse_address(store_address))) as opened:
        yield opened


def add_migrations(monkeypatch: pytest.MonkeyPatch, *added: Migration) -> None:
    """A later program, with further migrations."""
    known = {kind: load_migrations(kind) for kind in (POSTGRESQL, SQLITE)}
    monkeypatch.setattr(schema, "load_migrations", lambda kind: (*known[kind], *added))


def test_both_kinds_have_the_same_migrations() -> None:
    one, other = ([(file.version, file.readers) for file in load_migrations(kind)] for kind in (POSTGRESQL, SQLITE))
    assert one == other
    assert [version for version, _ in one] == list(range(1, len(one) + 1))
    assert all(readers <= version for version, readers in one)


def test_both_kinds_have_the_same_tables_and_columns(postgres_address: str, tmp_path: Path) -> None:
    found = []
    for address in (postgres_address, f"sqlite://{tmp_path}/x.db"):
        with closing(open_backend(parse_address(address))) as backend:
            migrate(backend)
            found.append(
                {
                    table: [
                        (one.name, int if one.kind is bool else one.kind, one.is_nullable, one.key)
                        for one in backend.list_columns(table)
                    ]
                    for table in list_tables(backend)
                    if table != "ticket"
                }
            )
    assert found[0] == found[1]


def test_a_second_time_there_is_nothing_to_do(backend: Backend) -> None:
    assert read_state(backend).version == 0
    assert migrate(backend) == list(range(1, LATEST + 1))
    assert migrate(backend) == []
    assert read_state(backend).version == LATEST


VERDICT_COLUMNS = "citation, repository, since, document, line, team, outcome, finding, written, message"
EARLIER_ROWS = (
    "INSERT INTO repository (id, team, name, location, added, current) VALUES (1, 1, 'a', '/a', 1, 1)",
    "INSERT INTO shard (id, team, repository, commit_id, settings, version, committed, ticket, finished, seconds, "
    "documents, citations, trace) VALUES (1, 1, 1, 'c', 's', 'v', 1, 1, 1, 0.1, 1, 1, '')",
    "INSERT INTO tally (shard, outcome, team, number, appeared) VALUES (1, 0, 1, 1, 0)",
    "INSERT INTO document (id, team, repository, path) VALUES (1, 1, 1, 'a.md')",
    f"INSERT INTO verdict ({VERDICT_COLUMNS}) VALUES (5, 1, 1, 1, 1, 1, 0, '', 'x', '')",
)
"""Rows of the first version, which every later one must understand."""


@pytest.mark.parametrize("version", range(1, LATEST + 1))
def test_from_every_earlier_version_with_rows_in_it(backend: Backend, version: int) -> None:
    assert migrate(backend, version) == list(range(1, version + 1))
    for statement in EARLIER_ROWS:
        backend.run(statement)
    assert migrate(backend) == list(range(version + 1, LATEST + 1))
    for table, column in (("repository", "id"), ("shard", "id"), ("document", "id")):
        backend.follow_ids(table, column)
    with SharedStore(backend) as store:
        assert [one.name for one in store.overview.summarize()] == ["a"]
        assert [one.written for one in store.overview.history(1, 5)] == ["x"]
        assert store.verdicts.reconcile() == []
        fill_store(store)
        assert store.verdicts.reconcile() == []


@pytest.mark.parametrize("version", range(LATEST))
def test_an_older_store_is_refused_with_what_to_do(backend: Backend, version: int) -> None:
    if version:
        migrate(backend, version)
    for write in (False, True):
        with pytest.raises(SchemaMismatch, match=r"run `pincite store migrate`"):
            require_schema(backend, write)


# Newer stores, and altered ones


def test_a_newer_store_is_read_where_it_allows_it(
    store_address: str, backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This program is the older one then."""
    with make_store(store_address) as store:
        fill_store(store)
    with monkeypatch.context() as later:
        add_migrations(later, Migration(LATEST + 1, LATEST, ADDED))
        assert migrate(backend) == [LATEST + 1]
        assert read_state(backend).readers == LATEST
    with open_store(parse_address(store_address), write=False) as store:
        assert store.overview.summarize()
    with pytest.raises(SchemaMismatch, match="which must not write to it; upgrade pincite"):
        open_store(parse_address(store_address))
    with pytest.raises(SchemaMismatch, match="nothing was changed; upgrade pincite"):
        migrate(backend)


def test_a_newer_store_that_older_readers_do_not_understand(
    store_address: str, backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_store(store_address).close()
    with monkeypatch.context() as later:
        add_migrations(later, Migration(LATEST + 1, LATEST + 1, ADDED))
        migrate(backend)
    for write, what in ((False, "must not read it"), (True, "must not write to it")):
        with pytest.raises(SchemaMismatch, match=what):
            open_store(parse_address(store_address), write)


def test_a_writer_that_was_open_before_the_migration_writes_no_more(
    store_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with make_store(store_address) as old:
        assert write_check(old, "a", "1", make_verdicts(3), 1)
        with monkeypatch.context() as later, closing(open_backend(parse_address(store_address))) as backend:
            add_migrations(later, Migration(LATEST + 1, LATEST, ADDED))
            migrate(backend)
        with pytest.raises(SchemaMismatch, match="upgrade pincite"):
            write_check(old, "a", "2", make_verdicts(3), 2)
        assert old.overview.summarize()


def test_a_file_that_was_changed_after_it_was_applied(backend: Backend, monkeypatch: pytest.MonkeyPatch) -> None:
    migrate(backend)
    kind = backend.address.kind
    first, *others = load_migrations(kind)
    altered = (Migration(first.version, first.readers, first.script + "\n-- altered\n"), *others)
    monkeypatch.setattr(schema, "load_migrations", lambda _: altered)
    with pytest.raises(SchemaMismatch, match="migration 1 was applied in another form; nothing was changed"):
        migrate(backend)


def test_a_migration_that_fails_leaves_nothing(
    store_address: str, backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    with make_store(store_address) as store:
        fill_store(store)
        before = store.backend.query("SELECT * FROM repository ORDER BY id")
        add_migrations(monkeypatch, Migration(LATEST + 1, 1, f"{ADDED}INSERT INTO nowhere VALUES (1);\n"))
        with pytest.raises(Exception, match="nowhere"):
            migrate(backend)
        assert read_state(backend).version == LATEST
        assert store.backend.query("SELECT * FROM repository ORDER BY id") == before


# Several at once, and killed ones

CHILD = """
    import sys
    from pincite.store.shared import open_backend, schema
    from pincite.store.shared.backend import parse_address
    from pincite.store.shared.schema import Migration, load_migrations, migrate

    address = parse_address(sys.argv[1])
    backend = open_backend(address)
    known = load_migrations(address.kind)
    added = [Migration(int(version), 1, script) for version, _, script in (one.partition(" ") for one in sys.argv[2:])]
    schema.load_migrations = lambda kind: (*known, *added)
    print(",".join(map(str, migrate(backend))), flush=True)
"""


def start_migration(address: str, *added: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3] / "src")}
    command = [sys.executable, "-c", dedent(CHILD), address, *added]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_several_processes_at_once(store_address: str) -> None:
    children = [start_migration(store_address) for _ in range(4)]
    found = [child.communicate() for child in children]
    assert [child.returncode for child in children] == [0] * 4, found
    applied = [number for out, _ in found for number in out.strip().split(",") if number]
    assert sorted(applied) == [str(number) for number in range(1, LATEST + 1)]


SLOW = {
    POSTGRESQL: "CREATE TABLE half (a int); INSERT INTO half VALUES (1); SELECT pg_sleep({}); "
    "CREATE TABLE other (a int);",
    SQLITE: "CREATE TABLE half (a int);\nINSERT INTO half WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 "
    "FROM n WHERE i < {}000000) SELECT max(i) FROM n;\nCREATE TABLE other (a int);",
}


@pytest.mark.parametrize("between", [False, True])
def test_a_migration_that_is_killed(store_address: str, between: bool) -> None:
    """Inside a file nothing of it stays; between two files the first one stays whole."""
    with make_store(store_address) as store:
        fill_store(store)
        kind, shown = store.backend.address.kind, store.overview.summarize()
        first = [f"{LATEST + 1} {ADDED}"] if between else []
        slow = SLOW[kind].format(600 if kind == POSTGRESQL else 900)
        child = start_migration(store_address, *first, f"{LATEST + 1 + len(first)} {slow}")
        try:
            wait_until_at_work(store, child, between)
        finally:
            child.send_signal(signal.SIGKILL)
            child.communicate()
        end_sleepers(store)
        with closing(open_backend(parse_address(store_address))) as backend:
            assert read_state(backend).version == LATEST + between
            assert not backend.has_table("half") and not backend.has_table("other")
            assert ("extra" in [one.name for one in backend.list_columns("repository")]) is between
        # Nothing is left that keeps the next one out.
        again = start_migration(store_address, *first, f"{LATEST + 1 + len(first)} {SLOW[kind].format(0)}")
        out, error = again.communicate()
        assert (again.returncode, out.strip()) == (0, str(LATEST + 1 + between)), error
        assert store.overview.summarize() == shown


def wait_until_at_work(store: SharedStore, child: subprocess.Popen[str], between: bool) -> None:
    """Wait until the slow statement of the last file runs."""
    while child.poll() is None:
        if store.backend.address.kind == POSTGRESQL:
            if store.backend.query(
                "SELECT 1 FROM pg_stat_activity WHERE query LIKE ? AND state = ?", ("%half%", "active")
            ):
                rows = store.backend.query(
                    "SELECT 1 FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND wait_event = 'PgSleep'"
                )
                if rows:
                    return
        elif (read_state(store.backend).version == LATEST + between) and is_locked(store.backend.address.target):
            return
    raise AssertionError(child.communicate())


def is_locked(path: str) -> bool:
    """Whether another process writes to a file of SQLite, for longer than a small migration takes."""
    import sqlite3

    with closing(sqlite3.connect(path, timeout=0.5, isolation_level=None)) as connection:
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return True
        connection.execute("ROLLBACK")
        return False


def end_sleepers(store: SharedStore) -> None:
    """A server notices that a client is gone when its statement ends; ours would sleep for long."""
    if store.backend.address.kind == POSTGRESQL:
        store.backend.query(
            "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
        )


# Readers


def test_readers_go_on_while_a_migration_runs(store_address: str) -> None:
    """No question fails, and none waits for longer than a migration may wait for its locks."""
    with make_store(store_address) as store:
        fill_store(store)
    ended, failures, waits = threading.Event(), list[str](), [0.0]

    def read() -> None:
        try:
            with closing(open_backend(parse_address(store_address))) as backend:
                while not ended.is_set():
                    began = monotonic()
                    assert Overview(backend).summarize()
                    waits.append(monotonic() - began)
        except BaseException as error:
            failures.append(str(error))

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    try:
        for number in range(1, 6):
            script = f"ALTER TABLE repository ADD COLUMN extra{number} integer NOT NULL DEFAULT 7;"
            added = [f"{LATEST + at} {script.replace(f'extra{number}', f'extra{at}')}" for at in range(1, number + 1)]
            child = start_migration(store_address, *added)
            out, error = child.communicate()
            assert (child.returncode, out.strip()) == (0, str(LATEST + number)), error
    finally:
        ended.set()
        for reader in readers:
            reader.join()
    assert failures == []
    assert max(waits) < 30


def test_a_migration_behind_a_long_reader_does_not_make_others_wait(postgres_address: str) -> None:
    """It asks for its locks for a short time only, and again."""
    with make_store(postgres_address) as store:
        fill_store(store)
        address = store.backend.address
        with closing(open_backend(address)) as long, long.snapshot():
            assert long.query("SELECT count(*) FROM repository")
            child = start_migration(postgres_address, f"{LATEST + 1} {ADDED}")
            waits = store.backend
            while not waits.query("SELECT 1 FROM pg_locks WHERE NOT granted"):
                assert child.poll() is None
            began = monotonic()
            assert store.overview.summarize()
            assert monotonic() - began < 20
            assert child.poll() is None
        out, error = child.communicate()
        assert (child.returncode, out.strip()) == (0, str(LATEST + 1)), error


def test_a_migration_gives_up_behind_a_reader_that_never_ends(postgres_address: str) -> None:
    make_store(postgres_address).close()
    address = parse_address(postgres_address)
    with closing(open_backend(address)) as long, long.snapshot():
        assert long.query("SELECT count(*) FROM repository")
        with closing(PostgresBackend(address, 0.0)) as backend, pytest.MonkeyPatch.context() as later:
            add_migrations(later, Migration(LATEST + 1, 1, ADDED))
            with pytest.raises(Exception, match="lock timeout"):
                migrate(backend)
            assert read_state(backend).version == LATEST
