"""Colours of source code: whatever a lexer does, the text stays the text."""

from __future__ import annotations

import pytest

from pincite.doors.web import colouring
from pincite.doors.web.colouring import LONGEST_LINE, MOST_CHARACTERS, colour_lines

HOSTILE = [
    "<script>alert(1)</script>",
    "\0\x1b[31m\u202e evil \u2066",
    "'" * 500,
    '"""' * 200,
    "/*" * 300,
    "((((((((((" * 100,
    "\ud800 \udfff",
    "a\tb\x0b\x0c\x85\u2028c",
    "#" * 1500,
    "<!--" * 300,
    "%{#{" * 200,
]


def join_lines(name: str, lines: list[str]) -> list[str]:
    return ["".join(text for _, text in row) for row in colour_lines(name, lines)]


def test_tokens_have_classes() -> None:
    (row,) = colour_lines("src/a.py", ["def f(): return 'x'  # why"])
    assert ("keyword", "def") in row and ("string", "'x'") in row and ("comment", "# why") in row
    assert ("name", "f") in row


def test_a_text_over_several_lines_is_known_on_each_of_them() -> None:
    assert colour_lines("a.py", ['"""one', "two", '"""'])[1] == [("string", "two")]


@pytest.mark.parametrize("name", ["notes.txt", "", "a.unknown", "/", ".", "a.py/", "x.PY.exe"])
def test_what_has_no_lexer_stays_plain(name: str) -> None:
    assert colour_lines(name, ["def f(): pass", ""]) == [[("", "def f(): pass")], []]


@pytest.mark.parametrize("ending", [ending for endings in colouring._LEXERS.values() for ending in endings.split()])
def test_the_text_is_kept_whatever_the_lexer_makes_of_it(ending: str) -> None:
    assert join_lines(f"a{ending}" if ending.startswith(".") else ending, HOSTILE) == HOSTILE


def test_a_long_line_is_left_plain() -> None:
    lines = ["def f(): pass", "x" * (LONGEST_LINE + 1)]
    assert colour_lines("a.py", lines) == [[("", line)] for line in lines]


def test_a_long_text_is_left_plain() -> None:
    lines = ["def f(): pass"] * (MOST_CHARACTERS // 10)
    assert all(row == [("", "def f(): pass")] for row in colour_lines("a.py", lines))


def test_what_takes_too_long_is_coloured_as_far_as_it_came(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(colouring, "_MOST_SECONDS", -1.0)
    lines = ["def f(): pass"] * 1000
    assert colour_lines("a.py", lines) == [[("", line)] for line in lines]


def test_a_lexer_that_loses_text_colours_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    class Careless:
        def get_tokens_unprocessed(self, text: str):
            yield 0, ("Keyword",), "other\n"
            yield 0, ("Keyword",), "b"

    monkeypatch.setattr(colouring, "_load_lexer", lambda name: Careless())
    assert colour_lines("a.py", ["a", "b"]) == [[("", "a")], [("keyword", "b")]]


def test_a_lexer_that_fails_colours_what_came_before(monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing:
        def get_tokens_unprocessed(self, text: str):
            yield 0, ("Keyword",), "a\n"
            raise IndexError

    monkeypatch.setattr(colouring, "_load_lexer", lambda name: Failing())
    assert colour_lines("a.py", ["a", "b"]) == [[("keyword", "a")], [("", "b")]]
