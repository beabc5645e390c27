"""Processes that answer requests: what they do with bad ones stays with them."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

import pytest

from pincite.safe.answering_process import AnsweringProcess
from pincite.safe.child import ChildFailed, ChildLate

PROGRAM = """
import os, time
from pincite.safe.answering_process import answer_requests

def answer(request: bytes) -> bytes:
    word, _, rest = request.partition(b" ")
    if word == b"die":
        os._exit(3)
    if word == b"sleep":
        time.sleep(1000)
    if word == b"print":
        print("noise between the frames", flush=True)
    if word == b"fill":
        try:
            return bytes(len(bytearray(1 << 32)) % 7)
        except MemoryError:
            return b"too much"
    if word == b"long":
        return bytes(1000)
    if word == b"environment":
        return " ".join(sorted(os.environ)).encode()
    if word == b"pid":
        return str(os.getpid()).encode()
    return rest

answer_requests(answer, 256 * 1024 * 1024)
"""


@pytest.fixture
def process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AnsweringProcess:
    """One that answers with what follows the first word."""
    (tmp_path / "answering_program.py").write_text(PROGRAM)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *sys.path]))
    return AnsweringProcess("answering_program", 100_000)


def test_one_process_answers_many_requests(process: AnsweringProcess) -> None:
    first = process.ask(b"pid", 30)
    assert process.ask(b"echo " + b"x" * 90_000, 30) == b"x" * 90_000
    assert process.ask(b"echo", 30) == b""
    assert process.ask(b"print words", 30) == b"words"
    assert process.ask(b"pid", 30) == first
    process.close()


def test_it_gets_no_secret(tmp_path: Path, process: AnsweringProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGPASSWORD", "s3cret")
    monkeypatch.setenv("PINCITE_DATABASE", "postgresql://user:s3cret@host/name")
    another = AnsweringProcess("answering_program", 100_000)
    names = another.ask(b"environment", 30).decode().split()
    another.close()
    assert "PYTHONPATH" in names
    assert not [name for name in names if name.startswith("PG") or "DATABASE" in name]
    process.close()


def test_one_that_dies_is_replaced(process: AnsweringProcess) -> None:
    first = process.ask(b"pid", 30)
    with pytest.raises(ChildFailed):
        process.ask(b"die", 30)
    assert process.ask(b"pid", 30) != first
    process.close()


def test_one_that_takes_too_long_is_killed(process: AnsweringProcess) -> None:
    number = int(process.ask(b"pid", 30))
    with pytest.raises(ChildLate):
        process.ask(b"sleep", 0.2)
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)
    assert process.ask(b"echo again", 30) == b"again"
    process.close()


def test_memory_is_bounded(process: AnsweringProcess) -> None:
    assert process.ask(b"fill", 30) == b"too much"
    process.close()


def test_an_answer_that_is_too_long_is_dropped(process: AnsweringProcess) -> None:
    process._most = 100
    with pytest.raises(ChildFailed, match="1000 bytes"):
        process.ask(b"long", 30)
    process.close()


def test_closing_wakes_who_waits(process: AnsweringProcess) -> None:
    process.ask(b"echo", 30)
    failures: list[Exception] = []

    def wait() -> None:
        try:
            process.ask(b"sleep", 60)
        except ChildFailed as error:
            failures.append(error)

    thread = threading.Thread(target=wait)
    thread.start()
    while not process._asking.locked():
        pass
    process.close()
    thread.join(30)
    assert len(failures) == 1
    with pytest.raises(ChildFailed, match="was ended"):
        process.ask(b"echo", 30)
