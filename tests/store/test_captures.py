"""Captured output at rest: found again byte for byte, one text once, private, and whole after every crash."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pincite.domains.capture.start import attempt
from pincite.domains.capture.writer import CaptureWriter, NoMasking
from pincite.project.config import CaptureSettings
from pincite.safe.files import Root
from pincite.store.captures import Captures, NewChunk, open_for_writing
from pincite.store.database import Damaged, DatabaseLocked, StoreTrouble, open_database
from pincite.store.maintenance import Upkeep
from pincite.store.output_files import list_output

SMALL = CaptureSettings(chunk_kilobytes=1)


def lines(text: str) -> bytes:
    """A line for each letter, of which three fill a chunk."""
    return b"".join(letter.encode() * 330 + b"\n" for letter in text)


def upkeep(root: Root) -> Upkeep:
    opened = Upkeep.open(root, write=True)
    assert opened is not None
    return opened


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Root]:
    with Root(str(tmp_path)) as opened:
        yield opened


def begun(captures: Captures, settings: CaptureSettings = SMALL) -> CaptureWriter:
    return CaptureWriter(captures, attempt("run", ("pytest", "-q"), ".", "", None), settings, NoMasking())


def record(root: Root, *pieces: bytes, settings: CaptureSettings = SMALL) -> int:
    with open_for_writing(root) as captures:
        writer = begun(captures, settings)
        for piece in pieces:
            writer.write(piece)
        writer.close(0.5, 0)
        return writer.run


def texts(captures: Captures, run: int) -> list[bytes]:
    return [captures.text(chunk.digest) for chunk in captures.chunks(run)]


def test_nothing_captured_is_nothing_made(root: Root, tmp_path: Path) -> None:
    assert Captures.open(root) is None
    assert list(tmp_path.iterdir()) == []


def test_a_run_comes_back_with_its_context_and_its_bytes(root: Root) -> None:
    number = record(root, lines("1234"), b"5")
    with open_for_writing(root) as captures:
        run = captures.run(number)
        assert run is not None
        assert (run.command, run.code, run.duration, run.state) == (("pytest", "-q"), 0, 0.5, "ended")
        assert texts(captures, number) == [lines("123"), lines("4") + b"5"]
        assert captures.runs()[0] == run


def test_one_text_printed_twice_is_stored_once(root: Root, tmp_path: Path) -> None:
    first = record(root, b"same\n")
    second = record(root, b"same\n")
    with upkeep(root) as captures:
        assert captures.find(sha256(b"same\n").hexdigest()[:6]) == {sha256(b"same\n").hexdigest(): ""}
        assert [chunk.run for chunk in captures.occurrences(sha256(b"same\n").hexdigest())] == [second, first]
        assert len(list_output(root)) == 1


def test_store_and_output_are_private(root: Root, tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        record(root, b"x\n")
    finally:
        os.umask(old)
    for path in (tmp_path / ".pincite").rglob("*"):
        if path.name != ".gitignore":
            assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path
    assert stat.S_IMODE((tmp_path / ".pincite").stat().st_mode) == 0o700
    assert (tmp_path / ".pincite/.gitignore").read_text() == "*\n"


def test_a_store_that_was_opened_to_others_is_closed_again(root: Root, tmp_path: Path) -> None:
    record(root, b"x\n")
    (tmp_path / ".pincite/store.db").chmod(0o644)
    record(root, b"y\n")
    assert stat.S_IMODE((tmp_path / ".pincite/store.db").stat().st_mode) == 0o600


@given(st.lists(st.binary(max_size=40).map(lambda data: data.replace(b"\0", b"\n")), max_size=30), st.booleans())
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_chunks_joined_are_what_was_printed(root: Root, pieces: list[bytes], settling: bool) -> None:
    with upkeep(root) as captures:
        writer = begun(captures)
        for piece in pieces:
            writer.write(piece)
            if settling:
                writer.settle()
        writer.close(0.0, 0)
        assert b"".join(texts(captures, writer.run)) == b"".join(pieces)
        assert all(not problem for _, problem in captures.examine())


def test_a_line_that_never_ends_takes_no_memory_and_comes_back(root: Root) -> None:
    piece = bytes(range(32, 127)) * 11000
    with open_for_writing(root) as captures:
        writer = begun(captures)
        for _ in range(12):
            writer.write(piece)
            assert len(writer._rest) <= (4 << 20) + len(piece)
        writer.write(b"end\nnext\n")
        writer.close(0.0, 0)
        assert texts(captures, writer.run) == [piece * 12 + b"end\n", b"next\n"]


def test_the_same_endless_line_again_is_not_stored_again(root: Root) -> None:
    piece = bytes(range(32, 127)) * 60000
    record(root, piece, piece, b"\nrest\n")
    with upkeep(root) as captures:
        before = captures.size()
    number = record(root, piece, piece, b"\nrest\n")
    with upkeep(root) as captures:
        assert texts(captures, number) == [piece * 2 + b"\n", b"rest\n"]
        assert captures.size() < before + len(piece)


def test_what_a_killed_recorder_had_written_becomes_the_last_chunk(root: Root) -> None:
    captures = Captures.open(root, write=True)
    assert captures is not None
    writer = begun(captures)
    writer.write(lines("12345"))
    writer.settle()
    writer._output._file, descriptor = -1, writer._output._file
    os.close(descriptor)  # As the kernel does when a process is killed.
    captures.close()
    with open_for_writing(root) as again:
        run = again.run(writer.run)
        assert run is not None
        assert (run.state, run.code) == ("lost", None)
        assert texts(again, writer.run) == [lines("123"), lines("45")]


def test_a_line_that_is_not_complete_is_not_kept_twice(root: Root) -> None:
    captures = Captures.open(root, write=True)
    assert captures is not None
    writer = begun(captures)
    writer.write(lines("1") + b"half ")
    writer.settle()
    writer.write(b"x" * 1100 + b"\n")
    writer.settle()
    writer._output._file, descriptor = -1, writer._output._file
    os.close(descriptor)
    captures.close()
    with open_for_writing(root) as again:
        assert b"".join(texts(again, writer.run)) == lines("1") + b"half " + b"x" * 1100 + b"\n"


def test_a_running_recording_is_left_alone(root: Root) -> None:
    with upkeep(root) as captures:
        writer = begun(captures)
        writer.write(lines("1234"))
        writer.settle()
        with upkeep(root) as other:
            run = other.run(writer.run)
            assert run is not None
            assert run.state == "running"
            other.sweep()
        writer.write(lines("5"))
        writer.close(0.1, 0)
        assert texts(captures, writer.run) == [lines("123"), lines("45")]


def test_changed_bytes_are_noticed(root: Root, tmp_path: Path) -> None:
    record(root, b"all 3 tests pass\n")
    (file,) = (tmp_path / ".pincite/output").iterdir()
    file.write_bytes(b"all 9 tests pass\n")
    with upkeep(root) as captures:
        with pytest.raises(Damaged, match="changed since they were captured"):
            captures.text(sha256(b"all 3 tests pass\n").hexdigest())
        assert [problem for _, problem in captures.examine()] == [f".pincite/output/{file.name}: its bytes changed"]


def test_a_vanished_file_is_noticed(root: Root, tmp_path: Path) -> None:
    record(root, b"x\n")
    (file,) = (tmp_path / ".pincite/output").iterdir()
    file.unlink()
    with open_for_writing(root) as captures, pytest.raises(Damaged):
        captures.text(sha256(b"x\n").hexdigest())


def test_a_damaged_text_heals_when_it_is_printed_again(root: Root, tmp_path: Path) -> None:
    record(root, b"all 3 tests pass\n")
    (file,) = (tmp_path / ".pincite/output").iterdir()
    file.write_bytes(b"all 9 tests pass\n")
    record(root, b"all 3 tests pass\n")
    with open_for_writing(root) as captures:
        assert captures.text(sha256(b"all 3 tests pass\n").hexdigest()) == b"all 3 tests pass\n"
        assert len(captures.occurrences(sha256(b"all 3 tests pass\n").hexdigest())) == 2


def test_ids_other_tools_gave_are_found_beside_digests(root: Root) -> None:
    with open_for_writing(root) as captures, captures.output() as output:
        digest = sha256(b"theirs\n").hexdigest()
        number = captures.begin(attempt("file", ("log",), ".", "", None))
        captures.add(number, 0, [NewChunk(digest, b"theirs\n", 7, 0, "d05d1b")], output)
        assert captures.find("d05d1b") == {digest: "d05d1b"}
        assert captures.find(digest[:8]) == {digest: ""}


def test_dropping_chunks_gives_their_bytes_back_and_keeps_the_others(root: Root) -> None:
    number = record(root, lines("abcdefg") + b"h" * 100_000 + b"\n")
    with upkeep(root) as captures:
        chunks = captures.chunks(number)
        kept = captures.text(chunks[1].digest)
        captures.forget([(number, chunk.sequence) for chunk in chunks if chunk.sequence != 1])
        assert captures.sweep() > 90_000
        assert texts(captures, number) == [kept]
        captures.forget([], [number])
        captures.sweep()
        assert list_output(root) == []
        assert captures.runs() == []


def test_a_locked_store_says_so_and_changes_nothing(root: Root, tmp_path: Path) -> None:
    record(root, b"x\n")
    other = sqlite3.connect(tmp_path / ".pincite/store.db", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with open_for_writing(root) as captures:
        captures.wait(0.05)
        with pytest.raises(DatabaseLocked, match="locked by another process"):
            captures.end(1, 0.0, 0)
    other.close()


def test_a_recorder_goes_on_while_the_store_is_locked(root: Root, tmp_path: Path) -> None:
    with open_for_writing(root) as captures:
        writer = begun(captures)
        other = sqlite3.connect(tmp_path / ".pincite/store.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        writer.write(lines("1234"))
        writer.settle()
        writer.write(lines("567"))
        writer.settle()
        assert writer.count == 0
        other.execute("COMMIT")
        other.close()
        writer.close(0.1, 0)
        assert texts(captures, writer.run) == [lines("123"), lines("456"), lines("7")]


@pytest.mark.parametrize(
    "content", [b"", b"not a database at all, just text " * 40, b"SQLite format 3\0" + b"\xff" * 4096]
)
def test_a_file_that_is_no_store_is_named(root: Root, tmp_path: Path, content: bytes) -> None:
    (tmp_path / ".pincite").mkdir()
    (tmp_path / ".pincite/store.db").write_bytes(content)
    with pytest.raises(StoreTrouble, match=r"\.pincite/store\.db: "):
        open_database(root, write=True)


def test_a_schema_of_another_hand_is_refused(root: Root, tmp_path: Path) -> None:
    record(root, b"x\n")
    other = sqlite3.connect(tmp_path / ".pincite/store.db", isolation_level=None)
    other.execute("CREATE TRIGGER t AFTER INSERT ON run BEGIN DELETE FROM text; END")
    other.close()
    with pytest.raises(Damaged, match="not a store of pincite"):
        open_database(root, write=False)


def test_a_newer_store_asks_for_an_upgrade(root: Root, tmp_path: Path) -> None:
    record(root, b"x\n")
    other = sqlite3.connect(tmp_path / ".pincite/store.db", isolation_level=None)
    other.execute("PRAGMA user_version = 99")
    other.close()
    with pytest.raises(StoreTrouble, match="newer pincite"):
        open_database(root, write=False)


def test_a_link_in_place_of_the_store_is_refused(root: Root, tmp_path: Path) -> None:
    elsewhere = tmp_path.parent / f"{tmp_path.name}-elsewhere"
    elsewhere.mkdir()
    (tmp_path / ".pincite").symlink_to(elsewhere)
    with pytest.raises(StoreTrouble, match=r"^\.pincite: not a folder of its own; remove what is there$"):
        open_database(root, write=True)
    assert list(elsewhere.iterdir()) == []


def test_names_from_the_database_lead_nowhere_else(root: Root, tmp_path: Path) -> None:
    record(root, b"x\n")
    (tmp_path / "secret").write_bytes(b"x\n")
    other = sqlite3.connect(tmp_path / ".pincite/store.db", isolation_level=None)
    other.execute("UPDATE text SET file = '../../secret'")
    other.close()
    with open_for_writing(root) as captures, pytest.raises(Damaged, match="names no output file"):
        captures.text(sha256(b"x\n").hexdigest())
