"""What was found last and what was cited lately, numbered, so that it can be cited again by its number.

It is kept in the user's cache folder: a tree cannot bring hits of its own.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from ...core.errors import Refused
from ...safe.escape import whole
from ...safe.write import put
from ...search.model import Citation
from ...store.cache_folder import name_root, open_root_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...safe.files import Root

_FOUND = "found"
_CITED = "cited"
_LARGEST = 16 * 1024 * 1024
MOST_CITED = 100
_VERSION = 2


class RecentHits(msgspec.Struct, array_like=True, frozen=True):
    """The hits of a search."""

    version: int = _VERSION
    query: str = ""
    citations: tuple[Citation, ...] = ()
    root: str = ""
    """The root it was found below."""


def last_found(root: Root) -> RecentHits:
    """The hits of the last search; none where there was no search."""
    return _load(root, _FOUND)


def keep_found(root: Root, query: str, citations: Sequence[Citation]) -> bool:
    """Keep the hits of a search for `pincite cite`; False where that is not possible: they have no numbers then."""
    return _save(root, _FOUND, RecentHits(_VERSION, whole(query), tuple(citations)))


def recently_cited(root: Root) -> tuple[Citation, ...]:
    """What was cited, the latest first."""
    return _load(root, _CITED).citations


def remember(root: Root, citation: Citation) -> None:
    """Put a citation at the top of what was cited lately."""
    others = (known for known in recently_cited(root) if known.chunk_id != citation.chunk_id)
    _save(root, _CITED, RecentHits(_VERSION, "", (citation, *others)[:MOST_CITED]))


def _load(root: Root, key: str) -> RecentHits:
    try:
        with open_root_cache(root, make=False) as cache:
            found = msgspec.msgpack.decode(cache.read(key, _LARGEST), type=RecentHits)
    except (Refused, ValueError, RecursionError):
        return RecentHits()
    return found if (found.version, found.root) == (_VERSION, name_root(root)) else RecentHits()


def _save(root: Root, key: str, found: RecentHits) -> bool:
    kept = True
    try:
        data = msgspec.msgpack.encode(replace(found, root=name_root(root)))
    except UnicodeEncodeError:
        # The root's own path is not UTF-8. Nothing is kept rather than what an earlier search found.
        data, kept = msgspec.msgpack.encode(RecentHits()), False
    try:
        with open_root_cache(root) as cache:
            put(cache, key, data, lasting=False)
    except Refused:
        return False
    return kept
