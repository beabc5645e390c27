"""GitHub addresses: where they end, and when they may move."""

from __future__ import annotations

import pytest

from pincite.core.model import Citation, Lines, Place
from pincite.dialects import permalink
from pincite.text.document import Document

MAIN = "https://github.com/o/r/blob/main/"
COMMIT = "https://github.com/o/r/blob/abcdef1/"
PLACE = Place("lib/new.py", Lines(2, 2))


def read(text: str) -> list[Citation]:
    return [item for item in permalink.extract(Document("x.md", text)) if isinstance(item, Citation)]


def moved(text: str, place: Place = PLACE) -> str | None:
    document = Document("x.md", text)
    (citation,) = read(text)
    edit = permalink.repoint(document, citation, place)
    return None if edit is None else text[: edit.span.start] + edit.replacement + text[edit.span.end :]


@pytest.mark.parametrize(
    ("text", "key", "lines"),
    [
        (f"({MAIN}a.py#L3).", "o/r@main:a.py", Lines(3, 3)),
        (f"[x]({MAIN}a.py#L3-L5)", "o/r@main:a.py", Lines(3, 5)),
        (f"{MAIN}a.py#L5-L3", "o/r@main:a.py", Lines(3, 5)),
        (f"{MAIN}a.py?plain=1#L3C4-L5C6", "o/r@main:a.py", Lines(3, 5)),
        (f"{COMMIT}a.py, and", "o/r@abcdef1:a.py", None),
        (f"{COMMIT}a%20b.py", "o/r@abcdef1:a b.py", None),
    ],
)
def test_an_address_ends_where_its_sentence_goes_on(text: str, key: str, lines: Lines | None) -> None:
    (citation,) = read(text)
    assert (citation.source.key, citation.lines) == (key, lines)


@pytest.mark.parametrize(
    "text", [f"{MAIN}a.py", f"{COMMIT}...", f"`{MAIN}a.py#L3`", "https://github.com/o/r#L3", f"{MAIN}a.py#L12345678901"]
)
def test_what_is_no_citation(text: str) -> None:
    assert read(text) == []


def test_a_link_to_a_branch_moves() -> None:
    assert moved(f"See {MAIN}a.py#L3-L5.") == f"See {MAIN}lib/new.py#L2."


def test_a_link_to_a_commit_never_moves() -> None:
    assert moved(f"See {COMMIT}a.py#L3.") is None


def test_no_edit_where_the_text_behind_would_become_part_of_the_range() -> None:
    assert moved(f"See {MAIN}a.py#L5-L6-L9.") is None


def test_a_path_that_ends_in_punctuation_is_written_so_that_it_is_read_back() -> None:
    (citation,) = read(f"{COMMIT}a%2E")
    (again,) = read(f"See {permalink.render(citation)}.")
    assert again.source == citation.source


@pytest.mark.parametrize("text", [f"{MAIN}`a`#L1", f"{MAIN}`a.py#L1`", f"Behind {MAIN}`code` it goes on"])
def test_code_is_no_part_of_an_address(text: str) -> None:
    assert read(text) == []
