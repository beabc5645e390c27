"""Responses to answers. One provider per module here; adding a file adds a provider.

A provider is a plain module:

    NAME      what reports and `--provider` call it
    RANK      who is asked first whether a response is theirs, the lowest first
    detect    data -> whether it has this provider's shape
    read      (data, request, prefix) -> Answer; never raises. The request is what was sent, where it came along,
              and the prefix is the JSON path of the data
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, cast

if TYPE_CHECKING:
    from ..model import Answer


class Provider(Protocol):
    """What a module in this folder offers."""

    NAME: str
    RANK: int

    def detect(self, data: Any) -> bool:
        """Whether this is a response of the provider."""

    def read(self, data: Any, request: Any = None, prefix: str = "") -> Answer:
        """The response as an answer."""


_loaded: dict[str, Provider] = {}


def providers() -> tuple[Provider, ...]:
    """Every provider, lowest rank first."""
    if not _loaded:
        names = sorted(name[:-3] for name in os.listdir(__path__[0]) if name.endswith(".py") and name[0] != "_")
        found = (cast("Provider", import_module(f"{__name__}.{name}")) for name in names)
        _loaded.update((provider.NAME, provider) for provider in sorted(found, key=lambda one: one.RANK))
    return tuple(_loaded.values())
