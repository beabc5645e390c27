"""How the citations of a root fared over time: the counts of earlier checks, a bounded number of them."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.msgpack import encode

from .._version import __version__
from .cache_folder import load_kept, save_kept

if TYPE_CHECKING:
    from ..safe.files import Root

_CHECKS, _COMMITS = "trend-checks", "trend-commits"
_MOST_BYTES = 4 * 1024 * 1024
_MOST_POINTS = 500
_SPAN = 600
"""Seconds of which one check of a commit is kept, the last: who writes has a document checked every few seconds."""
_WRITING = Lock()
"""Several threads of a server may record at once."""


class TrendPoint(Struct, frozen=True):
    """All citations of a root in numbers, at one time."""

    commit: str
    """Empty outside a repository and before the first commit."""
    time: int
    """Seconds since 1970: of the check, or of the commit where an older commit was checked."""
    documents: int
    outcomes: dict[str, int]
    """Outcome to number of citations; an outcome that no citation has may be left out."""


class _StoredTrend(Struct, array_like=True):
    version: str
    points: list[TrendPoint]


def load_checks(root: Root) -> list[TrendPoint]:
    """The checks that were recorded, the oldest first."""
    stored = load_kept(root, _CHECKS, _StoredTrend, _MOST_BYTES)
    return stored.points if stored is not None else []


def record_check(root: Root, point: TrendPoint) -> bool:
    """Record a check; False where it says nothing that the last one does not, or cannot be kept."""
    with _WRITING:
        points = load_checks(root)
        if points:
            last = points[-1]
            if (last.commit, last.documents, last.outcomes) == (point.commit, point.documents, point.outcomes):
                return False
            if last.commit == point.commit and last.time // _SPAN == point.time // _SPAN:
                points.pop()
        return _save(root, _CHECKS, [*points, point][-_MOST_POINTS:])


def load_commits(root: Root) -> list[TrendPoint]:
    """The older commits that were checked with this version of pincite, the oldest first."""
    stored = load_kept(root, _COMMITS, _StoredTrend, _MOST_BYTES)
    # Another version may find more or less in the same commit.
    return stored.points if stored is not None and stored.version == __version__ else []


def record_commit(root: Root, point: TrendPoint) -> bool:
    """Record what was found in an older commit; False where it cannot be kept."""
    with _WRITING:
        points = [one for one in load_commits(root) if one.commit != point.commit]
        points.append(point)
        points.sort(key=lambda one: (one.time, one.commit))
        return _save(root, _COMMITS, points[-_MOST_POINTS:])


def _save(root: Root, name: str, points: list[TrendPoint]) -> bool:
    return save_kept(root, name, encode(_StoredTrend(__version__, points)))
