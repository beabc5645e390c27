"""The history of a repository for one run: opened with what earlier runs learnt, and kept for the next one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..history.authorship import History
    from ..history.trace import Tracer
    from ..safe.files import Root
    from ..safe.git import Git
    from .drift.follow import Follower


def open_history(root: Root, git: Git, endings: Iterable[str], few: bool, cache: bool) -> tuple[History, Tracer]:
    """The witnesses of documents with these endings, and what follows cited lines to HEAD."""
    from ..history.authorship import History
    from ..history.trace import Tracer
    from ..safe.child import ChildFailed
    from ..safe.files import ending_pattern
    from ..store import history as kept
    from ..store import trails

    state = kept.load(root, git) if cache else None
    history = History(git, tuple(ending_pattern(ending) for ending in endings), state, few, root.read)
    try:
        git.vet_objects()
    except ChildFailed as error:
        history.trouble = str(error)
    load = partial(trails.load, root, git) if cache else None
    return history, Tracer(git, git.head() or "", root.limits.source_bytes, load)


def keep_history(root: Root, git: Git, follower: Follower) -> None:
    """Keep what was learnt for the next run."""
    state = follower.history.state() if follower.history is not None else None
    if state is not None:
        from ..store import history as kept

        kept.save(root, git, state)
    ends = follower.kept_ends()
    if ends is not None:
        from ..store import trails

        trails.save(root, git, ends)
