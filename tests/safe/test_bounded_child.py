"""A program that may take too long, write too much or say too much."""

from __future__ import annotations

import os
import resource
import sys
from pathlib import Path
from time import monotonic, sleep

import pytest

from pincite.safe.bounded_child import kill_session, run_bounded
from pincite.safe.child import ChildFailed, ChildLate

TIMEOUT = 60.0
needs_proc = pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="reads /proc")


def run(code: str, folder: Path, seconds: float = TIMEOUT, most: int = 1 << 30) -> tuple[int, str, bool]:
    end = run_bounded([sys.executable, "-c", code], str(folder), dict(os.environ), seconds, most)
    return end.code, end.complaint, end.is_too_large


def is_running(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_until(condition: object) -> None:
    until = monotonic() + TIMEOUT
    while not condition():  # type: ignore[operator]
        assert monotonic() < until
        sleep(0.01)


def test_how_it_ended_is_told(tmp_path: Path) -> None:
    assert run("import sys; sys.stderr.write('why'); sys.exit(3)", tmp_path) == (3, "why", False)
    with pytest.raises(ChildFailed, match="cannot run"):
        run_bounded(["/no/such/program"], str(tmp_path), {}, TIMEOUT, 100)


def test_a_file_beyond_the_bound_ends_it_and_the_bound_ends_with_it(tmp_path: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    code, _, is_too_large = run(
        "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_DFL)\n"
        "file = open('large', 'wb', buffering=0)\nwhile True: file.write(bytes(4096))",
        tmp_path,
        most=100_000,
    )
    assert is_too_large and code < 0
    assert (tmp_path / "large").stat().st_size <= 100_000
    assert resource.getrlimit(resource.RLIMIT_FSIZE) == before
    (tmp_path / "ours").write_bytes(bytes(200_000))


@needs_proc
def test_the_whole_group_ends_when_time_is_up(tmp_path: Path) -> None:
    code = (
        "import os, subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "open('new', 'w').write(str(child.pid)); os.rename('new', 'pid'); time.sleep(600)\n"
    )
    with pytest.raises(ChildLate, match="took longer than 3 s"):
        run(code, tmp_path, seconds=3.0)
    pid = int((tmp_path / "pid").read_text())
    wait_until(lambda: not is_running(pid))
    assert not is_running(pid)


def test_of_much_talk_the_beginning_and_the_end_are_kept(tmp_path: Path) -> None:
    code, said, _ = run("import sys\nprint('first', *range(100_000), 'last', file=sys.stderr)", tmp_path)
    assert code == 0 and len(said) < 40_000
    assert said.startswith("first 0 1") and said.endswith("last\n")


@needs_proc
def test_a_session_ends_with_all_its_groups(tmp_path: Path) -> None:
    import subprocess

    code = (
        "import os, subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'], process_group=0)\n"
        "print(child.pid, flush=True); time.sleep(600)\n"
    )
    leader = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, start_new_session=True, text=True)
    assert leader.stdout is not None
    child = int(leader.stdout.readline())
    leader.stdout.close()
    # Only the leader is killed at first, as by a system that runs out of memory.
    leader.kill()
    leader.wait()
    assert is_running(child)
    kill_session(leader.pid, is_leader_gone=True)
    wait_until(lambda: not is_running(child))
    assert not is_running(child)
