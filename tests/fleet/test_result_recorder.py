"""Results that are written together."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from pincite.fleet.result_recorder import ResultRecorder
from pincite.store.database import StoreTrouble


class Written:
    """Stands for the store: what was written together, and what goes wrong."""

    def __init__(self) -> None:
        self.batches: list[list[Any]] = []
        self.trouble: Exception | None = None

    def record(self, results: list[Any]) -> list[bool]:
        if self.trouble is not None:
            raise self.trouble
        self.batches.append(results)
        return [number % 2 == 0 for number in results]


def test_many_results_are_few_transactions() -> None:
    store, counted = Written(), list[Any]()
    with ResultRecorder(store, counted.append) as recorder:  # type: ignore[arg-type]
        threads = [threading.Thread(target=recorder.put, args=(number,)) for number in range(50)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        recorder.flush()
        assert sum(map(len, store.batches)) == 50
        recorder.put(100)
    assert sorted(number for batch in store.batches for number in batch) == [*range(50), 100]
    assert len(store.batches) < 25
    # What another worker was faster with is not counted.
    assert sorted(counted) == [*range(0, 50, 2), 100]


def test_trouble_reaches_those_who_wait() -> None:
    store = Written()
    recorder = ResultRecorder(store, lambda _: None)  # type: ignore[arg-type]
    store.trouble = StoreTrouble("the disk is full")
    recorder.put(1)  # type: ignore[arg-type]
    with pytest.raises(StoreTrouble, match="disk is full"):
        recorder.flush()
    with pytest.raises(StoreTrouble, match="disk is full"):
        recorder.put(2)  # type: ignore[arg-type]
    recorder.close()


def test_nothing_to_do_ends_at_once() -> None:
    store = Written()
    with ResultRecorder(store, lambda _: None) as recorder:  # type: ignore[arg-type]
        recorder.flush()
    assert store.batches == []
