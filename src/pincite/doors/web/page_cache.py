"""Pages that were made, for as long as what they depend on is the same."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Hashable

    Body = tuple[bytes, str, str]
    """The bytes, their tag, and the header with the pages before and after."""

_MOST_BYTES = 48 * 1024 * 1024
_OVERHEAD = 500
"""Bytes for the records of a page beside its text."""


class PageCache:
    """Bodies by address. Many clients that ask for the same page at once wait for one making of it."""

    def __init__(self, most: int = _MOST_BYTES) -> None:
        self._most = most
        self._size = 0
        self._kept: OrderedDict[Hashable, tuple[object, Body]] = OrderedDict()
        self._making: dict[tuple[Hashable, object], asyncio.Task[Body]] = {}

    async def get(self, key: Hashable, state: object, make: Callable[[], Awaitable[Body]]) -> Body:
        """The body of an address in a state, made where it is not kept."""
        kept = self._kept.get(key)
        if kept is not None and kept[0] == state:
            self._kept.move_to_end(key)
            return kept[1]
        task = self._making.get((key, state))
        if task is None:
            task = self._making[key, state] = asyncio.ensure_future(self._make(key, state, make))
        # A client that goes away must not take the page from the others.
        return await asyncio.shield(task)

    async def _make(self, key: Hashable, state: object, make: Callable[[], Awaitable[Body]]) -> Body:
        try:
            body = await make()
            self._keep(key, state, body)
            return body
        finally:
            del self._making[key, state]

    def _keep(self, key: Hashable, state: object, body: Body) -> None:
        old = self._kept.pop(key, None)
        self._size += _measure(key, body) - (_measure(key, old[1]) if old is not None else 0)
        self._kept[key] = (state, body)
        while self._size > self._most:
            oldest, (_, dropped) = self._kept.popitem(last=False)
            self._size -= _measure(oldest, dropped)


def _measure(key: Hashable, body: Body) -> int:
    """The bytes that a page takes; its address counts, since that may be longer than the page."""
    return len(body[0]) + len(str(key)) + _OVERHEAD
