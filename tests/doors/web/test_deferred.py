"""Answers that take long are looked for once, kept for a few questions, and can be stopped."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import Event
from typing import Any

import pytest

from pincite.core.errors import UsageError
from pincite.doors.web.deferred import DeferredAnswers
from pincite.doors.web.long_work import RUNNING, STOPPED, LongWork, WorkTable
from support_web import wait_until

SHORT = 0.01


@pytest.fixture
def works() -> Iterator[WorkTable]:
    table = WorkTable(lambda work: None, str)
    yield table
    table.stop_all()


def give(value: object) -> Callable[[LongWork], object]:
    return lambda work: value


def wait_for(gate: Event) -> Callable[[LongWork], tuple[str, str]]:
    def perform(work: LongWork) -> tuple[str, str]:
        gate.wait(60)
        return "", ""

    return perform


def test_an_answer_is_found_once(works: WorkTable) -> None:
    answers, calls = DeferredAnswers(works, 60), []

    def compute(work: LongWork) -> str:
        calls.append(1)
        return "found"

    for _ in range(3):
        answer = answers.ask("question", 1, "Look", compute, "/")
        assert answer.is_ready and answer.value == "found"
    assert len(calls) == 1


def test_a_page_does_not_wait_for_a_slow_answer(works: WorkTable) -> None:
    answers, gate = DeferredAnswers(works, SHORT), Event()
    answer = answers.ask("question", 1, "Look", lambda work: gate.wait(60), "/")
    before = answers.states()
    assert not answer.is_ready and answer.state == RUNNING
    gate.set()
    wait_until(lambda: answers.states() != before)
    assert answers.ask("question", 1, "Look", give("other"), "/").value is True


def test_what_fails_fails_for_all_who_ask(works: WorkTable) -> None:
    answers = DeferredAnswers(works, 60)

    def fail(work: LongWork) -> None:
        raise UsageError("unknown revision")

    for _ in range(2):
        with pytest.raises(UsageError, match="unknown revision"):
            answers.ask("question", 1, "Look", fail, "/")


@pytest.mark.parametrize("is_queued", [False, True])
def test_what_is_stopped_is_never_ready_and_starts_again_on_demand(works: WorkTable, is_queued: bool) -> None:
    gate = Event()
    for _ in range(2 if is_queued else 0):
        works.start("Something else", wait_for(gate))
    answers = DeferredAnswers(works, SHORT)

    def compute(work: LongWork) -> str:
        while True:
            work.step(0, 1)

    answer = answers.ask("question", 1, "Look", compute, "/")
    assert answer.work is not None
    answer.work.stop()
    gate.set()
    wait_until(lambda: answer.state == STOPPED)
    again = answers.ask("question", 1, "Look", give("found"), "/")
    assert not again.is_ready and again.state == STOPPED and again.value is None
    answers.forget_stopped()
    wait_until(lambda: answers.ask("question", 1, "Look", give("found"), "/").is_ready)


def test_only_a_few_questions_are_kept(works: WorkTable) -> None:
    answers, calls = DeferredAnswers(works, 60), []

    def compute(work: LongWork) -> None:
        calls.append(1)

    for question in range(20):
        answers.ask(question, 1, "Look", compute, "/")
        wait_until(lambda: all(state != RUNNING for _, state in answers.states()))
    assert len(answers.states()) <= 8
    answers.ask(0, 1, "Look", compute, "/")
    assert len(calls) == 21


def test_too_much_work_is_refused_and_nothing_is_kept_of_it(works: WorkTable) -> None:
    gate = Event()
    for _ in range(16):
        works.start("Something else", wait_for(gate))
    answers: Any = DeferredAnswers(works, SHORT)
    with pytest.raises(UsageError, match="under way already"):
        answers.ask("question", 1, "Look", give("found"), "/")
    assert answers.states() == ()
    gate.set()


def test_a_search_for_an_earlier_state_ends_when_a_later_one_is_asked_about(works: WorkTable) -> None:
    answers = DeferredAnswers(works, SHORT)

    def compute(work: LongWork) -> str:
        while True:
            work.step(0, 1)

    old = answers.ask("question", 1, "Look", compute, "/")
    other = answers.ask("another question", 1, "Look", give("kept"), "/")
    wait_until(lambda: other.is_ready)
    wait_until(lambda: answers.ask("question", 2, "Look", give("found"), "/").is_ready)
    wait_until(lambda: old.state == STOPPED)
    assert not old.is_ready
    assert answers.ask("another question", 1, "Look", give("found anew"), "/").value == "kept"
