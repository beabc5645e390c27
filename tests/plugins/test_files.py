"""The files of the plugins: sound without any client, and true to the program they start."""

from __future__ import annotations

import json
import re
import struct
import subprocess
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from pincite._version import __version__
from pincite.doors.cli.main import pincite

TOP = Path(__file__).resolve().parents[2]
PLUGINS = TOP / "plugins"
MARKETPLACE = ".claude-plugin/marketplace.json"
FILES = sorted([MARKETPLACE, *(path.relative_to(TOP).as_posix() for path in PLUGINS.rglob("*.json"))])
SKILLS = sorted(PLUGINS.rglob("SKILL.md"))
PAGES = sorted({*PLUGINS.rglob("*.md")})
EVENTS = {
    "plugins/pincite/hooks/hooks.json": ("claude", {"PreToolUse", "Stop", "SessionStart"}, 60),
    "plugins/gemini/hooks/hooks.json": ("gemini", {"BeforeTool", "AfterAgent", "SessionStart"}, 60_000),
}
LATER = {"mcp", "lsp"}
"""Servers that are doors of their own; they may not be installed with the rest."""


def load(name: str) -> Any:
    return json.loads((TOP / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", FILES)
def test_versions_are_those_of_the_program(name: str) -> None:
    said = load(name)
    versions = [said.get("version")] + [plugin["version"] for plugin in said.get("plugins", [])]
    assert {version for version in versions if version is not None} <= {__version__}


def test_the_marketplace_lists_folders_that_exist() -> None:
    for plugin in load(MARKETPLACE)["plugins"]:
        manifest = load(f"{plugin['source']}/.claude-plugin/plugin.json")
        assert (manifest["name"], manifest["version"]) == (plugin["name"], plugin["version"])
        assert manifest["description"] == plugin["description"]


def test_the_agent_plugin_has_its_fields_and_no_others() -> None:
    manifest = load("plugins/agent-plugin/plugin.json")
    assert manifest["$schema"] == "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json"
    known = "$schema name version description author homepage repository license keywords extensions"
    assert set(manifest) <= set(known.split())
    assert load("plugins/agent-plugin/mcp.json") == load("plugins/pincite/.mcp.json")
    # Its manifest beside the hooks would keep Codex from loading them.
    assert not (PLUGINS / "pincite/plugin.json").exists()


def test_the_skills_of_both_plugins_are_the_same() -> None:
    ours, theirs = (
        {path.relative_to(PLUGINS / name): path.read_bytes() for path in SKILLS if path.is_relative_to(PLUGINS / name)}
        for name in ("pincite", "agent-plugin")
    )
    assert ours and ours == theirs


@pytest.mark.parametrize("name", EVENTS)
def test_hooks_are_in_shell_form_and_silent_without_pincite(name: str) -> None:
    client, events, timeout = EVENTS[name]
    hooks = load(name)["hooks"]
    assert set(hooks) == events
    for groups in hooks.values():
        for handler in (handler for group in groups for handler in group["hooks"]):
            assert handler["type"] == "command" and "args" not in handler
            assert handler["timeout"] == timeout
            assert handler["command"].startswith("command -v pincite >/dev/null 2>&1 || ")
            assert handler["command"].endswith(f"; pincite hook {client}")


@pytest.mark.parametrize("name", EVENTS)
def test_hooks_let_everything_pass_without_pincite(name: str, tmp_path: Path) -> None:
    for groups in load(name)["hooks"].values():
        words = groups[0]["hooks"][0]["command"]
        done = subprocess.run(
            ["/bin/sh", "-c", words], env={"PATH": str(tmp_path)}, input=b"{}", capture_output=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout == (b"{}\n" if EVENTS[name][0] == "gemini" else b"")


@pytest.mark.parametrize("path", SKILLS, ids=lambda path: path.relative_to(PLUGINS).as_posix())
def test_a_skill_has_a_name_and_a_description(path: Path) -> None:
    head = yaml.safe_load(path.read_text(encoding="utf-8").split("---")[1])
    assert set(head) == {"name", "description"}
    assert head["name"] == path.parent.name
    assert len(head["description"]) <= 1024 and "Use " in head["description"]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(PLUGINS).as_posix())
def test_commands_and_options_that_are_named_exist(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for words in re.findall(r"`pincite ([^`]+)`", text):
        command: click.Command = pincite
        parts = words.split()
        if parts[0] in LATER and parts[0] not in pincite.list_commands(click.Context(pincite)):
            continue
        context = click.Context(command)
        while isinstance(command, click.Group) and parts:
            found = command.get_command(context, parts[0])
            assert found is not None, f"{path}: pincite {words}"
            command, parts = found, parts[1:]
        options = {option for parameter in command.params for option in parameter.opts}
        given = [part for part in parts[: parts.index("--") if "--" in parts else None] if part.startswith("--")]
        assert set(given) <= options, f"{path}: pincite {words}"


@pytest.mark.parametrize("name", ["pincite", "pincite-lsp"])
def test_readme_and_icon_are_what_the_directory_wants(name: str) -> None:
    assert len((PLUGINS / name / "README.md").read_text(encoding="utf-8").split()) >= 40
    data = (PLUGINS / name / ".claude-plugin/icon.png").read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", data[16:24]) == (512, 512)
