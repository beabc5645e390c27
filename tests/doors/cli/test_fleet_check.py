"""`pincite fleet check`: what it prints, what it refuses, and the JSON that its schema describes."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pincite.doors.cli.main import main
from pincite.store.shared import open_store
from pincite.store.shared.backend import parse_address
from support_campaign import prepare
from support_fleet import make_repositories
from support_postgres import PostgresServer

SCHEMA = json.loads(files("pincite").joinpath("schemas/fleet-check-1.schema.json").read_text(encoding="utf-8"))
Ran = tuple[int, str, str]


@pytest.fixture
def pincite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Runs a command within this process, with a data folder of its own: exit code, output, errors."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    for name in ("PINCITE_DATABASE", "PINCITE_FLEET_MIRRORS", "PINCITE_TLS_CA", "PINCITE_TLS_CERT", "PINCITE_TLS_KEY"):
        monkeypatch.delenv(name, raising=False)

    def run(*arguments: str) -> Ran:
        with pytest.raises(SystemExit) as ended:
            main(["fleet", "check", *arguments])
        seen = capsys.readouterr()
        return int(ended.value.code or 0), seen.out, seen.err

    return run


@pytest.fixture
def repositories(tmp_path: Path) -> list[str]:
    """Two small repositories."""
    return [str(path) for path in make_repositories(tmp_path / "r", 2, documents=1, sources=3, citations=8, commits=2)]


def test_json_is_as_its_schema_says(pincite: Callable[..., Ran], repositories: list[str]) -> None:
    Draft202012Validator.check_schema(SCHEMA)
    code, out, _ = pincite(*repositories, "https://user:secret@127.0.0.1:1/owner/name", "--format", "json")
    said = json.loads(out)
    Draft202012Validator(SCHEMA).validate(said)
    assert set(said) == set(SCHEMA["properties"]) == set(SCHEMA["required"])
    assert (code, said["checked"], said["failed"], list(said["troubles"])) == (2, 2, 1, ["127.0.0.1%3a1/owner/name"])
    assert "secret" not in out


def test_one_of_anything_is_no_plural(pincite: Callable[..., Ran], repositories: list[str]) -> None:
    _, out, _ = pincite(repositories[0])
    assert out.startswith("1 repository: 1 checked, 0 unchanged, 0 failed, in ")
    assert " holds" not in out


def test_outcomes_stand_in_one_order(
    pincite: Callable[..., Ran], tmp_path: Path, make_repository: Callable[..., Any]
) -> None:
    # The first repository holds nothing.
    repo = make_repository()
    repo.commit({"a.md": "【F:a.md†Lx】 and 【F:b.md†L1】\n"})
    more = make_repositories(tmp_path / "b", 2, documents=1, sources=3, citations=40, commits=4)
    said = json.loads(pincite(str(repo.path), *map(str, more), "--format", "json")[1])["outcomes"]
    Draft202012Validator(SCHEMA["properties"]["outcomes"]).validate(said)
    order = SCHEMA["properties"]["outcomes"]["propertyNames"]["enum"]
    assert list(said) == sorted(said, key=order.index) and 0 not in said.values()
    assert {"holds", "missing", "malformed"} <= set(said)


def test_the_next_command_names_the_same_store(pincite: Callable[..., Ran], repositories: list[str]) -> None:
    assert pincite(repositories[0])[1].endswith("what is new: pincite fleet report\n")
    _, out, _ = pincite(repositories[0], "--database", "a b.db")
    assert out.splitlines()[-1].endswith("/a b.db'") and "--database 'sqlite:///" in out.splitlines()[-1]


@pytest.mark.parametrize("listed", ["", "# none\n", "[]", '[{"clone_url": "https://host/a/b", "archived": true}]'])
def test_an_empty_list_does_not_mean_all(
    pincite: Callable[..., Ran], repositories: list[str], tmp_path: Path, listed: str
) -> None:
    pincite(*repositories)
    (tmp_path / "list").write_text(listed)
    code, out, complaint = pincite("list")
    assert (code, out) == (2, "")
    assert complaint == "pincite: list: no repository is listed there; nothing was checked\n"


def test_a_team_that_a_login_may_not_add(
    pincite: Callable[..., Ran], repositories: list[str], postgres_server: PostgresServer, postgres_address: str
) -> None:
    login = "checker_of_one_team"
    postgres_server.execute(f"CREATE ROLE {login} LOGIN")
    with open_store(parse_address(prepare(postgres_address))) as store:
        store.teams.set("docs")
        store.teams.grant(login, "docs", "worker")
    own = postgres_address.replace("owner@", f"{login}@")
    code, out, complaint = pincite(repositories[0], "--database", own)
    assert (code, out) == (2, "")
    assert complaint.startswith("pincite: team default: there is none that this login may see, and it may add none; ")
    assert pincite(repositories[0], "--database", own, "--team", "docs")[0] == 1


def test_what_history_does_not_tell_is_said(pincite: Callable[..., Ran], make_repository: Callable[..., Any]) -> None:
    repo = make_repository("linked")
    (repo.path / "link.md").symlink_to("d.md")
    repo.commit({"a.py": "one\ntwo\n", "d.md": "See a.py:2.\n"})
    said = pincite(str(repo.path))[1].splitlines()[0]
    assert said.endswith("/linked: not all could be checked: 1 citation in documents that are symbolic links")


def test_names_are_shown_as_addresses_spell_them(pincite: Callable[..., Ran]) -> None:
    _, out, _ = pincite("http://127.0.0.1:1/owner/na%1bme")
    assert out.startswith("127.0.0.1:1/owner/na\\u{1b}me: not checked: ")


@pytest.mark.parametrize(("more", "then"), [((), "the next run"), (("--again",), "without --again the next run")])
def test_an_interrupt_says_that_the_next_run_goes_on(
    pincite: Callable[..., Ran],
    repositories: list[str],
    monkeypatch: pytest.MonkeyPatch,
    more: tuple[str, ...],
    then: str,
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("pincite.fleet.fleet_plan.run_plan", interrupt)
    code, out, complaint = pincite(*repositories, *more)
    assert (code, out) == (130, "")
    said = f"pincite: interrupted; what was checked is in the store, and {then} goes on from there\n"
    assert complaint == said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nowhere",), "nowhere: no such folder"),
        (("ext::sh -c 'touch ran'",), "could run programs and are refused"),
        (("http://example.org/a/b",), "http:// is not encrypted; write https://"),
        (("--settings", "none.toml", "."), "none.toml: no such file; name one like pincite.toml with --settings"),
        (("--scheduler", "tcp://192.0.2.1:8786", "."), "a scheduler on another machine must speak TLS"),
        (("--scheduler", "here", "."), "here: not the address of a scheduler; write tls://host:8786"),
        (("--database", ".", "."), "not a regular file; name another one"),
    ],
)
def test_what_is_wrong_is_named(pincite: Callable[..., Ran], arguments: tuple[str, ...], said: str) -> None:
    code, out, complaint = pincite(*arguments)
    assert (code, out) == (2, "")
    assert complaint.startswith("pincite: ") and said in complaint
    assert not Path("ran").exists()
