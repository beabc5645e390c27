"""Which line is which: laws that hold for any two texts, and inserted blocks as people read them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.history.line_matching import _repeated_occurrences, find_occurrences, match_lines

LINE = st.sampled_from(("alpha", "beta", "gamma", "}", "", "return None", "x = 1"))
LINES = st.lists(LINE, max_size=30)


def common(then: list[str], now: list[str]) -> int:
    """How many lines the two have in common, in order, by the plain table."""
    above = [0] * (len(now) + 1)
    for old in then:
        row = [0]
        for at, new in enumerate(now):
            row.append(above[at] + 1 if old == new else max(above[at + 1], row[at]))
        above = row
    return above[-1]


@given(then=LINES, now=LINES)
@settings(max_examples=300, deadline=None)
def test_matches_rise_and_say_the_same(then: list[str], now: list[str]) -> None:
    """One number for each old line; matched lines are equal, each new one is taken once, none cross."""
    for written in ((), now):
        found = match_lines(then, now, written)
        kept = [(old, new) for old, new in enumerate(found) if new >= 0]
        assert len(found) == len(then)
        assert all(then[old] == now[new] for old, new in kept)
        assert all(one[1] < other[1] for one, other in pairwise(kept))
        # Sliding a block moves matches, it neither makes nor loses one.
        assert len(kept) == sum(new >= 0 for new in match_lines(then, now))


@given(text=LINES)
def test_the_same_text_maps_to_itself(text: list[str]) -> None:
    assert match_lines(text, list(text), text) == list(range(len(text)))


@given(before=LINES, text=LINES, after=LINES)
def test_what_is_put_around_a_text_costs_no_line(before: list[str], text: list[str], after: list[str]) -> None:
    """Put in front or behind: every old line is found again. Both at once: as many as two texts can share at most."""
    assert -1 not in match_lines(text, before + text)
    assert -1 not in match_lines(text, text + after)
    around = before + text + after
    found = match_lines(text, around)
    assert sum(new >= 0 for new in found) <= common(text, around)


@given(prefix=LINES, old=LINES, new=LINES, suffix=LINES)
def test_equal_ends_stay_ends(prefix: list[str], old: list[str], new: list[str], suffix: list[str]) -> None:
    """Lines that two texts begin and end with are matched to one another, unless the rest overlaps them."""
    then, now = prefix + ["old only", *old] + suffix, prefix + ["new only", *new] + suffix
    found = match_lines(then, now)
    assert found[: len(prefix)] == list(range(len(prefix)))
    assert found[len(then) - len(suffix) :] == list(range(len(now) - len(suffix), len(now)))


ONE = ["def one():", "    first()", "    return None", ""]
TWO = ["def two():", "    second()", "    return None", ""]
NEW = ["def new():", "    third()", "    return None", ""]


@pytest.mark.parametrize("at", [0, 4, 8])
def test_an_inserted_function_is_one_block(at: int) -> None:
    """However its lines repeat those around it, what was put in is the function, from its name to its gap."""
    then = ONE + TWO
    now = then[:at] + NEW + then[at:]
    found = match_lines(then, now, now)
    assert found == [old if old < at else old + 4 for old in range(8)]


def test_of_a_function_and_its_copy_the_lower_one_is_new() -> None:
    """Nothing tells them apart but order."""
    now = ONE + ONE + TWO
    assert match_lines(ONE + TWO, now, now) == [0, 1, 2, 3, 8, 9, 10, 11]


def test_an_insertion_begins_where_indentation_begins() -> None:
    """A diff may say that `}`, `void b() {` … was put in; people say `void b() {` … `}`."""
    then = ["void a() {", "  run();", "}", "void c() {", "  run();", "}"]
    now = [*then[:3], "void b() {", "  run();", "}", *then[3:]]
    assert match_lines(then, now, now) == [0, 1, 2, 6, 7, 8]


def test_unique_lines_hold_a_text_together() -> None:
    then = ["}", "alpha", "}", "beta", "}"]
    now = ["}", "}", "beta", "}", "}", "}"]
    assert match_lines(then, now)[3] == 2


def test_what_moved_over_others_is_not_matched_twice() -> None:
    assert sum(new >= 0 for new in match_lines(["a", "b", "c"], ["c", "a", "b"])) == 2


def nested(size: int, own: str) -> list[str]:
    """A text in which each unique line only shows once the one behind it was found."""
    return [line for at in range(1, size) for line in (f"mark {at}", f"{own} {at}", f"mark {at - 1}")]


HOSTILE: dict[str, Callable[[int], tuple[list[str], list[str]]]] = {
    "equal": lambda size: (["same"] * size, ["new", *["same"] * size, "new"]),
    "alternating": lambda size: (["a", "b"] * (size // 2), ["b", "a"] * (size // 2)),
    "nothing in common": lambda size: ([f"old {at}" for at in range(size)], [f"new {at}" for at in range(size)]),
    "turned round": lambda size: ([str(at) for at in range(size)], [str(at) for at in range(size, 0, -1)]),
    "nested": lambda size: (nested(size // 3, "old"), nested(size // 3, "new")),
    "four lines": lambda size: (
        [str(at * at % 7 % 4) for at in range(size)],
        [str(at * at % 11 % 4) for at in range(size)],
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_time_grows_little_faster_than_the_text(name: str) -> None:
    """Four times the lines take far less than sixteen times as long; twice in a row it is no accident."""

    def taken(size: int) -> float:
        then, now = HOSTILE[name](size)
        begun = process_time()
        assert len(match_lines(then, now, now)) == len(then)
        return process_time() - begun

    for _ in range(3):
        small, large = min(taken(3000), taken(3000)), min(taken(12_000), taken(12_000))
        if large < 0.05 or large < 11 * small:
            break
    assert large < 0.05 or large < 11 * small, (small, large)


@given(st.lists(st.sampled_from("ab"), min_size=1, max_size=6), st.lists(st.sampled_from("ab"), max_size=40))
def test_both_searches_find_the_same(block: list[str], now: list[str]) -> None:
    plain = [at for at in range(len(now) - len(block) + 1) if now[at : at + len(block)] == block]
    assert _repeated_occurrences(block, now) == plain == find_occurrences(block, now)
