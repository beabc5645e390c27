"""Work in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import pytest

from pincite.safe.sandbox import run_in_child

ENOUGH = 64 * 1024 * 1024


def test_the_answer_comes_back_however_long() -> None:
    assert run_in_child(lambda: b"", ENOUGH, 10) == b""
    assert run_in_child(lambda: b"x" * 5_000_000, ENOUGH, 10) == b"x" * 5_000_000


def test_nothing_that_it_does_lasts() -> None:
    seen: list[int] = []
    assert run_in_child(lambda: seen.append(1) or b"done", ENOUGH, 10) == b"done"
    assert seen == []


@pytest.mark.parametrize("how", ["raises", "exits", "aborts", "half"])
def test_what_dies_gives_nothing(how: str, capfd: pytest.CaptureFixture[str]) -> None:
    def work() -> bytes:
        if how == "aborts":
            os.abort()
        if how == "exits":
            sys.exit(3)
        if how == "half":
            os._exit(1)
        raise ValueError("no")

    assert run_in_child(work, ENOUGH, 10) is None
    assert capfd.readouterr() == ("", "")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="the size of a process cannot be told here")
def test_memory_is_bounded() -> None:
    # In a process of its own: one that ran many tests has freed memory that it can use again without asking for more.
    code = (
        "from pincite.safe.sandbox import run_in_child\n"
        f"print([run_in_child(lambda size=size: bytes(size)[:3], {ENOUGH}, 10) for size in (10_000_000, 200_000_000)])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[b'\\x00\\x00\\x00', None]\n"


def test_time_is_bounded() -> None:
    def work() -> bytes:
        while True:
            pass

    assert run_in_child(work, ENOUGH, 1) is None


def test_it_works_beside_threads_and_leaves_no_descriptor() -> None:
    release = threading.Event()
    other = threading.Thread(target=release.wait)
    other.start()
    try:
        before = len(os.listdir("/dev/fd"))
        assert [run_in_child(lambda: b"x", ENOUGH, 10) for _ in range(5)] == [b"x"] * 5
        assert len(os.listdir("/dev/fd")) == before
    finally:
        release.set()
        other.join()
