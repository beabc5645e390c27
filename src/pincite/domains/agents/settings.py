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
_PRESENT = "command -v pincite >/dev/null 2>&1 || {quietly}; "
"""Where pincite is not on PATH the hook ends quietly."""
_EMPTY = "{ echo '{}'; exit 0; }"
"""The same for clients that want JSON on every path."""
_SECONDS = 60


class AgentClient(Struct, frozen=True):
    """One agent: where it reads settings, and how it names what pincite needs."""

    name: str
    title: str
    """What people call it."""
    hooks_file: str
    server_file: str
    instructions: tuple[str, ...]
    """Files with instructions for it: the first that exists is used, else the last is made."""
    before: str
    """The event before an edit; empty where no hook can answer to one."""
    tools: str
    """The tools that edit, as its matcher wants them; empty where it has no matcher."""
    end: str
    start: str
    timeout: int
    """Sixty seconds in the unit of its settings; 0 where it has no such setting."""
    shell_tool: str = ""
    """Its tool for shell commands, which may write documents too, where `tools` does not have it."""
    quietly: str = "exit 0"
    """How a hook ends that has nothing to say."""
    trust: str = ""
    """What its user has to do before it runs a new hook."""


_CLAUDE = AgentClient(
    name="claude",
    title="Claude Code",
    hooks_file=".claude/settings.json",
    server_file=".mcp.json",
    instructions=("CLAUDE.md", "AGENTS.md"),
    before="PreToolUse",
    tools="Write|Edit|MultiEdit",
    shell_tool="Bash",
    end="Stop",
    start="SessionStart",
    timeout=_SECONDS,
)
_CODEX = AgentClient(
    name="codex",
    title="Codex",
    hooks_file=".codex/hooks.json",
    server_file=".codex/config.toml",
    instructions=("AGENTS.md",),
    before="PreToolUse",
    tools="apply_patch|Bash",
    end="Stop",
    start="SessionStart",
    timeout=_SECONDS,
    trust="runs new hooks only once you trust them: type '/hooks' in it",
)
_GEMINI = AgentClient(
    name="gemini",
    title="Gemini CLI",
    hooks_file=".gemini/settings.json",
    server_file=".gemini/settings.json",
    instructions=("GEMINI.md",),
    before="BeforeTool",
    tools="write_file|replace|run_shell_command",
    end="AfterAgent",
    start="SessionStart",
    timeout=_SECONDS * 1000,
    quietly=_EMPTY,
    trust="runs the hooks of a project only where its folder is trusted: type '/permissions' in it",
)
_CURSOR = AgentClient(
    name="cursor",
    title="Cursor",
    hooks_file=".cursor/hooks.json",
    server_file=".cursor/mcp.json",
    instructions=("AGENTS.md",),
    before="",
    tools="",
    end="stop",
    start="sessionStart",
    timeout=0,
    quietly=_EMPTY,
)
CLIENTS = {client.name: client for client in (_CLAUDE, _CODEX, _GEMINI, _CURSOR)}


def find_client(name: str) -> AgentClient:
    """A client by its name; raises UsageError naming those there are."""
    if name not in CLIENTS:
        raise UsageError(f"{name}: no such agent; known are {', '.join(CLIENTS)}")
    return CLIENTS[name]


def make_hooks(client: AgentClient) -> dict[str, list[dict[str, Any]]]:
    """Every hook of a client, by event."""
    words = f"{_PRESENT.format(quietly=client.quietly)}pincite hook {client.name}"
    hooks = {}
    if client.before:
        hooks[client.before] = _make_group(client, words, "|".join(filter(None, (client.tools, client.shell_tool))))
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
