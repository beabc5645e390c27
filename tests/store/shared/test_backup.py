"""Backup and restore, with the tools of the databases and with our own: afterwards everything adds up."""

from __future__ import annotations

import os
import subprocess
import threading
from pathlib import Path
from typing import Any

import pytest

from pincite.store.database import StoreTrouble
from pincite.store.shared import open_backend, open_store
from pincite.store.shared.backend import parse_address
from pincite.store.shared.schema import migrate
from pincite.store.shared.transfer import export_store
from support_store import fill_everything, make_login, make_store, make_verdicts, name_of, write_check


def run_tool(server: Any, program: str, *arguments: str) -> None:
    """A program of PostgreSQL, of the same version as the server."""
    path = os.path.join(server.binaries, program)
    if not os.path.exists(path):
        pytest.skip(f"no {program} beside the server")
    done = subprocess.run([path, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def export(address: str, path: Path) -> bytes:
    with open_store(parse_address(address), write=False) as store:
        export_store(store.backend, str(path))
    return path.read_bytes()


def test_a_dump_restores_rows_rights_and_row_security(postgres_server: Any, tmp_path: Path) -> None:
    address, restored = postgres_server.new_database(), postgres_server.new_database()
    with make_store(address) as store:
        fill_everything(store)
        login = make_login(postgres_server, address, "restored_1")
        store.teams.grant("restored_1", "blue", "worker")
    run_tool(postgres_server, "pg_dump", "--format=custom", f"--file={tmp_path}/store.dump", address)
    run_tool(postgres_server, "pg_restore", "--exit-on-error", f"--dbname={restored}", f"{tmp_path}/store.dump")
    assert export(restored, tmp_path / "2.gz") == export(address, tmp_path / "1.gz")
    with make_store(restored) as store:
        assert store.verdicts.reconcile() == []
        assert store.verdicts.take_ticket() > max(
            number for (number,) in store.backend.query("SELECT ticket FROM shard")
        )
    login = postgres_server.address(name_of(restored), "restored_1")
    with open_store(parse_address(login)) as store:
        assert [team.name for team in store.teams.list()] == ["blue"]
        assert write_check(store, "after", "1", make_verdicts(5), store.verdicts.take_ticket(), "blue")
        with pytest.raises(StoreTrouble, match="no rights"):
            store.backend.run("INSERT INTO repository (team, name, location, added) VALUES (1, 'x', '', 1)")


def test_a_dump_on_another_server_needs_the_roles(postgres_server: Any, tmp_path: Path) -> None:
    """As documented: the roles first, then the dump, then `store migrate`."""
    from support_postgres import running_server

    address = postgres_server.new_database()
    with make_store(address) as store:
        fill_everything(store)
    run_tool(postgres_server, "pg_dump", "--format=custom", f"--file={tmp_path}/store.dump", address)
    with running_server() as other:
        other.execute("CREATE ROLE pincite_reader NOLOGIN", "CREATE ROLE pincite_worker NOLOGIN")
        restored = other.new_database()
        run_tool(other, "pg_restore", "--exit-on-error", f"--dbname={restored}", f"{tmp_path}/store.dump")
        with make_store(restored) as store:
            assert store.verdicts.reconcile() == []
        assert export(restored, tmp_path / "2.gz") == export(address, tmp_path / "1.gz")


def test_a_dump_while_a_fleet_writes(postgres_server: Any, tmp_path: Path) -> None:
    address, restored = postgres_server.new_database(), postgres_server.new_database()
    make_store(address).close()
    ended, failures = threading.Event(), list[BaseException]()

    def work() -> None:
        try:
            with open_store(parse_address(address)) as store:
                ticket = 0
                while not ended.is_set() or ticket < 20:
                    ticket += 1
                    write_check(store, f"r{ticket % 5}", f"{ticket:x}", make_verdicts(50, ticket), ticket)
        except BaseException as error:
            failures.append(error)

    writer = threading.Thread(target=work)
    writer.start()
    try:
        run_tool(postgres_server, "pg_dump", "--format=custom", f"--file={tmp_path}/store.dump", address)
    finally:
        ended.set()
        writer.join()
    assert failures == []
    run_tool(postgres_server, "pg_restore", "--exit-on-error", f"--dbname={restored}", f"{tmp_path}/store.dump")
    with make_store(restored) as store:
        assert store.verdicts.reconcile() == []


def test_what_migrate_does_after_a_restore(postgres_server: Any, tmp_path: Path) -> None:
    """Rights to the database itself are not in a dump."""
    address, restored = postgres_server.new_database(), postgres_server.new_database()
    make_store(address).close()
    run_tool(postgres_server, "pg_dump", "--format=custom", f"--file={tmp_path}/store.dump", address)
    run_tool(postgres_server, "pg_restore", "--exit-on-error", f"--dbname={restored}", f"{tmp_path}/store.dump")
    backend = open_backend(parse_address(restored))
    public = (
        "SELECT count(*) FROM pg_database, aclexplode(coalesce(datacl, acldefault('d', datdba))) "
        "WHERE datname = current_database() AND grantee = 0"
    )
    assert backend.query(public) != [(0,)]
    assert migrate(backend) == []
    assert backend.query(public) == [(0,)]
    backend.close()
