"""What stood below the root in a commit, or stands in the index, and what changed between them and the work tree."""

from __future__ import annotations

import os
import re
import stat as st
from contextlib import suppress
from functools import cached_property

from ..core.errors import Missing, Refused, Unreadable, UsageError
from .child import ChildFailed
from .files import Root
from .git import is_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .child import Child
    from .git import Git

    Pair = tuple[str | None, str | None]

_RAW = tuple(
    "--raw -z -M --full-index --no-abbrev --no-ext-diff --no-textconv --no-color --ignore-submodules=all".split()
)
_ANSWER_FIELDS = 4
_READ_MODES = (b"100", b"120")
"""How the modes of files and of links begin; a submodule is neither."""
_LINK = "120000"
_SUBMODULE = "160000"
# `S 100644 BLOB 0<tab>path` for a file that git leaves out of the work tree, `H 160000 ID 0<tab>path` for a submodule.
_LEFT_OUT = re.compile(rb"(?:\A|(?<=\0))(?:([Ss]) 1[02]0[0-9]{3}|[A-Za-z] 160000) [0-9a-f]+ [0-9]\t([^\0]*)")
UNKNOWN = "unknown"
"""Where a path leads into a submodule: what was there is not in this repository."""


class NotInClone(Missing):
    """What was there belongs to a submodule, or was not fetched."""


def _describe_unread(bound: int) -> str:
    return f"not in this clone, or more than {bound} bytes: the limit"


class GitTree(Root):
    """A root whose files are those of a commit or of the index: it is read like a folder, links in it are followed."""

    def __init__(self, git: Git, commit: str = "") -> None:
        self.path, self.limits = git.root, git.limits
        self.commit = commit
        self.entries = {path: (mode, blob) for path, mode, blob in git.entries(commit)}
        """Path to mode and object id, for files, links and submodules."""
        self.files = {path: blob for path, (mode, blob) in self.entries.items() if mode.startswith("100")}
        """Path to blob, for every file below the root."""
        self.linked = any(mode == _LINK for mode, _ in self.entries.values())
        self._git = git

    def close(self) -> None:
        """Nothing is kept open here; the repository's processes are closed by its opener."""

    def read(self, key: str, limit: int | None = None) -> bytes:
        """All bytes of the file at `key`; raises Blocked, Missing or Unreadable."""
        blob = self.files.get(self.locate(key))
        if blob is None:
            raise Missing(key)
        bound = self.limits.source_bytes if limit is None else limit
        (data,) = self._git.objects().read([blob], bound)
        if data is None:
            raise Unreadable(_describe_unread(bound))
        return data

    def read_many(self, keys: Sequence[str], limit: int) -> Iterator[tuple[str, bytes | Refused]]:
        """Each of many files, or why it cannot be read, in order; what else is read meanwhile is in nobody's way."""
        blobs: list[str | None] = []
        for key in keys:
            with suppress(Refused):
                blobs.append(self.files.get(self.locate(key)))
                continue
            blobs.append(None)
        for key, blob, data in zip(keys, blobs, self._git.objects().read_each(blobs, limit), strict=True):
            lost = Missing(key) if blob is None else Unreadable(_describe_unread(limit))
            yield key, lost if data is None else data

    def get(self, key: str, limit: int) -> bytes | None:
        """Like `read`; None where there is nothing that can be read."""
        with suppress(Refused):
            return self.read(key, limit)
        return None

    def take(self, key: str, limit: int | None = None) -> tuple[bytes, os.stat_result]:
        """Like `read`, with a status that says no more than that it is a file."""
        return self.read(key, limit), _status(st.S_IFREG)

    def stat(self, key: str) -> os.stat_result | None:
        """A status that tells files from folders; None where there is nothing."""
        try:
            return _status(st.S_IFREG if self.locate(key) in self.files else st.S_IFDIR)
        except Refused:
            return None

    def locate(self, key: str) -> str:
        """The key without dots and links; raises Blocked for what leads outside."""
        return key if key in self.files else super().locate(key)

    def folder(self, key: str) -> int:
        """Nothing is open here: -1 where there is such a folder, else Missing."""
        if (self.locate(key) if key else "") not in self._folders_here:
            raise Missing(key)
        return -1

    def names(self, key: str) -> list[str]:
        """The names in the folder at `key`, sorted; none where there is no such folder."""
        try:
            return sorted(self._folders_here.get(self.locate(key) if key else "", ()))
        except Refused:
            return []

    def digest(self, data: bytes) -> str:
        """The id of the blob that holds these bytes."""
        return self._git.hash_object("blob", data)

    def _look(self, key: str, folder: list[str], name: str) -> tuple[str, str]:
        place = "/".join([*folder, name])
        mode, blob = self.entries.get(place, ("", ""))
        if mode == _LINK:
            target = self._git.objects().blob(blob, self.limits.path_chars)
            if target is not None:
                return "link", os.fsdecode(target)
        if mode in (_LINK, _SUBMODULE):
            raise NotInClone(key)
        if not mode and place not in self._folders_here:
            raise Missing(key)
        return "file" if mode else "folder", ""

    @cached_property
    def _folders_here(self) -> dict[str, set[str]]:
        """Every folder with the names in it."""
        found: dict[str, set[str]] = {"": set()}
        for path in self.entries:
            folder, _, name = path.rpartition("/")
            while folder not in found:
                found[folder] = {name}
                folder, _, name = folder.rpartition("/")
            found[folder].add(name)
        return found


class LeftOutPaths:
    """Looks up why a path of the repository is not in the work tree; git is asked once."""

    def __init__(self, git: Git) -> None:
        self._root = git.root
        self._submodules: set[str] = set()
        self._sparse: set[str] = set()
        signs = (os.path.join(git.top, ".gitmodules"), os.path.join(git.git_dir, "info", "sparse-checkout"))
        if not any(map(os.path.lexists, signs)):
            # Asking git costs more than checking a small project, and most have neither.
            return
        try:
            listed = git.run("ls-files", "-t", "-s", "-z", "--", *git.below(("",)))
        except ChildFailed:
            return
        for skipped, name in _LEFT_OUT.findall(listed):
            path = git.inside(name)
            if path is not None:
                (self._sparse if skipped else self._submodules).add(path)

    def explain(self, path: str) -> str:
        """Why a path that leads to no file may be one all the same; empty where nothing says so."""
        if path in self._sparse:
            return "it is in git, and outside of the sparse checkout"
        folder = path
        while self._submodules and "/" in folder:
            folder = folder.rpartition("/")[0]
            if folder in self._submodules and not os.path.lexists(os.path.join(self._root, folder, ".git")):
                return f"it lies in the submodule {folder}, which was not fetched"
        return ""


def look_up(root: Root, key: str) -> tuple[str, str]:
    """What a path leads to: `file` or `folder` with its place, else a kind of refusal, or `unknown`."""
    try:
        place = root.locate(key)
    except NotInClone:
        return UNKNOWN, ""
    except Refused as error:
        return error.kind, ""
    return ("file", place) if root.is_file(place) else ("folder", place)


def unmerged_files(git: Git) -> frozenset[str]:
    """Every file below the root whose merge is not finished: the index has several of it, or none that is meant."""
    entries = git.run("ls-files", "-u", "-z", "--", *git.below(("",))).split(b"\0")
    paths = (git.inside(entry.partition(b"\t")[2]) for entry in entries)
    return frozenset(path for path in paths if path is not None)


def merge_base(git: Git, one: str, other: str) -> str:
    """The commit that two commits grew from; raises UsageError where there is none in this clone."""
    try:
        found = os.fsdecode(git.run("merge-base", "--end-of-options", one, other)).split("\n")[0]
    except ChildFailed:
        found = ""
    if not is_id(found):
        raise UsageError(f"{one[:7]} and {other[:7]} have no common commit in this clone; fetch more of the history")
    return found


def changed_files(git: Git, older: str, newer: str = "", staged: bool = False) -> list[Pair]:
    """What differs between a commit and another, the index, or the work tree where neither is named.

    Each pair is the old path and the new one; None where there is neither file nor link. Renames that git recognises
    are one pair.
    """
    if newer:
        command = ["diff-tree", "-r", *_RAW, older, newer]
    elif staged:
        command = ["diff-index", "--cached", *_RAW, older]
    else:
        # Unlike the plumbing, this looks at the content of files whose time alone changed.
        command = ["diff", *_RAW, older]
    below = ("--", *git.below(("",)))
    try:
        raw = git.run(*command, *below)
    except ChildFailed:
        # A clone may lack some content; renames of files that stay the same are seen without it.
        raw = git.run(*("-M100%" if word == "-M" else word for word in command), *below)
    pairs = _pairs(git, raw)
    if not newer and not staged:
        pairs += [(None, path) for path in sorted(git.list_untracked())]
    return pairs


def _pairs(git: Git, raw: bytes) -> list[Pair]:
    """The parsed records of a raw diff."""
    found: dict[Pair, None] = {}
    fields = iter(raw.split(b"\0"))
    for about in fields:
        if not about.startswith(b":"):
            continue
        old_mode, new_mode, _, _, status = about[1:].split(b" ", 4)
        name = next(fields, b"")
        renamed = next(fields, b"") if status[:1] in b"RC" else name
        conflict = status[:1] == b"U"
        old = git.inside(name) if conflict or old_mode.startswith(_READ_MODES) else None
        new = git.inside(renamed) if conflict or new_mode.startswith(_READ_MODES) else None
        if old is not None or new is not None:
            found[old, new] = None
    return list(found)


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


def ignored_folders(git: Git) -> set[str]:
    """Folders that git ignores as a whole, each with a trailing slash."""
    listed = git.run("ls-files", "-oi", "--exclude-standard", "--directory", "-z", "--", *git.below(("",)))
    return {path for name in listed.split(b"\0") if (path := git.inside(name)) is not None and path.endswith("/")}


class IgnoreQuery:
    """Asks git of one path after the other whether it ignores it, through one process that starts when needed."""

    def __init__(self, git: Git) -> None:
        self._git = git
        self._child: Child | None = None
        self._process = os.getpid()

    def ask(self, path: str) -> bool:
        """Whether git ignores a path, or cannot tell; it need not exist."""
        if self._process != os.getpid():
            # A process that a worker inherited answers its parent.
            self._child, self._process = None, os.getpid()
        try:
            name = os.fsencode(self._git.prefix + path)
            if b"\0" in name:
                return True
            if self._child is None:
                self._child = self._git.talk("check-ignore", "-z", "--stdin", "--verbose", "--non-matching")
            self._child.write(name + b"\0")
            answer = b""
            # The file that says so, its line, its pattern, and the path.
            while answer.count(b"\0") < _ANSWER_FIELDS:
                piece = self._child.read()
                if not piece:
                    raise ChildFailed("git ended")
                answer += piece
        except (ChildFailed, ValueError):
            # A path that git refuses (inside a submodule, beyond a link) ends it.
            self.close()
            return True
        pattern = answer.split(b"\0")[2]
        return pattern != b"" and not pattern.startswith(b"!")

    def close(self) -> None:
        """End the process."""
        if self._child is not None and self._process == os.getpid():
            self._child.close()
        self._child = None


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


def _status(kind: int) -> os.stat_result:
    return os.stat_result((kind, 0, 0, 1, 0, 0, 0, 0, 0, 0))
