"""Shapes that documents of real repositories have, written with invented text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pincite.core.model import Citation, Lines, Place
from pincite.dialects import link, path_line, permalink
from pincite.engine.run import Request, Run
from pincite.project.config import Config
from pincite.safe.files import Root
from pincite.text.document import Document


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


def checked(made: Any) -> list[tuple[str, list[str]]]:
    """Each citation as it is written, with the checks that speak about it."""
    with Root(str(made.path)) as root:
        run = Run(root, Request(every=True, cache=False, config=Config(repository="owner/name")))
        verdicts = [verdict for report in run.reports() for verdict in report.verdicts]
    return [(verdict.citation.raw, [finding.check for finding in verdict.findings]) for verdict in verdicts]


SACKS = "".join(f"sack number {number}\n" for number in range(1, 11))


@pytest.mark.parametrize(
    ("now", "checks"),
    [
        (SACKS + "more\n" * 9, []),
        ("new\n" + SACKS + "more\n" * 9, ["lines-edited"]),
        ("new\n" + SACKS, ["range-past-end"]),
    ],
)
def test_a_range_past_the_end_then_is_compared_as_far_as_it_went(
    make_repository: Callable[..., Any], now: str, checks: list[str]
) -> None:
    repository = make_repository()
    repository.commit({"mill.txt": SACKS, "x.md": "Sacks.【F:mill.txt†L4-L14】\n"})
    repository.commit({"mill.txt": now})
    assert checked(repository) == [("【F:mill.txt†L4-L14】", checks)]


def test_what_was_not_there_when_it_was_cited_is_not_known(make_repository: Callable[..., Any]) -> None:
    repository = make_repository()
    repository.commit({"mill.txt": SACKS, "x.md": "Sacks.【F:mill.txt†L12】\nWheel.【F:wheel.txt†L2】\n"})
    repository.commit({"mill.txt": SACKS + SACKS, "wheel.txt": SACKS})
    assert [checks for _, checks in checked(repository)] == [["drift-unknown"], ["drift-unknown"]]


def test_an_address_of_a_branch_drifts_and_one_of_a_commit_does_not(make_repository: Callable[..., Any]) -> None:
    repository = make_repository()
    first = repository.commit({"mill.txt": SACKS})
    address = "https://github.com/owner/name/blob/{}/mill.txt#L4"
    repository.commit({"x.md": f"{address.format('main')}\n\n{address.format(first)}\n"})
    repository.commit({"mill.txt": "new\n" + SACKS})
    found = [checks for _, checks in checked(repository)]
    assert found == [["lines-moved"], []]


def test_names_of_the_past_are_known_where_contents_are_missing(make_repository: Callable[..., Any]) -> None:
    repository = make_repository()
    repository.commit({"old/mill.c": SACKS, "old/wheel.c": SACKS.replace("sack", "spoke")})
    blob = repository.git("rev-parse", "HEAD:old/wheel.c")
    repository.git("rm", "-q", "old/mill.c", "old/wheel.c")
    repository.commit({"x.md": "See old/mill.c:4 there.\n", "new/wheel.c": SACKS.replace("sack", "spoke") + "hub\n"})
    (repository.path / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    assert checked(repository) == [("old/mill.c:4", ["file-not-found"])]
