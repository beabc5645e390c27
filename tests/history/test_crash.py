"""Killed fixes, failing calls, and many processes at once: every document is old or new, and nothing is left.

`PINCITE_KILLS=200` makes this the campaign of `make crash`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pincite.doors.cli.main import main

CAMPAIGN = Path(__file__).with_name("crash.py")
KILLS = os.environ.get("PINCITE_KILLS", "").removesuffix("all")
QUICK = Path("/dev/shm")
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(CAMPAIGN.parents[2] / "src")}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where to work: in memory where that is possible, unless it is a campaign."""
    return QUICK if not KILLS and os.access(QUICK, os.W_OK) else tmp_path


def campaign(folder: Path, kills: int = 0, faults: int = 0, scattered: int = 0, parallel: int = 0) -> str:
    """What the campaign says, with nothing but the given parts."""
    size = ("--documents", "500") if KILLS else ("--documents", "24", "--forked", "--step", "3")
    done = subprocess.run(
        [
            *(sys.executable, str(CAMPAIGN), "--folder", str(folder), "--seed", "1", *size),
            *("--kills", str(kills), "--faults", str(faults), "--scattered", str(scattered)),
            *("--parallel", str(parallel)),
        ],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=7200 if KILLS else 600,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_whatever_moment_it_is_killed_at(folder: Path) -> None:
    kills = int(KILLS or 30)
    said = campaign(folder, kills=kills)
    assert said.startswith(f"{kills} kills") and "every one old or new" in said


def test_whatever_call_fails(folder: Path) -> None:
    said = campaign(folder, faults=20 if KILLS else 3, scattered=10 if KILLS else 1)
    assert said.count("every one old or new") == 2
    assert "\n  every one old or new, 0 leftovers" not in said.partition("scattered")[0]


def test_twenty_processes_lose_nothing(folder: Path) -> None:
    assert "20 processes" in campaign(folder, parallel=20)


def test_only_who_writes_sweeps(tmp_path: Path) -> None:
    """Also where there is nothing to fix any more; what the user did not ask to be written stays."""
    left = ".pincite-4194303-0123abcd~"
    for name in ("docs/a.md", f"docs/{left}", f".pincite/{left}", f"elsewhere/{left}"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("See docs/a.md:1.\n")

    def fix(*options: str) -> list[str]:
        with pytest.raises(SystemExit) as ended:
            main(["fix", "--no-cache", "--root", str(tmp_path), *options, str(tmp_path)])
        assert ended.value.code == 0
        return sorted(str(path.relative_to(tmp_path).parent) for path in tmp_path.rglob("*~"))

    assert fix() == [".pincite", "docs", "elsewhere"]
    assert fix("--write") == ["elsewhere"]
