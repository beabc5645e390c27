"""The file of SQLite: what is no store, other processes, a full disk."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from pincite.core.errors import UsageError
from pincite.store.database import StoreTrouble
from pincite.store.shared import StoreUnavailable, open_backend, open_store
from pincite.store.shared.backend import parse_address
from support_store import fill_store, make_store, make_verdicts, write_check


def test_a_new_file_belongs_to_its_user_alone(tmp_path: Path) -> None:
    with open_store(parse_address(f"sqlite://{tmp_path}/new/fleet.db")) as store:
        assert store.teams.get("default").id == 1
    assert (tmp_path / "new" / "fleet.db").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700


def test_reading_makes_no_file(tmp_path: Path) -> None:
    with pytest.raises(StoreTrouble, match="there is no store"):
        open_store(parse_address(f"sqlite://{tmp_path}/new/fleet.db"), write=False)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["text", "database", "folder", "pipe", "link", "truncated"])
def test_what_is_no_store_is_left_alone(tmp_path: Path, kind: str) -> None:
    place = tmp_path / "fleet.db"
    if kind == "text":
        place.write_text("hello\n" * 1_000)
    elif kind == "database":
        with closing(sqlite3.connect(place)) as other:
            other.execute("CREATE TABLE mine (a)")
    elif kind == "folder":
        place.mkdir()
    elif kind == "pipe":
        os.mkfifo(place)
    elif kind == "link":
        place.symlink_to(tmp_path / "elsewhere.db")
    else:
        make_store(f"sqlite://{place}").close()
        os.truncate(place, 5_000)
    before = place.read_bytes() if place.is_file() else b""
    with pytest.raises((StoreTrouble, UsageError)):
        open_store(parse_address(f"sqlite://{place}"))
    assert (place.read_bytes() if place.is_file() else b"") == before
    assert not (tmp_path / "elsewhere.db").exists()


def test_a_file_that_another_process_holds(tmp_path: Path) -> None:
    address = f"sqlite://{tmp_path}/fleet.db"
    with make_store(address) as store:
        fill_store(store)
        shown = store.overview.summarize()
    with closing(sqlite3.connect(tmp_path / "fleet.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with open_store(parse_address(address), patience=0.01) as store:
            assert store.overview.summarize() == shown
            with pytest.raises(StoreUnavailable, match="locked by another process"):
                write_check(store, "a", "1", make_verdicts(3), 1)
        other.execute("ROLLBACK")
    with open_store(parse_address(address), patience=0.01) as store:
        assert write_check(store, "a", "1", make_verdicts(3), 1)


def test_a_new_file_that_several_open_at_once(tmp_path: Path) -> None:
    failures = list[BaseException]()

    def work(address: str, start: threading.Barrier) -> None:
        start.wait()
        try:
            with open_store(parse_address(address)) as store:
                assert store.verdicts.take_ticket()
        except BaseException as error:
            failures.append(error)

    for number in range(20):
        start = threading.Barrier(6)
        address = f"sqlite://{tmp_path}/{number}/fleet.db"
        threads = [threading.Thread(target=work, args=(address, start)) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert failures == []


def test_several_writers_at_once(tmp_path: Path) -> None:
    address, failures = parse_address(f"sqlite://{tmp_path}/fleet.db"), list[BaseException]()

    def work(number: int) -> None:
        try:
            with open_store(address) as store:
                for at in range(10):
                    ticket = store.verdicts.take_ticket()
                    assert write_check(store, f"r{at % 2}", f"{number}{at}", make_verdicts(20, at), ticket)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    with open_store(address) as store:
        assert store.backend.query("SELECT count(*) FROM shard") == [(40,)]
        assert store.verdicts.reconcile() == []


LIMITED = """
import resource, signal, sys
sys.path[:0] = sys.argv[2:]
from support_store import make_verdicts, write_check
from pincite.store.database import StoreTrouble
from pincite.store.shared import open_store
from pincite.store.shared.backend import parse_address

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
store = open_store(parse_address(sys.argv[1]), patience=0.1)
store.overview.summarize()
resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))
for number in range(1, 100):
    try:
        write_check(store, f"r{number}", "1", make_verdicts(500, number), number)
    except StoreTrouble as error:
        print(error)
        print(number)
        break
"""


def test_a_full_disk_loses_nothing_that_was_stored(tmp_path: Path) -> None:
    address = f"sqlite://{tmp_path}/fleet.db"
    make_store(address).close()
    folders = [str(Path(__file__).parents[2]), str(Path(__file__).parents[3] / "src")]
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, address, *folders], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    said, number = done.stdout.strip().rsplit("\n", 1)
    assert "fleet.db" in said and "Traceback" not in done.stderr
    with open_store(parse_address(address)) as store:
        checked = [one for one in store.overview.summarize() if one.citations]
        assert len(checked) == int(number) - 1 > 0
        assert store.verdicts.reconcile() == []
        assert write_check(store, f"r{number}", "1", make_verdicts(500), int(number))


def test_a_disk_without_room(tmp_path: Path) -> None:
    place = tmp_path / "small"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", str(place)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no rights to mount a small file system")
    try:
        with make_store(f"sqlite://{place}/fleet.db") as store:
            assert write_check(store, "a", "1", make_verdicts(50), 1)
            with pytest.raises(StoreTrouble, match=r"fleet.db: the disk is full; make room$"):
                write_check(store, "b", "1", make_verdicts(20_000), 2)
            assert [one.citations for one in store.overview.summarize()] == [50, 0]
            assert store.verdicts.reconcile() == []
    finally:
        subprocess.run(["umount", str(place)], check=False)


def test_backends_say_how_large_tables_are(store_address: str) -> None:
    with make_store(store_address) as store:
        write_check(store, "a", "1", make_verdicts(2_000), 1)
        assert store.backend.measure_table("verdict") > 50_000
        assert store.backend.sees_everything()


def test_an_error_inside_a_transaction_takes_everything_back(store_address: str) -> None:
    with make_store(store_address) as store, closing(open_backend(parse_address(store_address))) as other:
        with pytest.raises(ZeroDivisionError), store.backend.transaction():
            store.backend.run("INSERT INTO team (name) VALUES ('x')")
            raise ZeroDivisionError
        assert other.query("SELECT count(*) FROM team") == [(1,)]
        with pytest.raises(StoreTrouble), other.snapshot():
            assert other.query("SELECT count(*) FROM team") == [(1,)]
            if other.address.kind == "sqlite":
                raise StoreTrouble("SQLite has no transactions that only read")
            other.run("INSERT INTO team (name) VALUES ('y')")


def test_a_file_that_cannot_be_written_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    address = parse_address(f"sqlite://{tmp_path}/fleet.db")
    with open_store(address) as store:
        store.verdicts.add_repositories(store.teams.get("default"), [("a", "/a")])
    monkeypatch.setattr(os, "access", lambda *_: False)
    with open_store(address, write=False) as store:
        assert [one.name for one in store.overview.summarize()] == ["a"]
        with pytest.raises(StoreTrouble, match="readonly"):
            store.backend.run("DELETE FROM repository")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["fleet.db"]
