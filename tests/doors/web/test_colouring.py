"""Colours of source code: whatever a lexer does, the text stays the text."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from pincite.doors.web import colouring, links
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


UNITS = (
    "(",
    "{",
    "[",
    "<",
    '"',
    "'",
    "\\",
    "/*",
    "#",
    "a.",
    "a<",
    "x ",
    " \t",
    "$(",
    "${",
    "\\\\",
    "_",
    "a b ",
    "=",
    "?",
)


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


def test_text_of_several_blocks_is_coloured_to_its_end() -> None:
    lines = [f"value_{at} = 'some text of this line'  # and a remark" for at in range(150)]
    assert all(row[-1][0] == "comment" for row in colour_lines("a.py", lines))


def test_much_white_space_stays_plain() -> None:
    lines = ["int a;", " " * 398]
    assert colour_lines("a.c", lines) == [[("", line)] for line in lines]


def test_no_language_hangs() -> None:
    """In a process of its own: what hangs in a pattern can only be ended from outside."""
    code = f"""
from pincite.doors.web.colouring import colour_lines
for ending in {sorted(endings.split()[-1] for endings in colouring._LEXERS.values())!r}:
    for unit in {UNITS!r}:
        text = (unit * 3000)[:2900] + "!"
        lines = [text[at:at + 398] for at in range(0, len(text), 398)]
        assert ["".join(word for _, word in words) for words in colour_lines("a" + ending, lines)] == lines
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=300)


def read_colours(text: str, names: tuple[str, ...]) -> dict[str, str]:
    return {name: found[1] for name in names if (found := re.search(rf"--{name}: (#[0-9a-f]{{6}})", text))}


def measure_light(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_colour_can_be_read_on_every_background(scheme: str) -> None:
    sheets = [
        links.read_asset(name).decode().partition("prefers-color-scheme: dark")
        for name in ("evidence.css", "pincite.css")
    ]
    own, shared = (sheet[0] if scheme == "light" else sheet[2] for sheet in sheets)
    texts = read_colours(own, ("comment", "keyword", "string", "number", "name", "text"))
    grounds = {**read_colours(own, ("line",)), **read_colours(shared, ("mark", "added", "removed"))}
    assert len(texts) == 6 and len(grounds) == 4
    for text in texts.values():
        for ground in grounds.values():
            dark, light = sorted((measure_light(text), measure_light(ground)))
            assert (light + 0.05) / (dark + 0.05) >= 4.5, (text, ground)
