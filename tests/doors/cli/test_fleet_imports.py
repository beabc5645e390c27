"""What one machine does not need is not imported there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = str(Path(__file__).resolve().parents[3] / "src")
HEAVY = re.compile(
    r"\b(pincite\.fleet|pincite\.store\.shared|psycopg|dask|distributed|procrastinate|prometheus_client|tornado)\b"
)


def list_imports(folder: Path, *arguments: str) -> list[str]:
    """The modules that a command imports."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PINCITE_"))}
    environment = {**kept, "PYTHONPATH": SOURCE, "PINCITE_CACHE": str(folder / "cache")}
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "pincite", *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return [line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")]


@pytest.mark.parametrize(
    "arguments", [("check",), ("check", "--format", "json"), ("fix",), ("--help",), ("fleet", "--help")]
)
def test_nothing_of_the_fleet_is_imported(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    (tmp_path / "a.md").write_text("It is set in `a.py:1`. See https://github.com/o/n/blob/main/a.py#L1.\n")
    found = list_imports(tmp_path, *arguments)
    assert "pincite.doors.cli.main" in found
    assert [name for name in found if HEAVY.search(name)] == []


def test_a_command_of_the_fleet_is_noticed(tmp_path: Path) -> None:
    found = list_imports(tmp_path, "store", "status", "--database", str(tmp_path / "none.db"))
    assert [name for name in found if HEAVY.search(name)]
