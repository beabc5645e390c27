"""What is watched for a stored answer, and whether any of it changed.

A key in a document is watched as the way that it leads: every link on it, the folders it goes through, and what stands
at its end. A path below the root is never followed out of it. A folder that is only passed through (written with a
slash at its end) counts as the same while it is the same folder, whatever comes and goes in it.

A program that writes through a mapping (`mmap`) changes a file's times only with the first write to a page; later ones
go unseen until the page is written to the disk, about half a minute later. So the content of files that changed
shortly before a run is compared as well: of the newest, a bounded number, since a tree that was just checked out has
nothing but new files that no program maps.
"""

from __future__ import annotations

import os
from hashlib import sha256
from stat import S_ISDIR, S_ISREG
from typing import TYPE_CHECKING

from ..core.errors import Refused
from ..safe.files import Root, read_path
from . import UNSETTLED

if TYPE_CHECKING:
    from collections.abc import Iterable

MARGIN = 20_000_000
"""Nanoseconds: what changed so shortly before a look that the clock could not tell is never trusted."""
_MAPPED = 60_000_000_000
"""Nanoseconds for which a written page may still be waiting for the disk."""
_MOST_READ = 64
_LARGEST_READ = 256 * 1024
_DIGITS = 7
"""Bytes of a digest that are kept: as many as a number of 64 bits holds with its sign."""


class Watcher:
    """Turns the keys that answers depend on into the paths that are watched for them."""

    def __init__(self, root: Root) -> None:
        self._root = root
        self._known: dict[str, tuple[str, ...]] = {}
        self._plain: dict[str, tuple[str, ...] | None] = {"": ()}
        """Folders that are reached without a link, with the folders on the way, themselves included."""

    def paths(self, keys: Iterable[str]) -> tuple[str, ...]:
        """What is watched for all of these keys, each once."""
        known = self._known
        found: dict[str, None] = {}
        for key in keys:
            paths = known.get(key)
            if paths is None:
                paths = known[key] = self._paths(key)
            found.update(dict.fromkeys(paths))
        return tuple(found)

    def _paths(self, key: str) -> tuple[str, ...]:
        if key == UNSETTLED or key[:1] == "/":
            return (key,)
        head, _, name = key.rpartition("/")
        folders = self._folders(head) if name not in ("", ".", "..") else None
        if folders is not None and not os.path.islink(f"{self._root.path}/{key}"):
            return (*folders, key)
        way = self._root.trace(key)
        last = len(way) - 1
        found = [f"{place}/" if kind == "folder" and at < last else place for at, (place, kind) in enumerate(way)]
        return tuple(found)

    def _folders(self, head: str) -> tuple[str, ...] | None:
        known = head
        while known not in self._plain:
            known = known.rpartition("/")[0]
        # From the outermost folder that is not known yet inwards: a tree may be deeper than calls may be.
        while known != head:
            end = head.find("/", len(known) + 1) if known else head.find("/")
            inner = head[: end if end >= 0 else len(head)]
            folders = self._plain[known] if inner.rpartition("/")[2] not in ("", ".", "..") else None
            place = f"{self._root.path}/{inner}"
            plain = folders is not None and os.path.isdir(place) and not os.path.islink(place)
            self._plain[inner] = (*(folders or ()), f"{inner}/") if plain else None
            known = inner
        return self._plain[head]


def take_marks(top: str, paths: list[str], follow: bool = False) -> list[int]:
    """Change time, size and inode of each path, which neither `touch` nor a shipped file can fake; else why not.

    Below `top` a link at the end of a path is not followed, unless `follow` asks for it.
    """
    marks: list[int] = []
    add = marks.extend
    stat = os.stat
    prefix = top.rstrip("/") + "/"
    for path in paths:
        try:
            if path[:1] == "/":
                info = stat(path)
            elif path[-1:] == "/":
                info = stat(prefix + path[:-1], follow_symlinks=False)
                add((1, 0, info.st_ino) if S_ISDIR(info.st_mode) else (0, 0, 0))
                continue
            else:
                info = stat(prefix + path, follow_symlinks=follow)
        except OSError as error:
            add((0, 0, error.errno or 0))
        except ValueError:
            add((0, 0, 0))
        else:
            add((info.st_ctime_ns, info.st_size, info.st_ino))
    return marks


def invalidate_recent_marks(marks: list[int], started: int) -> list[int]:
    """The same marks, those of what changed since about `started` made such that they never compare equal."""
    for at in range(0, len(marks), 3):
        if marks[at] > started - MARGIN:
            marks[at] = -1
    return marks


def note_marks(top: str, paths: list[str], started: int) -> list[int]:
    """The marks to keep of a run that began at `started`: what changed since never compares equal."""
    marks = take_marks(top, paths)
    limit = started - _MAPPED
    recent = [at for at in range(0, len(marks), 3) if marks[at] > limit]
    invalidate_recent_marks(marks, started)
    recent = [at for at in recent if marks[at] > 0]
    recent.sort(key=lambda at: -marks[at])
    for at in recent[:_MOST_READ]:
        content = _content(top, paths[at // 3], marks[at + 1])
        if content:
            marks[at + 1] = content
    return marks


def retake_marks(top: str, paths: list[str], before: list[int]) -> list[int]:
    """The marks as they are now, comparable with those that were kept."""
    marks = take_marks(top, paths)
    for at in range(1, len(before), 3):
        # A size below zero stands for the content.
        if before[at] < 0 and marks[at - 1] == before[at - 1]:
            marks[at] = _content(top, paths[at // 3], marks[at]) or marks[at]
    return marks


def _content(top: str, path: str, size: int) -> int:
    """A number below zero that stands for what is in a file; 0 where it is none, or too large."""
    place = path if path[:1] == "/" else f"{top.rstrip('/')}/{path}"
    try:
        if size > _LARGEST_READ or not S_ISREG(os.stat(place, follow_symlinks=False).st_mode):
            return 0
        data = read_path(place, _LARGEST_READ)
    except (OSError, ValueError, Refused):
        return 0
    return -1 - int.from_bytes(sha256(data).digest()[:_DIGITS], "big")
