"""Web sources: when each is due, what its server said last, and whether the quotes from it still stand there."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .backend import Backend


class WebSources:
    """The web sources of one store."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend

    def count(self) -> dict[str, int]:
        """How many sources there are in each state."""
        return dict(self._backend.query("SELECT state, count(*) FROM web_source GROUP BY state ORDER BY state"))
