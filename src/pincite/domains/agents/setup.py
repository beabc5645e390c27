"""Setting an agent up in a project: hooks, MCP server and instruction lines, added and never overwritten."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from ...safe.escape import json_text
from .json_insert import add_to_json
from .planned_files import PlannedFiles
from .settings import SERVER, SERVER_NAME, make_hook_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...safe.files import Root
    from .settings import AgentClient

_FOR_INSTRUCTIONS = "instructions"
_SERVER_TABLE = f'[mcp_servers.{SERVER_NAME}]\ncommand = "pincite"\nargs = ["mcp"]\n'
_INSTRUCTIONS = """\
## Citations

After a sentence about this repository's code, cite the lines it rests on: `【F:path/from/root†L10-L25】`, or
`【F:path†L7】` for one line. `pincite cite PATH:LINES` writes a citation that holds, or says why it cannot.
`pincite run --cite 'passed|failed' -- COMMAND` runs tests or a build and prints the citation of what they printed.
`pincite check -` checks a draft on standard input.
"""
_KNOWN_BY = "pincite cite"
"""What shows that a file has instructions for pincite already."""


class SetupStep(Struct, frozen=True):
    """What became of one file."""

    key: str
    what: str
    """What it is for: the hooks, the MCP server, the instructions."""
    outcome: str
    """`wrote`, `added`, `present`, or `by hand` where the file cannot be added to safely."""
    text: str = ""
    """What to add by hand."""


def set_up_agents(root: Root, clients: Sequence[AgentClient]) -> list[SetupStep]:
    """Add all that agents need, in order; raises PinciteError where a file cannot be read or written.

    Everything is read before anything is written: where one file cannot be read, no file changes.
    """
    files = PlannedFiles(root)
    steps = [step for client in clients for step in _plan_agent(files, client)]
    # Instructions can be added by hand as well as by pincite: a file of them that may not be written stops nothing.
    optional = frozenset(step.key for step in steps if step.what == _FOR_INSTRUCTIONS)
    left = files.write(optional)
    return [replace(step, outcome="by hand", text=_INSTRUCTIONS) if step.key in left else step for step in steps]


def _plan_agent(files: PlannedFiles, client: AgentClient) -> list[SetupStep]:
    server = {"mcpServers": {SERVER_NAME: SERVER}}
    steps = [_add(files, client.hooks_file, "hooks", make_hook_settings(client), _has_hook)]
    if client.server_file.endswith(".toml"):
        steps.append(_add_server_table(files, client.server_file))
    else:
        steps.append(_add(files, client.server_file, "MCP server", server, _has_server))
    return [*steps, _add_instructions(files, client)]


def _has_hook(text: str) -> bool:
    return "pincite hook" in text


def _has_server(text: str) -> bool:
    return f'"{SERVER_NAME}"' in text and '"mcpServers"' in text


def _add(files: PlannedFiles, key: str, what: str, additions: dict[str, Any], has: Callable[[str], bool]) -> SetupStep:
    """Add to a JSON file, or make it."""
    text = files.read(key)
    if text is None:
        files.plan(key, f"{json_text(additions, 2)}\n")
        return SetupStep(key, what, "wrote")
    if has(text):
        return SetupStep(key, what, "present")
    new = add_to_json(text, additions)
    if new is None:
        return SetupStep(key, what, "by hand", json_text(additions, 2))
    files.plan(key, new)
    return SetupStep(key, what, "added")


def _add_server_table(files: PlannedFiles, key: str) -> SetupStep:
    """Add the MCP server to Codex's settings, which are TOML: a table can be appended to any."""
    what, text = "MCP server", files.read(key)
    if text is None:
        files.plan(key, _SERVER_TABLE)
        return SetupStep(key, what, "wrote")
    try:
        before = tomllib.loads(text)
        if SERVER_NAME in before.get("mcp_servers", {}):
            return SetupStep(key, what, "present")
        new = text + ("" if not text or text.endswith("\n") else "\n") + ("\n" if text else "") + _SERVER_TABLE
        servers = {**before.get("mcp_servers", {}), SERVER_NAME: SERVER}
        if tomllib.loads(new) != {**before, "mcp_servers": servers}:
            raise ValueError
    except (ValueError, TypeError, RecursionError):
        return SetupStep(key, what, "by hand", _SERVER_TABLE)
    files.plan(key, new)
    return SetupStep(key, what, "added")


def _add_instructions(files: PlannedFiles, client: AgentClient) -> SetupStep:
    what = _FOR_INSTRUCTIONS
    for key in client.instructions:
        text = files.read(key)
        if text is None:
            continue
        if _KNOWN_BY in text:
            return SetupStep(key, what, "present")
        end = "\r\n" if "\r\n" in text else "\n"
        gap = "" if not text else end if text.endswith(("\n", "\r")) else end * 2
        files.plan(key, text + gap + _INSTRUCTIONS.replace("\n", end))
        return SetupStep(key, what, "added")
    key = client.instructions[-1]
    files.plan(key, _INSTRUCTIONS)
    return SetupStep(key, what, "wrote")
