"""References that begin with the name of a repository: what is read, where it ends, and what it becomes."""

from __future__ import annotations

import pytest

from pincite.core.model import Citation, Lines, Malformed, Place
from pincite.dialects import dialects, extract, get_dialect
from pincite.text.document import Document

DIALECT = get_dialect("repository-path")


def read(text: str, path: str = "x.md") -> list[Citation]:
    return [item for item in DIALECT.extract(Document(path, text)) if isinstance(item, Citation)]


def move(text: str, place: Place) -> str | None:
    document = Document("x.md", text)
    edit = DIALECT.repoint(document, read(text)[0], place)
    return None if edit is None else text[: edit.span.start] + edit.replacement + text[edit.span.end :]


@pytest.mark.parametrize(
    ("text", "raw", "key", "lines"),
    [
        ("See o/r:a.py:3.", "o/r:a.py:3", "o/r:a.py", Lines(3, 3)),
        ("(o/r:src/a.py:3-5)", "o/r:src/a.py:3-5", "o/r:src/a.py", Lines(3, 5)),
        ("`o/r:a.py#L3-L5`", "o/r:a.py#L3-L5", "o/r:a.py", Lines(3, 5)),
        ("o/r@v1.0:a.py:3", "o/r@v1.0:a.py:3", "o/r@v1.0:a.py", Lines(3, 3)),
        ("o/r@feature/x:a.py:3:7", "o/r@feature/x:a.py:3:7", "o/r@feature/x:a.py", Lines(3, 3)),
        ("github.com/o/r:a.py:3", "github.com/o/r:a.py:3", "github.com/o/r:a.py", Lines(3, 3)),
        ("[o/.github:README.md:3]", "o/.github:README.md:3", "o/.github:README.md", Lines(3, 3)),
        ("o/r:Makefile:3", "o/r:Makefile:3", "o/r:Makefile", Lines(3, 3)),
    ],
)
def test_what_is_read(text: str, raw: str, key: str, lines: Lines) -> None:
    (found,) = read(text)
    assert (found.raw, found.source.scheme, found.source.key, found.lines) == (raw, "repository", key, lines)
    assert found.tentative


@pytest.mark.parametrize(
    "text",
    [
        *("src/app.py:42", "src/app.py:42:7", "o/r:80", "o/r:12:30", "10/12:30:15", "o/r:latest", "o/r::name"),
        *("https://x.example/o/r:a.py:3", "git@host:o/r:a.py:3", "host:o/r:a.py:3", "C:\\o/r:a.py:3", "~/o/r:a.py:3"),
        *("/o/r:a.py:3", "./o/r:a.py:3x", "o/r:./a.py:3", "o/r:../a.py:3", "o/r:/a.py:3", "a/b:c/d:e.py:12"),
        *("```\no/r:a.py:3\n```", "`cat o/r:a.py:3`", "---\nx: o/r:a.py:3\n---\n", "o/r: a.py:3", "o /r:a.py:x"),
    ],
)
def test_what_is_no_such_reference(text: str) -> None:
    assert read(text) == []


def test_lists_and_lines_behind_a_reference_belong_to_its_repository() -> None:
    found = read("See o/r:a.py:3,5-6 and `:9`; other.py:4 is another's, `:8` too.")
    assert [one.raw for one in found] == ["o/r:a.py:3", "5-6", ":9"]
    assert {one.source.key for one in found} == {"o/r:a.py"}


def test_a_range_that_ends_before_it_starts_is_malformed() -> None:
    (found,) = DIALECT.extract(Document("x.md", "See o/r:a.py:9-3."))
    assert isinstance(found, Malformed)
    assert (found.raw, found.source and found.source.key) == ("o/r:a.py:9-3", "o/r:a.py")


def test_only_repositories_that_are_at_hand_are_read_and_the_rest_stays_as_it_is() -> None:
    document = Document("x.md", "See o/r:a.py:3 and p/q:b.py:4 and c.py:5.")
    document.mirrored = lambda name: name == "o/r"
    found = [(item.dialect, item.raw) for item in extract(document, dialects())]
    assert found == [("repository-path", "o/r:a.py:3"), ("path-line", "b.py:4"), ("path-line", "c.py:5")]


def test_without_other_repositories_all_is_read_as_ever() -> None:
    found = extract(Document("x.md", "See o/r:a.py:3 and `o/r:b.py:4`."), dialects())
    assert [(item.dialect, item.raw) for item in found] == [("path-line", "a.py:3")]


def test_a_document_read_anew_knows_the_same_repositories() -> None:
    document = Document("x.md", "o/r:a.py:3")
    document.mirrored = lambda name: False
    assert document.reread("o/r:b.py:3", False).mirrored is document.mirrored


@pytest.mark.parametrize(
    ("text", "place", "becomes"),
    [
        ("See o/r:a.py:3.", Place("a.py", Lines(5, 5)), "See o/r:a.py:5."),
        ("See `o/r@main:a.py#L3-L4`.", Place("a.py", Lines(5, 6)), "See `o/r@main:a.py#L5-L6`."),
        ("See o/r:src/a.py:3.", Place("lib/b.py", Lines(3, 3)), "See o/r:lib/b.py:3."),
        ("See o/r:a.py:3:7.", Place("a.py", Lines(5, 5)), "See o/r:a.py:5:7."),
    ],
)
def test_what_it_becomes(text: str, place: Place, becomes: str) -> None:
    assert move(text, place) == becomes


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("See o/r:a.py:3.", Place("a b.py", Lines(5, 5))),
        ("See o/r:a.py:3.", Place("@a.py", Lines(5, 5))),
        ("See o/r:a.py:3.", Place("a.py", None)),
        ("See o/r:a.py:3,7.", Place("b.py", Lines(3, 3))),
    ],
)
def test_what_cannot_be_written_is_not(text: str, place: Place) -> None:
    assert move(text, place) is None
