"""What one change did to a region is the same whether all lines are looked at or those near the change."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.history.test_hunks import hunks_between, hunks_of

from pincite.history.partial_step import PartialStep
from pincite.history.step import UNDECIDED, FileStep, FileVersion, TextRegion

LINES = [f"value_{at} = compute_{at}(source, {at * 7})" for at in range(400)]


def steps(old: list[str], new: list[str], region: TextRegion) -> tuple[PartialStep, FileStep]:
    then, now = FileVersion.of(old), FileVersion.of(new)
    return PartialStep(then, now, hunks_between(old, new), region), FileStep(then, now)


@given(st.data())
def test_the_parts_say_what_the_whole_says(data: st.DataObject) -> None:
    new = list(LINES)
    for number in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(new) - 1))
        kind = data.draw(st.sampled_from(("insert", "delete", "edit", "move")))
        if kind == "insert":
            new[at:at] = [f"added_{number}_{one} = new_thing({one})" for one in range(data.draw(st.integers(1, 5)))]
        elif kind == "delete":
            del new[at : at + data.draw(st.integers(1, 5))]
        elif kind == "edit":
            new[at] = new[at].replace("source", f"other_source_{number}")
        else:
            block = new[at : at + 6]
            del new[at : at + 6]
            to = data.draw(st.integers(0, len(new)))
            new[to:to] = block
    first = data.draw(st.integers(0, len(LINES) - 30))
    region = TextRegion(first, first + data.draw(st.integers(0, 25)))
    partial, whole = steps(LINES, new, region)
    found, known = partial.carry(region), whole.carry(region)
    assert found == known or UNDECIDED in (found, known)


def test_a_block_that_went_far_is_found() -> None:
    block = LINES[100:106]
    new = [*LINES[:100], *LINES[106:300], *block, *LINES[300:]]
    region = TextRegion(101, 103)
    partial, _ = steps(LINES, new, region)
    assert partial.carry(region) == TextRegion(295, 297)
    assert not partial.is_touched(region, TextRegion(295, 297))


def test_only_lines_near_the_change_are_compared() -> None:
    new = [*LINES[:200], "one_more = True", *LINES[200:]]
    partial, _ = steps(LINES, new, TextRegion(199, 199))
    assert partial.covers(TextRegion(199, 199))
    assert not partial.covers(TextRegion(20, 20))
    assert partial.carry(TextRegion(199, 201)) == TextRegion(199, 202)


@pytest.mark.parametrize("hunks", [None, hunks_of((5, 5, 5, 9)), hunks_of((500, 501, 500, 502))])
def test_hunks_that_do_not_fit_are_not_believed(hunks: object) -> None:
    new = ["# top", *LINES]
    step = PartialStep(FileVersion.of(LINES), FileVersion.of(new), hunks, TextRegion(50, 50))  # type: ignore[arg-type]
    assert step.carry(TextRegion(50, 50)) == TextRegion(51, 51)
    assert step.covers(TextRegion(399, 399))


def test_white_space_touches_the_words() -> None:
    new = [*LINES[:200], f"    {LINES[200]}", *LINES[201:]]
    partial, _ = steps(LINES, new, TextRegion(200, 200))
    assert partial.carry(TextRegion(200, 200)) == TextRegion(200, 200)
    assert partial.is_touched(TextRegion(200, 200), TextRegion(200, 200))
