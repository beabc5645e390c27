"""Points over time become lines inside the drawing, whatever times and numbers they claim."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.store.check_trend import TrendPoint
from pincite.text.trend_plot import HEIGHT, WIDTH, draw_trend, format_date, format_day, thin_out

OUTCOMES = ("malformed", "blocked", "missing", "mismatch", "ambiguous", "moved", "unchecked", "holds")

COUNTS = st.dictionaries(st.sampled_from(OUTCOMES), st.integers(0, 10**9))


@given(st.lists(st.tuples(st.integers(-(10**14), 10**14), COUNTS), min_size=2, max_size=150))
def test_everything_stands_inside_the_drawing(given_points: list[tuple[int, dict[str, int]]]) -> None:
    points = [TrendPoint("a" * 40, time, 1, counts) for time, counts in sorted(given_points, key=lambda one: one[0])]
    plot = draw_trend(points, OUTCOMES)
    assert plot is not None
    for line in (plot.share, *plot.lines):
        assert all(0 <= dot.x <= WIDTH and 0 <= dot.y <= HEIGHT for dot in line.dots)
        assert "nan" not in line.path and "inf" not in line.path
    labels = sorted(line.label_y for line in plot.lines)
    assert all(later - earlier >= 15 for earlier, later in itertools.pairwise(labels))
    assert all(0 <= y <= HEIGHT for y in labels)


@pytest.mark.parametrize("number", [0, 1])
def test_less_than_two_points_are_no_line(number: int) -> None:
    assert draw_trend([TrendPoint("", 0, 0, {})] * number, OUTCOMES) is None


def test_no_two_outcomes_look_alike_without_colour() -> None:
    points = [TrendPoint("", time, 1, dict.fromkeys(OUTCOMES, 1 + time)) for time in range(2)]
    plot = draw_trend(points, OUTCOMES)
    assert plot is not None
    assert len({line.dashes for line in plot.lines}) == len(plot.lines) == len(OUTCOMES) - 1
    assert all(line.outcome in line.label for line in plot.lines)


def test_an_outcome_that_never_occurs_has_no_line() -> None:
    plot = draw_trend([TrendPoint("", time, 1, {"holds": 3, "missing": 0}) for time in range(2)], OUTCOMES)
    assert plot is not None and plot.lines == () and plot.share.label == "100 % hold"


def test_many_points_are_thinned_out_with_first_and_last() -> None:
    points = [TrendPoint("", time, 1, {}) for time in range(1000)]
    left = thin_out(points, 120)
    assert len(left) == 120 and (left[0], left[-1]) == (points[0], points[-1])


@pytest.mark.parametrize("time", [10**18, -(10**18), 2**63])
def test_a_time_that_no_calendar_has_is_a_number(time: int) -> None:
    assert format_date(time) == str(time)


def test_days_are_named_without_their_minutes_and_a_point_without_a_commit_by_its_time_alone() -> None:
    points = [TrendPoint("", 86_400 * day, 1, {"holds": 3, "moved": day}) for day in (20_000, 20_001)]
    plot = draw_trend(points, OUTCOMES, format_day)
    assert plot is not None
    assert [mark.label for mark in plot.dates] == ["2024-10-04", "2024-10-05"]
    assert plot.share.dots[0].title == "2024-10-04: 3 holds"


@pytest.mark.parametrize(
    ("most", "labels"), [(9, ["0", "5", "10"]), (70_000, ["0", "50000", "100k"]), (10**7, ["0", "5M", "10M"])]
)
def test_numbers_of_the_grid_are_short(most: int, labels: list[str]) -> None:
    plot = draw_trend([TrendPoint("", time, 1, {"moved": most}) for time in (1, 2)], OUTCOMES)
    assert plot is not None and [mark.label for mark in plot.number_marks] == labels
