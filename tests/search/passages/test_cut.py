"""Where sections that are too long are cut."""

from __future__ import annotations

import pytest

from pincite.search.passages.cut import LONGEST, SHORTEST, cut, shown_title
from pincite.search.passages.model import Passage
from pincite.search.passages.pdf import read_pages


def parts(text: str) -> list[str]:
    return [text[one.start : one.end] for one in cut(text, [(0, 0, ())], len(text))]


@pytest.mark.parametrize(
    ("filler", "better", "worse"),
    [
        ("word ", "end\n\n", "end\n"),
        ("word ", "end\n \t\n", "end.\n"),
        ("word ", "end.\n", "end\n"),
        ("word ", "end\n- item", "end\nline"),
        ("word ", "end\n", "end. Next"),
        ("word ", "end. Next", "end "),
        ("words", "end next", "end,next"),
        ("漢", "字。", "字、"),
    ],
)
def test_the_better_place_is_taken_though_it_comes_first(filler: str, better: str, worse: str) -> None:
    head = (filler * 900)[:1000] + better
    first = parts(head + (filler * 900)[:200] + worse + (filler * 900)[:2000])[0]
    assert first.startswith((filler * 900)[:1000]) and len(first) <= len(head)


def test_what_fits_is_whole_and_what_is_left_over_is_not_tiny() -> None:
    assert len(parts("x" * LONGEST)) == 1
    assert [len(part) for part in parts("x" * (LONGEST + 1))] == [1201, 400]
    assert all(SHORTEST <= len(part) <= LONGEST for part in parts("word " * 5000)[:-1])


def test_accents_stay_with_their_letters() -> None:
    text = "e\u0301" * 3000
    assert all(part[0] == "e" and part[-1] == "\u0301" for part in parts(text))


def test_blank_lines_are_trimmed_and_indentation_is_kept() -> None:
    text = "\n  \n    indented\n  text  \n\n"
    assert cut(text, [(0, 0, ())], len(text)) == [Passage(4, 23, 3, 4)]
    assert cut("  \n\t\n", [(0, 0, ())], 5) == []


@pytest.mark.parametrize(("title", "shown"), [(" a\t b\n", "a b"), ("x" * 600, "x" * 500), ("a\xa0b", "a\xa0b")])
def test_titles_are_shown_on_one_line(title: str, shown: str) -> None:
    assert shown_title(title) == shown


def test_pages_have_numbers_and_lines_go_on() -> None:
    reading = read_pages(["one\ntwo", "", " \n", "three\r\nfour"], " A\n title ")
    assert reading.title == "A title" and reading.text == "one\ntwo\f\f \n\fthree\r\nfour"
    assert [(one.page, one.first, one.last, one.headings) for one in reading.passages] == [(1, 1, 2, ()), (4, 3, 4, ())]
    assert [reading.text_between(one.start, one.end) for one in reading.passages] == ["one\ntwo", "three\r\nfour"]
    assert read_pages([]).passages == ()
