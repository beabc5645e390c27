"""Real clients, found below PINCITE_CLIENTS (a folder with node_modules) or on PATH.

Each has a HOME and an environment of its own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]
SECONDS = 240
"""A client that hangs ends the test; nothing is expected to take as long."""


def find_client(name: str) -> str | None:
    """The program of a client; None where it is not installed."""
    folder = os.environ.get("PINCITE_CLIENTS", "")
    program = Path(folder) / "node_modules" / ".bin" / name
    return str(program) if folder and program.exists() else shutil.which(name)


@pytest.fixture
def client(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs a client with `pincite` on its PATH: (name, *arguments, folder=…, **environment); skips without one."""
    home, programs = tmp_path / "home", tmp_path / "bin"
    home.mkdir()
    programs.mkdir()
    script = programs / "pincite"
    script.write_text(f'#!/bin/sh\nPYTHONPATH="{TOP}/src" exec "{sys.executable}" -m pincite "$@"\n')
    script.chmod(0o755)

    def run(name: str, *arguments: str, folder: Path = TOP, **environment: str) -> subprocess.CompletedProcess[str]:
        program = find_client(name)
        if program is None:
            pytest.skip(f"{name} is not installed: `make test-clients` installs it")
        node = Path(os.environ.get("PINCITE_CLIENTS", "")) / "node_modules" / "node" / "bin"
        path = os.pathsep.join((str(programs), str(node), os.environ["PATH"]))
        around = {"HOME": str(home), "PATH": path, "PINCITE_CACHE": str(tmp_path / "cache"), "LC_ALL": "C.UTF-8"}
        return subprocess.run(
            [program, *arguments],
            cwd=folder,
            env=around | environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=SECONDS,
            check=False,
        )

    return run
