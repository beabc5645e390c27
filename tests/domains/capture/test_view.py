"""Looking at captures: what is found is what the screen showed, and the quick look never hides any of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import groupby
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.domains.capture.view import (
    command_line,
    count_lines,
    describe,
    describe_ending,
    find_matches,
    find_required_text,
    format_citation,
    format_duration,
    format_size,
    format_time,
    last_lines,
)
from pincite.safe.files import Root
from pincite.store.captures import CapturedRun, Captures, OutputChunk
from pincite.store.database import Damaged
from pincite.text.terminal.screen import screen_lines

PIECES = (
    b"ok",
    b"OK",
    b" pas",
    b"sed",
    b"\n",
    b"\r\n",
    b"\r",
    b"\x1b[1m",
    b"\x1b[0;32m",
    b"\x1b[K",
    b"\x1b[A",
    b"\x08",
)
ODD = (b"\xff", b"\xc3", b"\xa9", "ſß".encode(), b"\xc2", b"\x80", b"xff", b"\x1b[", b"m", b"\t", b"12")
OUTPUT = st.lists(st.sampled_from((*PIECES, *ODD)), max_size=14).map(b"".join)
PATTERNS = (
    *("ok", r"\d+", "pas+ed", " passed", "ok passed", r"x(ff)?c3", r"\\xff", r"\\xc3", "xc3", "s", "(?i)OK", "ok|12"),
    *("^ok$", "o[k]", r"\bok\b", "o{1}k", r"p\w\w", "ok ?pas", "é", "ok*", r"\[", "m", "12"),
)


class Held:
    """Stands in for the store: one text."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def text(self, digest: str) -> bytes:
        return self.data


def searched(data: bytes, pattern: re.Pattern[str]) -> list[tuple[int, int, list[str]]]:
    chunk = OutputChunk(1, 0, "ab" * 32, "", len(data), 0)
    found = find_matches(Held(data), [chunk], pattern)  # type: ignore[arg-type]
    return [(match.first, match.last, match.lines) for match in found]


def plainly(data: bytes, pattern: re.Pattern[str]) -> list[tuple[int, int, list[str]]]:
    found = []
    for hit, rows in groupby(enumerate(screen_lines(data), 1), key=lambda row: bool(pattern.search(row[1]))):
        block = list(rows)
        if hit:
            found.append((block[0][0], block[-1][0], [line for _, line in block]))
    return found


@given(OUTPUT, st.sampled_from(PATTERNS), st.booleans())
def test_the_quick_look_hides_nothing(data: bytes, pattern: str, fold: bool) -> None:
    wanted = re.compile(pattern, re.IGNORECASE if fold else 0)
    assert searched(data, wanted) == plainly(data, wanted)


@given(st.data(), st.sampled_from(PATTERNS))
def test_what_is_required_is_in_every_match(data: st.DataObject, pattern: str) -> None:
    wanted = re.compile(pattern)
    assert find_required_text(wanted) in data.draw(st.from_regex(wanted))


@pytest.mark.parametrize(
    ("pattern", "literal"),
    [
        ("passed", "passed"),
        (r"\d+ passed", " passed"),
        (r"^FAILED tests/\S+", "FAILED tests/"),
        ("ab?cd", "cd"),
        ("(foo)?bar", "bar"),
        ("x{22}", ""),
        ("[12]34", "34"),
        ("[]x]yz", "yz"),
        (r"\x41bc", ""),
        (r"a\.b", "a.b"),
        ("foo|bar", ""),
        ("(?x)a b", ""),
        (r"a\*?b", "a"),
        ("", ""),
    ],
)
def test_required(pattern: str, literal: str) -> None:
    assert find_required_text(re.compile(pattern)) == literal


def test_what_a_pattern_in_words_of_comments_requires() -> None:
    assert find_required_text(re.compile("a b", re.VERBOSE)) == ""


@given(OUTPUT)
def test_lines_are_counted_as_they_are_shown(data: bytes) -> None:
    assert count_lines(data) == len(screen_lines(data))


def opened(path: Path) -> Captures:
    captures = Captures.open(Root(str(path)))
    assert captures is not None
    return captures


def test_each_text_is_searched_once(tmp_path: Path, captured: Callable[..., str]) -> None:
    captured(tmp_path, b"a\nb\na\n" * 2, chunk_lines=3)
    with opened(tmp_path) as captures:
        chunks = captures.chunks(1)
        assert len(chunks) == 2
        seen: set[str] = set()
        found = list(find_matches(captures, chunks, re.compile("a"), seen))
        assert [(match.first, match.last) for match in found] == [(1, 1), (3, 3)]
        assert list(find_matches(captures, chunks, re.compile("a"), seen)) == []


def test_a_damaged_text_is_told_or_raised(tmp_path: Path, captured: Callable[..., str]) -> None:
    captured(tmp_path, b"a\nb\n", chunk_lines=1)
    (file,) = (tmp_path / ".pincite/output").iterdir()
    file.write_bytes(b"x\nb\n")
    with opened(tmp_path) as captures:
        told: list[str] = []
        chunks = captures.chunks(1)
        found = list(find_matches(captures, chunks, re.compile("."), failed=lambda error: told.append(str(error))))
        assert ([match.lines for match in found], len(told)) == ([["b"]], 1)
        with pytest.raises(Damaged):
            list(find_matches(captures, chunks, re.compile(".")))


@pytest.mark.parametrize(
    ("output", "lines", "first", "rows"),
    [
        (b"1\n2\n3\n4\n5\n6\n7\n", 500, 3, ["3", "4", "5", "6", "7"]),
        (b"1\n2\n\n \n", 500, 1, ["1", "2"]),
        (b"1\n\n\n\n\n6\n\n", 500, 6, ["6"]),
        (b"1\n2\n\n\n", 2, 1, ["1", "2"]),
        (b"50%\r100%\n\x1b[32mdone\x1b[0m\n", 500, 1, ["100%", "done"]),
    ],
)
def test_last_lines(
    tmp_path: Path, captured: Callable[..., str], output: bytes, lines: int, first: int, rows: list[str]
) -> None:
    digest = captured(tmp_path, output, chunk_lines=lines)
    with opened(tmp_path) as captures:
        last = last_lines(captures, 1)
        assert last is not None
        assert (last.digest, last.first, last.last, last.lines) == (digest, first, first + len(rows) - 1, rows)


def test_a_run_that_shows_nothing_has_no_last_lines(tmp_path: Path, captured: Callable[..., str]) -> None:
    captured(tmp_path, b"\n\n \n", chunk_lines=1)
    captured(tmp_path, b"")
    with opened(tmp_path) as captures:
        assert (last_lines(captures, 1), last_lines(captures, 2)) == (None, None)


def test_a_citation_has_as_many_digits_as_it_takes(tmp_path: Path, captured: Callable[..., str]) -> None:
    digest = captured(tmp_path, b"one\n")
    with opened(tmp_path) as captures:
        assert format_citation(captures, digest, 3, 3) == f"【{digest[:6]}†L3】"
    captured(tmp_path, b"other\n", given=digest[:8])
    with opened(tmp_path) as captures:
        assert format_citation(captures, digest, 3, 4) == f"【{digest[:9]}†L3-L4】"


def run(**facts: object) -> CapturedRun:
    fields = {"id": 7, "origin": "run", "command": ("a b", "\x1b[2J"), "folder": ".", "started": 0.0, "duration": 2.0}
    rest = {"code": 0, "signal": 0, "revision": "", "dirty": None, "file": "", "state": "ended"}
    return CapturedRun(**{**fields, **rest, **facts})  # type: ignore[arg-type]


def test_a_run_in_words() -> None:
    words = describe(run())
    assert words.startswith("run 7: 'a b' '\\u{1b}[2J' (exit 0, 2.0 s, ")
    assert command_line(run(origin="pipe", command=())) == "standard input"
    assert command_line(run(origin="file", command=("my log.txt",))) == "my log.txt"


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"code": 3}, "exit 3"),
        ({"code": 143, "signal": 15}, "SIGTERM"),
        ({"code": 255, "signal": 127}, "signal 127"),
        ({"code": None}, ""),
        ({"state": "lost", "code": None}, "lost"),
        ({"state": "running", "code": None}, "running"),
    ],
)
def test_endings(facts: dict[str, object], words: str) -> None:
    assert describe_ending(run(**facts)) == words


def test_numbers_in_words() -> None:
    assert [format_duration(number) for number in (0.004, 0.5, 61, 3700, -1, float("nan"))] == [
        *("4 ms", "0.5 s", "1 min 1 s", "1 h 1 min", "", "")
    ]
    assert [format_size(number) for number in (0, 999, 1000, 999_999, 5_000_000_000)] == [
        *("0 B", "999 B", "1.0 kB", "1.0 MB", "5.0 GB")
    ]
    assert [format_time(number) for number in (float("inf"), float("nan"), 1e300)] == ["", "", ""]
