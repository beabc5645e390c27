"""Lines without white space are found once for a text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pincite.history.bare_lines import strip_lines


def test_white_space_goes_everywhere() -> None:
    assert strip_lines(["  a b\t", "", "\u3000c"]) == ["ab", "", "c"]


def test_the_same_text_is_read_once() -> None:
    lines = ["a b", "c"]
    assert strip_lines(lines) is strip_lines(lines)


def test_another_text_with_the_same_words_is_another() -> None:
    first = strip_lines(["a b"])
    for number in range(30):
        assert strip_lines([f"{number} x"]) == [f"{number}x"]
    assert strip_lines(["a b"]) == first


@given(st.lists(st.text("a b\t\x0b\x1c\x85\xa0\u2003é\ud800"), max_size=5))
def test_the_same_as_line_by_line(lines: list[str]) -> None:
    assert strip_lines(lines) == ["".join(line.split()) for line in lines]
