"""Whether pincite can do its work here: what is installed, what can be read, and whether agents can start it."""

from __future__ import annotations

import os
import platform
import tomllib
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from msgspec import DecodeError, Struct, json

from ..._version import __version__
from ...core.errors import PinciteError
from ...safe.child import ChildFailed, collect, find_program
from ...safe.files import read_path
from ...store.cache_folder import cache_folder, open_part
from .settings import CLIENTS, SERVER_NAME

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...safe.files import Root
    from .settings import AgentClient

EXTRAS = {
    "symbols": "tree_sitter",
    "models": "onnxruntime",
    "fast": "hyperscan",
    "mcp": "mcp",
    "lsp": "pygls",
    "web": "jinja2",
}
"""What can be installed besides, and the module that shows that it is."""
_LARGEST = 4 * 1024 * 1024
_SECONDS = 20.0
_MOST_OUTPUT = 1024 * 1024
_UPGRADE = "pip install --upgrade 'pincite[mcp]'"
_ON_PATH = "install pincite where the agent's shell finds it: `pipx install pincite`, or put its folder on PATH"


class SetupFact(Struct, frozen=True):
    """One thing that was looked at."""

    name: str
    """What it is about: `pincite`, `extras`, `git`, `cache`, `settings`, or an agent."""
    what: str
    ok: bool = True
    """False where something does not work that is set up or needed."""
    remedy: str = ""


def examine_setup(root: Root, settings_error: str = "") -> list[SetupFact]:
    """All facts about the installation and the agents of a project; never raises for what it finds."""
    facts = [SetupFact("pincite", f"{__version__}, Python {platform.python_version()}"), _examine_extras()]
    facts += [_examine_git(), _examine_cache()]
    if settings_error:
        facts.append(_describe_settings_error(settings_error))
    else:
        facts.append(SetupFact("settings", "readable"))
    program = _ProgramProbe()
    for client in CLIENTS.values():
        facts += _examine_client(root, client, program)
    return facts


def _describe_settings_error(error: str) -> SetupFact:
    """What is wrong with the settings; the message may end with a remedy of its own, which need not be said again."""
    what, _, remedy = error.rpartition("; ")
    # A message without a remedy ends with a bracket, and may quote any text in front of it.
    if not what or error.endswith(")"):
        return SetupFact("settings", error, False, "correct the file that is named")
    return SetupFact("settings", what, False, remedy)


def _examine_extras() -> SetupFact:
    there = [name for name, module in EXTRAS.items() if _has_module(module)]
    missing = [name for name in EXTRAS if name not in there]
    words = f"installed: {', '.join(there) or 'none'}"
    return SetupFact("extras", f"{words}; not installed: {', '.join(missing)}" if missing else words)


def _has_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except (ImportError, ValueError):
        return False


def _examine_git() -> SetupFact:
    program = find_program("git")
    remedy = "install git: without it nothing is compared with what authors saw"
    if program is None:
        return SetupFact("git", "not found on PATH", False, remedy)
    try:
        out, code, complaint = collect([program, "--version"], dict(os.environ), _SECONDS, b"", _MOST_OUTPUT)
    except (ChildFailed, OverflowError, OSError) as error:
        return SetupFact("git", f"does not start: {error}", False, remedy)
    version = out.decode("utf-8", "replace").strip().removeprefix("git version ")
    return SetupFact("git", version) if code == 0 else SetupFact("git", complaint or f"exit {code}", False, remedy)


def _examine_cache() -> SetupFact:
    try:
        with open_part(make=True):
            return SetupFact("cache", f"{cache_folder()}: usable")
    except PinciteError as error:
        what, _, remedy = str(error).partition("; ")
        return SetupFact("cache", what, False, remedy or "set PINCITE_CACHE to a folder of your own")


class _ProgramProbe:
    """Whether the shell that agents use finds pincite, and whether its server starts; each is tried once."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def find_trouble(self, words: str) -> str:
        """Why a shell command does not work; empty where it does."""
        if words not in self._known:
            self._known[words] = _run_in_shell(words)
        return self._known[words]


def _run_in_shell(words: str) -> str:
    try:
        _, code, complaint = collect(["/bin/sh", "-c", words], dict(os.environ), _SECONDS, b"", _MOST_OUTPUT)
    except (ChildFailed, OverflowError, OSError) as error:
        return str(error) or "does not answer"
    if code == 0:
        return ""
    said = complaint.strip()
    return "it has no such command" if said.startswith("Usage:") else said or f"exit {code}"


def _examine_client(root: Root, client: AgentClient, program: _ProgramProbe) -> Iterator[SetupFact]:
    """What is set up for an agent, in the project and for the user; nothing where that is nothing."""
    yield from _find_broken(root, client)
    hooks = [place for place, said, text in _read_places(root, client.hooks_file) if _has_hook(said, text)]
    servers = [place for place, said, _ in _read_places(root, client.server_file) if _has_server(said)]
    plugins = [place for place, said, _ in _read_places(root, _plugin_file(client)) if _has_plugin(said)]
    if not (hooks or servers or plugins):
        return
    parts = [f"hooks in {', '.join(hooks)}"] if hooks else []
    parts += [f"MCP server in {', '.join(servers)}"] if servers else []
    parts += [f"plugin in {', '.join(plugins)}"] if plugins else []
    if not hooks and not plugins:
        parts.append("no hooks")
    yield SetupFact(client.name, "; ".join(parts))
    if (hooks or plugins) and program.find_trouble("command -v pincite"):
        yield SetupFact(client.name, "the hooks do nothing: no pincite on the PATH of /bin/sh", False, _ON_PATH)
    elif (hooks or plugins) and program.find_trouble(f"pincite hook {client.name} --help"):
        why = program.find_trouble(f"pincite hook {client.name} --help")
        yield SetupFact(client.name, f"the hooks do not start: {why}", False, "pip install --upgrade pincite")
    if servers or plugins:
        yield from _examine_server(client, program)


def _examine_server(client: AgentClient, program: _ProgramProbe) -> Iterator[SetupFact]:
    why = program.find_trouble("pincite mcp --help")
    if why:
        yield SetupFact(client.name, f"`pincite mcp` does not start: {why}", False, _UPGRADE)
    elif not _has_module(EXTRAS["mcp"]):
        yield SetupFact(client.name, "the extra for the MCP server is missing", False, _UPGRADE)


def _plugin_file(client: AgentClient) -> str:
    return ".codex/config.toml" if client.name == "codex" else client.hooks_file


def _read_places(root: Root, key: str) -> Iterator[tuple[str, dict[str, Any], str]]:
    """The settings at a key below the project and below the user's home: the place, what it says, and its text."""
    for place, text in _read_texts(root, key):
        try:
            said = _parse_settings(key, text)
        except (ValueError, DecodeError, RecursionError):
            continue
        if isinstance(said, dict):
            yield place, said, text


def _find_broken(root: Root, client: AgentClient) -> Iterator[SetupFact]:
    """Settings that the agent cannot read: it starts nothing that stands in them, without a word."""
    for key in dict.fromkeys((client.hooks_file, client.server_file, _plugin_file(client))):
        for place, text in _read_texts(root, key):
            try:
                _parse_settings(key, text)
            except (ValueError, DecodeError, RecursionError):
                # Some agents allow comments in JSON; there it is not known what is wrong.
                if "//" not in text and "/*" not in text:
                    kind = "TOML" if key.endswith(".toml") else "JSON"
                    yield SetupFact(client.name, f"{place} is not valid {kind}", False, f"correct {place}")


def _read_texts(root: Root, key: str) -> Iterator[tuple[str, str]]:
    """The files at a key below the project and below the user's home, as far as they are there."""
    for place, top in ((key, root.path), (f"~/{key}", os.path.expanduser("~"))):
        if place[0] == "~" and (not os.path.isabs(top) or os.path.realpath(top) == root.path):
            continue
        try:
            data = root.read(key, _LARGEST) if place == key else read_path(os.path.join(top, key), _LARGEST)
        except (PinciteError, OSError):
            continue
        yield place, data.decode("utf-8", "replace")


def _parse_settings(key: str, text: str) -> object:
    return tomllib.loads(text) if key.endswith(".toml") else json.decode(text)


def _has_hook(said: dict[str, Any], text: str) -> bool:
    return "hooks" in said and "pincite hook" in text


def _has_server(said: dict[str, Any]) -> bool:
    servers = said.get("mcpServers", said.get("mcp_servers"))
    return isinstance(servers, dict) and SERVER_NAME in servers


def _has_plugin(said: dict[str, Any]) -> bool:
    plugins = said.get("enabledPlugins", said.get("plugins"))
    return isinstance(plugins, dict) and any(str(name).startswith(f"{SERVER_NAME}@") for name in plugins)
