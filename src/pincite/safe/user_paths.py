"""Paths that the user typed: theirs to choose, unless a link of the tree they work in leads somewhere else.

`/tmp/report.sarif` is the user's choice. `report.sarif` is a name in a tree that may come from anyone: a link of that
name that leads out of the tree is not what the user meant, so such a path is refused by name. The tree is the root, and
the repository around the working folder (the working folder itself where there is none).
"""

from __future__ import annotations

import os

from ..core.errors import Blocked, Missing, Refused, UsageError
from .files import Root


def find_repository(folder: str) -> str | None:
    """The nearest folder at or above an absolute one that holds anything called `.git`."""
    while not os.path.lexists(os.path.join(folder, ".git")):
        folder, inner = os.path.dirname(folder), folder
        if folder == inner:
            return None
    return folder


def surrounding_tree() -> str:
    """The repository around the working folder, without links; the folder itself where there is none."""
    here = os.path.realpath(".")
    return find_repository(here) or here


def place_in_tree(path: str, root: str = "") -> tuple[str, str] | None:
    """The tree that a typed path names a place in, and the key there; None where it names a place elsewhere.

    What counts is how the path is written, not where it leads. `/tmp` may be a link to `/private/tmp`, and the working
    folder may have been entered by a link, so the folders above the tree are compared as what they are.
    """
    if "\0" in path:
        raise UsageError(f"{path!a}: not a path")
    whole = os.path.abspath(path)
    trees = [tree for tree in (root, surrounding_tree()) if tree]
    parts = whole.split("/")
    above = ["/".join(parts[:number]) or "/" for number in range(1, len(parts) + 1)]
    resolved = [os.path.realpath(folder) for folder in above]
    for tree in trees:
        for number, folder in enumerate(resolved, 1):
            # The outermost one: below it everything belongs to the tree, links back to it included.
            if folder == tree:
                return tree, "/".join(parts[number:])
    return None


def refuse_way_out(path: str, root: str = "", remedy: str = "name the place itself") -> None:
    """Raise UsageError where a typed path names a place in the tree and a link there leads out of it."""
    found = place_in_tree(path, root)
    if found is None:
        return
    tree, key = found
    way_out = f"{path}: leads outside the root ({tree}) by a link, or into git's own files; {remedy}"
    if ".." in path.split("/") and os.path.commonpath((os.path.realpath(path), os.path.realpath(tree))) != tree:
        # Dots behind a link lead out of what the link leads to, not back to where it stands.
        raise UsageError(way_out)
    if not key:
        return
    try:
        with Root(tree) as opened:
            opened.locate(key)
    except Blocked:
        raise UsageError(way_out) from None
    except Refused:
        # What is missing or cannot be read is for the reader to say.
        return


def open_output(path: str, root: str = "") -> tuple[Root, str]:
    """Where an output goes that the user named: an open root and a key below it, for the caller to close.

    In the tree that is the tree itself; elsewhere the nearest folder that is there. Raises UsageError where the name is
    a link out of the tree, lies behind one, or is git's own. A link that stays inside is not followed either: `write`
    and `report_output` put the new file in its place.
    """
    place = place_in_tree(path, root)
    if place is None:
        top, key = os.path.split(os.path.abspath(path))
        while not os.path.isdir(top):
            top, above = os.path.split(top)
            key = f"{above}/{key}"
        return Root(top), key
    tree, key = place
    opened = Root(tree)
    try:
        if not key:
            raise UsageError(f"{path}: is a folder; name a file or a new folder in it")
        try:
            opened.locate(key)
        except Missing:
            pass
        except Blocked:
            raise UsageError(
                f"{path}: leads outside the root ({tree}) by a link, or into git's own files; nothing was written. "
                "Remove what is there, or name another place"
            ) from None
        except Refused as error:
            raise UsageError(f"{path}: cannot be written ({error})") from None
    except BaseException:
        opened.close()
        raise
    return opened, key
