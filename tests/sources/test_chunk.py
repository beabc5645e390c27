"""Captured output by its id: one text, several, none, or one that is not what it was."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from pincite.core.model import Citation, Lines, Obstacle, SourceRef, Span
from pincite.safe.files import Root
from pincite.sources import World
from pincite.store import KEY
from pincite.store.captures import Captures
from pincite.text.document import Document
from pincite.text.evidence import Evidence

# Two texts with one id of six digits; `test_a_search_finds_the_collision` shows where they come from.
FIRST = b"build 46298 finished: 3 passed\n"
SECOND = b"build 51159 finished: 3 passed\n"
SHARED = "1b1b7a"

Keep = Callable[..., str]


def find(root: Path, key: str, document: Document | None = None) -> Evidence | Obstacle | None:
    """What an id means below a folder."""
    with Root(str(root)) as opened:
        world = World(opened, lambda: None)
        try:
            return world.find(Citation("bracket", Span(0, 1), "x", SourceRef("chunk", key), Lines(1, 1)), document)
        finally:
            world.close()


def short(root: Path, digest: str) -> str:
    """The id that is printed for a text."""
    with Root(str(root)) as opened:
        captures = Captures.open(opened)
        assert captures is not None
        with captures:
            return captures.short(digest)


def search(first: int, last: int) -> tuple[bytes, bytes]:
    """The first two texts of a row of builds whose ids of six digits are the same."""
    seen: dict[str, bytes] = {}
    for number in range(first, last):
        text = b"build %d finished: 3 passed\n" % number
        name = sha256(text).hexdigest()[:6]
        if name in seen:
            return seen[name], text
        seen[name] = text
    raise AssertionError("no two texts with one id")


def test_two_texts_share_six_digits_and_not_the_seventh() -> None:
    digests = [sha256(text).hexdigest() for text in (FIRST, SECOND)]
    assert [digest[:6] for digest in digests] == [SHARED, SHARED]
    assert digests[0][6] != digests[1][6]


def test_a_search_finds_the_collision() -> None:
    assert search(40_000, 60_000) == (FIRST, SECOND)


@pytest.mark.parametrize("digits", [6, 7, 12, 63, 64])
def test_any_start_of_the_digest_will_do(tmp_path: Path, captured: Keep, digits: int) -> None:
    digest = captured(tmp_path, FIRST)
    found = find(tmp_path, digest[:digits])
    assert isinstance(found, Evidence)
    assert (found.data, found.digest, found.lines) == (FIRST, digest, ["build 46298 finished: 3 passed"])
    assert found.record is not None
    assert (found.record.given, found.record.place) == ("", "")


def test_a_shared_start_is_ambiguous_and_more_digits_are_not(tmp_path: Path, captured: Keep) -> None:
    """F2."""
    first, second = captured(tmp_path, FIRST), captured(tmp_path, SECOND)
    listed = ", ".join(sorted((first[:12], second[:12])))
    assert find(tmp_path, SHARED) == Obstacle("chunk-ambiguous", f"2 {listed}")
    for digest, text in ((first, FIRST), (second, SECOND)):
        found = find(tmp_path, digest[:7])
        assert isinstance(found, Evidence)
        assert found.data == text


def test_longer_ids_are_printed_once_a_start_is_shared(tmp_path: Path, captured: Keep) -> None:
    """F2."""
    first = captured(tmp_path, FIRST)
    assert short(tmp_path, first) == SHARED
    second = captured(tmp_path, SECOND)
    assert short(tmp_path, first) == first[:7]
    assert short(tmp_path, second) == second[:7]


def test_the_same_output_twice_is_one_text(tmp_path: Path, captured: Keep) -> None:
    """F3."""
    assert captured(tmp_path, FIRST) == captured(tmp_path, FIRST, ("make",), 1)
    assert isinstance(find(tmp_path, SHARED), Evidence)


def test_the_id_of_another_tool(tmp_path: Path, captured: Keep) -> None:
    """F4."""
    digest = captured(tmp_path, b"ok\n", given="d05d1b")
    by_id, by_digest = find(tmp_path, "d05d1b"), find(tmp_path, digest[:6])
    assert isinstance(by_id, Evidence) and isinstance(by_digest, Evidence)
    assert by_id.record is not None and by_digest.record is not None
    assert (by_id.record.given, by_digest.record.given) == ("d05d1b", "")


def test_the_id_of_another_tool_that_starts_a_digest_is_ambiguous(tmp_path: Path, captured: Keep) -> None:
    """F4."""
    captured(tmp_path, FIRST)
    captured(tmp_path, b"ok\n", given=SHARED)
    found = find(tmp_path, SHARED)
    assert isinstance(found, Obstacle)
    assert found.kind == "chunk-ambiguous"


def test_a_text_that_was_given_its_own_digest_as_id_is_one_text(tmp_path: Path, captured: Keep) -> None:
    captured(tmp_path, FIRST, given=SHARED)
    found = find(tmp_path, SHARED)
    assert isinstance(found, Evidence)
    assert found.record is not None
    assert found.record.given == ""


def test_nothing_captured_at_all(tmp_path: Path) -> None:
    assert find(tmp_path, "abcdef") == Obstacle("command-not-captured")
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_id(tmp_path: Path, captured: Keep) -> None:
    captured(tmp_path, FIRST)
    assert find(tmp_path, "abcdef") == Obstacle("command-not-captured")


@pytest.mark.parametrize("change", [lambda data: data[:-1], lambda data: b"B" + data[1:], lambda data: b""])
def test_changed_bytes_are_damage(tmp_path: Path, captured: Keep, change: Callable[[bytes], bytes]) -> None:
    captured(tmp_path, FIRST)
    (output,) = (tmp_path / ".pincite/output").iterdir()
    output.write_bytes(change(output.read_bytes()))
    found = find(tmp_path, SHARED)
    assert isinstance(found, Obstacle)
    assert found.kind == "chunk-damaged"


def test_lost_bytes_are_damage(tmp_path: Path, captured: Keep) -> None:
    captured(tmp_path, FIRST)
    (output,) = (tmp_path / ".pincite/output").iterdir()
    output.unlink()
    found = find(tmp_path, SHARED)
    assert isinstance(found, Obstacle)
    assert found.kind == "chunk-damaged"


@pytest.mark.parametrize("content", [b"", b"x", b"SQLite format 3\0" + b"\0" * 4096])
def test_a_store_that_is_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / ".pincite").mkdir()
    (tmp_path / KEY).write_bytes(content)
    found = find(tmp_path, "abcdef")
    assert isinstance(found, Obstacle)
    assert found.kind == "command-not-captured"
    assert KEY in found.detail


def test_lines_are_those_the_screen_showed(tmp_path: Path, captured: Keep) -> None:
    digest = captured(tmp_path, b"10%\r50%\r100%\n\x1b[31mred\x1b[0m\r\nend")
    found = find(tmp_path, digest)
    assert isinstance(found, Evidence)
    assert found.lines == ["100%", "red", "end"]
    assert found.digest == digest


def test_the_answer_depends_on_the_store(tmp_path: Path, captured: Keep) -> None:
    captured(tmp_path, FIRST)
    with Root(str(tmp_path)) as opened:
        world = World(opened, lambda: None)
        world.find(Citation("bracket", Span(0, 1), "x", SourceRef("chunk", SHARED), Lines(1, 1)))
        world.close()
    assert KEY in world.touched
