"""What a campaign is made of: attempts to make pincite say or do something wrong, each held or not."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent / "src"


@dataclass(frozen=True)
class Attempt:
    """One try."""

    kind: str
    """Tries of one kind share a row of the table."""
    name: str
    """What tells this try from the others of its kind; the same seed gives the same name."""
    held: bool
    """Whether pincite withstood it."""
    detail: str = ""
    """What happened where it did not."""


def run_pincite(*arguments: str, cwd: Path, cache: Path, seconds: float = 60.0, **env: str) -> tuple[int, str, str]:
    """The command line as a user runs it: exit code, output, errors; -1 where it had to be killed.

    `cache` is the user's cache folder for this call, so that no attempt sees what another one left.
    """
    environment = {**os.environ, "PYTHONPATH": str(SOURCE), "PINCITE_CACHE": str(cache), "NO_COLOR": "1", **env}
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pincite", *arguments],
            cwd=cwd,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
        )
    except subprocess.TimeoutExpired:
        return -1, "", f"still running after {seconds:g} s"
    return done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
