"""Which files below a root this user's pincite wrote itself: what came with a clone is not taken for its own work."""

from __future__ import annotations

from ..core.errors import PinciteError, Refused
from ..safe.files import Root
from ..safe.write import put
from .cache_folder import open_root_cache

_NAME = "own-files"
_LONGEST = 64
"""Characters of a SHA-256 in hexadecimal."""
_KEPT = 256
"""How many of the latest files are remembered."""


def remember_own(root: Root, digest: str) -> None:
    """Remember a file by its SHA-256; where there is no cache folder, nothing is remembered."""
    try:
        with open_root_cache(root) as cache:
            known = [one for one in _read(cache) if one != digest]
            put(cache, _NAME, "\n".join([*known, digest][-_KEPT:]).encode(), lasting=False)
    except PinciteError:
        return


def is_own(root: Root, digest: str) -> bool:
    """Whether this user's pincite wrote a file with that SHA-256 below this root."""
    try:
        with open_root_cache(root, make=False) as cache:
            return digest in _read(cache)
    except PinciteError:
        return False


def _read(cache: Root) -> list[str]:
    try:
        return cache.read(_NAME, (_LONGEST + 1) * _KEPT).decode("ascii", "replace").split("\n")
    except Refused:
        return []
