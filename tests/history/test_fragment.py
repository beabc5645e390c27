"""Parts of lines: columns follow their words, and words that are gone are gone though their line stays."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.history.step import UNDECIDED, FileStep, FileVersion, TextRegion

LINE = "    limit = read_limit(path, default)"


def became(words: str, *now: str, then: str = LINE) -> str | None:
    """What some words of a line are after a change, over several lines with `|` between them; None if gone."""
    at = then.index(words)
    lines = ["top()", *now, "end()"]
    region = FileStep(FileVersion.of(["top()", then, "end()"]), FileVersion.of(lines)).carry(
        TextRegion(1, 1, at, at + len(words))
    )
    if region is None or region is UNDECIDED:
        return None
    if region.first == region.last:
        return lines[region.first][region.left : region.right]
    middle = lines[region.first + 1 : region.last]
    return "|".join([lines[region.first][region.left :], *middle, lines[region.last][: region.right]])


@pytest.mark.parametrize(
    ("words", "now", "expected"),
    [
        ("default", LINE, "default"),
        ("default", "        limit = read_limit(path, default)", "default"),
        ("default", "    limit = read_limit(path, default, 3)", "default"),
        ("path", "    bound = read_limit(path)", "path"),
        ("path, default", "    limit = read_limit(path, default, 3)", "path, default"),
        ("read_limit(path, default)", "    limit = cached(read_limit(path, default))", "read_limit(path, default)"),
    ],
)
def test_columns_follow_their_words(words: str, now: str, expected: str) -> None:
    assert became(words, now) == expected


@pytest.mark.parametrize(
    ("words", "now"),
    [
        ("default", "    limit = read_limit(path)"),
        ("path", "    limit = read_limit(default)"),
        (", default", "    limit = read_limit(path)"),
        ("limit = ", "    read_limit(path, default)"),
        ("default", "    return None"),
    ],
)
def test_a_part_that_was_taken_out_is_gone_though_its_line_stays(words: str, now: str) -> None:
    assert became(words, now) is None


@pytest.mark.parametrize(
    ("words", "now", "expected"),
    [
        ("default", "    limit = read_limit(path, fallback)", "fallback"),
        ("limit", "    bound = read_bound(path, default)", "bound"),
        ("read_limit(path, default)", "    limit = read_limit(path, fallback)", "read_limit(path, fallback)"),
    ],
)
def test_a_renamed_word_is_told_by_those_around_it(words: str, now: str, expected: str) -> None:
    assert became(words, now) == expected


def test_a_part_of_a_line_that_was_broken_up() -> None:
    parts = ("    limit = read_limit(", "        path,", "        default,", "    )")
    assert became("default", *parts) == "default"
    assert became("path, default", *parts) == "path,|        default"


def test_words_that_stand_twice_are_told_by_their_place() -> None:
    line = "copy(source, target, source)"
    assert became("target", "copy(source, target, other)", then=line) == "target"
    assert became("source, target", "copy(first, target, source)", then=line) in ("first, target", None)


WORD = st.sampled_from(("alpha", "beta", "x", "1", ",", "(", ")", " ", "  ", "=", "gamma"))


@given(then=st.lists(WORD, min_size=1, max_size=12), now=st.lists(WORD, max_size=12), data=st.data())
@settings(max_examples=200, deadline=None)
def test_columns_stay_within_their_lines(then: list[str], now: list[str], data: st.DataObject) -> None:
    """Whatever became of a part, it is some words of the new line."""
    old, new = "".join(then), "".join(now)
    left = data.draw(st.integers(0, len(old) - 1))
    right = data.draw(st.integers(left + 1, len(old)))
    lines = ["top()", new, "end()"]
    region = FileStep(FileVersion.of(["top()", old, "end()"]), FileVersion.of(lines)).carry(
        TextRegion(1, 1, left, right)
    )
    if region is not None and region is not UNDECIDED:
        assert 0 <= region.first <= region.last <= 2
        assert 0 <= region.left <= len(lines[region.first])
        assert 0 < region.right <= len(lines[region.last])
        assert region.first < region.last or region.left < region.right
    if old == new and region is not None and region is not UNDECIDED:
        assert (region.left, region.right) == (left, right)
