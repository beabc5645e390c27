"""`pincite init --agent`: all that is asked for, or nothing and the reason."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

Done = Callable[..., tuple[int, str, str]]


def list_files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir())


@pytest.mark.parametrize("agents", [("claude",), ("codex", "claude")])
def test_a_file_that_is_not_utf8_keeps_every_file_from_being_written(
    in_folder: Done, tmp_path: Path, agents: tuple[str, ...]
) -> None:
    (tmp_path / ".mcp.json").write_bytes(b"\xff")
    code, out, err = in_folder("init", *(word for name in agents for word in ("--agent", name)))
    assert (code, out) == (2, "")
    assert err == (
        "pincite: .mcp.json: is not UTF-8; nothing was written. "
        "Save it as UTF-8, or move it away, then run the command again.\n"
    )
    assert list_files(tmp_path) == [".mcp.json"]
    assert (tmp_path / ".mcp.json").read_bytes() == b"\xff"


@pytest.mark.parametrize("key", [".claude/settings.json", ".mcp.json", "AGENTS.md"])
def test_a_folder_in_the_place_of_a_file_keeps_every_file_from_being_written(
    in_folder: Done, tmp_path: Path, key: str
) -> None:
    (tmp_path / key).mkdir(parents=True)
    code, out, err = in_folder("init", "--agent", "claude")
    assert (code, out) == (2, "")
    assert err == f"pincite: {key}: is a folder; nothing was written. Move it away, then run the command again.\n"
    assert list_files(tmp_path) == []


def test_settings_behind_a_link_that_leads_out_are_refused_with_the_reason(in_folder: Done, tmp_path: Path) -> None:
    outside = tmp_path.parent / f"{tmp_path.name}-outside.json"
    outside.write_text("{}")
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude/settings.json").symlink_to(outside)
    code, out, err = in_folder("init", "--agent", "claude")
    assert (code, out) == (2, "")
    assert err == (
        "pincite: .claude/settings.json: is or lies behind a link that leads outside the root, or into what belongs to "
        "git; nothing was written. Put a file of the project in its place, then run the command again.\n"
    )
    assert outside.read_text() == "{}" and list_files(tmp_path) == [".claude/settings.json"]


def test_several_agents_are_set_up_in_order(in_folder: Done, tmp_path: Path) -> None:
    code, out, _ = in_folder("init", "--agent", "claude", "--agent", "codex", "--agent", "claude")
    assert code == 0
    assert out == (
        "wrote .claude/settings.json (hooks)\nwrote .mcp.json (MCP server)\nwrote AGENTS.md (instructions)\n"
        "wrote .codex/hooks.json (hooks)\nwrote .codex/config.toml (MCP server)\n"
        "AGENTS.md has them already (instructions)\n"
        "Codex runs new hooks only once you trust them: type '/hooks' in it.\nNext: run 'pincite doctor'.\n"
    )
    assert (tmp_path / "AGENTS.md").read_text().count("## Citations") == 1
    assert os.path.exists(".codex/hooks.json") and os.path.exists(".claude/settings.json")
