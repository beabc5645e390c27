"""The settings of each agent: its files, and the entries that install pincite's hook and MCP server there.

Every command is in shell form: Codex drops the arguments of any other. It ends quietly where pincite is not installed.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from ...core.errors import UsageError
from ...safe.escape import json_text

SERVER = {"command": "pincite", "args": ["mcp"]}
"""The MCP server, as every client but Codex writes it."""
SERVER_NAME = "pincite"
_PRESENT = "command -v pincite >/dev/null 2>&1 || exit 0; "
"""Where pincite is not on PATH the hook ends quietly."""
_SECONDS = 60


class AgentClient(Struct, frozen=True):
    """One agent: where it reads settings, and how it names what pincite needs."""

    name: str
    title: str
    program: str
    """What is typed to start it."""
    hooks_file: str
    server_file: str
    instructions: tuple[str, ...]
    """Files with instructions for it: the first that exists is used, else the last is made."""
    before: str
    """The event before or after an edit."""
    tools: str
    """The tools that edit, as its matcher wants them; empty where it has no matcher."""
    end: str
    start: str
    timeout: int
    """Sixty seconds in the unit of its settings; 0 where it has no such setting."""


CLIENTS = {
    client.name: client
    for client in (
        AgentClient(
            *("claude", "Claude Code", "claude", ".claude/settings.json", ".mcp.json", ("CLAUDE.md", "AGENTS.md")),
            *("PreToolUse", "Write|Edit|MultiEdit", "Stop", "SessionStart", _SECONDS),
        ),
        AgentClient(
            *("codex", "Codex", "codex", ".codex/hooks.json", ".codex/config.toml", ("AGENTS.md",)),
            *("PreToolUse", "apply_patch|Bash", "Stop", "SessionStart", _SECONDS),
        ),
        AgentClient(
            *("gemini", "Gemini CLI", "gemini", ".gemini/settings.json", ".gemini/settings.json", ("GEMINI.md",)),
            *("BeforeTool", "write_file|replace|run_shell_command", "AfterAgent", "SessionStart", _SECONDS * 1000),
        ),
        AgentClient(
            *("cursor", "Cursor", "cursor", ".cursor/hooks.json", ".cursor/mcp.json", ("AGENTS.md",)),
            *("", "", "stop", "sessionStart", 0),
        ),
    )
}


def find_client(name: str) -> AgentClient:
    """A client by its name; raises UsageError naming those there are."""
    if name not in CLIENTS:
        raise UsageError(f"{name}: no such agent; known are {', '.join(CLIENTS)}")
    return CLIENTS[name]


def make_hooks(client: AgentClient) -> dict[str, list[dict[str, Any]]]:
    """Every hook of a client, by event."""
    words = f"{_PRESENT}pincite hook {client.name}"
    hooks = {}
    if client.before:
        hooks[client.before] = _make_group(client, words, client.tools)
    hooks[client.end] = _make_group(client, words)
    hooks[client.start] = _make_group(client, words)
    return hooks


def _make_group(client: AgentClient, words: str, tools: str = "") -> list[dict[str, Any]]:
    if not client.timeout:
        return [{"command": words}]
    handler = {"type": "command", "command": words, "timeout": client.timeout}
    return [{**({"matcher": tools} if tools else {}), "hooks": [handler]}]


def make_hook_settings(client: AgentClient) -> dict[str, Any]:
    """All that the file with the hooks holds for them."""
    hooks = {"hooks": make_hooks(client)}
    return {"version": 1, **hooks} if client.name == "cursor" else hooks


def print_hooks(name: str, changed: bool) -> str:
    """The least part of a client's settings that installs the hook; with `changed` also for the agent's end."""
    client = find_client(name)
    words = f"pincite hook {name}"
    hooks = {client.before: _make_group(client, words, client.tools)} if client.before else {}
    if changed or not client.before:
        hooks[client.end] = _make_group(client, f"{words} --changed" if client.before else words)
    whole = {"hooks": hooks}
    return json_text({"version": 1, **whole} if client.name == "cursor" else whole, indent=2)
