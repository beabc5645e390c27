"""What the tests of the command line share: a real terminal, and how things looked."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from pincite.doors.cli.main import main

NOT_TOLD = ("NO_COLOR", "FORCE_COLOR", "COLUMNS")
PROGRESS = re.compile(r"\r\x1b\[K(?:[a-z]+ [0-9]+ of [0-9]+ [a-z]+)?")


def on_terminal(command: Sequence[str], folder: Path, **environment: str) -> str:
    """What a command leaves on a pseudo-terminal, with plain line ends."""
    ours, theirs = pty.openpty()
    quiet = {name: value for name, value in os.environ.items() if name not in NOT_TOLD}
    surroundings = quiet | {"TERM": "xterm-256color"} | environment
    child = subprocess.Popen(command, cwd=folder, stdout=theirs, stderr=theirs, env=surroundings)
    os.close(theirs)
    seen = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:
            break
        if not piece:
            break
        seen += piece
    os.close(ours)
    child.wait()
    # Progress is shown where a run takes a while, as on a busy machine, and taken away again.
    return PROGRESS.sub("", seen.decode().replace("\r\n", "\n"))


@pytest.fixture
def terminal() -> Callable[..., str]:
    """Runs a command on a terminal: (command, folder, **environment) -> what it showed."""
    return on_terminal


@pytest.fixture
def snapshot() -> Callable[[str, str], None]:
    """Compares what was seen with what is kept: (name, seen); PINCITE_UPDATE_SNAPSHOTS keeps it anew."""

    def compare(name: str, seen: str) -> None:
        kept = Path(__file__).parent / "snapshots" / f"{name}.txt"
        if os.environ.get("PINCITE_UPDATE_SNAPSHOTS"):
            kept.write_text(seen)
        assert seen == kept.read_text()

    return compare


@pytest.fixture
def in_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    """Runs pincite in the test's folder, in the time of Greenwich: arguments -> exit code, output, errors."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    time.tzset()

    def run(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            main([*arguments])
        seen = capsys.readouterr()
        return int(ended.value.code or 0), seen.out, seen.err

    return run
