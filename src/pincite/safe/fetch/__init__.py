"""Pages from the web: HTTPS only, from public addresses only, within bounds of time and size, and politely."""

from __future__ import annotations

from .fetching import Fetcher, new_fetcher
from .manners import Manners, TestOnly

__all__ = ["Fetcher", "Manners", "TestOnly", "new_fetcher"]
