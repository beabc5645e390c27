"""Between a running command and the store: whatever goes wrong there is kept as words, never raised."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread

import pytest

from pincite.domains.capture.masking import Masker
from pincite.domains.capture.recorder import Recorder
from pincite.domains.capture.start import attempt
from pincite.domains.capture.writer import CaptureWriter, NoMasking
from pincite.project.config import CaptureSettings
from pincite.safe.files import Root
from pincite.store.captures import Captures, open_for_writing
from pincite.store.database import StoreTrouble

SMALL = CaptureSettings(chunk_kilobytes=1)


@pytest.fixture
def captures(tmp_path: Path) -> Iterator[Captures]:
    with Root(str(tmp_path)) as root, open_for_writing(root) as opened:
        yield opened


def writer(
    captures: Captures, stored: Callable[[str], None] = lambda digest: None, mask: bool = False
) -> CaptureWriter:
    run = attempt("run", ("x",), ".", "", None)
    return CaptureWriter(captures, run, SMALL, Masker() if mask else NoMasking(), stored)


def test_what_is_fed_is_stored_in_order(captures: Captures) -> None:
    recorder = Recorder(lambda: writer(captures))
    for number in range(2000):
        recorder.feed(b"%d\n" % number)
    recorded = recorder.finish(0.1, 7)
    run = captures.run(recorded.run)
    assert run is not None
    assert (recorded.trouble, run.code, recorded.chunks) == ("", 7, len(captures.chunks(run.id)))
    text = b"".join(captures.text(chunk.digest) for chunk in captures.chunks(run.id))
    assert text == b"".join(b"%d\n" % number for number in range(2000))


def test_a_store_that_cannot_be_opened_ends_the_recording_alone() -> None:
    def broken() -> CaptureWriter:
        raise StoreTrouble("no room")

    recorder = Recorder(broken)
    for _ in range(40):
        recorder.feed(b"x" * (1 << 20))
    recorded = recorder.finish(0.1, 0)
    assert (recorded.run, recorded.trouble) == (0, "no room")


def test_a_full_disk_keeps_what_was_stored_before(captures: Captures, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = writer(captures)
    written = 0
    real = opened._output.write

    def write(pieces: list[bytes]) -> None:
        nonlocal written
        written += sum(map(len, pieces))
        if written > 100_000:
            real([pieces[0][:10]])
            raise OSError(errno.ENOSPC, "No space left on device")
        real(pieces)

    monkeypatch.setattr(opened._output, "write", write)
    line = b"y" * 99 + b"\n"
    for number in range(3000):
        opened.write(b"%d" % number + line)
        if number == 500:
            opened.flush()
    recorder = Recorder(lambda: opened)
    recorded = recorder.finish(0.1, 0)
    assert "No space left" in recorded.trouble
    chunks = captures.chunks(opened.run)
    assert 0 < sum(chunk.length for chunk in chunks) <= 100_000
    assert all(captures.text(chunk.digest) for chunk in chunks)
    run = captures.run(opened.run)
    assert run is not None
    assert run.state == "lost"
    assert captures.recover() == 0


def test_what_a_locked_store_does_not_take_is_found_later(
    captures: Captures, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pincite.domains.capture.writer.PATIENCE", 0.1)
    opened = writer(captures)
    opened.write(b"first\n" + b"a" * 1200 + b"\n")
    opened.settle()
    other = sqlite3.connect(tmp_path / ".pincite/store.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    recorder = Recorder(lambda: opened)
    recorder.feed(b"b" * 1200 + b"\nsecond\n" + b"c" * 1200 + b"\nlast, not complete")
    recorded = recorder.finish(0.1, 0)
    other.execute("COMMIT")
    other.close()
    assert "locked by another process" in recorded.trouble
    assert captures.recover() == 1
    text = b"".join(captures.text(chunk.digest) for chunk in captures.chunks(opened.run))
    assert text == b"first\n%s\n%s\nsecond\n%s\nlast, not complete" % (b"a" * 1200, b"b" * 1200, b"c" * 1200)


def test_a_chunk_is_announced_only_once_it_can_be_read(captures: Captures, tmp_path: Path) -> None:
    seen: list[int] = []

    def stored(digest: str) -> None:
        with Root(str(tmp_path)) as root:
            other = Captures.open(root)
            assert other is not None
            with other:
                seen.append(len(other.text(digest)))

    opened = writer(captures, stored)
    opened.write(b"z" * 300 + b"\n")
    assert seen == []
    opened.write((b"z" * 300 + b"\n") * 10)
    opened.close(0.0, 0)
    assert sum(seen) == 301 * 11


def test_masks_are_counted_in_the_chunk_they_are_in(captures: Captures) -> None:
    opened = writer(captures, mask=True)
    secret = b"ghp_" + b"a1B2" * 9
    filler = b"".join(b"line %03d of the log\n" % number for number in range(100))
    opened.write(filler + b"key " + secret + b"\n" + filler)
    opened.close(0.0, 0)
    chunks = captures.chunks(opened.run)
    held = [captures.text(chunk.digest).count(b"[masked:") for chunk in chunks]
    assert [chunk.masked for chunk in chunks] == held
    assert sum(held) == opened.masked == 1


@pytest.mark.parametrize("base", [NoMasking, Masker], ids=["in the thread that stores", "in a thread of its own"])
def test_a_filter_that_fails_stores_nothing_it_did_not_see(
    captures: Captures, base: type[NoMasking] | type[Masker]
) -> None:
    def feed(self: object, data: bytes) -> tuple[bytes, list[int]]:
        raise MemoryError

    broken = type("Broken", (base,), {"feed": feed})()
    run = attempt("run", ("x",), ".", "", None)
    recorder = Recorder(lambda: CaptureWriter(captures, run, SMALL, broken))
    for _ in range(30):
        recorder.feed(b"secret\n" * 100_000)
    recorded = recorder.finish(0.1, 0)
    assert (recorded.trouble, recorded.chunks) == ("out of memory", 0)


def test_without_a_thread_for_it_secrets_are_hidden_all_the_same(
    captures: Captures, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Thread.start

    def start(thread: Thread) -> None:
        if thread.name == "masking":
            raise RuntimeError("can't start new thread")
        real(thread)

    monkeypatch.setattr(Thread, "start", start)
    recorder = Recorder(lambda: writer(captures, mask=True))
    recorder.feed(b"password=hunter2-Xy77\n")
    recorded = recorder.finish(0.1, 0)
    assert (recorded.trouble, recorded.masked) == ("", 1)
    assert b"hunter2" not in b"".join(captures.text(chunk.digest) for chunk in captures.chunks(recorded.run))


def test_masked_pieces_are_stored_in_order(captures: Captures) -> None:
    recorder = Recorder(lambda: writer(captures, mask=True))
    lines = [b"%d password=hunter2-Xy%d\n" % (number, number) for number in range(3000)]
    for line in lines:
        recorder.feed(line)
    recorded = recorder.finish(0.1, 0)
    text = b"".join(captures.text(chunk.digest) for chunk in captures.chunks(recorded.run))
    assert recorded.masked == len(lines)
    assert text == b"".join(b"%d password=[masked:password]\n" % number for number in range(3000))
