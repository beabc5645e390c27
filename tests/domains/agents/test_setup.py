"""Setting an agent up: what is missing is written, what is there stays, twice is once."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from pincite.domains.agents.settings import CLIENTS, make_hook_settings
from pincite.domains.agents.setup import set_up_agents
from pincite.safe.files import Root

TOP = Path(__file__).resolve().parents[3]


def outcomes(folder: Path, name: str) -> list[tuple[str, str]]:
    with Root(str(folder)) as root:
        return [(step.key, step.outcome) for step in set_up_agents(root, [CLIENTS[name]])]


@pytest.mark.parametrize("name", CLIENTS)
def test_an_empty_project_gets_all_of_it_once(tmp_path: Path, name: str) -> None:
    client = CLIENTS[name]
    assert {outcome for _, outcome in outcomes(tmp_path, name)} <= {"wrote", "added"}
    files = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert json.loads(files[tmp_path / client.hooks_file])["hooks"] == make_hook_settings(client)["hooks"]
    server = files[tmp_path / client.server_file].decode()
    said = tomllib.loads(server)["mcp_servers"] if name == "codex" else json.loads(server)["mcpServers"]
    assert said["pincite"] == {"command": "pincite", "args": ["mcp"]}
    assert "pincite cite" in files[tmp_path / client.instructions[-1]].decode()
    assert {outcome for _, outcome in outcomes(tmp_path, name)} == {"present"}
    assert files == {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}


def test_what_is_there_stays(tmp_path: Path) -> None:
    (tmp_path / ".codex").mkdir()
    (tmp_path / ".codex/config.toml").write_text('model = "x" # mine\n[mcp_servers.other]\ncommand = "o"')
    (tmp_path / "AGENTS.md").write_bytes(b"# Mine\r\n")
    assert ("AGENTS.md", "added") in outcomes(tmp_path, "codex")
    text = (tmp_path / ".codex/config.toml").read_text()
    assert text.startswith('model = "x" # mine\n[mcp_servers.other]\ncommand = "o"\n')
    assert set(tomllib.loads(text)["mcp_servers"]) == {"other", "pincite"}
    data = (tmp_path / "AGENTS.md").read_bytes()
    assert data.startswith(b"# Mine\r\n\r\n## Citations\r\n") and b"\n" not in data.replace(b"\r\n", b"")


def test_claude_codes_own_instructions_come_first(tmp_path: Path) -> None:
    (tmp_path / "CLAUDE.md").write_text("Mine.")
    assert ("CLAUDE.md", "added") in outcomes(tmp_path, "claude")
    assert (tmp_path / "CLAUDE.md").read_text().startswith("Mine.\n\n## Citations\n")
    assert not (tmp_path / "AGENTS.md").exists()


@pytest.mark.parametrize(
    ("name", "key", "text"),
    [
        ("gemini", ".gemini/settings.json", '{\n  // mine\n  "a": 1\n}\n'),
        ("claude", ".mcp.json", '{"mcpServers": []}'),
        ("codex", ".codex/config.toml", "mcp_servers = {}\n"),
        ("codex", ".codex/config.toml", "no toml"),
    ],
)
def test_what_cannot_be_added_to_is_left_to_a_person(tmp_path: Path, name: str, key: str, text: str) -> None:
    (tmp_path / key).parent.mkdir(exist_ok=True)
    (tmp_path / key).write_text(text)
    assert (key, "by hand") in outcomes(tmp_path, name)
    assert (tmp_path / key).read_text() == text


def test_the_plugin_has_the_same_hooks() -> None:
    for name, place in (("claude", "plugins/pincite"), ("gemini", "plugins/gemini")):
        shipped = json.loads((TOP / place / "hooks/hooks.json").read_text())["hooks"]
        made = make_hook_settings(CLIENTS[name])["hooks"]
        assert set(shipped) == set(made)
        for event, groups in made.items():
            assert shipped[event][0]["hooks"][0]["command"] == groups[0]["hooks"][0]["command"]
            assert shipped[event][0]["hooks"][0]["timeout"] == groups[0]["hooks"][0]["timeout"]
