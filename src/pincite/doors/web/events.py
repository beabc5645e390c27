"""What open pages are told while they are open: server-sent events."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.json import encode

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

_MOST_WAITING = 16
"""Events that wait for a slow reader; of older ones it learns when it loads the page again."""
_HEARTBEAT = 15.0
"""Seconds without an event after which a comment is sent: a connection that is gone is noticed then."""
_MOST_NAMED = 200
"""Documents that one event names; a page for which none are named asks for itself."""


class DocumentsChanged(Struct, frozen=True, tag="changed"):
    """Verdicts changed."""

    version: int
    documents: tuple[str, ...]
    """Those of which they did, the first of them."""
    is_everything: bool = False
    """Whether there are more of them."""


class WorkChanged(Struct, frozen=True, tag="work"):
    """Long work went on, or ended."""

    id: str
    title: str
    done: int
    total: int
    state: str


class EventHub:
    """Passes what happens on to everyone who listens. Belongs to the event loop's thread."""

    def __init__(self) -> None:
        self._listeners: set[asyncio.Queue[bytes]] = set()
        self.has_listeners = asyncio.Event()

    def publish(self, event: DocumentsChanged | WorkChanged) -> None:
        """Tell everyone."""
        if isinstance(event, DocumentsChanged) and len(event.documents) > _MOST_NAMED:
            event = DocumentsChanged(event.version, event.documents[:_MOST_NAMED], True)
        name = "changed" if isinstance(event, DocumentsChanged) else "work"
        data = f"event: {name}\ndata: ".encode() + encode(event) + b"\n\n"
        for queue in self._listeners:
            if queue.full():
                queue.get_nowait()
            queue.put_nowait(data)

    async def listen(self, version: int) -> AsyncIterator[bytes]:
        """Everything that happens from now on, as a browser's EventSource reads it; first the documents' version, since
        a page may have been made from an earlier one."""
        queue: asyncio.Queue[bytes] = asyncio.Queue(_MOST_WAITING)
        self._listeners.add(queue)
        self.has_listeners.set()
        try:
            yield b"retry: 2000\nevent: version\ndata: %d\n\n" % version
            while True:
                data = b": still here\n\n"
                with suppress(TimeoutError):
                    data = await asyncio.wait_for(queue.get(), _HEARTBEAT)
                yield data
        finally:
            self._listeners.discard(queue)
            if not self._listeners:
                self.has_listeners.clear()
