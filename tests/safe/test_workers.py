"""Work that other processes do: all of it comes back, in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from pincite.safe.workers import in_workers


def work(paths: Sequence[str]) -> Iterator[str]:
    for path in paths:
        yield path.upper()


@pytest.mark.parametrize("jobs", [1, 2, 5])
@pytest.mark.parametrize("count", [1, 7, 100])
def test_results_come_in_the_order_of_the_paths(count: int, jobs: int) -> None:
    paths = [f"name-{number}" for number in range(count)]
    assert list(in_workers(paths, jobs, work, str, 4)) == [path.upper() for path in paths]


def test_names_that_cannot_be_sent_are_worked_out_here() -> None:
    paths = ["a", "b\udcff", "c", "d"]
    assert list(in_workers(paths, 1, work, str, 2)) == ["A", "B\udcff", "C", "D"]
