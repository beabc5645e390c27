"""Which renames can be made: names below the root, of what is there, to what is free."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.errors import Refused, UsageError
from ..safe.git_names import has_git_name
from ..safe.renamed_root import PathMoves
from ..text.lines import join

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..safe.files import Root


def vet_renames(root: Root, renames: Sequence[tuple[str, str]]) -> PathMoves:
    """The renames as keys without dots and links on the way; raises UsageError for one that cannot be made."""
    if not renames:
        raise UsageError("nothing to rename: name a file or folder, and what it is to be called")
    pairs = [(_vet_key(root, old), _vet_key(root, new)) for old, new in renames]
    for old, new in pairs:
        _vet_pair(root, old, new)
    _refuse_shared_names([old for old, _ in pairs], "is renamed twice, or with a folder around it; name it once")
    targets = [new for _, new in pairs]
    if len(set(targets)) < len(targets):
        raise UsageError(f"{_find_twice(targets)}: two files would have this name; give each its own")
    moves = PathMoves(pairs)
    for number, (old, new) in enumerate(pairs):
        others = PathMoves([pair for at, pair in enumerate(pairs) if at != number])
        before = others.before(new)
        if before is not None and _stands(root, before) and not _is_same(root, old, before):
            raise UsageError(f"{new}: exists already; choose another name, or remove it first")
        _vet_parents(root, others, new)
    return moves


def _vet_key(root: Root, path: str) -> str:
    """A path as a key, its folder's links resolved; the last component may be a link and stays as it is."""
    key = join("", path)
    if path.startswith("/") or key.startswith("..") or "\0" in path or "\\" in path:
        raise UsageError(f"{path!a}: not a path below the root")
    if not key:
        raise UsageError("the root itself cannot be renamed")
    if has_git_name(key):
        raise UsageError(f"{path}: belongs to git, and is left alone")
    folder, _, name = key.rpartition("/")
    try:
        located = root.locate(folder) if folder else ""
    except Refused as error:
        if error.kind == "path-blocked":
            raise UsageError(f"{path}: a link here leads outside the root; nothing was read") from None
        located = folder
    key = f"{located}/{name}" if located else name
    if len(key) > root.limits.path_chars or has_git_name(key):
        raise UsageError(f"{path!a}: not a path that can be renamed")
    return key


def _vet_pair(root: Root, old: str, new: str) -> None:
    if not _stands(root, old):
        raise UsageError(f"{old}: no such file or folder below {root.path}")
    if old == new:
        raise UsageError(f"{old}: has this name already")
    if new.startswith(f"{old}/"):
        raise UsageError(f"{new}: lies inside of {old}; a folder cannot be moved into itself")
    if old.startswith(f"{new}/"):
        raise UsageError(f"{new}: is a folder around {old}; choose another name")


def _refuse_shared_names(keys: Sequence[str], why: str) -> None:
    known = set(keys)
    if len(known) < len(keys):
        raise UsageError(f"{_find_twice(keys)}: {why}")
    for key in keys:
        folder = key
        while "/" in folder:
            folder = folder.rpartition("/")[0]
            if folder in known:
                raise UsageError(f"{key}: {why}")


def _find_twice(keys: Sequence[str]) -> str:
    return next(key for key in keys if keys.count(key) > 1)


def _vet_parents(root: Root, others: PathMoves, new: str) -> None:
    """Refuse a name below what is no folder."""
    folder = new
    while "/" in folder:
        folder = folder.rpartition("/")[0]
        before = others.before(folder)
        if before is not None and _stands(root, before) and not _is_folder(root, before):
            raise UsageError(f"{new}: {folder} is no folder")


def _is_folder(root: Root, key: str) -> bool:
    from stat import S_ISDIR

    info = root.stat(key)
    return info is not None and S_ISDIR(info.st_mode)


def _stands(root: Root, key: str) -> bool:
    """Whether something has that name; a link counts wherever it leads."""
    way = root.trace(key)
    return any(place == key and kind != "nothing" for place, kind in way)


def _is_same(root: Root, one: str, other: str) -> bool:
    """Whether two names are of one file, as `a.py` and `A.py` are where case does not count."""
    if one.casefold() != other.casefold():
        return False
    first, second = root.stat(one), root.stat(other)
    return first is not None and second is not None and (first.st_dev, first.st_ino) == (second.st_dev, second.st_ino)
