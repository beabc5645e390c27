"""Running code against the real frameworks: apart from the tests, offline, and without a home to leave things in."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[4]
# They warn, start threads and take seconds to import; and what one of them does to the process, another meets.
ALONE = """
import runpy, socket, sys

tried = []

def refuse(*arguments, **names):
    tried.append(repr(arguments))
    raise OSError("there is no network here")

socket.socket.connect = socket.socket.connect_ex = socket.create_connection = socket.getaddrinfo = refuse
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
sys.exit(f"tried to reach the network: {tried}" if tried else 0)
"""
QUIET = {"HAYSTACK_TELEMETRY_ENABLED": "False", "LANGSMITH_TRACING": "false", "LANGCHAIN_TRACING_V2": "false"}


def absent_of(*modules: str) -> list[str]:
    """Which of these modules are not installed; none of them is imported."""
    # A name without a dot first: to find a part, the whole has to be there.
    return [name for name in modules if find_spec(name.partition(".")[0]) is None or find_spec(name) is None]


@pytest.fixture(scope="session")
def missing() -> Callable[..., list[str]]:
    """Which of the modules are not installed: (name, …) -> names."""
    return absent_of


@pytest.fixture(scope="session")
def run_alone(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., str]:
    """Runs a script with arguments, where `needs` are installed; gives what it prints."""

    def run(script: Path, *arguments: str, needs: tuple[str, ...], cwd: Path | None = None) -> str:
        if absent := absent_of(*needs):
            pytest.skip(f"not installed: {', '.join(absent)} (make setup installs them)")
        home = str(tmp_path_factory.mktemp("home"))
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", ALONE, str(script), *arguments],
            env={**os.environ, **QUIET, "HOME": home, "XDG_CACHE_HOME": home, "PYTHONPATH": str(TOP / "src")},
            cwd=cwd or home,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run
