"""One change of a file: where a region went, and where that cannot be told."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.history.step import UNDECIDED, FileStep, FileVersion, TextRegion

BODY = ["import os", "", "def main(path):", "    limit = read_limit(path)", "    return limit", "", "main()"]


def carry(then: list[str], now: list[str], first: int, last: int | None = None) -> tuple[int, int] | str:
    """Where lines from 0 went: first and last, `gone` or `undecided`."""
    region = FileStep(FileVersion.of(then), FileVersion.of(now)).carry(
        TextRegion(first, first if last is None else last)
    )
    return "gone" if region is None else "undecided" if region is UNDECIDED else (region.first, region.last)


def test_lines_are_cut_alike_whatever_their_ends() -> None:
    for text in ("a\nb\n", "a\r\nb\r\n", "a\rb\r", "a\nb", "a\r\nb"):
        assert FileVersion(text).lines == ["a", "b"]
    assert (FileVersion("").lines, FileVersion("\n").lines) == ([], [""])
    assert FileVersion("  a\tb \n").keys == ["ab"]
    assert FileVersion.of(["a", "", "b"]).lines == ["a", "", "b"]


def test_lines_shift() -> None:
    assert carry(BODY, ["# one", "# two", *BODY], 3) == (5, 5)
    assert carry(BODY, BODY[2:], 2, 4) == (0, 2)


def test_white_space_is_no_change() -> None:
    now = ["if True:", *(f"\t{line.strip()}" for line in BODY)]
    assert carry(BODY, now, 2, 4) == (3, 5)


def test_an_edited_line_is_found_in_its_hunk() -> None:
    now = ["# top", *(line.replace("(path)", "(path, 10)") for line in BODY)]
    assert carry(BODY, now, 3) == (4, 4)


def test_a_line_like_it_outside_of_its_hunk_is_not_it() -> None:
    now = [*BODY[:3], *BODY[4:], "", "limit = read_limit(paths)"]
    assert carry(BODY, now, 3) == "gone"


def test_what_nothing_replaced_is_gone() -> None:
    assert carry(BODY, BODY[:3] + BODY[4:], 3) == "gone"
    assert carry(BODY, [], 3) == "gone"
    assert carry(BODY, ["something", "else", "entirely"], 3) == "gone"


def test_a_line_broken_up_is_all_its_parts() -> None:
    then = ["top()", "values = compute(alpha_value, beta_value, gamma_value)", "end()"]
    parts = ["values = compute(", "    alpha_value,", "    beta_value,", "    gamma_value,", ")"]
    assert carry(then, ["top()", *parts, "end()"], 1) == (1, 5)


def test_joined_lines_are_the_one_they_became() -> None:
    then = ["top()", "values = compute(", "    alpha_value,", "    beta_value)", "end()"]
    now = ["top()", "values = compute(alpha_value, beta_value)", "end()"]
    assert carry(then, now, 1, 3) == (1, 1)


@pytest.mark.parametrize(
    ("then", "now", "last", "end"),
    [
        (["names = [", '    "one",', "]", "run()"], ["names = [", '    "one",', '    "two",', "]", "run()"], 2, 3),
        (["call(first,", "     second)", "x"], ["call(first,", "     second,", "     third,", ")", "x"], 1, 3),
        (["call(first,", "     second)", "x"], ["call(first,", "     second,", "     third"], 1, 1),
    ],
)
def test_a_bracket_that_opens_in_a_range_closes_in_it(then: list[str], now: list[str], last: int, end: int) -> None:
    assert carry(then, now, 0, last) == (0, end)


def test_neighbours_that_are_nearly_alike_keep_their_order() -> None:
    then = ["top()", "one_limit = read(1)", "two_limit = read(2)", "end()"]
    now = ["top()", "one_limit = read(11)", "two_limit = read(12)", "end()"]
    assert [carry(then, now, at) for at in (1, 2)] == [(1, 1), (2, 2)]


def test_a_line_that_is_more_like_another_is_that_one() -> None:
    then = ["top()", "one_limit = read(1)", "two_limit = read(2)", "end()"]
    assert carry(then, ["top()", "two_limit = read(12)", "end()"], 1) == "gone"


def test_of_two_lines_as_like_it_none_is_chosen() -> None:
    then = ["top()", "limit = read_limit(first)", "end()"]
    now = ["top()", "limit_a = read_limit(first)", "limit_b = read_limit(first)", "end()"]
    assert not isinstance(carry(then, now, 1), tuple)


def test_the_very_lines_put_in_elsewhere_moved() -> None:
    then = ["top()", "alpha_beta(gamma, delta)", "middle()", "end()"]
    assert carry(then, ["top()", "middle()", "end()", "more()", "alpha_beta(gamma, delta)"], 1) == (4, 4)


def test_put_in_twice_cannot_be_told() -> None:
    then = ["top()", "alpha_beta(gamma, delta)", "middle()", "end()"]
    now = ["top()", "middle()", "alpha_beta(gamma, delta)", "end()", "more()", "alpha_beta(gamma, delta)"]
    assert carry(then, now, 1) == "undecided"


def test_put_in_twice_is_told_by_neighbours() -> None:
    then = ["top()", "first()", "alpha_beta(gamma, delta)", "second()", "middle()", "end()"]
    moved = ["first()", "alpha_beta(gamma, delta)", "second()"]
    now = ["top()", "middle()", "alpha_beta(gamma, delta)", "end()", "more()", *moved]
    assert carry(then, now, 2) == (6, 6)


@pytest.mark.parametrize("line", ["}", "    return None", "else:", "x = 1"])
def test_short_lines_never_move_alone(line: str) -> None:
    """What stands everywhere may have been put in by somebody else; with a neighbour it is known again."""
    then = ["def first():", "    begin()", line, "", "def second():", "    finish()"]
    now = ["def second():", "    finish()", "", "def third():", "    other()", line]
    assert not isinstance(carry(then, now, 2), tuple)
    assert carry(then, [*then[4:], "", *then[:3]], 2) == (5, 5)


def test_a_line_that_stood_several_times_never_moves_alone() -> None:
    line = "    raise ValueError(message_of_the_error)"
    then = ["def first():", line, "", "def second():", "    begin()", line, "", "def third():", "    finish()"]
    now = ["def first():", line, "", "def third():", "    finish()", "", "def fourth():", "    other()", line]
    assert not isinstance(carry(then, now, 5), tuple)


def test_nothing_around_it_says_which() -> None:
    assert carry(["alpha beta"], ["x", "alpha beta", "y", "alpha beta", "z"], 0) == "undecided"


RANGE = ["top()", "def run(value):", "    first_step(value)", "    second_step(value)", "    return value", "end()"]


@pytest.mark.parametrize(
    ("lost", "put", "expected"),
    [
        ({1}, ["class Other:"], (2, 4)),
        ({4}, [], (1, 3)),
        ({1, 2, 3}, [], "gone"),
        ({1, 2, 3, 4}, ["nothing = 0", "whatever = 1"], "gone"),
        (set(), ["    log(value)"], (1, 5)),
    ],
)
def test_a_range_goes_by_what_is_left_of_it(lost: set[int], put: list[str], expected: tuple[int, int] | str) -> None:
    """First and last line each for itself; where most is gone, all is."""
    now = [line for at, line in enumerate(RANGE) if at not in lost]
    at = min(lost, default=3)
    assert carry(RANGE, [*now[:at], *put, *now[at:]], 1, 4) == expected


LINE = st.sampled_from(("alpha_beta()", "    return None", "}", "", "x = 1", "if ready(value):", "  gamma(delta, 1)"))


@given(then=st.lists(LINE, min_size=1, max_size=25), now=st.lists(LINE, max_size=25), data=st.data())
@settings(max_examples=300, deadline=None)
def test_a_region_stays_within_the_text(then: list[str], now: list[str], data: st.DataObject) -> None:
    first = data.draw(st.integers(0, len(then) - 1))
    last = data.draw(st.integers(first, len(then) - 1))
    step = FileStep(FileVersion.of(then), FileVersion.of(now))
    region = step.carry(TextRegion(first, last))
    if region is not None and region is not UNDECIDED:
        assert 0 <= region.first <= region.last < len(now)
        assert (region.left, region.right) == (-1, -1)
    assert FileStep(FileVersion.of(then), FileVersion.of(then)).carry(TextRegion(first, last)) in (
        TextRegion(first, last),
        UNDECIDED,
    )


@pytest.mark.parametrize(
    ("then", "now"),
    [
        (lambda size: ["same line here"] * size, lambda size: ["new", *["same line here"] * (size - 1), "new"]),
        (lambda size: [f"old {at} line" for at in range(size)], lambda size: [f"new {at} row" for at in range(size)]),
        (lambda size: ["a b c d", "e f g h"] * (size // 2), lambda size: ["e f g h", "a b c d e"] * (size // 2)),
    ],
    ids=["equal", "one huge hunk", "alternating"],
)
@pytest.mark.parametrize("part", [0.0, 0.5], ids=["line", "range"])
def test_time_is_bounded(then: object, now: object, part: float) -> None:
    """Five thousand lines against five thousand others: far less than all pairs of them would take."""

    def taken(size: int) -> float:
        old, new = (make(size) for make in (then, now))  # type: ignore[operator]
        begun = process_time()
        region = FileStep(FileVersion.of(old), FileVersion.of(new)).carry(
            TextRegion(size // 4, size // 4 + int(size * part))
        )
        assert region is None or region is UNDECIDED or region.last < len(new)
        return process_time() - begun

    for _ in range(3):
        small, large = min(taken(1250) for _ in range(3)), min(taken(5000) for _ in range(3))
        if large < 0.1 or large < 11 * small:
            break
    assert large < 0.1 or large < 11 * small, (small, large)


def test_a_range_that_begins_with_a_blank_line_goes_where_all_of_its_text_went() -> None:
    body = [f"    value_{at} = compute({at})" for at in range(8)]
    old = ["import os", "", "def first(path):", *body[:3], "", "def second(path, values):", *body[3:], "", "run()"]
    region = TextRegion(6, 12)
    new = [*old[:7], "def third(text):", "    return text.strip()", "", *old[7:]]
    moved = FileStep(FileVersion.of(old), FileVersion.of(new)).carry(region)
    assert moved is not None and (moved.first, moved.last) in ((9, 15), (6, 15))


@given(st.lists(st.text("ab\x85é", max_size=60) | st.just(""), max_size=60), st.lists(st.integers(0, 70), max_size=8))
def test_stretches_of_a_text_are_those_of_its_lines(lines: list[str], ends: list[int]) -> None:
    version = FileVersion.of(lines)
    ends = sorted(ends[: len(ends) // 2 * 2])
    pieces = list(zip(ends[::2], ends[1::2], strict=True))
    assert version.size == len(lines)
    assert version.cut(pieces) == "".join(f"{line}\n" for first, end in pieces for line in lines[first:end])
