"""The programs themselves say that the plugins are sound."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Client = Callable[..., subprocess.CompletedProcess[str]]
TOP = Path(__file__).resolve().parents[2]
QUIET = {"DISABLE_TELEMETRY": "1", "DISABLE_AUTOUPDATER": "1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}


@pytest.mark.parametrize("folder", ["plugins/pincite", "plugins/pincite-lsp", "."])
def test_claude_code_finds_nothing_to_report(client: Client, folder: str) -> None:
    known = client("claude", "plugin", "validate", "--help", **QUIET).stdout
    profile = ("--profile", "directory") if "--profile" in known and folder != "." else ()
    done = client("claude", "plugin", "validate", "--strict", *profile, folder, **QUIET)
    assert done.returncode == 0, done.stdout
    assert "Validation passed" in done.stdout


def test_claude_code_installs_the_plugin(client: Client) -> None:
    assert client("claude", "plugin", "marketplace", "add", str(TOP), **QUIET).returncode == 0
    done = client("claude", "plugin", "install", "pincite@pincite", **QUIET)
    assert done.returncode == 0, done.stdout


def test_codex_installs_the_same_plugin(client: Client) -> None:
    assert client("codex", "plugin", "marketplace", "add", str(TOP)).returncode == 0
    done = client("codex", "plugin", "add", "pincite@pincite")
    assert done.returncode == 0, done.stdout
    assert "pincite@pincite      installed, enabled" in client("codex", "plugin", "list").stdout


def test_gemini_finds_the_extension_valid(client: Client) -> None:
    done = client("gemini", "extensions", "validate", "plugins/gemini")
    assert done.returncode == 0, done.stdout
    assert "successfully validated" in done.stdout
