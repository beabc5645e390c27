"""Long work: how far it is, how it ends, and that it can be stopped."""

from __future__ import annotations

from threading import Event

import pytest

from pincite.core.errors import UsageError
from pincite.doors.web.long_work import LongWork, WorkTable
from support_web import wait_until


@pytest.fixture
def told() -> list[tuple[str, int]]:
    return []


@pytest.fixture
def works(told: list[tuple[str, int]]) -> WorkTable:
    return WorkTable(lambda work: told.append((work.state, work.done)), lambda error: f"failed: {error}")


def test_work_that_is_done_says_where_to_look(works: WorkTable, told: list[tuple[str, int]]) -> None:
    def perform(work: LongWork) -> tuple[str, str]:
        for done in range(3):
            work.step(done + 1, 3)
        return "3 indexed", "/search"

    work = works.start("Index", perform)
    wait_until(lambda: work.state == "done")
    record = work.record()
    assert (record.done, record.total, record.message, record.location) == (3, 3, "3 indexed", "/search")
    assert told[-1] == ("done", 3)


def test_work_that_fails_says_why(works: WorkTable) -> None:
    def perform(work: LongWork) -> tuple[str, str]:
        raise UsageError("no index")

    work = works.start("Index", perform)
    wait_until(lambda: work.state == "failed")
    assert work.record().message == "failed: no index"


def test_work_that_is_stopped_ends_at_its_next_step(works: WorkTable) -> None:
    begun = Event()

    def perform(work: LongWork) -> tuple[str, str]:
        while True:
            work.step(1, 10)
            begun.set()

    work = works.start("Endless", perform)
    assert begun.wait(60)
    work.stop()
    wait_until(lambda: work.state == "stopped")


def test_too_much_work_is_refused(works: WorkTable) -> None:
    hold = Event()

    def perform(work: LongWork) -> tuple[str, str]:
        hold.wait(60)
        return "", ""

    for _ in range(16):
        works.start("Wait", perform)
    with pytest.raises(UsageError, match="wait for one of them or stop it"):
        works.start("Wait", perform)
    hold.set()


def test_not_every_step_of_thousands_is_told(works: WorkTable, told: list[tuple[str, int]]) -> None:
    def perform(work: LongWork) -> tuple[str, str]:
        for done in range(10_000):
            work.step(done + 1, 10_000)
        return "", ""

    work = works.start("Many", perform)
    wait_until(lambda: work.state == "done")
    assert len(told) < 110


def test_old_work_is_forgotten(works: WorkTable) -> None:
    first = works.add(LongWork("first", lambda work: None))
    first.finish("done")
    for _ in range(60):
        works.add(LongWork("more", lambda work: None)).finish("done")
    works.add(LongWork("last", lambda work: None))
    assert works.find(first.id) is None and len(works.list()) <= 52
