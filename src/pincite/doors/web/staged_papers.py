"""PDFs that were sent and not yet added: kept in memory, few and bounded, until a reader confirms what they are."""

from __future__ import annotations

from secrets import token_hex
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...domains.corpus.add import Draft

_MOST_KEPT = 8
_MOST_BYTES = 128 * 1024 * 1024


class StagedPapers:
    """Drafts by a key that cannot be guessed; the oldest are dropped where there are too many."""

    def __init__(self, most: int = _MOST_KEPT, most_bytes: int = _MOST_BYTES) -> None:
        self._most = most
        self._most_bytes = most_bytes
        self._drafts: dict[str, Draft] = {}
        self._lock = Lock()

    def add(self, draft: Draft) -> str:
        """Keep a draft; gives its key."""
        key = token_hex(8)
        with self._lock:
            self._drafts[key] = draft
            while len(self._drafts) > self._most or self._count_bytes() > self._most_bytes:
                oldest = next(iter(self._drafts))
                if oldest == key:
                    break
                del self._drafts[oldest]
        return key

    def find(self, key: str) -> Draft | None:
        """The draft with a key."""
        return self._drafts.get(key)

    def drop(self, key: str) -> None:
        """Forget a draft."""
        with self._lock:
            self._drafts.pop(key, None)

    def _count_bytes(self) -> int:
        return sum(len(one.pdf) for one in self._drafts.values())
