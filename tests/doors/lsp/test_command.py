from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from support_lsp import COMMAND, TIMEOUT, server_environment

HEAVY = ("asyncio", "pygls", "lsprotocol", "cattrs", "attrs")


def test_without_the_extra_it_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "pygls").mkdir()
    (tmp_path / "pygls" / "__init__.py").write_text("raise ModuleNotFoundError('gone', name='pygls')\n")
    environment = server_environment()
    environment["PYTHONPATH"] = f"{tmp_path}{os.pathsep}{environment['PYTHONPATH']}"
    done = subprocess.run(
        COMMAND, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT, check=False
    )
    assert done.returncode == 2
    assert done.stdout == b""
    assert b"pip install 'pincite[lsp]'" in done.stderr
    assert b"Traceback" not in done.stderr


def test_at_a_terminal_it_says_who_it_is_for() -> None:
    leader, follower = pty.openpty()
    done = subprocess.run(
        COMMAND, env=server_environment(), stdin=follower, capture_output=True, timeout=TIMEOUT, check=False
    )
    os.close(leader)
    os.close(follower)
    assert done.returncode == 2
    assert b"for editors" in done.stderr


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["lsp", "--help"], ["check", "."]])
def test_other_commands_load_nothing_of_the_server(words: list[str], tmp_path: Path) -> None:
    (tmp_path / "d.md").write_text("See 【F:a.py†L1】.\n")
    code = (
        "import sys\nfrom pincite.doors.cli.main import main\n"
        f"try:\n    main({words!r})\nexcept SystemExit:\n    pass\n"
        f"print(sorted(set(sys.modules) & set({HEAVY!r})), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=server_environment(),
        capture_output=True,
        timeout=TIMEOUT,
        check=True,
    )
    assert done.stderr.decode().strip().splitlines()[-1] == "[]"
