"""Where cited lines stood when they were last followed, at rest: the next run goes on from there.

An answer holds for the commit that last touched the lines and for every commit after it up to the one that was checked
out, whatever branch is checked out next. It lies in the user's cache folder and is bound to the clone, as is what the
pass over history found.
"""

from __future__ import annotations

import msgspec

from .._version import __version__
from ..text.lines import can_encode
from .cache_folder import load_kept, save_kept
from .history import binding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..safe.files import Root
    from ..safe.git import Git

VERSION = 1
NAME = "trails"
_LARGEST = 64 * 1024 * 1024
_MOST = 200_000
"""Answers that are kept: those that were asked for last."""


class KeptEnd(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """What was asked, and where that led."""

    commit: str
    path: str
    blob: str
    region: tuple[int, int, int, int]
    since: str
    """The commit that last changed the answer."""
    until: str
    """The last commit for which it was looked at."""
    path_now: str
    blob_now: str
    region_now: tuple[int, int, int, int] | None
    undecided: bool
    edited: bool
    loose: bool


class _Kept(msgspec.Struct, array_like=True):
    version: int
    program: str
    binding: str
    ends: list[KeptEnd]


def load(root: Root, git: Git) -> list[KeptEnd]:
    """What an earlier run in this clone kept, the latest last; nothing where that cannot be trusted."""
    kept = load_kept(root, NAME, _Kept, _LARGEST)
    # Another version of the program may follow lines by other rules.
    sound = kept is not None and (kept.version, kept.program, kept.binding) == (
        VERSION,
        __version__,
        binding(root, git),
    )
    return kept.ends if kept is not None and sound else []


def save(root: Root, git: Git, ends: Iterable[KeptEnd]) -> bool:
    """Keep answers for the next run; False where they cannot be kept, which harms nothing."""
    sayable = [end for end in ends if can_encode(end.path) and can_encode(end.path_now)][-_MOST:]
    kept = _Kept(VERSION, __version__, binding(root, git), sayable)
    data = msgspec.msgpack.encode(kept)
    return len(data) <= _LARGEST and bool(kept.binding) and save_kept(root, NAME, data)
