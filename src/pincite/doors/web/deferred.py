"""Answers that may take longer than a page: found once as long work, waited for shortly, kept for a few questions."""

from __future__ import annotations

from threading import Event, Lock
from typing import TYPE_CHECKING, Any

from .long_work import RUNNING, STOPPED, WorkStopped

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from .long_work import LongWork, WorkTable

_PATIENCE = 1.0
"""Seconds that a page waits; one that is still without the answer then says so."""
_MOST_KEPT = 8


class DeferredAnswer:
    """The answer to one question, once it is there."""

    def __init__(self) -> None:
        self.value: Any = None
        self.is_ready = False
        """Whether the value is there."""
        self.error: Exception | None = None
        """Why there will be none."""
        self.ended = Event()
        self.work: LongWork | None = None

    @property
    def state(self) -> str:
        """That of the work behind it."""
        return self.work.state if self.work is not None else RUNNING

    def perform(self, compute: Callable[[LongWork], Any], work: LongWork) -> None:
        """Do the work; what it raises is kept for those who ask."""
        try:
            self.value = compute(work)
            self.is_ready = True
        except WorkStopped:
            raise
        except Exception as error:
            self.error = error
            raise
        finally:
            self.ended.set()


class DeferredAnswers:
    """The answers of one kind of page, by question."""

    def __init__(self, works: WorkTable, patience: float = _PATIENCE) -> None:
        self._works = works
        self._patience = patience
        self._kept: dict[tuple[Hashable, Hashable], DeferredAnswer] = {}
        self._lock = Lock()

    def ask(
        self, question: Hashable, state: Hashable, title: str, compute: Callable[[LongWork], Any], location: str
    ) -> DeferredAnswer:
        """The answer to a question in a state of the documents, which is looked for if it never was.

        Raises what the search raised. It may be still under way, or stopped by the user: then it is not ready. A search
        for the same question in an earlier state ends: no page would show what it finds. Raises UsageError where too
        much work waits already.
        """
        with self._lock:
            answer = self._kept.get((question, state))
            if answer is None:
                self._end_outdated(question)
                answer = DeferredAnswer()

                answer.work = self._works.start(title, _make_performer(answer, compute, location))
                self._keep((question, state), answer)
        if answer.state == RUNNING:
            answer.ended.wait(self._patience)
        if answer.error is not None:
            raise answer.error.with_traceback(None)
        return answer

    def forget_stopped(self) -> None:
        """Let what the user stopped be looked for again."""
        with self._lock:
            self._kept = {key: one for key, one in self._kept.items() if one.state != STOPPED}

    def states(self) -> tuple[tuple[str, str], ...]:
        """How far all are; a page that shows them is as it was while this is equal."""
        with self._lock:
            return tuple((one.work.id if one.work is not None else "", one.state) for one in self._kept.values())

    def _end_outdated(self, question: Hashable) -> None:
        running = [key for key, one in self._kept.items() if key[0] == question and one.state == RUNNING]
        for key in running:
            work = self._kept.pop(key).work
            if work is not None:
                work.stop()

    def _keep(self, question: tuple[Hashable, Hashable], answer: DeferredAnswer) -> None:
        ended = [key for key, one in self._kept.items() if one.state != RUNNING]
        for key in ended[: max(0, len(self._kept) + 1 - _MOST_KEPT)]:
            del self._kept[key]
        self._kept[question] = answer


def _make_performer(
    answer: DeferredAnswer, compute: Callable[[LongWork], Any], location: str
) -> Callable[[LongWork], tuple[str, str]]:
    def perform(work: LongWork) -> tuple[str, str]:
        answer.perform(compute, work)
        return "", location

    return perform
