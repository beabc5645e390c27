"""`pincite doctor` and `pincite init --agent`: what is set up, and whether it starts."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

Done = Callable[..., tuple[int, str, str]]
SCHEMA = json.loads(files("pincite").joinpath("schemas/doctor-1.schema.json").read_text(encoding="utf-8"))


@pytest.fixture
def surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on PATH for a `pincite` of the test's own, and a home without settings."""
    programs, home = tmp_path / "programs", tmp_path / "home"
    programs.mkdir()
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
    return programs


def install(programs: Path, script: str) -> None:
    (programs / "pincite").write_text(f"#!/bin/sh\n{script}\n")
    (programs / "pincite").chmod(0o755)


def facts(run: Done, code: int) -> dict[str, list[tuple[str, bool, str]]]:
    """What doctor says, by name; its JSON fits the schema."""
    ended, out, err = run("doctor", "--format", "json")
    assert (ended, err) == (code, "")
    said = json.loads(out)
    Draft202012Validator(SCHEMA).validate(said)
    found: dict[str, list[tuple[str, bool, str]]] = {}
    for fact in said["setup"]:
        found.setdefault(fact["name"], []).append((fact["what"], fact["ok"], fact["remedy"]))
    return found


def test_a_project_without_agents_is_sound(in_folder: Done, surroundings: Path) -> None:
    found = facts(in_folder, 0)
    assert list(found) == ["pincite", "extras", "git", "cache", "settings"]
    assert f"Python {sys.version_info.major}.{sys.version_info.minor}" in found["pincite"][0][0]
    assert found["cache"][0][0].endswith(": usable")


def test_hooks_that_cannot_start_are_named(in_folder: Done, surroundings: Path) -> None:
    code, out, _ = in_folder("init", "--agent", "claude")
    assert code == 0
    assert out == (
        "wrote .claude/settings.json (hooks)\nwrote .mcp.json (MCP server)\nwrote AGENTS.md (instructions)\n"
        "Next: run 'pincite doctor'.\n"
    )
    found = facts(in_folder, 1)["claude"]
    assert found[0] == ("hooks in .claude/settings.json; MCP server in .mcp.json", True, "")
    assert "no pincite on the PATH" in found[1][0] and "PATH" in found[1][2]
    assert "`pincite mcp` does not start" in found[2][0]
    install(surroundings, 'test "$1" != mcp || { echo "Error: broken" >&2; exit 1; }')
    found = facts(in_folder, 1)["claude"]
    assert [ok for _, ok, _ in found] == [True, False]
    assert found[1][0] == "`pincite mcp` does not start: Error: broken"
    install(surroundings, "exit 0")
    assert all(ok for _, ok, _ in facts(in_folder, 0)["claude"])
    code, out, _ = in_folder("doctor")
    assert code == 0 and "\nclaude   hooks in .claude/settings.json; MCP server in .mcp.json\n" in out


def test_settings_of_the_user_count_too(in_folder: Done, surroundings: Path, tmp_path: Path) -> None:
    install(surroundings, "exit 0")
    (tmp_path / "home/.codex").mkdir()
    (tmp_path / "home/.codex/config.toml").write_text('[plugins."pincite@pincite"]\nenabled = true\n')
    assert facts(in_folder, 0)["codex"][0][0] == "plugin in ~/.codex/config.toml"


def test_settings_that_cannot_be_read_are_named(in_folder: Done, surroundings: Path, tmp_path: Path) -> None:
    (tmp_path / "pincite.toml").write_text("nonsense = [")
    what, ok, remedy = facts(in_folder, 1)["settings"][0]
    assert not ok and "pincite.toml" in what and remedy


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("nonsense = [", "correct it or remove the file"),
        ('"a; b" = 1', "correct the file that is named"),
        ('ignore = ["a\\u0001"]', "remove it"),
    ],
)
def test_the_remedy_for_wrong_settings_is_said_once(
    in_folder: Done, surroundings: Path, tmp_path: Path, text: str, remedy: str
) -> None:
    (tmp_path / "pincite.toml").write_text(text)
    what, _, said = facts(in_folder, 1)["settings"][0]
    assert said == remedy and remedy not in what
    line = next(line for line in in_folder("doctor")[1].splitlines() if line.startswith("settings"))
    assert line.endswith(f"; {remedy}") and ("correct" not in remedy or line.count("correct") == 1)


def test_settings_of_an_agent_that_it_cannot_read_are_named(
    in_folder: Done, surroundings: Path, tmp_path: Path
) -> None:
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude" / "settings.json").write_text("{")
    (tmp_path / ".mcp.json").write_bytes(b'{"mcpServers": \xff}')
    found = facts(in_folder, 1)["claude"]
    assert found == [
        (".claude/settings.json is not valid JSON", False, "correct .claude/settings.json"),
        (".mcp.json is not valid JSON", False, "correct .mcp.json"),
    ]


def test_a_cache_that_cannot_be_used_is_named(
    in_folder: Done, surroundings: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINCITE_CACHE", str(tmp_path / "inside"))
    what, ok, remedy = facts(in_folder, 1)["cache"][0]
    assert not ok and "lies inside of what is checked" in what and "PINCITE_CACHE" in remedy


def test_without_git_that_is_said(
    in_folder: Done, surroundings: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(surroundings))
    assert facts(in_folder, 1)["git"][0][:2] == ("not found on PATH", False)


def test_what_cannot_be_added_is_printed(in_folder: Done, surroundings: Path, tmp_path: Path) -> None:
    (tmp_path / ".mcp.json").write_text("// mine\n{}\n")
    code, out, _ = in_folder("init", "--agent", "claude")
    assert code == 0
    assert ".mcp.json cannot be added to safely; left as it is. To add by hand (MCP server):\n\n    {\n" in out
    assert (tmp_path / ".mcp.json").read_text() == "// mine\n{}\n"


@pytest.mark.parametrize("agent", ["nobody", ""])
def test_an_unknown_agent_is_refused(in_folder: Done, agent: str) -> None:
    assert in_folder("init", "--agent", agent)[0] == 2
