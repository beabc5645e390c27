"""Where a repository's objects come from: only its own count as its history.

A `.git` that came in an archive or an artifact can name objects of any other repository on the disk: by `alternates`,
or by links in place of folders, packs and single objects. git would read them as if they were its own, and a report
would quote them. So before objects are read, all of these ways are looked at. What lies in the git directory itself, or
in the work tree, counts; what lies elsewhere does only where the user names it in `PINCITE_GIT_OBJECTS`.
"""

from __future__ import annotations

import os
import re

from ..core.errors import Refused
from ..core.limits import LIMITS
from .files import read_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

TRUSTED = "PINCITE_GIT_OBJECTS"
_DEEPEST = 8
"""How many stores may stand behind one another; git itself goes five deep."""
_FAN = re.compile(r"[0-9a-f]{2}").fullmatch
_ESCAPE = re.compile(r"\\([0-7]{3}|.)", re.DOTALL)
_ESCAPED = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


def find_foreign(common_dir: str, top: str) -> str:
    """Why the objects of a git directory are not all its own, with the remedy; empty where they are."""
    trusted = filter(os.path.isabs, os.environ.get(TRUSTED, "").split(os.pathsep))
    allowed = [os.path.realpath(place) for place in (common_dir, top, *trusted)]
    todo = [(os.path.join(common_dir, "objects"), 0)]
    seen: set[str] = set()
    while todo:
        store, depth = todo.pop()
        place = os.path.realpath(store)
        if not _is_below(place, allowed):
            return _refusal(store, place)
        if place in seen:
            continue
        seen.add(place)
        if depth > _DEEPEST:
            return f"history not used: object stores stand more than {_DEEPEST} deep behind {common_dir}"
        for path in _links(place):
            if not _is_below(os.path.realpath(path), allowed):
                return _refusal(path, os.path.realpath(path))
        listed = _read_alternates(os.path.join(place, "info", "alternates"))
        if listed is None:
            return f"history not used: {place}/info/alternates is not a small file; remove it"
        if os.path.lexists(os.path.join(place, "info", "http-alternates")):
            return f"history not used: {place}/info/http-alternates names objects of another repository; remove it"
        todo += ((os.path.join(place, other), depth + 1) for other in listed)
    return ""


def list_stores(common_dir: str) -> list[str]:
    """The object store of a git directory and those behind it, for one of which `find_foreign` says nothing."""
    found: list[str] = []
    todo = [os.path.join(common_dir, "objects")]
    while todo:
        place = os.path.realpath(todo.pop())
        if place not in found:
            found.append(place)
            todo += (os.path.join(place, other) for other in _read_alternates(f"{place}/info/alternates") or ())
    return found


def _refusal(path: str, place: str) -> str:
    how = f"{path} leads to {place}" if path != place else f"its objects are borrowed from {place}"
    return (
        f"history not used: {how}, outside this repository; if that is yours, set {TRUSTED}={place}, "
        "or copy the objects here with `git repack -a -d`"
    )


def _is_below(place: str, allowed: Iterable[str]) -> bool:
    return any(place == top or place.startswith(top.rstrip("/") + "/") for top in allowed)


def _links(store: str) -> Iterator[str]:
    """Everything in an object store that is a link."""
    for folder in ("", "info", "info/commit-graphs", "pack"):
        for name, linked, is_folder in _entries(os.path.join(store, folder)):
            path = os.path.join(store, folder, name)
            if linked:
                yield path
            elif not folder and is_folder and _FAN(name):
                yield from (os.path.join(path, one) for one, inner, _ in _entries(path) if inner)


def _entries(folder: str) -> list[tuple[str, bool, bool]]:
    """The names in a folder, each with whether it is a link and whether it is a folder."""
    try:
        with os.scandir(folder) as entries:
            return [(entry.name, entry.is_symlink(), entry.is_dir(follow_symlinks=False)) for entry in entries]
    except OSError:
        return []


def _read_alternates(path: str) -> list[str] | None:
    """The places that an `alternates` file names; None where it cannot be read as one."""
    try:
        data = read_path(path, LIMITS.config_bytes)
    except Refused:
        return None if os.path.lexists(path) else []
    if b"\0" in data:
        return None
    lines = os.fsdecode(data).split("\n")
    return [_unquote(line) for line in lines if line and not line.startswith("#")]


def _unquote(line: str) -> str:
    """A line as git reads it: in double quotes it may hold escapes."""
    if len(line) < 2 or line[0] != '"' or line[-1] != '"':
        return line
    return _ESCAPE.sub(
        lambda match: _ESCAPED.get(match[1]) or (chr(int(match[1], 8)) if len(match[1]) == 3 else match[1]), line[1:-1]
    )
