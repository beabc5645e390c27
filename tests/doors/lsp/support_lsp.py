"""A client for tests of the language server: a small repository, a server of its own, and waiting for conditions."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from lsprotocol import types
from pytest_lsp import LanguageClient, client_capabilities, make_test_lsp_client

SOURCE = Path(__file__).resolve().parents[3] / "src"
TIMEOUT = 60.0
"""Seconds after which a test that waits has failed; far more than anything takes on a busy machine."""
PROFILES = {"visual_studio_code": "utf-16", "neovim": "utf-8", "emacs": "utf-32"}
PAPER = """---
ref: REF-001
title: "Needles and gauges"
authors: ["A. Author"]
year: 2020
---

# Needles
"""
VALUES = "\n".join(f"value_{number} = {number}" for number in range(30)) + "\n"
CODE = "def limit(value):\n    return min(value, 250)\n\n\ndef reset():\n    return 0\n"


def git(folder: Path, *words: str) -> None:
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    names = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *names, *words], cwd=folder, env=environment, check=True, capture_output=True, timeout=60)


def make_repository(folder: Path, files: dict[str, str]) -> Path:
    """A repository with these files in its first commit."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "first")
    return folder


def server_environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return {**kept, "PYTHONPATH": str(SOURCE), **more}


COMMAND = [sys.executable, "-m", "pincite", "lsp"]


class Editor:
    """One client with one server."""

    def __init__(self, root: Path, client: LanguageClient) -> None:
        self.root = root
        self.client = client
        self.capabilities: types.ServerCapabilities | None = None
        self._versions: dict[str, int] = {}

    @property
    def server(self) -> Any:
        return self.client._server

    @property
    def refreshed(self) -> int:
        """How often the server asked to be asked for diagnostics again."""
        return self.client.diagnostic_refresh_count

    def uri(self, name: str) -> str:
        return (self.root / name).as_uri()

    def identify(self, name: str) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(self.uri(name))

    def open(self, name: str, text: str | None = None, language: str = "markdown") -> None:
        said = (self.root / name).read_bytes().decode() if text is None else text
        self._versions[name] = 1
        item = types.TextDocumentItem(self.uri(name), language, 1, said)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def change(self, name: str, text: str) -> int:
        """Replace the whole text; gives the new version."""
        return self.edit(name, types.TextDocumentContentChangeWholeDocument(text))

    def edit(self, name: str, *changes: Any) -> int:
        self._versions[name] += 1
        version = self._versions[name]
        identity = types.VersionedTextDocumentIdentifier(version, self.uri(name))
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(identity, list(changes)))
        return version

    def save(self, name: str) -> None:
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(self.identify(name)))

    def shown(self, name: str) -> list[types.Diagnostic]:
        """What was pushed last."""
        return list(self.client.diagnostics.get(self.uri(name), ()))

    async def wait(self, condition: Callable[[], Any]) -> Any:
        """Wait until a condition holds."""

        async def poll() -> Any:
            while not (found := condition()):
                await asyncio.sleep(0.01)
            return found

        return await asyncio.wait_for(poll(), TIMEOUT)

    async def wait_for_codes(self, name: str, *codes: str) -> list[types.Diagnostic]:
        """Wait until exactly these problems are pushed for a document."""
        await self.wait(
            lambda: self.uri(name) in self.client.diagnostics and [one.code for one in self.shown(name)] == [*codes]
        )
        return self.shown(name)

    async def pull(self, name: str, previous: str | None = None) -> Any:
        asked = types.DocumentDiagnosticParams(self.identify(name), previous_result_id=previous)
        return await self.client.text_document_diagnostic_async(asked)

    async def ask(self, question: Awaitable[Any]) -> Any:
        return await asyncio.wait_for(question, TIMEOUT)


def read_actions(client: LanguageClient) -> None:
    """Have the test client read actions that have a command; its library takes every one of them for a bare command."""
    converter = client.protocol._converter

    def read(given: Any, _: Any) -> Any:
        bare = isinstance(given.get("command"), str)
        return converter.structure(given, types.Command if bare else types.CodeAction)

    converter.register_structure_hook(types.Command | types.CodeAction, read)


async def start_editor(root: Path, profile: str = "neovim@v0.8.0", pulls: bool = False, **more: str) -> Editor:
    """A client of a kind, and its server, introduced to one another; with `pulls` it asks for diagnostics."""
    client = make_test_lsp_client()
    read_actions(client)
    await client.start_io(*COMMAND, env=server_environment(**more))
    editor = Editor(root, client)
    folder = types.WorkspaceFolder(root.as_uri(), "root")
    capabilities = client_capabilities(profile)
    if pulls:
        assert capabilities.text_document is not None
        assert capabilities.workspace is not None
        capabilities.text_document.diagnostic = types.DiagnosticClientCapabilities(related_information=True)
        capabilities.workspace.diagnostics = types.DiagnosticWorkspaceClientCapabilities(refresh_support=True)
    params = types.InitializeParams(capabilities=capabilities, root_uri=root.as_uri(), workspace_folders=[folder])
    answer = await asyncio.wait_for(client.initialize_session(params), TIMEOUT)
    editor.capabilities = answer.capabilities
    return editor


async def stop_editor(editor: Editor) -> int:
    """Say goodbye; the server's exit code."""
    await asyncio.wait_for(editor.client.shutdown_session(), TIMEOUT)
    code: int = await asyncio.wait_for(editor.client._server.wait(), TIMEOUT)
    await editor.client.stop()
    return code


async def ask(editor: Editor, method: str, params: Any) -> Any:
    """The answer to a request."""
    return await editor.ask(getattr(editor.client, f"{method}_async")(params))


async def hover(editor: Editor, name: str, line: int, character: int) -> str:
    """What is shown at a place."""
    asked = types.HoverParams(editor.identify(name), types.Position(line, character))
    answer = await ask(editor, "text_document_hover", asked)
    return answer.contents.value if answer is not None else ""


def apply(text: str, action: types.CodeAction) -> str:
    """A text of one encoding unit per character after an action."""
    assert action.edit is not None
    changes = action.edit.document_changes or ()
    edits = [edit for change in changes for edit in change.edits]
    edits += [edit for some in (action.edit.changes or {}).values() for edit in some]
    lines = text.split("\n")
    for edit in sorted(edits, key=lambda one: (one.range.start.line, one.range.start.character), reverse=True):
        line = lines[edit.range.start.line]
        lines[edit.range.start.line] = (
            line[: edit.range.start.character] + edit.new_text + line[edit.range.end.character :]
        )
    return "\n".join(lines)
