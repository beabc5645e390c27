"""WARC files that lie in no folder."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pincite.store.warc import PageSnapshot, Snapshots


class _OneFile:
    """A root with one WARC file."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def folder(self, key: str) -> int:
        return -1

    def names(self, key: str) -> list[str]:
        return ["x.warc"]

    def read(self, key: str, limit: int) -> bytes:
        return self._data


def read_warc(data: bytes) -> Iterator[PageSnapshot]:
    """Every visit that a WARC file holds, in the order of their addresses."""
    root: Any = _OneFile(data)
    snapshots = Snapshots(root, "")
    for url in snapshots.urls():
        yield from snapshots.history(url)
