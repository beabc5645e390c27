"""`pincite mcp` as a command: the missing extra, and that no other command pays for it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from support_mcp import make_environment


def run_code(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A piece of code in a process of its own."""
    words = [sys.executable, "-c", code]
    return subprocess.run(
        words, cwd=folder, env=make_environment(), capture_output=True, text=True, check=False, timeout=120
    )


def test_a_missing_extra_is_named(repository: Path) -> None:
    code = "import sys; sys.modules['mcp'] = None\nfrom pincite.doors.cli.main import main; main(['mcp'])"
    done = run_code(code, repository)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "pincite: `pincite mcp` needs an extra: install 'pincite[mcp]'\n"


@pytest.mark.parametrize("words", [["check"], ["--help"], ["--version"], ["mcp", "--help"]])
def test_no_other_command_imports_the_server(repository: Path, words: list[str]) -> None:
    code = (
        "import sys, atexit\n"
        "heavy = {'mcp', 'mcp_types', 'pydantic', 'asyncio', 'starlette', 'uvicorn'}\n"
        "atexit.register(lambda: print('heavy', sorted(heavy & set(sys.modules)), file=sys.stderr))\n"
        f"from pincite.doors.cli.main import main; main({words!r})"
    )
    assert run_code(code, repository).stderr.endswith("heavy []\n")
