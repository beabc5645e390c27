"""What goes wrong with a server: clear words without secrets, nothing lost, nothing there twice."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pincite.core.errors import UsageError
from pincite.store.database import StoreTrouble
from pincite.store.shared import SharedStore, StoreUnavailable, open_backend, open_store
from pincite.store.shared.backend import Backend, parse_address
from pincite.store.shared.postgres import PostgresBackend
from pincite.store.shared.records import NewVerdict
from support_postgres import PostgresServer, find_binaries, free_port
from support_store import make_login, make_store, make_verdicts, name_of, write_check

psycopg = pytest.importorskip("psycopg")
SECRET = "hunter-22-secret"


@pytest.fixture(scope="module")
def own_server() -> Iterator[PostgresServer]:
    """A server that tests may stop and kill."""
    if not find_binaries():
        pytest.skip("no PostgreSQL: install the package postgresql, or run `make postgres`")
    # What was committed has to outlive a server that is killed.
    server = PostgresServer("synchronous_commit=on")
    try:
        server.start()
        yield server
    finally:
        server.remove()


@pytest.fixture
def store(own_server: PostgresServer) -> Iterator[SharedStore]:
    with make_store(own_server.new_database()) as opened:
        yield opened


def connect(address: str, patience: float = 0.0) -> Backend:
    return open_backend(parse_address(address), patience)


def complaint(address: str, kind: type[StoreTrouble] = StoreTrouble) -> str:
    """What is said where nothing can be asked at an address."""
    with closing(connect(address)) as backend, pytest.raises(kind) as error:
        backend.query("SELECT 1")
    assert type(error.value) is kind
    assert error.value.__cause__ is None and error.value.__suppress_context__
    assert SECRET not in str(error.value)
    return str(error.value)


def test_no_server() -> None:
    address = f"postgresql://ada:{SECRET}@127.0.0.1:{free_port()}/x"
    assert "cannot be reached" in complaint(address, StoreUnavailable)


def test_no_such_host() -> None:
    assert "cannot be reached" in complaint(f"postgresql://ada:{SECRET}@nowhere.invalid/x", StoreUnavailable)


def test_no_such_database(postgres_server: Any) -> None:
    assert "there is no such database; create it with `createdb`" in complaint(postgres_server.address("nowhere"))


def test_no_such_login(postgres_server: Any) -> None:
    said = complaint(f"postgresql://nobody_here:{SECRET}@127.0.0.1:{postgres_server.port}/postgres")
    assert "the server refused the login" in said


def test_options_that_no_driver_knows(postgres_server: Any) -> None:
    said = complaint(f"postgresql://owner:{SECRET}@127.0.0.1:{postgres_server.port}/postgres?nonsense={SECRET}")
    assert "not an address that can be used" in said
    said = complaint(f"postgresql://owner:{SECRET}@127.0.0.1:{postgres_server.port}/postgres?sslmode=bogus")
    assert "not an address that can be used" in said and "sslmode" in said
    assert "service" in complaint("postgresql:///?service=pincite-no-such-service")


def demand_password(server: PostgresServer, role: str) -> None:
    """Let a login in by its password alone."""
    place = Path(server.data, "pg_hba.conf")
    old = place.read_text()
    place.write_text(f"host all {role} 127.0.0.1/32 scram-sha-256\n{old}")
    server.execute("SELECT pg_reload_conf()")


def test_a_wrong_password(own_server: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    address = make_login(own_server, own_server.new_database(), "with_password", SECRET)
    demand_password(own_server, "with_password")
    monkeypatch.setenv("PGPASSFILE", str(tmp_path / "none"))
    wrong = address.replace("with_password@", f"with_password:not-{SECRET}@")
    assert "the server refused the login" in complaint(wrong)
    assert "the server refused the login" in complaint(address)
    for right in (address.replace("with_password@", f"with_password:{SECRET}@"), f"{address}?password={SECRET}"):
        with closing(connect(right)) as backend:
            assert backend.query("SELECT current_user") == [("with_password",)]


def test_passwords_in_files_of_libpq(
    own_server: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = make_login(own_server, own_server.new_database(), "with_passfile", SECRET)
    demand_password(own_server, "with_passfile")
    passwords, services = tmp_path / "pgpass", tmp_path / "services"
    passwords.write_text(f"127.0.0.1:*:*:with_passfile:{SECRET}\n")
    passwords.chmod(0o600)
    services.write_text(
        f"[team]\nhost=127.0.0.1\nport={own_server.port}\ndbname={name_of(address)}\nuser=with_passfile\n"
        f"passfile={passwords}\n"
    )
    with closing(connect(f"{address}?passfile={passwords}")) as backend:
        assert backend.query("SELECT current_user") == [("with_passfile",)]
    monkeypatch.setenv("PGSERVICEFILE", str(services))
    with closing(connect("postgresql:///?service=team")) as backend:
        assert backend.query("SELECT current_user") == [("with_passfile",)]


def test_a_store_without_a_schema(postgres_server: Any) -> None:
    with pytest.raises(StoreTrouble, match=r"has no schema yet; run `pincite store migrate`"):
        open_store(parse_address(postgres_server.new_database()))


def test_without_the_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(UsageError, match=r"install 'pincite\[postgres\]'"):
        PostgresBackend(parse_address("postgresql://h/x"))


# Connections that break


def after_load(monkeypatch: pytest.MonkeyPatch, work: Callable[[PostgresBackend], None], times: int = 1) -> list[int]:
    """Do something after verdicts were loaded, within the transaction, so many times."""
    original, left = PostgresBackend.load, [times]

    def load(self: PostgresBackend, *arguments: Any) -> int:
        number = original(self, *arguments)
        if left[0]:
            left[0] -= 1
            work(self)
        return number

    monkeypatch.setattr(PostgresBackend, "load", load)
    return left


def kill_connection(server: PostgresServer) -> Callable[[PostgresBackend], None]:
    def kill(backend: PostgresBackend) -> None:
        ((pid,),) = backend.query("SELECT pg_backend_pid()")
        server.execute(f"SELECT pg_terminate_backend({pid}, 10000)")

    return kill


def require_once(store: SharedStore, name: str, number: int) -> None:
    """One check of a repository, counted once."""
    (summary,) = [one for one in store.overview.summarize() if one.name == name]
    assert summary.citations == number
    assert store.backend.query("SELECT count(*) FROM shard") == [(1,)]
    assert store.verdicts.reconcile() == []


def test_a_connection_that_is_killed_inside_a_write(
    store: SharedStore, own_server: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = after_load(monkeypatch, kill_connection(own_server), times=3)
    assert write_check(store, "a", "1", make_verdicts(500), 1)
    assert left == [0]
    require_once(store, "a", 500)


def test_a_connection_that_is_killed_between_writes(store: SharedStore, own_server: PostgresServer) -> None:
    assert isinstance(store.backend, PostgresBackend)
    for ticket in range(1, 4):
        kill_connection(own_server)(store.backend)
        assert write_check(store, "a", f"{ticket:x}", make_verdicts(50, ticket), ticket)
    assert store.verdicts.reconcile() == []
    assert store.backend.query("SELECT count(*) FROM shard") == [(3,)]


def test_a_commit_whose_answer_is_lost_counts_once(store: SharedStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server has it, and the connection breaks before it can say so."""
    original, left = PostgresBackend._begin, [1]

    def begin(self: PostgresBackend, setting: str) -> Any:
        opened = original(self, setting)

        class Lossy:
            def __enter__(self) -> None:
                opened.__enter__()

            def __exit__(self, *error: Any) -> bool | None:
                done = opened.__exit__(*error)
                if left[0] and error[0] is None:
                    left[0] -= 1
                    raise StoreUnavailable("the connection is gone")
                return done

        return Lossy()

    store.verdicts.add_repositories(store.teams.get("default"), [("a", "https://a")])
    monkeypatch.setattr(PostgresBackend, "_begin", begin)
    monkeypatch.setattr(store.verdicts, "add_repositories", lambda *_: store.verdicts.list_repositories())
    write_check(store, "a", "1", make_verdicts(20), 1)
    assert left == [0]
    require_once(store, "a", 20)


@pytest.mark.parametrize("how", ["immediate", "fast"])
def test_a_server_that_restarts_inside_a_write(
    store: SharedStore, own_server: PostgresServer, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    def restart(_: PostgresBackend) -> None:
        own_server.stop(how)
        own_server.start()

    after_load(monkeypatch, restart)
    assert write_check(store, "a", "1", make_verdicts(300), 1)
    require_once(store, "a", 300)


def test_a_server_that_is_killed_and_comes_back_later(
    store: SharedStore, own_server: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = threading.Event()
    original = PostgresBackend._trouble

    def note(self: PostgresBackend, error: Any) -> StoreTrouble:
        found = original(self, error)
        if "cannot be reached" in str(found):
            tries.set()
        return found

    def come_back() -> None:
        assert tries.wait(60)
        own_server.stop()
        own_server.start()

    monkeypatch.setattr(PostgresBackend, "_trouble", note)
    after_load(monkeypatch, lambda _: own_server.kill())
    helper = threading.Thread(target=come_back)
    helper.start()
    try:
        assert write_check(store, "a", "1", make_verdicts(200), 1)
    finally:
        tries.set()
        helper.join()
    require_once(store, "a", 200)


def test_patience_ends(own_server: PostgresServer) -> None:
    with make_store(own_server.new_database()) as store:
        address = store.backend.address
    own_server.stop("fast")
    try:
        with pytest.raises(StoreUnavailable, match="cannot be reached"):
            open_store(address, patience=0.3)
    finally:
        own_server.start()


def test_two_writers_of_one_repository(store: SharedStore) -> None:
    """They come after one another; the one that looked later stands."""
    write_check(store, "a", "0", make_verdicts(10), 1)
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            with open_store(store.backend.address) as own:
                for at in range(6):
                    ticket = own.verdicts.take_ticket() + 10
                    write_check(own, "a", f"{number}{at}", make_verdicts(50 + at, number), ticket)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in (1, 2, 3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert store.verdicts.reconcile() == []
    assert store.backend.query("SELECT count(*) FROM shard") == [(19,)]


def test_two_verdicts_of_one_citation_are_refused_whole(store: SharedStore) -> None:
    twice = [NewVerdict(1, "a.md", 1, 0, "", "", ""), NewVerdict(1, "b.md", 1, 0, "", "", "")]
    with pytest.raises(StoreTrouble, match="rows contradict one another"):
        write_check(store, "a", "1", twice, 1)
    assert store.backend.query("SELECT count(*) FROM shard") == [(0,)]


# A full disk


def test_a_full_disk_of_the_server() -> None:
    """On a tablespace of a few megabytes."""
    import subprocess
    from tempfile import mkdtemp

    if not find_binaries():
        pytest.skip("no PostgreSQL: install the package postgresql, or run `make postgres`")
    place = Path(mkdtemp(prefix="pincite-small-"))
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=24m,mode=0777", "tmpfs", str(place)], capture_output=True, check=False
    )
    if mounted.returncode:
        place.rmdir()
        pytest.skip("no rights to mount a small file system")
    server = PostgresServer()
    try:
        inner = place / "space"
        inner.mkdir()
        if os.geteuid() == 0:
            import pwd

            entry = pwd.getpwnam("nobody")
            os.chown(inner, entry.pw_uid, entry.pw_gid)
        server.start()
        server.execute(f"CREATE TABLESPACE small LOCATION '{inner}'", "CREATE DATABASE tiny TABLESPACE small")
        with make_store(server.address("tiny")) as store:
            assert write_check(store, "a", "1", make_verdicts(100), 1)
            big = [NewVerdict(at, f"{at}.md", 1, 5, "f", "m" * 290, "w" * 290) for at in range(60_000)]
            small = SharedStore(open_backend(store.backend.address, 0.0))
            with closing(small), pytest.raises(StoreUnavailable, match="full"):
                write_check(small, "b", "1", big, 2)
            assert [one.name for one in store.overview.summarize() if one.citations] == ["a"]
            assert store.verdicts.reconcile() == []
    finally:
        server.remove()
        subprocess.run(["umount", str(place)], check=False)
        place.rmdir()
