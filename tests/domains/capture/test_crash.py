"""Recorders that are killed, and many at once: what was acknowledged stays."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pincite.safe.files import Root
from pincite.store import output_files
from pincite.store.captures import open_for_writing

CAMPAIGN = Path(__file__).with_name("crash.py")


def campaign(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(CAMPAIGN), "--folder", str(folder), *arguments],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


def test_two_kills_of_each_way_lose_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    done = campaign(tmp_path, "--kills", "8", "--parallel", "0", "--seed", "1")
    assert (done.returncode, done.stderr) == (0, "")
    assert "none lost" in done.stdout


def test_fifty_captures_begin_a_store_together(tmp_path: Path) -> None:
    done = campaign(tmp_path, "--kills", "0", "--parallel", "50")
    assert (done.returncode, done.stderr) == (0, "")
    assert "all whole" in done.stdout


def test_an_output_file_that_was_tidied_away_before_it_was_locked_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    removed = []
    really = fcntl.flock

    def lock(descriptor: int, operation: int) -> None:
        if not removed:
            (name,) = os.listdir(tmp_path / output_files.OUTPUT)
            removed.append(name)
            os.unlink(tmp_path / output_files.OUTPUT / name)
        really(descriptor, operation)

    with Root(str(tmp_path)) as root, open_for_writing(root) as captures:
        monkeypatch.setattr(fcntl, "flock", lock)
        with captures.output() as output:
            output.write([b"kept\n"])
            assert os.listdir(tmp_path / output_files.OUTPUT) == [output.name]
    assert removed and removed != [output.name]
