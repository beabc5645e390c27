"""A repository on this disk, read from its files: no program starts, and no setting of the repository applies.

Its work tree may be anyone's, so a `.git` that leads to another repository counts only where that one names the work
tree, as in `git`.
"""

from __future__ import annotations

import os
import re

from ..core.errors import Refused, UsageError
from .files import read_path
from .git import is_id
from .git_config_file import read_settings
from .git_files import read_first_line, read_start

_MOST_REFERENCE_BYTES = 256 * 1024 * 1024
_MOST_LOOSE = 200_000
_DEEPEST = 5
"""How many references may name one another."""
_KINDS = ("refs/heads/", "refs/tags/")
_IS_NAME = re.compile(
    # Example: `refs/heads/topic/one`. git allows none of the characters that are left out, nor these dots and endings.
    r"refs/(?:heads|tags)(?:/(?!\.)(?:(?!\.\.|@\{|\.lock(?:/|\Z))[^\x00-\x20\x7f~^:?*\[\\/])+(?<!\.))+\Z"
).match


class LocalRepository:
    """The git directory of a work tree, or a bare repository; raises UsageError where there is none."""

    def __init__(self, location: str) -> None:
        if "\0" in location:
            raise UsageError(f"{location!a}: not a path")
        self.location = os.path.realpath(location)
        own = os.path.join(self.location, ".git")
        if not os.path.lexists(own):
            own = self.location
        self.git_dir, self.common_dir = own, own
        if os.path.isfile(own):
            self._follow_link(own)
        elif own != self.location and os.path.islink(own):
            raise UsageError(f"{own}: a link in place of git's folder; name the repository that it leads to")
        if not is_git_directory(self.common_dir) or not read_start(os.path.join(self.git_dir, "HEAD")):
            raise UsageError(f"{location}: not a git repository; name a work tree or a bare repository")
        self.settings = read_settings(os.path.join(self.common_dir, "config"))
        storage = dict(self.settings).get("extensions.refstorage", "files")
        if storage != "files":
            raise UsageError(
                f"{location}: its branches are kept as {storage!a}, which is not read here; "
                "run `git refs migrate --ref-format=files` there"
            )

    def head(self) -> str:
        """The commit that HEAD names; empty before the first commit."""
        name = read_first_line(os.path.join(self.git_dir, "HEAD")).rstrip()
        for _ in range(_DEEPEST):
            if is_id(name):
                return name
            target = name.removeprefix("ref:").strip()
            if target == name or not target.startswith("refs/") or ".." in target.split("/"):
                return ""
            name = read_first_line(os.path.join(self.common_dir, target)).rstrip() or self._packed().get(target, "")
        return ""

    def branch(self) -> str:
        """The branch that HEAD stands for, such as `refs/heads/main`; empty where it stands for a commit."""
        name = read_first_line(os.path.join(self.git_dir, "HEAD")).rstrip().removeprefix("ref:").strip()
        return name if name.startswith("refs/heads/") and _IS_NAME(name) else ""

    def references(self) -> dict[str, str]:
        """Every branch and tag with the object it names, by name; raises UsageError for too many of them."""
        found = {name: target for name, target in self._packed().items() if name.startswith(_KINDS) and _IS_NAME(name)}
        left = _MOST_LOOSE
        folders = [os.path.join(self.common_dir, kind.rstrip("/")) for kind in _KINDS]
        folders = [folder for folder in folders if os.path.realpath(folder) == folder]
        while folders:
            try:
                with os.scandir(folders.pop()) as entries:
                    listed = list(entries)
            except OSError:
                continue
            left -= len(listed)
            if left < 0:
                raise UsageError(f"{self.common_dir}: more than {_MOST_LOOSE} branches and tags; run `git pack-refs`")
            for entry in listed:
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                elif entry.is_file(follow_symlinks=False):
                    name = os.path.relpath(entry.path, self.common_dir).replace(os.sep, "/")
                    target = read_first_line(entry.path).rstrip() if _IS_NAME(name) else ""
                    if is_id(target):
                        found[name] = target
        return dict(sorted(found.items()))

    def remotes(self) -> dict[str, str]:
        """The name of each remote to its address, as configured; the last one counts."""
        found = {}
        for key, value in self.settings:
            if key.startswith("remote.") and key.endswith(".url") and value:
                found[key[len("remote.") : -len(".url")]] = value
        return found

    def shallow(self) -> bytes:
        """The commits whose parents are not here, one a line."""
        lines = read_start(os.path.join(self.common_dir, "shallow")).split(b"\n")
        return b"".join(line + b"\n" for line in lines if is_id(line.decode("ascii", "replace")))

    def stores(self) -> list[str]:
        """The folders of its objects; raises UsageError where they are those of another repository."""
        store = os.path.join(self.common_dir, "objects")
        borrowed = (os.path.join(store, "info", name) for name in ("alternates", "http-alternates"))
        if not os.path.islink(store) and not any(map(os.path.lexists, borrowed)):
            return [store]
        from .git_object_store import find_foreign, list_stores

        foreign = find_foreign(self.common_dir, self.location)
        if foreign:
            raise UsageError(f"{self.location}: {foreign}")
        return list_stores(self.common_dir)

    def _packed(self) -> dict[str, str]:
        """The references in `packed-refs`."""
        try:
            data = read_path(os.path.join(self.common_dir, "packed-refs"), _MOST_REFERENCE_BYTES)
        except Refused as error:
            if error.kind == "file-not-found":
                return {}
            raise UsageError(f"{self.common_dir}/packed-refs: cannot be read ({error})") from None
        found = {}
        for line in data.decode("utf-8", "surrogateescape").split("\n"):
            target, _, name = line.partition(" ")
            if name and is_id(target):
                found[name.rstrip("\r")] = target
        return found

    def _follow_link(self, own: str) -> None:
        """The git directory that a `.git` file names, which must name this work tree in turn."""
        named = read_first_line(own)
        if not named.startswith("gitdir:"):
            raise UsageError(f"{own}: does not name a git directory; restore it")
        self.git_dir = os.path.realpath(os.path.join(self.location, named.removeprefix("gitdir:").strip()))
        common = read_first_line(os.path.join(self.git_dir, "commondir")).strip()
        self.common_dir = os.path.realpath(os.path.join(self.git_dir, common)) if common else self.git_dir
        if os.path.dirname(self.git_dir) == os.path.join(self.common_dir, "worktrees"):
            back = read_first_line(os.path.join(self.git_dir, "gitdir"))
        else:
            settings = dict(read_settings(os.path.join(self.git_dir, "config"))) if not common else {}
            worktree = settings.get("core.worktree", "")
            back = os.path.join(self.git_dir, worktree, ".git") if worktree else ""
        if not back or os.path.realpath(os.path.dirname(back)) != self.location:
            raise UsageError(
                f"{own} leads to {self.git_dir}, which does not name {self.location} as its work tree; "
                "nothing was read there"
            )


def is_git_directory(folder: str) -> bool:
    """Whether a folder holds what git wants to see in a git directory."""
    return all(os.path.isdir(os.path.join(folder, name)) for name in ("objects", "refs"))


def read_head(location: str) -> str:
    """The commit that HEAD of a local repository names; empty where there is none, and for what is no repository."""
    try:
        return LocalRepository(location).head()
    except UsageError:
        return ""
