"""Pages from the web: HTTPS only, from public addresses only, within bounds of time and size, and politely."""

from __future__ import annotations

from .fetcher import Fetcher, new_fetcher
from .politeness import FetchConditions, FetchPolicy, RequestGate, TestOnly

__all__ = ["FetchConditions", "FetchPolicy", "Fetcher", "RequestGate", "TestOnly", "new_fetcher"]
