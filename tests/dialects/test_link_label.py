"""A link's text that says where the link leads is rewritten with it; a text that only looks like that is not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pincite.core.model import Lines
from pincite.dialects._link_label import update_label

OLD, NEW = ("src/a.py", Lines(12, 12)), ("src/core.py", Lines(13, 13))
OLD_RANGE, NEW_RANGE = ("src/a.py", Lines(12, 14)), ("src/core.py", Lines(20, 22))
WRITTEN = ("../src/a.py", "../src/core.py")


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("src/a.py:12", "src/core.py:13"),
        ("`src/a.py:12`", "`src/core.py:13`"),
        ("`src/a.py`:12", "`src/core.py`:13"),
        ("src/a.py", "src/core.py"),
        ("a.py", "core.py"),
        ("`a.py`", "`core.py`"),
        ("../src/a.py:12", "../src/core.py:13"),
        ("**src/a.py:12**", "**src/core.py:13**"),
        ("_a.py_", "_core.py_"),
        ("a.py#L12", "core.py#L13"),
        ("a.py L12", "core.py L13"),
        ("a.py:L12", "core.py:L13"),
        ("a.py:12:5", "core.py:13:5"),
        ("a.py line 12", "core.py line 13"),
        ("a.py, line 12", "core.py, line 13"),
        ("`a.py` (line 12)", "`core.py` (line 13)"),
        ("line 12 of `src/a.py`", "line 13 of `src/core.py`"),
        ("Line 12", "Line 13"),
        ("L12", "L13"),
        ("see src/a.py:12 for it", "see src/core.py:13 for it"),
        ("as in `src/a.py`", "as in `src/core.py`"),
    ],
)
def test_a_text_that_says_the_place_says_the_new_one(label: str, expected: str) -> None:
    assert update_label(label, OLD, NEW, WRITTEN) == expected


@pytest.mark.parametrize(
    "label",
    [
        "12",
        "a",
        "data.py",
        "ba.py",
        "a.py:13",
        "src/a.py:12-14",
        "the a.py helper",
        "version 12",
        "line 120",
        "lib/src/a.py:12 too",
        "src/a.pyc is made",
        "see src/a.py:99",
        "src/a.py:12 and src/a.py:99",
        "L123",
        "src/a.py:12, 44",
        "see src/a.py:12,44",
        "src/a.py:12–20 and more",
        "a.py line 12 (old)",
        "",
        "a.py helpers",
    ],
)
def test_a_text_that_holds_the_words_by_accident_stays(label: str) -> None:
    assert update_label(label, OLD, NEW, WRITTEN) == label


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("src/a.py:12-14", "src/core.py:20-22"),
        ("a.py#L12-L14", "core.py#L20-L22"),
        ("`src/a.py` lines 12–14", "`src/core.py` lines 20–22"),
        ("a.py (lines 12 to 14)", "core.py (lines 20 to 22)"),
        ("lines 12-14 in a.py", "lines 20-22 in core.py"),
    ],
)
def test_ranges_keep_their_form(label: str, expected: str) -> None:
    assert update_label(label, OLD_RANGE, NEW_RANGE, WRITTEN) == expected


def test_words_for_one_line_do_not_become_words_for_several() -> None:
    assert update_label("line 12 of a.py", OLD, NEW_RANGE, WRITTEN) == "line 12 of a.py"
    assert update_label("a.py:12", OLD, NEW_RANGE, WRITTEN) == "core.py:20-22"


def test_a_name_that_means_something_in_a_link_text_is_not_put_there() -> None:
    assert update_label("a.py:12", OLD, ("src/a]b.py", Lines(13, 13)), WRITTEN) == "a.py:12"


def test_long_texts_take_time_in_proportion(in_proportion: Callable[..., bool]) -> None:
    def work(label: str) -> Any:
        return update_label(label, OLD, NEW, WRITTEN)

    for piece in ("src/a.py:1", "/", "src/a.py:12 ", "a-"):
        assert in_proportion(work, piece * 2000, piece * 8000, 4)
