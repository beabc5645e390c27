"""Paths to documents: which files are searched for citations."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from msgspec import Struct

from ..core.errors import Blocked, Refused, UsageError
from ..safe.files import Root, has_ending, is_generated, walk
from ..safe.git_names import has_git_name
from ..safe.temp_files import is_temporary
from ..safe.user_paths import place_in_tree
from ..text.source_comments import find_family

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..safe.git import Git

_TEXT = re.compile(r"((?:.*/)?)[0-9a-f]{12,64}\.txt\Z", re.DOTALL)
_FOREIGN_SOURCE = re.compile(
    r"""
      (?:^|/)(?:node_modules|vendor|vendored|third[_-]?party|external|extern|bower_components|Pods|site-packages|dist
        |generated|__generated__|\.yarn|_vendor)/                                       # vendor/a/b.go
    | (?:[.\-_]min\.(?:js|mjs|css)|\.bundle\.js|\.(?:generated|gen|g|designer|pb)\.[a-z]{1,5}   # app.min.js
        |_pb2(?:_grpc)?\.pyi?|\.lock|-lock\.(?:json|yaml))\Z                            # api_pb2.py
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""Source files that other people or programs wrote: what their comments cite lies elsewhere."""
REPORTS = ".aiwg/reports/"
"""Where audits are kept: they repeat the citations they report, and cite nothing themselves."""


class Listing(Struct):
    """The documents of a run, and the folders whose change would change the list."""

    documents: list[str]
    folders: list[str]
    """Every folder that was looked into; empty where only single files were asked for."""


def find_documents(
    root: Root, git: Git | None, keys: Sequence[str], endings: tuple[str, ...], exclude: Sequence[str]
) -> Listing:
    """The documents below the given keys (all of the root where there are none), sorted, each once."""
    asked = list(keys) or [""]
    excluded = excluder(exclude)
    found: dict[str, None] = {}
    folders: list[str] = []
    for key in asked:
        if key and root.is_file(key):
            found[key] = None
            continue
        if key and not os.path.isdir(os.path.join(root.path, key)):
            raise UsageError(f"{key}: no such file or folder below {root.path}")
        documents, looked_into = _list(root, git, key, endings)
        folders.extend(looked_into)
        # A file on its way to a document's name is gone the next moment, or left by a writer that was killed.
        found.update(
            (name, None)
            for name in documents
            if not (excluded(name) or is_foreign_source(name) or is_evidence(root, name))
            and not (name.endswith("~") and is_temporary(name.rpartition("/")[2]))
        )
    return Listing(sorted(found), sorted(set(folders)))


def is_foreign_source(name: str) -> bool:
    """Whether a file is source code that was copied from elsewhere, or made by a program."""
    return find_family(name) != "" and _FOREIGN_SOURCE.search(name) is not None


def is_evidence(root: Root, name: str) -> bool:
    """Whether a file is a kept report or a text of a bundle: what a command printed cites nothing."""
    if name.startswith(REPORTS):
        return True
    match = _TEXT.match(name)
    if match is None:
        return False
    from ..store.bundle import MANIFEST

    return root.is_file(match[1] + MANIFEST)


def root_key(root: Root, path: str, base: str = "") -> str:
    """A path as a key below the root; raises UsageError where it is outside.

    A relative one is relative to `base`, by default the working folder.
    """
    if "\0" in path:
        raise UsageError(f"{path!a}: not a path")
    typed = os.path.join(base, path)
    whole = os.path.abspath(typed)
    # The last component is not resolved here: the root looks where it leads.
    whole = os.path.join(os.path.realpath(os.path.dirname(whole)), os.path.basename(whole))
    if os.path.realpath(whole) == root.path:
        return ""
    if not whole.startswith(root.path.rstrip("/") + "/"):
        if place_in_tree(typed, root.path) is not None:
            raise _outside(root, path)
        raise UsageError(f"{path}: outside the root {root.path}; pass a folder around it with --root")
    key = whole[len(root.path.rstrip("/")) + 1 :].replace(os.sep, "/")
    try:
        root.locate(key)
    except Refused as error:
        # What is missing or cannot be read is named when it is read.
        if isinstance(error, Blocked):
            raise _outside(root, path) from None
    return key


def _outside(root: Root, path: str) -> UsageError:
    return UsageError(
        f"{path}: a link here leads outside the root {root.path}, or into git's own files; nothing was read. "
        "If you mean that place, name it with --root"
    )


def excluder(patterns: Sequence[str]) -> Callable[[str], bool]:
    """Whether a key matches one of the patterns; a folder's pattern takes in what is below it."""
    if not patterns:
        return lambda key: False
    from ..text.globs import Patterns

    return Patterns(patterns).match_within


def _is_there(path: str) -> bool:
    """Whether a tracked path is there and no folder: what became a folder was deleted, too."""
    return os.path.lexists(path) and (os.path.islink(path) or not os.path.isdir(path))


def _list(root: Root, git: Git | None, key: str, endings: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """Documents and folders below a key: what git knows and does not ignore, else all there is."""
    below = f"{key}/" if key else ""
    top = f"{root.path}/{key}".rstrip("/") or "/"
    if git is None:
        files, folders = walk(top, is_generated)
        documents = [below + name for name in files if has_ending(name, endings)]
    else:
        from ..safe.git_tree import ignored_folders

        ignored = ignored_folders(git)
        files, folders = walk(top, lambda folder: below + folder in ignored)
        present = {below + name for name in files}
        # What was deleted is in the index until the deletion is staged, and never a document.
        documents = [
            name
            for name in git.list_documents(endings)
            if name in present
            or (name.startswith(below) and not has_git_name(name) and _is_there(f"{root.path}/{name}"))
        ]
    return documents, [(below + name).rstrip("/") for name in folders]
