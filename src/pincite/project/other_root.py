"""The root of paths that lie outside the root around the working folder: the repository or folder around them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ..core.errors import UsageError
from ..safe.user_paths import place_in_tree
from .config import find_root

if TYPE_CHECKING:
    from collections.abc import Iterable


def find_other_root(paths: Iterable[str]) -> str:
    """The root that typed paths lie in, where that is not the one around the working folder; else empty.

    Raises UsageError where they lie in several, where one is not there, and where a link of a repository leads out.
    """
    here = find_root(".")
    named = [path for path in paths if path != "-"]
    found: dict[str, str] = {}
    for path in named:
        found.setdefault(_find_root_of(path, here), path)
    roots = list(found)
    if roots == [here] and not os.path.lexists(os.path.join(here, ".git")):
        # A folder of repositories is none itself: one that all paths lie in says more.
        below = {find_root(os.path.dirname(os.path.realpath(path))) for path in named if not os.path.isdir(path)}
        whole = len(below) == 1 and not any(map(os.path.isdir, named)) and os.path.lexists(f"{min(below)}/.git")
        return min(below) if whole and _is_within(min(below), here) else ""
    outermost = min(roots, key=len, default=here)
    if all(_is_within(root, outermost) for root in roots):
        return "" if outermost == here else outermost
    (one, first), (other, second) = list(found.items())[:2]
    raise UsageError(
        f"{first} lies in {one}, {second} in {other}: a run has one root; check them one after the other, or name a "
        "folder around both with --root"
    )


def _find_root_of(path: str, here: str) -> str:
    """The root of one path: the given one where it lies there, or is written as if it did."""
    if "\0" in path:
        raise UsageError(f"{path!a}: not a path")
    whole = os.path.abspath(path)
    real = os.path.join(os.path.realpath(os.path.dirname(whole)), os.path.basename(whole))
    if _is_within(real, here) or place_in_tree(path, here) is not None:
        return here
    if not os.path.lexists(real):
        raise UsageError(f"{path}: no such file or folder")
    _refuse_link_out(path, whole, real)
    return find_root(real if os.path.isdir(real) and not os.path.islink(real) else os.path.dirname(real))


def _refuse_link_out(path: str, whole: str, real: str) -> None:
    """Raise UsageError where a path goes through a link out of a repository: anyone may have put it there."""
    folder = os.path.dirname(whole)
    while folder != os.path.dirname(folder):
        tree = os.path.realpath(folder)
        if os.path.lexists(os.path.join(tree, ".git")) and not _is_within(real, tree):
            raise UsageError(
                f"{path}: a link in {tree} leads outside of it; nothing was read. If you mean that place, name it with "
                "--root"
            )
        folder = os.path.dirname(folder)


def _is_within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")
