"""Comments that silence: which line they speak for, and what they name."""

from __future__ import annotations

import pytest

from pincite.text.document import Document
from pincite.text.ignore_comments import ignores, is_silenced


def found(text: str, path: str = "x.md") -> dict[int, set[str]]:
    return {line: set(checks) for line, checks in ignores(Document(path, text)).items()}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a <!-- pincite: ignore blank-range why -->\nb", {1: {"blank-range"}}),
        ("<!-- pincite: ignore blank-range -->\nb\nc", {2: {"blank-range"}}),
        ("  <!-- pincite: ignore blank-range -->  \n\n\nb", {4: {"blank-range"}}),
        ("a <!--pincite:ignore a,b-->", {1: {"a", "b"}}),
        ("a <!-- pincite: ignore all --> b <!-- pincite: ignore x -->", {1: {"all", "x"}}),
        ("<!-- pincite: ignore all -->", {1: {"all"}}),
        ("<!-- pincite: ignore all -->\r\nb", {2: {"all"}}),
        ("<!-- pincite: ignore all -->\rb", {2: {"all"}}),
        ("---\n# pincite: ignore x why\na: 1\n---\n", {3: {"x"}}),
        ("---\na: 1 # pincite: ignore x why\n---\n", {2: {"x"}}),
        ("---\na: b#pincite: ignore x\n---\n", {}),
        ("# pincite: ignore x\n", {}),
        ("a `<!-- pincite: ignore all -->`", {}),
        ("```\n<!-- pincite: ignore all -->\n```", {}),
        ("a <!-- pincite: ignore -->", {}),
        ("a <!-- pincite: ignored all -->", {}),
        ("a <!-- pincite: ignore all", {}),
        ("a <!-- pincite: ignore all\n-->", {}),
        ("a <!-- pincite: ignore x <!-- pincite: ignore y -->", {1: {"y"}}),
        (r"a \<!-- pincite: ignore all -->", {}),
        (r"a \\<!-- pincite: ignore all -->", {1: {"all"}}),
        ('[x](src/a.py#L94 "<!-- pincite: ignore all -->")', {}),
        ("[x](src/a.py#L94 'see <!-- pincite: ignore all --> there')", {}),
        ("[x](<src/a b.py#L94> (<!-- pincite: ignore all -->))", {}),
        ('[x](src/a.py#L94\n"<!-- pincite: ignore all -->")', {}),
        ('[x]: src/a.py#L94 "<!-- pincite: ignore all -->"', {}),
        ('<a title="<!-- pincite: ignore all -->">x</a>', {}),
        ("<img src=x alt='<!-- pincite: ignore all -->'>", {}),
        ('<img alt="a>b" title = "<!-- pincite: ignore all -->"/>', {}),
        ('[x](src/a.py#L94 "title") <!-- pincite: ignore all -->', {1: {"all"}}),
        ('<a title="x">y</a> <!-- pincite: ignore all -->', {1: {"all"}}),
        ('He said "so <!-- pincite: ignore all --> it is"', {1: {"all"}}),
        ('[x](a.py "never closed <!-- pincite: ignore all -->\n\nb"', {1: {"all"}}),
        ('[x](a.py) is "so <!-- pincite: ignore all --> it is" (b)', {1: {"all"}}),
        ('if a <b and c = "x <!-- pincite: ignore all -->', {1: {"all"}}),
        ("[<!-- pincite: ignore all -->](src/a.py#L94)", {1: {"all"}}),
    ],
)
def test_comments(text: str, expected: dict[int, set[str]]) -> None:
    assert found(text) == expected


def test_silenced_names_the_check_or_all() -> None:
    comments = {3: frozenset({"blank-range"}), 4: frozenset({"all"})}
    assert is_silenced(comments, 3, "blank-range")
    assert not is_silenced(comments, 3, "file-not-found")
    assert is_silenced(comments, 4, "file-not-found")
    assert not is_silenced(comments, 5, "blank-range")
