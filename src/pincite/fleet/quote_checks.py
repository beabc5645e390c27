"""Quotes of a page that changed, looked up by processes that may die of it."""

from __future__ import annotations

from queue import LifoQueue
from typing import TYPE_CHECKING

from msgspec.msgpack import Decoder, Encoder

from ..safe.answering_process import AnsweringProcess
from ..safe.child import ChildFailed, ChildLate
from ..safe.files import Closing
from ..store.shared.web_records import UNCHECKED, QuoteFinding
from .page_check import PageQuestion, QuoteState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..core.web import Visit
    from ..store.shared.web_records import SourceQuote

SECONDS = 30.0
"""For one page and some of its quotes; then the process is killed."""
_AT_ONCE = 500
"""Quotes in one question."""
_MOST_ANSWER = 4 * 1024 * 1024
_MODULE = "pincite.fleet.page_check"


class QuoteChecks(Closing):
    """Some processes that read pages, shared by all threads of a worker; started when they are needed."""

    def __init__(self, processes: int, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._all = [AnsweringProcess(_MODULE, _MOST_ANSWER) for _ in range(max(1, processes))]
        # The one that was used last is warm.
        self._free: LifoQueue[AnsweringProcess] = LifoQueue()
        for one in reversed(self._all):
            self._free.put(one)
        self._decoder = Decoder(list[QuoteState])
        self._encoder = Encoder()

    def close(self) -> None:
        """End the processes."""
        for one in self._all:
            one.close()

    def check(self, visit: Visit, quotes: Sequence[SourceQuote]) -> list[QuoteFinding]:
        """What is found of each quote on the page that a visit came to."""
        # A popular sentence is quoted in many places, and looked up once.
        texts = list(dict.fromkeys(quote.exact for quote in quotes))
        states: dict[str, QuoteState] = {}
        for start in range(0, len(texts), _AT_ONCE):
            some = texts[start : start + _AT_ONCE]
            states |= dict(zip(some, self._ask(visit, some), strict=True))
        return [QuoteFinding(one.id, states[one.exact].state, states[one.exact].nearest) for one in quotes]

    def _ask(self, visit: Visit, quotes: Sequence[str]) -> list[QuoteState]:
        answer = visit.answer
        question = PageQuestion(visit.url, visit.final_url, visit.retrieved, answer.headers, answer.body, tuple(quotes))
        process = self._free.get()
        try:
            states = self._decoder.decode(process.ask(self._encoder.encode(question), self._seconds))
            if len(states) == len(quotes):
                return states
            trouble = "reading the page failed"
        except ChildLate:
            trouble = f"reading the page takes more than {self._seconds:g} s"
        except (ChildFailed, ValueError):
            trouble = "reading the page failed"
        finally:
            self._free.put(process)
        return [QuoteState(UNCHECKED, trouble)] * len(quotes)
