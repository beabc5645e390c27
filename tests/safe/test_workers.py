"""Work that other processes do: all of it comes back, in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from pincite.safe.workers import in_workers


def work(paths: Sequence[str]) -> Iterator[str]:
    for path in paths:
        yield path.upper()


@pytest.mark.parametrize("own", [0, 2, 3, 10])
@pytest.mark.parametrize("jobs", [1, 2, 5])
@pytest.mark.parametrize("count", [1, 7, 100])
def test_results_come_in_the_order_of_the_paths(count: int, jobs: int, own: int) -> None:
    paths = [f"name-{number}" for number in range(count)]
    assert list(in_workers(paths, jobs, work, str, 4, own)) == [path.upper() for path in paths]


def test_the_caller_works_out_one_block_in_so_many() -> None:
    mine: list[str] = []

    def noted(paths: Sequence[str]) -> Iterator[str]:
        mine.extend(paths)
        return work(paths)

    paths = [str(number) for number in range(12)]
    assert list(in_workers(paths, 2, noted, str, 2, 3)) == paths
    # What workers are given, they note in their own memory.
    assert mine == ["4", "5", "10", "11"]


def test_names_that_cannot_be_sent_are_worked_out_here() -> None:
    paths = ["a", "b\udcff", "c", "d"]
    assert list(in_workers(paths, 1, work, str, 2)) == ["A", "B\udcff", "C", "D"]
