"""The demo, as it looks: its real output is kept, plain and as a terminal shows it."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

DEMO = Path(__file__).parents[2] / "examples/demo.py"
SNAPSHOTS = Path(__file__).parent / "snapshots"
QUIET = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS")}


def plain() -> str:
    done = subprocess.run(
        [sys.executable, str(DEMO)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=QUIET, check=True
    )
    return done.stdout.decode()


def coloured() -> str:
    """The same on a pseudo-terminal."""
    ours, theirs = pty.openpty()
    child = subprocess.Popen(
        [sys.executable, str(DEMO)], stdout=theirs, stderr=theirs, env=QUIET | {"TERM": "xterm-256color"}
    )
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
    assert child.wait() == 0
    return seen.decode().replace("\r\n", "\n")


@pytest.mark.parametrize("name", ["plain", "coloured"])
def test_the_demo_looks_as_it_did(name: str) -> None:
    seen = plain() if name == "plain" else coloured()
    snapshot = SNAPSHOTS / f"demo-{name}.txt"
    if os.environ.get("PINCITE_UPDATE_SNAPSHOTS"):
        snapshot.parent.mkdir(exist_ok=True)
        snapshot.write_text(seen)
    assert seen == snapshot.read_text()


def test_the_demo_shows_every_outcome_it_promises() -> None:
    seen = plain()
    for words in ("2 hold", "lines-moved", "lines-edited", "file-not-found", "path-blocked", "malformed", "--write"):
        assert words in seen
