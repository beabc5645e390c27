"""References in prose: what could be one, which path it means, how it is rewritten."""

from __future__ import annotations

import pytest

from pincite.core.model import Citation, Lines, Malformed, Place, SourceRef
from pincite.dialects import path_line
from pincite.text.document import Document


def read(text: str, path: str = "x.md") -> list[Citation]:
    return [item for item in path_line.extract(Document(path, text)) if isinstance(item, Citation)]


def moved(text: str, place: Place, path: str = "x.md") -> str | None:
    document = Document(path, text)
    (citation,) = read(text, path)
    edit = path_line.repoint(document, citation, place)
    return None if edit is None else text[: edit.span.start] + edit.replacement + text[edit.span.end :]


@pytest.mark.parametrize(
    ("text", "raw", "lines"),
    [
        ("see a/b.py:3.", "a/b.py:3", Lines(3, 3)),
        ("see a/b.py:3-5,", "a/b.py:3-5", Lines(3, 5)),
        ("see (a/b.py:3:9)", "a/b.py:3:9", Lines(3, 3)),
        ("see a/b.py#L3-L5 ok", "a/b.py#L3-L5", Lines(3, 5)),
        ("see `a/b.py:3` ok", "a/b.py:3", Lines(3, 3)),
        ("see a/b.py:3..5 ok", "a/b.py:3..5", Lines(3, 5)),
        ("see a/b.py:3-L5 ok", "a/b.py:3-L5", Lines(3, 5)),
        ("see a/b.py:L3-L5 ok", "a/b.py:L3-L5", Lines(3, 5)),
        ("see a/b.py:3... ok", "a/b.py:3", Lines(3, 3)),
        ("see a/b.py:3-5x ok", "a/b.py:3", Lines(3, 3)),
        ("see a/b.py:12345678 ok", "a/b.py:12345678", Lines(12345678, 12345678)),
        (f"see a/b.py:1-{'9' * 30} ok", f"a/b.py:1-{'9' * 30}", Lines(1, 999_999_999)),
        (f"see a/b.py:{'9' * 6000} ok", f"a/b.py:{'9' * 6000}", Lines(999_999_999, 999_999_999)),
        ("@a/b.py:3", "a/b.py:3", Lines(3, 3)),
    ],
)
def test_references_are_read(text: str, raw: str, lines: Lines) -> None:
    (citation,) = read(text)
    assert (citation.raw, citation.lines, citation.tentative) == (raw, lines, True)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "12:30",
            "3.5:1",
            "https://h/a.py:3",
            "//h/a.py:3",
            "a.py :3",
            "a.py:3x",
            "a.py:3.5",
            "log.md:2024-01-02",
            "/a.py:3",
        ),
        *("C:\\b\\a.py:3", "`run a.py:3`", "```\na.py:3\n```", "---\nx: a.py:3\n---\n", "a/:3", "..:3", "::1", ":3"),
    ],
)
def test_look_alikes_are_not(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "raw", "reason"),
    [
        ("see a/b.py:5-3", "a/b.py:5-3", "the range ends before it starts (L5-L3)"),
        ("see a/b.py#L5-L3", "a/b.py#L5-L3", "the range ends before it starts (L5-L3)"),
        ("see a/b.py:5..3", "a/b.py:5..3", "the range ends before it starts (L5-L3)"),
        ("see a/b.py:1-2-99", "a/b.py:1-2-99", "1-2-99 is no range of lines"),
        ("see a/b.py#L1-L2-L99", "a/b.py#L1-L2-L99", "L1-L2-L99 is no range of lines"),
        ("see `a/b.py:5-3` ok", "a/b.py:5-3", "the range ends before it starts (L5-L3)"),
        ("see a/b.py:1-2,9-8 ok", "9-8", "the range ends before it starts (L9-L8)"),
    ],
)
def test_a_range_that_is_none_is_malformed_where_the_file_exists(text: str, raw: str, reason: str) -> None:
    (found,) = (item for item in path_line.extract(Document("x.md", text)) if isinstance(item, Malformed))
    assert (found.raw, found.reason, found.source) == (raw, reason, SourceRef("file", "a/b.py"))
    assert text[found.span.start : found.span.end] == raw


def test_the_root_is_tried_first_and_the_folder_second() -> None:
    (citation,) = read("a.py:3", "docs/x.md")
    assert (citation.source.key, citation.alternate) == ("a.py", "docs/a.py")


def test_a_dot_means_the_folder_first() -> None:
    (citation,) = read("./a.py:3", "docs/x.md")
    assert (citation.source.key, citation.alternate) == ("docs/a.py", "a.py")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see a.py:3.", "see a.py:7-9."),
        ("see `a.py#L3`.", "see `a.py#L7-L9`."),
        ("see a.py:3–5.", "see a.py:7–9."),
        ("see a.py#L3-5.", "see a.py#L7-9."),
        ("see a.py:3:8.", "see a.py:7-9."),
    ],
)
def test_an_edit_keeps_the_form(text: str, expected: str) -> None:
    assert moved(text, Place("a.py", Lines(7, 9))) == expected


def test_no_edit_where_the_text_behind_would_become_part_of_the_range() -> None:
    assert moved("see a.py:6-3x of", Place("a.py", Lines(2, 2))) is None


def test_no_edit_to_a_path_that_prose_cannot_hold() -> None:
    assert moved("see a.py:3", Place("a b.py", Lines(7, 7))) is None


COLUMNS = {
    "colon": ("see a/b.py:3:9.", Lines(7, 7), "see a/b.py:7:9."),
    "range": ("see a/b.py:3-5:9.", Lines(7, 9), "see a/b.py:7-9:9."),
    "fragment": ("see a/b.py#L3C1-L5C9 now", Lines(7, 9), "see a/b.py#L7C1-L9C9 now"),
    "one line of it": ("see a/b.py#L3C4 now", Lines(7, 7), "see a/b.py#L7C4 now"),
    "broken up": ("see a/b.py:3:9.", Lines(7, 9), "see a/b.py:7-9."),
    "joined": ("see a/b.py#L3C1-L5C9 now", Lines(7, 7), "see a/b.py#L7 now"),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_as_many_lines_keep_their_columns(name: str) -> None:
    before, lines, after = COLUMNS[name]
    assert moved(before, Place("a/b.py", lines)) == after
