"""Subscribers to citation events. One that fails does not stop the others."""

from __future__ import annotations

from threading import Lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ...search.model import Event
    from .log import Journal

    Handler = Callable[[Event], object]


class Events:
    """Handlers and the kinds of events each wants; safe to change from any thread and from inside a handler."""

    __slots__ = ("_handlers", "_journal", "_lock")

    def __init__(self, journal: Journal) -> None:
        self._handlers: tuple[tuple[Handler, tuple[type, ...]], ...] = ()
        self._journal = journal
        self._lock = Lock()

    @property
    def wanted(self) -> bool:
        """Whether there are subscribers."""
        return bool(self._handlers)

    def subscribe(self, handler: Handler, kinds: tuple[type, ...]) -> Callable[[], None]:
        """Call `handler` with every event of these kinds, of all kinds where none is named; gives the way out."""
        _refuse(handler, kinds)
        entry = (handler, kinds)
        with self._lock:
            # Replaced, never changed: a loop over the handlers keeps the ones there were.
            self._handlers = (*self._handlers, entry)

        def unsubscribe() -> None:
            with self._lock:
                self._handlers = tuple(known for known in self._handlers if known is not entry)

        return unsubscribe

    def publish(self, event: Event) -> None:
        """Tell everybody who wants to know, in the order in which they subscribed."""
        for handler, kinds in self._handlers:
            if not kinds or isinstance(event, kinds):
                try:
                    handler(event)
                except Exception as error:
                    name = str(getattr(handler, "__qualname__", None) or type(handler).__name__)
                    kind = type(event).__name__
                    self._journal.log("handler failed", error, event=kind, handler=name, error=repr(error))


def _refuse(handler: Handler, kinds: tuple[type, ...]) -> None:
    """Raise TypeError for what cannot receive events."""
    from inspect import iscoroutinefunction

    from ...search.model import CitationCreated, CitationMissing, CitationStale

    if not callable(handler):
        raise TypeError(f"handler: {type(handler).__name__} cannot be called; expected a function of one event")
    if iscoroutinefunction(handler) or iscoroutinefunction(getattr(handler, "__call__", None)):  # noqa: B004
        raise TypeError("handler: a coroutine function would never run; expected a plain function of one event")
    known = (CitationCreated, CitationStale, CitationMissing)
    for kind in kinds:
        if kind not in known:
            names = ", ".join(each.__name__ for each in known)
            raise TypeError(f"kinds: {kind!r} is no kind of event; expected {names}")
