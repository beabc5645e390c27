"""`pincite fleet forget`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from click.testing import CliRunner

from pincite.core.errors import UsageError
from pincite.doors.cli.fleet_forget import command
from pincite.store.shared import open_backend, open_store
from pincite.store.shared.backend import parse_address
from pincite.store.shared.schema import migrate


def test_known_and_unknown_names(tmp_path: Path) -> None:
    address = f"sqlite://{tmp_path}/fleet.db"
    with open_store(parse_address(address)) as store:
        store.verdicts.add_repositories(store.teams.get("default"), [("a", "/a"), ("b", "/b")])
    done = CliRunner().invoke(command, ["a", "--database", address])
    assert (done.exit_code, done.stdout) == (0, "forgotten: a\n")
    done = CliRunner().invoke(command, ["a", "b", "--database", address])
    assert (done.exit_code, done.stdout) == (1, "forgotten: b\n")
    assert "a: team default has no repository of that name" in done.stderr
    with open_store(parse_address(address)) as store:
        assert store.verdicts.list_repositories() == []


def test_only_the_owner_may(postgres_server: Any, postgres_address: str) -> None:
    backend = open_backend(parse_address(postgres_address))
    migrate(backend)
    backend.close()
    name = postgres_address.rpartition("/")[2]
    login = f"worker_{name}"
    postgres_server.execute(f"CREATE ROLE {login} LOGIN")
    with open_store(parse_address(postgres_address)) as store:
        store.teams.grant(login, "default", "worker")
        store.verdicts.add_repositories(store.teams.get("default"), [("a", "/a")])
    done = CliRunner().invoke(command, ["a", "--database", postgres_server.address(name, login)])
    assert isinstance(done.exception, UsageError)
    assert "only the owner of the store may forget repositories" in str(done.exception)
    with open_store(parse_address(postgres_address)) as store:
        assert [one.name for one in store.verdicts.list_repositories()] == ["a"]
