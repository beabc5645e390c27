"""Shapes that documents of real repositories have, written with invented text."""

from __future__ import annotations

import pytest

from pincite.document import Document
from pincite.extract import link, path_line, permalink
from pincite.model import Citation, Lines, Place


def read(text: str, path: str = "notes/x.md") -> list[tuple[str, int, int]]:
    found = [item for item in path_line.extract(Document(path, text)) if isinstance(item, Citation) and item.lines]
    return [(item.source.key, item.lines.first, item.lines.last) for item in found if item.lines]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("`lib/mill.c:40,52`", [(40, 40), (52, 52)]),
        ("`lib/mill.c:40-44, 52, 60-61`", [(40, 44), (52, 52), (60, 61)]),
        ("`lib/mill.c:40, 52, ...`", [(40, 40), (52, 52)]),
        ("`lib/mill.c:40+`", [(40, 40)]),
        ("[lib/mill.c:40,52,7](../lib/mill.c)", [(40, 40), (52, 52), (7, 7)]),
        ("at lib/mill.c:40, 52 sacks stood", [(40, 40)]),
        ("at lib/mill.c:40,5.5 sacks", [(40, 40)]),
        ("at lib/mill.c:40:2,7", [(40, 40)]),
        ("`lib/mill.c:40,52 grind`", []),
        ("`grind lib/mill.c:40`", []),
        ("`lib/mill.c:40,9-3`", [(40, 40)]),
    ],
)
def test_each_line_of_a_list_is_cited(text: str, lines: list[tuple[int, int]]) -> None:
    assert read(text) == [("lib/mill.c", first, last) for first, last in lines]


def test_a_line_of_a_list_moves_alone_and_its_path_only_with_all() -> None:
    document = Document("x.md", "`lib/mill.c:40-44, 52`")
    first, second = (item for item in path_line.extract(document) if isinstance(item, Citation))
    moved = [path_line.repoint(document, item, Place("lib/mill.c", Lines(9, 9))) for item in (first, second)]
    assert [edit.replacement for edit in moved if edit] == ["lib/mill.c:9", "9"]
    assert path_line.repoint(document, first, Place("lib/wheel.c", Lines(9, 9))) is None
    assert path_line.repoint(document, second, Place("lib/wheel.c", Lines(9, 9))) is None


@pytest.mark.parametrize("path", ["log.txt", "guide.rst"])
def test_messages_of_tools_are_no_citations_where_code_has_no_marks(path: str) -> None:
    assert read("lib/mill.c:40: the wheel is stuck\n --> lib/mill.c:40:2: here\n", path) == []
    assert read("see lib/mill.c:40 and", path) == [("lib/mill.c", 40, 40)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[lib/mill.c:40](lib/mill.c#L40)", "[lib/mill.c:47](lib/mill.c#L47)"),
        ("[`mill.c#L40`](lib/mill.c#L40)", "[`mill.c#L47`](lib/mill.c#L47)"),
        ("[L40](lib/mill.c#L40)", "[L47](lib/mill.c#L47)"),
        ("[mill.c:40-44](lib/mill.c#L40)", "[mill.c:40-44](lib/mill.c#L47)"),
        ("[40 sacks, XL40](lib/mill.c#L40)", "[40 sacks, XL40](lib/mill.c#L47)"),
        ("[mill.c:40, 52](lib/mill.c#L40)", "[mill.c:40, 52](lib/mill.c#L47)"),
    ],
)
def test_link_text_that_names_the_lines_moves_with_them(text: str, expected: str) -> None:
    document = Document("x.md", text)
    (citation,) = (item for item in link.extract(document) if isinstance(item, Citation))
    edit = link.repoint(document, citation, Place("lib/mill.c", Lines(47, 47)))
    assert edit is not None
    assert edit.replacement == expected


def test_link_text_keeps_its_way_of_writing_a_range() -> None:
    document = Document("x.md", "[mill.c:4–6](lib/mill.c#L4-L6)")
    (citation,) = (item for item in link.extract(document) if isinstance(item, Citation))
    edit = link.repoint(document, citation, Place("lib/mill.c", Lines(7, 9)))
    assert edit is not None
    assert edit.replacement == "[mill.c:7–9](lib/mill.c#L7-L9)"


def test_an_escaped_hash_does_not_lengthen_an_address() -> None:
    address = "https://github.com/owner/name/blob/0123456789abcdef0123456789abcdef01234567/lib/mill.c"
    (found,) = permalink.extract(Document("x.md", rf"[{address}\#wheels](x)"))
    assert found.raw == address
