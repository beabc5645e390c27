"""The files below a root as they will be once some are renamed, and as editors hold them; nothing is renamed yet."""

from __future__ import annotations

from ..core.errors import Missing, Refused, Unreadable
from .files import Root

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence


class PathMoves:
    """Files and folders that change their names, all at once; a folder takes along what lies below it."""

    def __init__(self, pairs: Sequence[tuple[str, str]] = ()) -> None:
        """Takes keys: paths from the root without dots."""
        self.pairs = tuple(pairs)
        # Of two that fit the deeper one is meant: what lies in a folder may be renamed out of it.
        self._forth = sorted(self.pairs, key=lambda pair: -len(pair[0]))
        self._back = sorted(((new, old) for old, new in self.pairs), key=lambda pair: -len(pair[0]))

    def after(self, key: str) -> str:
        """What a path is called afterwards."""
        found = _move(self._forth, key)
        return key if found is None else found

    def before(self, key: str) -> str | None:
        """What was called otherwise before; None where nothing has that name any more."""
        found = _move(self._back, key)
        return found if found is not None or _move(self._forth, key) is not None else key


def _move(pairs: Sequence[tuple[str, str]], key: str) -> str | None:
    for one, other in pairs:
        if key == one or key.startswith(f"{one}/"):
            return other + key[len(one) :]
    return None


class RenamedRoot(Root):
    """A root with other names for some of its files, and other bytes for some of its documents.

    It opens nothing itself: every look goes through the root below it, which stays inside.
    """

    def __init__(self, under: Root, moves: PathMoves, texts: Mapping[str, bytes]) -> None:
        """`texts` go by the names that files have now, before the rename."""
        self.path, self.limits = under.path, under.limits
        self.moves = moves
        self._under = under
        self._texts = texts
        self._made: set[str] = set()
        """Folders that renamed files lie in: they are made where they are missing."""
        for _, new in moves.pairs:
            while "/" in new:
                new = new.rpartition("/")[0]
                self._made.add(new)

    def close(self) -> None:
        """Nothing is kept open here."""

    def read(self, key: str, limit: int | None = None) -> bytes:
        """All bytes of the file that will be at `key`; raises Blocked, Missing or Unreadable."""
        before = self.moves.before(self.locate(key))
        if before is None:
            raise Missing(key)
        held = self._texts.get(before)
        if held is None:
            return self._under.read(before, limit)
        bound = self.limits.source_bytes if limit is None else limit
        if len(held) > bound:
            raise Unreadable(f"{len(held)} bytes exceed the limit of {bound}")
        return held

    def take(self, key: str, limit: int | None = None) -> tuple[bytes, os.stat_result]:
        """Like `read`, with the status of the file."""
        data, info = self.read(key, limit), self.stat(key)
        if info is None:
            raise Missing(key)
        return data, info

    def stat(self, key: str) -> os.stat_result | None:
        """The status of what will be at `key`; None where there will be nothing."""
        try:
            place = self.locate(key)
        except (Refused, OSError, ValueError):
            return None
        before = self.moves.before(place)
        info = self._under.stat(before) if before is not None else None
        return self._under.stat("") if info is None and place in self._made else info

    def folder(self, key: str) -> int:
        """An open descriptor of the folder as it is now; raises Missing for one that is yet to be made."""
        before = self.moves.before(self.locate(key)) if key else ""
        if before is None:
            raise Missing(key)
        return self._under.folder(before)

    def names(self, key: str) -> list[str]:
        """The names that will be in the folder at `key`, sorted."""
        try:
            place = self.locate(key) if key else ""
        except Refused:
            return []
        before = self.moves.before(place)
        prefix = f"{place}/" if place else ""
        found = (
            {name for name in self._under.names(before) if self._is_there(prefix + name)}
            if before is not None
            else set()
        )
        for path in (*self._made, *(new for _, new in self.moves.pairs)):
            folder, _, name = path.rpartition("/")
            if folder == place:
                found.add(name)
        return sorted(found)

    def _is_there(self, place: str) -> bool:
        return place in self._made or self.moves.before(place) is not None

    def _look(self, key: str, folder: list[str], name: str) -> tuple[str, str]:
        place = "/".join([*folder, name])
        before = self.moves.before(place)
        try:
            if before is None:
                raise Missing(key)
            *parents, last = before.split("/")
            return self._under._look(key, parents, last)
        except Missing:
            if place in self._made:
                return "folder", ""
            raise
