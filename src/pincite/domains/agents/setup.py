"""Setting an agent up in a project: hooks, MCP server and instruction lines, added and never overwritten."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ...core.errors import Missing, Refused, Unreadable
from ...safe.escape import json_text
from ...safe.write import create, replace
from .json_insert import add_to_json
from .settings import SERVER, SERVER_NAME, make_hook_settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...safe.files import Root
    from .settings import AgentClient

_LARGEST = 4 * 1024 * 1024
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


def set_up_agent(root: Root, client: AgentClient) -> list[SetupStep]:
    """Add all that an agent needs; raises Refused where a file cannot be read or written."""
    server = {"mcpServers": {SERVER_NAME: SERVER}}
    steps = [_add(root, client.hooks_file, "hooks", make_hook_settings(client), _has_hook)]
    if client.server_file.endswith(".toml"):
        steps.append(_add_server_table(root, client.server_file))
    else:
        steps.append(_add(root, client.server_file, "MCP server", server, _has_server))
    return [*steps, _add_instructions(root, client)]


def _has_hook(text: str) -> bool:
    return "pincite hook" in text


def _has_server(text: str) -> bool:
    return f'"{SERVER_NAME}"' in text and '"mcpServers"' in text


def _read(root: Root, key: str) -> tuple[bytes, str] | None:
    """A file's bytes and text; None where there is no file."""
    try:
        data = root.read(key, _LARGEST)
    except Missing:
        return None
    try:
        return data, data.decode("utf-8")
    except UnicodeDecodeError:
        raise Unreadable(f"{key}: not UTF-8; nothing was written") from None


def _add(root: Root, key: str, what: str, additions: dict[str, Any], has: Callable[[str], bool]) -> SetupStep:
    """Add to a JSON file, or make it."""
    there = _read(root, key)
    if there is None:
        create(root, key, f"{json_text(additions, 2)}\n".encode())
        return SetupStep(key, what, "wrote")
    data, text = there
    if has(text):
        return SetupStep(key, what, "present")
    new = add_to_json(text, additions)
    if new is None:
        return SetupStep(key, what, "by hand", json_text(additions, 2))
    replace(root, key, data, new.encode())
    return SetupStep(key, what, "added")


def _add_server_table(root: Root, key: str) -> SetupStep:
    """Add the MCP server to Codex's settings, which are TOML: a table can be appended to any."""
    what, there = "MCP server", _read(root, key)
    if there is None:
        create(root, key, _SERVER_TABLE.encode())
        return SetupStep(key, what, "wrote")
    data, text = there
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
    replace(root, key, data, new.encode())
    return SetupStep(key, what, "added")


def _add_instructions(root: Root, client: AgentClient) -> SetupStep:
    what = "instructions"
    for key in client.instructions:
        there = _read(root, key)
        if there is None:
            continue
        data, text = there
        if _KNOWN_BY in text:
            return SetupStep(key, what, "present")
        end = "\r\n" if "\r\n" in text else "\n"
        gap = "" if not text else end if text.endswith(("\n", "\r")) else end * 2
        try:
            replace(root, key, data, (text + gap + _INSTRUCTIONS.replace("\n", end)).encode())
        except Refused:
            return SetupStep(key, what, "by hand", _INSTRUCTIONS)
        return SetupStep(key, what, "added")
    key = client.instructions[-1]
    create(root, key, _INSTRUCTIONS.encode())
    return SetupStep(key, what, "wrote")
