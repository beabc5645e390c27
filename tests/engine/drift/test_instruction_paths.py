"""Paths of instruction files that history knows."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from pincite.doors.cli.main import main

LINES = "".join(f"line {number}\n" for number in range(9))


@pytest.fixture
def check(
    repository: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., dict[str, list[str]]]:
    """Checks the repository, and gives the checks and messages by what is cited."""

    def run(*arguments: str) -> dict[str, list[str]]:
        monkeypatch.chdir(repository.path)
        with suppress(SystemExit):
            main(["check", "--format", "json", *arguments])
        report = json.loads(capsys.readouterr().out)
        return {
            row["raw"]: [
                part for one in row["findings"] for part in (one["check"], one["message"], one.get("detail", ""))
            ]
            for row in report["citations"]
        }

    return run


def test_what_became_of_paths(repository: Any, check: Callable[..., dict[str, list[str]]]) -> None:
    """Renamed, deleted with its folder, deleted though the sentence leaves it in doubt, never there."""
    text = "`src/old.py`, `lib/x.py`, `lib/`.\n\nFor example `src/test_a.py`, `src/never.py`, `other/y.py`.\n"
    repository.write("AGENTS.md", text)
    for path in ("src/old.py", "lib/x.py", "src/test_a.py", "src/b.py"):
        repository.write(path, LINES + path)
    repository.commit()
    repository.git("mv", "src/old.py", "src/renamed.py")
    repository.git("rm", "-qr", "lib", "src/test_a.py")
    repository.commit()
    found = check()
    assert found["src/old.py"][:2] == ["file-renamed", "Renamed to src/renamed.py, unchanged"]
    assert found["lib/x.py"][:2] == ["path-not-found", "No such file: lib/x.py"]
    assert "deleted in" in found["lib/x.py"][2]
    assert found["lib/"][:2] == ["path-not-found", "No such folder: lib/"]
    assert found["src/test_a.py"][0] == "path-not-found"
    assert not {"src/never.py", "other/y.py"} & found.keys()


def test_without_history_nothing_is_said_of_what_may_be_elsewhere(
    repository: Any, check: Callable[..., dict[str, list[str]]]
) -> None:
    """Only what lies in a folder that is here."""
    repository.write("AGENTS.md", "`lib/x.py` and `src/x.py`\n")
    repository.write("src/a.py", LINES)
    repository.write("pincite.toml", "drift = false\n")
    assert set(check()) == {"src/x.py"}


def test_a_change_that_breaks_instructions_is_told(
    repository: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file that is renamed, a folder that goes, a target that goes."""
    repository.commit(
        {
            "AGENTS.md": "Run `make lint` and `make test`. See `src/a.py`, `src/sub/` and `src/b.py`.\n",
            "Makefile": "lint:\ntest:\n",
            "src/a.py": LINES,
            "src/b.py": LINES + "b",
            "src/sub/x.py": "x\n",
        }
    )
    repository.git("mv", "src/a.py", "src/c.py")
    repository.git("rm", "-q", "src/sub/x.py")
    repository.commit({"Makefile": "test:\n"})
    monkeypatch.chdir(repository.path)
    with suppress(SystemExit):
        main(["affected", "HEAD~1..HEAD"])
    told = capsys.readouterr().out
    assert "deletes  make lint" in told
    assert "moves  src/a.py" in told
    assert "deletes  src/sub/" in told
    assert "make test" not in told
    assert "src/b.py" not in told
