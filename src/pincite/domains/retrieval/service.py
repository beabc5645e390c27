"""The citation service: from what was found to where it stands, how that is written, and whether it still holds."""

from __future__ import annotations

from collections import defaultdict
from datetime import UTC, datetime
from operator import attrgetter
from os import fspath
from threading import Lock, RLock

from ...core.limits import LIMITS, Limits
from ...search.model import (
    Citation,
    CitationCreated,
    CitationMissing,
    CitationStale,
    CitationStyle,
    SearchHit,
    Status,
)
from ...write.passage_citations import NAMED, labels, write
from .creation import CitationCreator
from .documents import CitedDocuments
from .log import Journal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from os import PathLike
    from typing import Any, Literal

    from ...search.model import Event, Validation
    from .log import AnyLogger

    Finder = Callable[[Citation], str | None]
    Handler = Callable[[Event], object]


class CitationService:
    """Creates, writes and checks citations. Documents are read below `root` alone, where one is given.

    `formatting="path-only"` writes the path of a citation and nothing else, whatever the style. `finder` is asked where
    a document went that is no longer there. Safe to use from several threads.
    """

    def __init__(
        self,
        root: str | PathLike[str] | None = None,
        *,
        formatting: Literal["full", "path-only"] = "full",
        parallel: int = 4,
        finder: Finder | None = None,
        logger: AnyLogger | None = None,
        limits: Limits = LIMITS,
    ) -> None:
        if formatting not in ("full", "path-only"):
            raise ValueError(f"formatting: {formatting!r} is no such capability; expected 'full' or 'path-only'")
        if parallel < 1:
            raise ValueError(f"parallel: {parallel} documents at once are none; expected 1 or more")
        self.formatting = formatting
        self.parallel = parallel
        self._finder = finder
        self._asking = RLock()
        """One question at a time to a finder, which need not be made for threads; it may itself ask the service."""
        self._journal = Journal(logger)
        self._handlers: tuple[tuple[Handler, tuple[type, ...]], ...] = ()
        self._subscribing = Lock()
        self._sources = CitedDocuments(root, limits)
        self._creation = CitationCreator(self._sources, self._journal)

    def subscribe(self, handler: Handler, *kinds: type) -> Callable[[], None]:
        """Have `handler` called with every event of these kinds (all where none is named); call the answer to stop.

        Safe from any thread and from inside a handler.
        """
        _check_subscription(handler, kinds)
        entry = (handler, kinds)
        with self._subscribing:
            # Replaced, never changed: a loop over the handlers keeps the ones there were.
            self._handlers = (*self._handlers, entry)

        def unsubscribe() -> None:
            with self._subscribing:
                self._handlers = tuple(known for known in self._handlers if known is not entry)

        return unsubscribe

    def _publish(self, event: Event) -> None:
        """Tell every handler that wants to know, in order; one that fails does not stop the others."""
        for handler, kinds in self._handlers:
            if not kinds or isinstance(event, kinds):
                try:
                    handler(event)
                except Exception as error:
                    name = str(getattr(handler, "__qualname__", None) or type(handler).__name__)
                    kind = type(event).__name__
                    self._journal.log("handler failed", error, event=kind, handler=name, error=repr(error))

    # Creating

    def create_citation(self, hit: SearchHit) -> Citation:
        """The citation of a hit, with the line it begins on where its document can be read; TypeError for no hit."""
        if not isinstance(hit, SearchHit):
            raise TypeError(f"hit: expected a SearchHit, not {type(hit).__name__}")
        return self._create((hit,), {hit.document.file_path: [0]})[0]

    def create_citations(self, hits: Iterable[SearchHit]) -> tuple[Citation, ...]:
        """The citations of hits, in their order; every document is looked at once."""
        given = list(hits)
        by_path = _group_by_path(given, SearchHit, "hits", attrgetter("document.file_path"))
        return tuple(self._create(given, by_path))

    def _create(self, hits: Sequence[SearchHit], by_path: dict[object, list[int]]) -> list[Citation]:
        made = self._creation.create(hits, by_path)
        if self._handlers:
            for citation in made:
                self._publish(CitationCreated(citation, datetime.now(UTC)))
        return made

    def calculate_line_number(self, path: str | PathLike[str], offset: int) -> int | None:
        """The line, from 1, on which the code point at `offset` stands; None with a warning where there is none."""
        return self._creation.line(fspath(path), offset)

    # Writing

    def format_citation(self, citation: Citation, style: CitationStyle | str) -> str:
        """The citation in a style, given as such or by its name; raises ValueError for one that is not known."""
        return self._format(citation, style, "")

    def format_citations(self, citations: Iterable[Citation], style: CitationStyle | str) -> tuple[str, ...]:
        """Citations of one document, in their order, with footnote labels that distinguish different passages."""
        given = tuple(citations)
        return tuple([self._format(*each) for each in zip(given, [style] * len(given), labels(given), strict=True)])

    def labels(self, citations: Iterable[Citation]) -> tuple[str, ...]:
        """The footnote label of each citation: 8 hex digits of its passage's id, more where two passages share them."""
        return labels(tuple(citations))

    def _format(self, citation: Citation, style: CitationStyle | str, label: str) -> str:
        if not isinstance(citation, Citation):
            raise TypeError(f"citation: expected a Citation, not {type(citation).__name__}")
        if isinstance(style, str):
            style = NAMED.get(style, style)
        if self._journal.debugging:
            path, written = citation.document_path, str(getattr(style, "value", style))
            self._journal.log("formatting", chunk_id=citation.chunk_id, document_path=path, style=written)
        if self.formatting == "path-only" and isinstance(style, CitationStyle):
            return citation.document_path
        return write(citation, style, label)

    # Checking

    async def validate_citation(self, citation: Citation) -> bool:
        """Whether the passage still stands as it was cited."""
        return (await self.validate(citation)).ok

    async def validate(self, citation: Citation) -> Validation:
        """What became of a citation; the document is read beside the event loop."""
        return (await self.validate_all((citation,)))[0]

    async def validate_all(self, citations: Iterable[Citation]) -> tuple[Validation, ...]:
        """What became of each citation, in their order; `parallel` documents at once, each read once."""
        from asyncio import TaskGroup, get_running_loop

        given = tuple(citations)
        waiting = iter(_group_by_document(given))
        found: dict[int, Validation] = {}
        loop = get_running_loop()

        async def work() -> None:
            for places in waiting:
                answers = await loop.run_in_executor(None, self._examine, [given[at] for at in places])
                for at, answer in zip(places, answers, strict=True):
                    found[at] = answer
                    self._announce(answer)

        async with TaskGroup() as group:
            for _ in range(min(self.parallel, len(given))):
                group.create_task(work())
        return tuple([found[at] for at in range(len(given))])

    def check(self, citation: Citation) -> Validation:
        """What became of a citation, without an event loop."""
        return self.check_all((citation,))[0]

    def check_all(self, citations: Iterable[Citation]) -> tuple[Validation, ...]:
        """What became of each citation, in their order, without an event loop; each document is read once."""
        given = tuple(citations)
        found: dict[int, Validation] = {}
        for places in _group_by_document(given):
            for at, answer in zip(places, self._examine([given[at] for at in places]), strict=True):
                found[at] = answer
        answers = tuple([found[at] for at in range(len(given))])
        if self._handlers:
            for answer in answers:
                self._announce(answer)
        return answers

    def _examine(self, citations: Sequence[Citation]) -> list[Validation]:
        """What became of citations of one document."""
        from .validity import examine

        with self._sources.opening() as opening:
            return examine(citations, self._sources, opening, self._find)

    def _find(self, citation: Citation) -> str | None:
        """Where the finder says that a document went; None where it cannot tell or fails."""
        if self._finder is None:
            return None
        try:
            with self._asking:
                return self._finder(citation)
        except Exception as error:
            path = citation.document_path
            self._journal.log("finder failed", error, document_path=path, error=repr(error), error_message=str(error))
            return None

    def _announce(self, answer: Validation) -> None:
        if answer.status is Status.STALE:
            self._publish(CitationStale(answer, datetime.now(UTC)))
        elif answer.status is Status.MISSING:
            self._publish(CitationMissing(answer, datetime.now(UTC)))


def _group_by_document(citations: Sequence[Citation]) -> Iterable[list[int]]:
    """The places of citations of the same document."""
    return _group_by_path(citations, Citation, "citations", attrgetter("document_path")).values()


def _group_by_path(
    things: Sequence[Any], kind: type, called: str, path_of: Callable[[Any], object]
) -> dict[object, list[int]]:
    """The places of things by the path of each; raises TypeError naming the first that is not of its kind."""
    by_path: dict[object, list[int]] = defaultdict(list)
    # Asked of all at once, the usual case takes no time.
    if {*map(type, things)} != {kind}:
        for at, thing in enumerate(things):
            if not isinstance(thing, kind):
                raise TypeError(f"{called}[{at}]: expected a {kind.__name__}, not {type(thing).__name__}")
    for at, path in enumerate(map(path_of, things)):
        by_path[path].append(at)
    return by_path


def _check_subscription(handler: Handler, kinds: tuple[type, ...]) -> None:
    """Raise TypeError for what cannot receive events."""
    from inspect import iscoroutinefunction

    if not callable(handler):
        raise TypeError(f"handler: {type(handler).__name__} cannot be called; expected a function of one event")
    if iscoroutinefunction(handler) or iscoroutinefunction(getattr(handler, "__call__", None)):  # noqa: B004
        raise TypeError("handler: a coroutine function would never run; expected a plain function of one event")
    known = (CitationCreated, CitationStale, CitationMissing)
    for kind in kinds:
        if kind not in known:
            names = ", ".join(each.__name__ for each in known)
            raise TypeError(f"kinds: {kind!r} is no kind of event; expected {names}")
