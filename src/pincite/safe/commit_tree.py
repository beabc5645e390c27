"""The tree of a commit, links and submodules included, and where the paths in it lead."""

from __future__ import annotations

import os
from hashlib import new

from ..core.errors import Blocked, Missing, Refused, Unreadable
from .child import ChildFailed
from .files import key_parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .files import Root
    from .git import Git

_LINK = "120000"
_SUBMODULE = "160000"
_LONGEST_TARGET = 4096
UNKNOWN = "unknown"
"""Where a path leads into a submodule: what was there is not in this repository."""


class CommitTree:
    """What stood below the root in one commit."""

    def __init__(self, git: Git, commit: str) -> None:
        self._git = git
        self.commit = commit
        self.entries = _entries(git, commit)
        """Path to mode and object id."""
        self.folders: dict[str, set[str]] = {"": set()}
        """Every folder with the names in it."""
        for path in self.entries:
            folder, _, name = path.rpartition("/")
            while folder not in self.folders:
                self.folders[folder] = {name}
                folder, _, name = folder.rpartition("/")
            self.folders[folder].add(name)

    def find(self, key: str) -> tuple[str, str]:
        """What a path led to: `file` with its blob, `folder` with its path, else a kind of refusal or `unknown`."""
        try:
            todo = key_parts(key, self._git.limits.path_chars)[::-1]
        except Refused as error:
            return error.kind, ""
        done: list[str] = []
        links = 0
        while todo:
            name = todo.pop()
            if name in ("", "."):
                continue
            if name == "..":
                if not done:
                    return Blocked.kind, ""
                done.pop()
                continue
            place = "/".join([*done, name])
            mode, blob = self.entries.get(place, ("", ""))
            if mode == _SUBMODULE:
                return UNKNOWN, ""
            if mode == _LINK:
                links += 1
                target = self._target(blob)
                if links > self._git.limits.symlinks or target is None:
                    return (Unreadable.kind, "") if target is not None else (UNKNOWN, "")
                if target.startswith("/"):
                    top = self._git.root
                    if target != top and not target.startswith(top.rstrip("/") + "/"):
                        return Blocked.kind, ""
                    done, target = [], target[len(top) :]
                todo.extend(reversed(target.split("/")))
            elif mode:
                return (Missing.kind, "") if todo else ("file", blob)
            elif place in self.folders:
                done.append(name)
            else:
                return Missing.kind, ""
        if links and ".git" in done:
            return Blocked.kind, ""
        return "folder", "/".join(done)

    def names(self, key: str) -> set[str] | None:
        """The names in a folder; None where there was none."""
        kind, place = self.find(key) if key else ("folder", "")
        return self.folders[place] if kind == "folder" else None

    def read(self, key: str, limit: int) -> bytes | None:
        """The bytes of a file; None where there was none, or it is larger than the limit."""
        kind, blob = self.find(key)
        return self._git.objects().blob(blob, limit) if kind == "file" else None

    def digest(self, data: bytes) -> str:
        """The id of the blob that holds these bytes."""
        return new(self._git.object_format, b"blob %d\0" % len(data) + data).hexdigest()

    def _target(self, blob: str) -> str | None:
        data = self._git.objects().blob(blob, _LONGEST_TARGET)
        return None if data is None else os.fsdecode(data)


def look_up(root: Root, key: str) -> tuple[str, str]:
    """What a path leads to now, in the words of `CommitTree.find`; the place of a file instead of its blob."""
    try:
        place = root.locate(key)
    except Refused as error:
        return error.kind, ""
    return ("file", place) if root.is_file(place) else ("folder", place)


def logged_between(git: Git, one: str, other: str) -> set[str]:
    """Paths that any commit touches which only one of two commits has; what was undone since is among them."""
    flags = ("--format=", "--name-only", "-z", "-m", "--no-renames", "--no-ext-diff", "--no-textconv")
    names = git.run("log", *flags, f"{one}...{other}", "--", *git.below(("",)))
    return {path for name in names.split(b"\0") if (path := git.inside(name.lstrip(b"\n"))) is not None}


def ignored_paths(git: Git, paths: Sequence[str]) -> set[str]:
    """Those of these paths that git ignores, or cannot tell about; they need not exist."""
    if not paths:
        return set()
    try:
        given = b"\0".join(os.fsencode(git.prefix + path) for path in paths) + b"\0"
        found = b"".join(git.stream("check-ignore", "-z", "--stdin", codes=(0, 1), given=given))
    except (ChildFailed, ValueError):
        # One path that git refuses (inside a submodule, beyond a link) ends the whole call.
        if len(paths) == 1:
            return set(paths)
        half = len(paths) // 2
        return ignored_paths(git, paths[:half]) | ignored_paths(git, paths[half:])
    return {path for name in found.split(b"\0") if (path := git.inside(name)) is not None}


def _entries(git: Git, commit: str) -> dict[str, tuple[str, str]]:
    found: dict[str, tuple[str, str]] = {}
    for entry in git.run("ls-tree", "-r", "-z", "--full-tree", commit).split(b"\0"):
        about, _, name = entry.partition(b"\t")
        path = git.inside(name)
        if path is not None:
            mode, _, rest = about.decode("ascii").partition(" ")
            found[path] = mode, rest.rpartition(" ")[2]
    return found


def ignore_files(git: Git) -> list[str]:
    """The files outside the root that may say what git ignores: those above it, and the user's own."""
    home = os.path.expanduser("~")
    settings = os.environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
    found = [os.path.join(home, ".gitconfig"), *(os.path.join(settings, "git", name) for name in ("config", "ignore"))]
    folder = git.root
    while folder != git.top:
        folder = os.path.dirname(folder)
        found.append(os.path.join(folder, ".gitignore"))
    return found


def reference_files(git: Git, revision: str) -> list[str]:
    """The files that say which commit a revision names, and whether that commit is here."""
    common = git.common_dir
    found = [os.path.join(common, name) for name in ("packed-refs", "config", "objects/pack", "shallow")]
    if ".." in revision.split("/") or "\0" in revision:
        return found
    places = ("", "refs", "refs/tags", "refs/heads", "refs/remotes", "refs/remotes/origin")
    found += [os.path.join(common, place, revision) for place in places]
    return [*found, os.path.join(common, "objects", revision[:2])]
