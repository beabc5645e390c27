"""Pages from the web: HTTPS only, from public addresses only, within bounds of time and size, and politely."""

from __future__ import annotations

from .fetcher import Fetcher, new_fetcher
from .politeness import FetchPolicy, TestOnly

__all__ = ["FetchPolicy", "Fetcher", "TestOnly", "new_fetcher"]
