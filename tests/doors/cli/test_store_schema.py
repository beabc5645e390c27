"""`pincite store migrate` and `status`: what they say, what they end with, and no secret in it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pincite.store.shared import open_store
from pincite.store.shared.backend import parse_address
from pincite.store.shared.records import TeamLimits
from pincite.store.shared.schema import load_migrations
from support_postgres import free_port
from support_store import fill_store, make_login, make_store, make_verdicts, write_check

Store = Callable[..., tuple[int, str, str]]
LATEST = load_migrations("sqlite")[-1].version
SECRET = "hunter-22-secret"
TOP = Path(__file__).resolve().parents[3]


@pytest.fixture
def store(in_folder: Callable[..., tuple[int, str, str]]) -> Store:
    """Runs a command of the group in the test's folder: arguments -> exit code, output, errors."""
    return partial(in_folder, "store")


def test_a_store_is_made_once(store: Store, store_address: str) -> None:
    code, out, _ = store("migrate", "--database", store_address)
    versions = ", ".join(map(str, range(1, LATEST + 1)))
    assert (code, out) == (0, f"{store_address}: applied {versions}; the schema is {LATEST} now.\n")
    code, out, _ = store("migrate", "--database", store_address)
    assert (code, out) == (0, f"{store_address}: nothing to do; the schema is {LATEST}.\n")
    code, out, _ = store("migrate", "--database", store_address, "--format", "json")
    assert json.loads(out) == {
        "schema": "pincite.store-migrate/1",
        "address": store_address,
        "applied": [],
        "version": LATEST,
    }


def test_the_default_is_the_data_folder(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PINCITE_DATABASE", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert store("status")[0] == 2
    assert not (tmp_path / "data").exists()
    assert store("migrate")[0] == 0
    assert (tmp_path / "data" / "pincite" / "fleet.db").exists()
    monkeypatch.setenv("PINCITE_DATABASE", f"{tmp_path}/other.db")
    assert f"sqlite://{tmp_path}/other.db: applied 1" in store("migrate")[1]


def test_the_status_of_a_store_with_something_in_it(store: Store, store_address: str) -> None:
    with make_store(store_address) as opened:
        fill_store(opened)
        write_check(opened, "github.com/a/last", "c" * 40, make_verdicts(500), opened.verdicts.take_ticket())
    code, out, error = store("status", "--database", store_address)
    assert (code, error) == (0, "")
    lines = out.splitlines()
    assert lines[0] == store_address
    assert lines[1] == f"  schema {LATEST}, as this pincite has it"
    assert "github.com/a/last at cccccccccccc, " in lines[2]
    assert lines[-1] == "everything adds up"
    assert re.search(r"^  verdict +[0-9,]+ rows +[0-9.]+ [kM]?B$", out, re.MULTILINE)
    assert re.search(r"^  a verdict takes [0-9]+ bytes with its indexes$", out, re.MULTILINE)
    assert "2 repositories could not be checked" in out
    found = json.loads(store("status", "--database", store_address, "--format", "json")[1])
    assert (found["schema"], found["version"], found["wanted"]) == ("pincite.store-status/1", LATEST, LATEST)
    assert found["discrepancies"] == [] and found["bytes_a_verdict"] > 0
    assert {one["name"] for one in found["tables"]} >= {"team", "shard", "verdict", "evidence"}


def test_one_of_anything_is_no_plural(store: Store, store_address: str) -> None:
    with make_store(store_address) as opened:
        write_check(opened, "a", "1", make_verdicts(1), opened.verdicts.take_ticket())
        opened.teams.set("blue", TeamLimits(repositories=1, citations=2))
    _, out, _ = store("status", "--database", store_address)
    assert "  default: 1 repository, 1 citation, 0 sources\n" in out
    assert "  blue: 0 of 1 repository, 0 of 2 citations, 0 sources\n" in out


def test_what_does_not_add_up_ends_with_1(store: Store, store_address: str) -> None:
    with make_store(store_address) as opened:
        write_check(opened, "a\x1b[31m", "1", make_verdicts(5), 1)
        opened.backend.run("DELETE FROM verdict WHERE line = 1")
    code, out, _ = store("status", "--database", store_address)
    assert (code, "shard 1 counted 2 malformed, 1 stand" in out) == (1, True)
    assert "\x1b" not in out and "everything adds up" not in out
    assert store("status", "--database", store_address, "--format", "json")[0] == 1


def test_a_reader_is_told_that_it_sees_some_teams(store: Store, postgres_server: Any) -> None:
    address = postgres_server.new_database()
    with make_store(address) as opened:
        fill_store(opened)
        login = make_login(postgres_server, address, "cli_reader")
        opened.teams.grant("cli_reader", "blue", "reader")
    code, out, _ = store("status", "--database", login)
    assert (code, "only the teams of this login are counted" in out, "default:" in out) == (0, True, False)
    code, _, error = store("migrate", "--database", login)
    assert (code, "belongs to another login" in error) == (2, True)


@pytest.mark.parametrize(
    "address",
    [
        f"postgresql://ada:{SECRET}@127.0.0.1:{{port}}/x",
        f"postgresql://ada:{SECRET}@127.0.0.1:{{port}}",
        f"postgresql://ada:{SECRET}%ZZ@127.0.0.1:{{port}}/x",
        f"postgresql://ada:{SECRET}@@127.0.0.1:{{port}}/x",
        f"mysql://ada:{SECRET}@127.0.0.1/x",
        f"host=127.0.0.1 password={SECRET}",
        f"postgresql://127.0.0.1:{{port}}/x?password={SECRET}",
        f"postgresql://127.0.0.1:{{port}}/x?password={SECRET}&nonsense=1",
    ],
)
@pytest.mark.parametrize("command", [("migrate",), ("status",), ("team", "x"), ("export", "x.gz"), ("push",)])
def test_trouble_is_said_in_one_line_without_a_secret(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str, command: tuple[str, ...]
) -> None:
    monkeypatch.setattr("pincite.doors.cli.store_kit.PATIENCE", 0.0)
    where = address.format(port=free_port())
    for given, variable in ((("--database", where), ""), ((), where)):
        monkeypatch.setenv("PINCITE_DATABASE", variable)
        code, out, error = store(*command, *given)
        assert (code, out, error.count("\n")) == (2, "", 1)
        assert error.startswith("pincite: ") and SECRET not in error and "Traceback" not in error
    assert not list(tmp_path.glob("*.gz"))


def test_no_secret_in_a_process_of_its_own(tmp_path: Path) -> None:
    """Nor in a traceback, where something is broken that no message was written for."""
    script = (
        "import sys; from pincite.store.shared import postgres; "
        "postgres.PostgresBackend._trouble = lambda *_: 1 / 0; "
        "from pincite.doors.cli.main import main; main(['store', 'status'])"
    )
    environment = {
        **os.environ,
        "PYTHONPATH": str(TOP / "src"),
        "PINCITE_DATABASE": f"postgresql://ada:{SECRET}@127.0.0.1:{free_port()}/x",
    }
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False)
    assert "ZeroDivisionError" in done.stderr
    assert SECRET not in done.stderr + done.stdout


def test_an_older_and_a_newer_store(store: Store, store_address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    make_store(store_address).close()
    with open_store(parse_address(store_address)) as opened:
        opened.backend.run("DELETE FROM schema_version WHERE version > 1")
        code, _, error = store("status", "--database", store_address)
        assert (code, f"has schema 1, older than {LATEST} of this pincite; run `pincite store migrate`" in error) == (
            2,
            True,
        )
        opened.backend.run("INSERT INTO schema_version VALUES (99, 99, 'x', 1)")
    for command in ("status", "migrate"):
        code, _, error = store(command, "--database", store_address)
        assert (code, "has schema 99, newer than" in error, "upgrade pincite" in error) == (2, True, True)


def test_check_imports_nothing_of_the_store() -> None:
    script = (
        "import sys; from pincite.doors.cli.main import main\n"
        "try: main(['check', '--no-cache', '-'])\n"
        "except SystemExit: pass\n"
        "print([name for name in sys.modules if name.startswith(('pincite.fleet', 'pincite.store.shared', 'psycopg'))])"
    )
    environment = {**os.environ, "PYTHONPATH": str(TOP / "src")}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, input="x\n", capture_output=True, text=True, check=False
    )
    assert done.stdout.splitlines()[-1] == "[]", done.stderr
