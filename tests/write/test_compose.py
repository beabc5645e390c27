"""Citations built and read as text."""

from __future__ import annotations

from hashlib import sha256
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pincite import Citation, Malformed, chunk_hash, command_citation, file_citation, parse
from pincite.core.model import Lines
from pincite.text.terminal.screen import screen_lines

OUTPUT = "1: test started\n2: test passed\n"
ANY = st.text(st.characters(exclude_categories=()), max_size=60)


def test_ids_are_true_hashes() -> None:
    """F1: the digits are those of the text's SHA-256."""
    assert chunk_hash(OUTPUT) == "e7caf5" == sha256(OUTPUT.encode()).hexdigest()[:6]
    assert chunk_hash("") == "e3b0c4"
    assert chunk_hash("ü\r\n") == sha256("ü\r\n".encode()).hexdigest()[:6]


def test_longer_ids_can_be_had() -> None:
    """F2: a longer prefix of the same digest."""
    assert chunk_hash(OUTPUT, digits=64) == sha256(OUTPUT.encode()).hexdigest()
    assert command_citation(OUTPUT, 2, digits=12) == f"【{chunk_hash(OUTPUT, digits=12)}†L2】"


@pytest.mark.parametrize("digits", [5, 65, 0, -6, pytest.param(10**5000, id="huge")])
def test_ids_have_six_to_sixty_four_digits(digits: int) -> None:
    with pytest.raises(ValueError, match=r"digits: .* expected 6 to 64"):
        chunk_hash(OUTPUT, digits=digits)


def test_citations_are_written_in_the_canonical_form() -> None:
    assert file_citation("todo/plan.md", 5, 6) == "【F:todo/plan.md†L5-L6】"
    assert file_citation("todo/plan.md", 5) == "【F:todo/plan.md†L5】"
    assert file_citation("todo/plan.md", 5, 5) == "【F:todo/plan.md†L5-L5】"
    assert command_citation(OUTPUT, 1, 2) == "【e7caf5†L1-L2】"
    assert command_citation(OUTPUT, 1) == "【e7caf5†L1】"
    assert file_citation(path="a", start_line=1, end_line=2) == "【F:a†L1-L2】"
    assert command_citation(chunk_text=OUTPUT, start_line=1, end_line=2) == "【e7caf5†L1-L2】"


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ("./a.py", "a.py"),
        ("a//b.py", "a/b.py"),
        ("a/./b.py", "a/b.py"),
        (PurePosixPath("a/b.py"), "a/b.py"),
        ("with space/ü [1].py", "with space/ü [1].py"),
        (".github/x..y", ".github/x..y"),
        ("...", "..."),
    ],
)
def test_paths_are_written_plainly(given: Any, written: str) -> None:
    assert file_citation(given, 1) == f"【F:{written}†L1】"


@pytest.mark.parametrize(
    ("path", "fault"),
    [
        ("/etc/passwd", "is absolute"),
        ("//server/share", "is absolute"),
        ("~/x", "is absolute"),
        ("~root/x", "is absolute"),
        ("C:/x", "is absolute"),
        ("c:x", "is absolute"),
        ("./C:/x", "is absolute"),
        ("F:src/a.py", "is absolute"),
        ("\\\\server\\share", "has a backslash"),
        ("a\\b", "has a backslash"),
        (PureWindowsPath("a/b"), "has a backslash"),
        ("..", r"has a '\.\.' part"),
        ("a/../b", r"has a '\.\.' part"),
        ("a/..", r"has a '\.\.' part"),
        ("", "names no file"),
        (".", "names no file"),
        ("././", "names no file"),
        (" \u3000", "names no file"),
        ("a†b", "would break the citation"),
        ("a【b", "would break the citation"),
        ("a】b", "would break the citation"),
        ("a\nb", "would break the citation"),
        ("a\rb", "would break the citation"),
        ("a\0b", "would break the citation"),
        ("a\x1b[31mb", "would break the citation"),
        ("a\x85b", "would break the citation"),
        ("a\u2028b", "would break the citation"),
        ("a\ud800b", "cannot be encoded"),
        ("a" * 2000, "is longer than"),
    ],
)
def test_paths_that_cannot_be_cited_are_refused(path: Any, fault: str) -> None:
    """F6: with the argument, the value and what is expected."""
    with pytest.raises(ValueError, match=f"path: '.*{fault}.*; expected a path relative to the root") as caught:
        file_citation(path, 1)
    message = str(caught.value)
    assert len(message) < 250
    assert message.isprintable()


@pytest.mark.parametrize(
    ("start", "end", "message"),
    [
        (0, None, "start_line: 0 is no line; expected 1 to"),
        (-3, None, "start_line: -3 is no line"),
        (10**9, None, "start_line: 1000000000 is no line"),
        pytest.param(10**5000, None, "start_line: a very large number is no line", id="huge"),
        pytest.param(-(10**5000), None, "start_line: a very small number is no line", id="tiny"),
        (1, 0, "end_line: 0 is no line"),
        (5, 4, "end_line: 4 is before start_line 5; expected 5 or more"),
    ],
)
def test_lines_that_cannot_exist_are_refused(start: int, end: int | None, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        file_citation("a.py", start, end)
    with pytest.raises(ValueError, match=message):
        command_citation("x\n" * 9, start, end)


@pytest.mark.parametrize("wrong", ["1", 1.0, True, False, b"1", [1]])
def test_lines_and_digits_are_whole_numbers(wrong: Any) -> None:
    with pytest.raises(TypeError, match="start_line: expected an int, not"):
        file_citation("a.py", wrong)
    with pytest.raises(TypeError, match="end_line: expected an int, not"):
        command_citation(OUTPUT, 1, wrong)
    with pytest.raises(TypeError, match="digits: expected an int, not"):
        chunk_hash(OUTPUT, digits=wrong)


@pytest.mark.parametrize("wrong", [b"a", None, 3])
def test_texts_are_texts(wrong: Any) -> None:
    with pytest.raises(TypeError, match="path: expected a str"):
        file_citation(wrong, 1)
    with pytest.raises(TypeError, match="chunk_text: expected a str"):
        chunk_hash(wrong)
    with pytest.raises(TypeError, match="chunk_text: expected a str"):
        command_citation(wrong, 1)
    with pytest.raises(TypeError, match="text: expected a str"):
        parse(wrong)
    with pytest.raises(TypeError, match="start_line: expected an int, not NoneType"):
        file_citation("a", None)  # type: ignore[arg-type]


def test_text_that_cannot_be_encoded_has_no_id() -> None:
    for build in (chunk_hash, lambda text: command_citation(text, 1)):
        with pytest.raises(ValueError, match=r"chunk_text: '\\udc80' at offset 2 cannot be encoded"):
            build("ab\udc80")


@pytest.mark.parametrize(
    ("text", "start", "end", "message"),
    [
        (OUTPUT, 3, None, "start_line: 3 is past the end of chunk_text; .* ends at line 2"),
        (OUTPUT, 2, 3, "end_line: 3 is past the end of chunk_text"),
        ("", 1, None, "has no lines"),
        ("50%\r100%\n", 2, None, "ends at line 1"),
    ],
)
def test_lines_the_text_does_not_have_are_refused(text: str, start: int, end: int | None, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        command_citation(text, start, end)


def test_a_text_without_a_final_newline_has_its_last_line() -> None:
    assert command_citation("a\nb", 2) == f"【{chunk_hash('a' + chr(10) + 'b')}†L2】"


def test_parse_gives_all_in_order() -> None:
    text = (
        "One 【F:a.py†L1-L2】, two 【abc123†L3】, `【F:code.py†L1】`, [x](b.py#L4), [cite:file](c.py:5), d/e.py:6.\n"
        "```\n【F:fenced.py†L1】\n```\nBad 【F:f.py†L9-L8】 https://github.com/o/n/blob/main/g.py#L7\n"
    )
    found = parse(text)
    assert [item.raw for item in found] == [
        "【F:a.py†L1-L2】",
        "【abc123†L3】",
        "[x](b.py#L4)",
        "[cite:file](c.py:5)",
        "d/e.py:6",
        "【F:f.py†L9-L8】",
        "https://github.com/o/n/blob/main/g.py#L7",
    ]
    assert [type(item) for item in found].count(Malformed) == 1
    assert all(text[item.span.start : item.span.end] == item.raw for item in found)
    assert parse("") == ()


def test_parse_reads_a_memory() -> None:
    (found,) = parse("---\ncitations:\n  - path: a.py\n    line: 3\n---\n")
    assert isinstance(found, Citation)
    assert (found.source.key, found.lines) == ("a.py", Lines(3, 3))


@given(ANY | st.lists(st.sampled_from("【】†`[]():#L1-F\ud800a.py/\r\n"), max_size=60).map("".join))
@settings(max_examples=150, deadline=None)
def test_parse_never_raises(text: str) -> None:
    for item in parse(text):
        assert text[item.span.start : item.span.end] == item.raw


PATHS = ANY | st.text("ab./`~:#L1 -[](){}|*", max_size=30)


@given(path=PATHS, first=st.integers(1, 999_999_999), more=st.none() | st.integers(0, 999))
@settings(max_examples=250, deadline=None)
def test_a_file_citation_is_read_back(path: str, first: int, more: int | None) -> None:
    """Every path is refused, or read back as it was given but for `.` parts and doubled slashes."""
    last = None if more is None else min(first + more, 999_999_999)
    try:
        written = file_citation(path, first, last)
    except ValueError:
        assume(False)
    (found,) = parse(written)
    assert isinstance(found, Citation)
    plain = "/".join(part for part in path.split("/") if part not in ("", "."))
    assert (found.raw, found.source.scheme, found.source.key) == (written, "file", plain)
    assert found.lines == Lines(first, first if last is None else last)
    assert not found.tentative
    assert file_citation(found.source.key, first, last) == written


@given(data=st.data(), text=st.text(max_size=80), digits=st.integers(6, 64))
@settings(max_examples=150, deadline=None)
def test_a_command_citation_is_read_back(data: st.DataObject, text: str, digits: int) -> None:
    lines = len(screen_lines(text.encode()))
    assume(lines)
    first = data.draw(st.integers(1, lines))
    last = data.draw(st.none() | st.integers(first, lines))
    (found,) = parse(command_citation(text, first, last, digits=digits))
    assert isinstance(found, Citation)
    assert (found.source.scheme, found.source.key) == ("chunk", chunk_hash(text, digits=digits))
    assert found.lines == Lines(first, first if last is None else last)
