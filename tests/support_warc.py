"""WARC files that lie in no folder."""

from __future__ import annotations

from collections.abc import Iterator

from pincite.store import warc


def read_warc(data: bytes) -> Iterator[warc.PageSnapshot]:
    """Every visit that a WARC file holds, in the order of their addresses."""
    return warc.read_warc(data, "x.warc")
