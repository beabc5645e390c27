"""Colours of code: nothing is lost or added, and text that is made to take long stays plain."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.doors.web import colouring, links
from pincite.doors.web.colouring import colour_lines

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
LANGUAGES = sorted(set(colouring._ENDINGS) | set(colouring._NAMES))


def join_words(lines: tuple[tuple[tuple[str, str], ...], ...]) -> list[str]:
    return ["".join(text for _, text in words) for words in lines]


def test_words_have_the_class_of_their_kind() -> None:
    (words,) = colour_lines(["def f(): return 1  # one"], "a.py")
    assert {("tk", "def"), ("tf", "f"), ("tk", "return"), ("tn", "1"), ("tc", "# one")} <= set(words)


@pytest.mark.parametrize("name", ["", "a", "a.unknown", "a.md", ".py/a", "py"])
def test_other_files_stay_plain(name: str) -> None:
    assert colour_lines(["def f(): pass"], name) == ((("", "def f(): pass"),),)


@pytest.mark.parametrize("ending", sorted(colouring._ENDINGS))
def test_every_language_is_known(ending: str) -> None:
    found = colour_lines(['x = "text" # 1', "/* c */ 1", 'a: "b"', "all: b"], f"a.{ending}")
    assert any(kind for words in found for kind, _ in words)


@pytest.mark.parametrize("name", ["Makefile", "src/GNUmakefile", "Dockerfile"])
def test_some_files_are_known_by_their_name(name: str) -> None:
    found = colour_lines(["FROM python:3 # a remark", "# a remark"], name)
    assert any(kind for words in found for kind, _ in words)


@given(
    st.lists(st.text(st.characters(exclude_characters="\n\r"), max_size=60), min_size=1, max_size=6),
    st.sampled_from(LANGUAGES),
)
def test_nothing_is_lost_or_added(lines: list[str], ending: str) -> None:
    assert join_words(colour_lines(lines, f"a.{ending}")) == lines


def test_long_text_stays_plain_and_whole() -> None:
    lines = ["x = 1"] * 10_000
    assert join_words(colour_lines(lines, "a.py")) == lines
    assert not any(kind for words in colour_lines(lines, "a.py") for kind, _ in words)


def test_text_of_several_blocks_is_coloured_to_its_end() -> None:
    lines = [f"value_{at} = 'some text of this line'  # and a remark" for at in range(150)]
    found = colour_lines(lines, "a.py")
    assert join_words(found) == lines and any(kind == "tc" for kind, _ in found[-1])


def test_much_white_space_stays_plain() -> None:
    lines = [" " * 398] * 7
    assert not any(kind for words in colour_lines(lines, "a.c") for kind, _ in words)


def test_no_language_hangs() -> None:
    """In a process of its own: what hangs in a pattern can only be ended from outside."""
    code = f"""
from pincite.doors.web.colouring import colour_lines
for ending in {sorted({language: ending for ending, language in colouring._ENDINGS.items()}.values())!r}:
    for unit in {UNITS!r}:
        text = (unit * 3000)[:2900] + "!"
        lines = [text[at:at + 398] for at in range(0, len(text), 398)]
        assert ["".join(word for _, word in words) for words in colour_lines(lines, "a." + ending)] == lines
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
    texts = read_colours(own, ("tc", "tk", "ts", "tn", "tf", "tb", "text"))
    grounds = {**read_colours(own, ("line",)), **read_colours(shared, ("mark", "added", "removed"))}
    assert len(texts) == 7 and len(grounds) == 4
    for text in texts.values():
        for ground in grounds.values():
            dark, light = sorted((measure_light(text), measure_light(ground)))
            assert (light + 0.05) / (dark + 0.05) >= 4.5, (text, ground)
