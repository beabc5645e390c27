"""Which part of a host's name somebody registered."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

_HOST = re.compile(r"\s*(?:https?:)?//(?:[^/?#@\\\s]*@)?(\[[^\]]*\]|[^/?#:\\\s]+)", re.IGNORECASE)
_NUMBERS = re.compile(r"[\d.]+|\[.*")


def host_of(url: str) -> str:
    """The host of a web address in lower case; empty where it has none."""
    found = _HOST.match(url[:2048])
    return found[1].lower().rstrip(".") if found is not None else ""


@lru_cache(maxsize=4096)
def registrable(host: str) -> str:
    """The domain that was registered: `example.co.uk` of `www.example.co.uk`; a number or a suffix stays as it is."""
    if _NUMBERS.fullmatch(host) or "." not in host:
        return host
    suffixes = _suffixes()
    if suffixes is None:
        return ".".join(host.split(".")[-2:])
    return suffixes.privatesuffix(host) or host


@lru_cache(maxsize=1)
def _suffixes() -> Any:
    """The public suffixes; None where the list is not installed."""
    try:
        from publicsuffixlist import PublicSuffixList
    except ImportError:
        return None
    return PublicSuffixList()
