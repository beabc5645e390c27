"""The tests behave the same wherever they are started from: at a terminal, in the background, under nohup."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
SHOW = """
import signal
def test_shown():
    ignored = [number.name for number in signal.valid_signals()
               if isinstance(number, signal.Signals) and signal.getsignal(number) == signal.SIG_IGN]
    print("ignored:", sorted(ignored), "blocked:", sorted(signal.pthread_sigmask(signal.SIG_BLOCK, ())))
"""


def test_signals_that_the_starter_ignored_work_in_tests(tmp_path: Path) -> None:
    (tmp_path / "test_shown.py").write_text(SHOW)
    command = [sys.executable, "-m", "pytest", "-q", "-s", "-c", os.devnull, "--rootdir", str(tmp_path)]
    done = subprocess.run(
        ["sh", "-c", "trap '' HUP INT QUIT TERM TSTP TTIN TTOU; exec \"$@\"", "sh", *command]
        + ["-p", "conftest", str(tmp_path / "test_shown.py")],
        env={**os.environ, "PYTHONPATH": f"{TOP / 'src'}{os.pathsep}{TOP / 'tests'}"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    # Python itself ignores these two.
    assert "ignored: ['SIGPIPE', 'SIGXFSZ'] blocked: []" in done.stdout
