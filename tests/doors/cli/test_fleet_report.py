"""`pincite fleet report`: every format, where it goes, and what it says where there is nothing to read."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.doors.cli.main import main
from support_fleet_store import fill_fleet, open_filled
from support_store import make_login

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs the command: (arguments) -> exit code, output, errors."""
    monkeypatch.delenv("PINCITE_DATABASE", raising=False)
    monkeypatch.setenv("COLUMNS", "80")

    def call(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            main(["fleet", "report", *arguments])
        return ended.value.code or 0, *capsys.readouterr()  # type: ignore[return-value]

    return call


@pytest.fixture
def filled(store_address: str) -> str:
    """The address of a store with a small fleet."""
    with open_filled(store_address) as store:
        fill_fleet(store)
    return store_address


def test_text_is_what_people_get(run: Run, filled: str) -> None:
    code, out, err = run("--database", filled)
    assert (code, err) == (0, "")
    assert out.startswith("5 repositories of all teams: 37 citations in 6 documents\n")
    assert "github.com/acme/beta" in out and "the server is gone" in out and "\x1b" not in out


def test_a_login_that_sees_some_teams_is_told_which(run: Run, postgres_server: Any, postgres_address: str) -> None:
    with open_filled(postgres_address) as store:
        fill_fleet(store)
        login = make_login(postgres_server, postgres_address, "report_reader")
        store.teams.grant("report_reader", "docs", "reader")
        first = "3 repositories of the only team that you see (docs): 6 citations in 2 documents"
        assert run("--database", login)[1].splitlines()[0] == first
        assert first in run("--database", login, "--format", "html")[1]
        found = json.loads(run("--database", login, "--format", "json")[1])
        assert (found["team"], found["seen_teams"], found["sees_all"]) == ("", ["docs"], False)
        store.teams.set("blue")
        store.teams.grant("report_reader", "blue", "worker")
    assert "3 repositories of the 2 teams that you see (blue, docs): " in run("--database", login)[1]
    assert run("--database", login, "--team", "docs")[1].startswith("3 repositories of team docs: ")


def test_the_variable_names_the_store(run: Run, filled: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINCITE_DATABASE", filled)
    assert run("--team", "docs")[1].startswith("3 repositories of team docs: 6 citations")


def test_json_is_one_object(run: Run, filled: str) -> None:
    found = json.loads(run("--database", filled, "--format", "json", "--worst", "1", "--since", "30d")[1])
    assert found["schema"] == "pincite.fleet-report/1"
    assert len(found["worst"]) == 1 and found["totals"]["problems"] == 5
    # The address of the store may tell where its server is: the report goes to others.
    assert filled not in json.dumps(found) and "127.0.0.1" not in json.dumps(found)


@pytest.mark.parametrize(
    ("format_", "start"), [("html", "<!doctype html>"), ("markdown", "# Citations of the fleet\n")]
)
def test_a_report_can_be_written_to_a_file(run: Run, filled: str, tmp_path: Path, format_: str, start: str) -> None:
    place = tmp_path / "report"
    assert run("--database", filled, "--format", format_, "-o", str(place)) == (0, "", "")
    assert place.read_text(encoding="utf-8").startswith(start)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--since", "soon"), "--since 'soon': not a time; write 1d"),
        (("--team", "none"), "team 'none': there is none that you may see"),
        (("--output", "/dev/null/x"), "cannot be written"),
    ],
)
def test_what_cannot_be_done_is_said(run: Run, filled: str, arguments: tuple[str, ...], message: str) -> None:
    code, out, err = run("--database", filled, *arguments)
    assert code == 2 and message in err and out == ""


@pytest.mark.parametrize(
    ("database", "message"),
    [
        ("sqlite:///nowhere/at/all.db", "there is no store"),
        ("postgresql://127.0.0.1:1/none", "cannot be reached"),
        ("mysql://host/name", "no kind of store"),
    ],
)
def test_a_store_that_cannot_be_read_ends_with_2(
    run: Run, database: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pincite.doors.cli.fleet_report.PATIENCE", 0.1)
    code, out, err = run("--database", database)
    assert code == 2 and message in err and out == "" and "Traceback" not in err


def test_on_a_terminal_it_has_colours_and_its_width(
    terminal: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"sqlite://{tmp_path}/store/fleet.db"
    with open_filled(address) as store:
        fill_fleet(store)
    shown = terminal([sys.executable, "-m", "pincite", "fleet", "report", "--database", address], tmp_path)
    assert "\x1b[1m5 repositories of all teams" in shown
