"""The mirrors of a fleet: one bare repository each, in the folder of its team, within a bound for all of them."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from time import monotonic
from typing import TYPE_CHECKING

from ..core.errors import UsageError
from ..safe.commit_worktree import check_out
from ..safe.folder_lock import FolderBusy, own_file, own_folder, use_folder
from ..safe.git_fetch import fetch_mirror
from ..safe.git_mirror import (
    MirrorDamaged,
    MirrorState,
    drop_stale_objects,
    has_commit,
    is_mirror,
    list_mirrors,
    make_mirror,
    mirror_place,
    note_use,
    read_commit_time,
    read_state,
    remove_mirror,
    take_local,
)
from ..safe.local_repository import LocalRepository
from ..safe.search_git import list_cited_ids
from .repository_list import check_team

if TYPE_CHECKING:
    from collections.abc import Iterator

DEFAULT_TEAM = "default"
_UPDATING = "pincite-update"
_MOST_BYTES = 50 * 1024**3
_REPOSITORY_BYTES = 4 * 1024**3
_WAIT_SECONDS = 120.0
_LOOK_EVERY = 256
"""After so many changes the mirrors of all processes are measured again."""


class Mirrors:
    """All mirrors below a folder. Several processes may use the folder at once.

    They take no more than `most_bytes` together; 0 stands for no bound.
    """

    def __init__(self, folder: str, most_bytes: int = _MOST_BYTES) -> None:
        self.folder = os.path.abspath(folder)
        self._most_bytes = most_bytes
        self._total: int | None = None
        self._changes = 0

    @property
    def total_bytes(self) -> int:
        """What all mirrors took when they were last looked at."""
        return self._total or 0

    def team_folder(self, team: str) -> str:
        """Where the mirrors of a team lie."""
        return os.path.join(self.folder, check_team(team) or DEFAULT_TEAM)

    def place(self, name: str, team: str = "") -> str:
        """Where the mirror of a repository lies, whether it is there or not."""
        return mirror_place(self.team_folder(team), name)

    def update(
        self,
        name: str,
        location: str,
        team: str = "",
        seconds: float = 600.0,
        most_bytes: int = _REPOSITORY_BYTES,
        afresh: bool = False,
    ) -> MirrorState:
        """Bring a mirror up to date, and make it where it is missing, or again where it is damaged.

        `afresh` makes it again in any case. Raises UsageError.
        """
        place = self.place(name, team)
        until = monotonic() + seconds
        before = read_state(place)
        for is_last in (False, True):
            if afresh or is_last:
                self._remove(place, until)
            try:
                state = self._renew(place, location, until, most_bytes)
                break
            except FileNotFoundError:
                # Another process removed it between two steps.
                if is_last:
                    raise UsageError(f"{place}: is removed again and again by another process") from None
            except MirrorDamaged:
                if is_last or afresh:
                    raise
        if state.is_new:
            self._count(state.own_bytes - (before.own_bytes if before is not None else 0), place)
        return state

    @contextmanager
    def check_out(
        self,
        name: str,
        team: str,
        commit: str,
        seconds: float,
        most_files: int,
        most_bytes: int,
        is_partial: bool = False,
    ) -> Iterator[str]:
        """A folder with the files of a commit of a mirror, see `commit_worktree`; the mirror stays while it is used."""
        place = self.place(name, team)
        work_tree = check_out(place, commit, seconds, most_files, most_bytes, is_partial=is_partial)
        try:
            with use_folder(place, _WAIT_SECONDS), work_tree as folder:
                note_use(place)
                yield folder
        except FileNotFoundError:
            raise MirrorDamaged(f"{place}: was removed by another process") from None

    def list_cited_ids(self, name: str, team: str, commit: str, seconds: float) -> list[str] | None:
        """The ids of captured output that a commit of a mirror cites; None where they cannot be listed."""
        place = self.place(name, team)
        try:
            with use_folder(place, _WAIT_SECONDS):
                return list_cited_ids(place, commit, seconds)
        except FileNotFoundError:
            return None

    def has(self, name: str, team: str, commit: str) -> bool:
        """Whether the mirror of a repository is there and has a commit."""
        place = self.place(name, team)
        state = read_state(place)
        return state is not None and (state.head == commit or has_commit(place, commit))

    def find_time(self, name: str, team: str, commit: str) -> int:
        """When a commit of a mirror was made, in seconds since 1970; raises MirrorDamaged where it cannot be read."""
        place = self.place(name, team)
        state = read_state(place)
        return state.committed if state is not None and state.head == commit else read_commit_time(place, commit)

    def make_room(self, kept: str = "") -> int:
        """Remove the mirrors that were not used for the longest time while all take too much; how many were removed.

        One that is in use stays, and so does the `kept` one.
        """
        if not self._most_bytes:
            return 0
        found = list_mirrors(self.folder)
        total = sum(size for _, size, _ in found)
        # A little more than needed, so that this stays rare.
        bound = self._most_bytes * 7 // 8 if total > self._most_bytes else self._most_bytes
        removed = 0
        for _, size, place in found:
            if total <= bound:
                break
            if place == kept:
                continue
            with suppress(FolderBusy, OSError), own_folder(place, 0.0):
                remove_mirror(place)
                total -= size
                removed += 1
        self._total, self._changes = total, 0
        return removed

    def _renew(self, place: str, location: str, until: float, most_bytes: int) -> MirrorState:
        local = LocalRepository(location) if _is_local(location) else None
        if not is_mirror(place):
            make_mirror(place, local.remotes() if local is not None else {"origin": location})
        with use_folder(place, _WAIT_SECONDS), own_file(os.path.join(place, _UPDATING), max(0.0, until - monotonic())):
            if local is not None:
                state = take_local(place, local, most_bytes)
            else:
                state = fetch_mirror(place, location, max(1.0, until - monotonic()), most_bytes)
        if local is not None and state.is_new:
            with suppress(FolderBusy, FileNotFoundError), own_folder(place, 0.0):
                drop_stale_objects(place, local)
        note_use(place)
        return state

    def _remove(self, place: str, until: float) -> None:
        with suppress(FileNotFoundError), own_folder(place, max(1.0, min(_WAIT_SECONDS, until - monotonic()))):
            remove_mirror(place)

    def _count(self, added: int, place: str) -> None:
        """Make room where what was added may have been too much."""
        if not self._most_bytes:
            return
        self._changes += 1
        if self._total is not None:
            self._total += added
        if self._total is None or self._total > self._most_bytes or self._changes >= _LOOK_EVERY:
            self.make_room(place)


def _is_local(location: str) -> bool:
    return os.path.isabs(location)
