"""What the user has seen of a root's findings, so that the next visit shows first what is new."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.msgpack import encode

from ..safe.write import put
from .cache_folder import load_kept, open_root_cache

if TYPE_CHECKING:
    from ..safe.files import Root

_NAME = "seen-findings"
_MOST_BYTES = 64 * 1024 * 1024
"""A fingerprint takes 17 bytes: a few million findings."""


class SeenFindings(Struct, frozen=True, array_like=True):
    """The findings that were there when the user marked all as seen."""

    time: int
    """Seconds since 1970."""
    fingerprints: frozenset[str]


def load_seen(root: Root) -> SeenFindings | None:
    """What was seen at the last mark; None before the first."""
    return load_kept(root, _NAME, SeenFindings, _MOST_BYTES)


def save_seen(root: Root, seen: SeenFindings) -> None:
    """Keep what was seen; raises Refused where there is no cache folder for it."""
    with open_root_cache(root) as cache:
        put(cache, _NAME, encode(seen), lasting=False)
