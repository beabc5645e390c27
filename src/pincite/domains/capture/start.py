"""What is known when a capture begins: where, at which commit, and what must not be stored."""

from __future__ import annotations

import os
from time import time
from typing import TYPE_CHECKING

from ...core.errors import PinciteError
from ...safe.escape import whole
from ...store.captures import CapturedRun
from .writer import NoMasking

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...safe.files import Root
    from .masking import Masker

_GIT_SECONDS = 2.0


def begin(root: Root, origin: str, command: Sequence[str], masker: Masker | NoMasking) -> CapturedRun:
    """A run that begins now, in the working folder."""
    revision, dirty = _state(root)
    (folder,) = masker.words((_folder(root),))
    return attempt(origin, tuple(map(whole, masker.words(command))), folder, revision, dirty)


def filter_for(mask: bool) -> Masker | NoMasking:
    """What hides secrets: those of the environment and everything of a known shape; or nothing."""
    if not mask:
        return NoMasking()
    from .masking import Masker

    return Masker(os.environ)


def _state(root: Root) -> tuple[str, bool | None]:
    """The commit of the work tree, and whether it differs from it; unknown where git does not say soon."""
    from ...safe.git import Git

    try:
        git = Git.find(root.path)
        if git is None:
            return "", None
        try:
            return git.head() or "", git.dirty(_GIT_SECONDS)
        finally:
            git.close()
    except PinciteError:
        return "", None


def _folder(root: Root) -> str:
    """The working folder as a path from the root, or an absolute one where it lies outside."""
    try:
        here = os.getcwd()
    except OSError:
        return ""
    inside = os.path.relpath(here, root.path)
    return whole(here if inside.startswith("..") else inside)


def attempt(origin: str, command: tuple[str, ...], folder: str, revision: str, dirty: bool | None) -> CapturedRun:
    """A run that begins now."""
    return CapturedRun(0, origin, command, folder, time(), None, None, 0, revision, dirty, "", "running")
