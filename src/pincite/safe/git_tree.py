"""What changed between commits, index and work tree, and a root that gives the files of a commit or of the index."""

from __future__ import annotations

import os
import stat as st
from contextlib import suppress

from ..core.errors import Blocked, Missing, Unreadable, UsageError
from ..core.limits import LIMITS, Limits
from .child import ChildFailed
from .files import Root, key_parts
from .git import is_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .git import Git

    Pair = tuple[str | None, str | None]

_RAW = (
    "--raw",
    "-z",
    "-M",
    "--full-index",
    "--no-abbrev",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--ignore-submodules=all",
)


_READ_MODES = (b"100", b"120")
"""How the modes of files and of links begin; a submodule is neither."""


class Past(Root):
    """A root whose files are blobs of the repository: it is read like a folder, links in it are followed."""

    def __init__(
        self, git: Git, files: dict[str, str], limits: Limits = LIMITS, links: dict[str, str] | None = None
    ) -> None:
        self.path = git.root
        self.limits = limits
        self.files = files
        """Path to blob, for every file below the root."""
        self.links = links or {}
        """Path to the blob that says where it leads, for every link below the root."""
        self._git = git
        self._inside: dict[str, dict[str, None]] | None = None

    def close(self) -> None:
        """Nothing is kept open here; the repository's processes are closed by its opener."""

    def read(self, key: str, limit: int | None = None) -> bytes:
        """All bytes of the file at `key`; raises Blocked, Missing or Unreadable."""
        blob = self.files.get(self.locate(key))
        if blob is None:
            raise Missing(key)
        bound = self.limits.source_bytes if limit is None else limit
        data = self._git.objects().blob(blob, bound)
        if data is None:
            raise Unreadable(f"not in this clone, or more than {bound} bytes: the limit")
        return data

    def take(self, key: str, limit: int | None = None) -> tuple[bytes, os.stat_result]:
        """Like `read`, with a status that says no more than that it is a file."""
        return self.read(key, limit), _status(st.S_IFREG)

    def stat(self, key: str) -> os.stat_result | None:
        """A status that tells files from folders; None where there is nothing."""
        try:
            place = self.locate(key)
        except (Blocked, Missing):
            return None
        if place in self.files:
            return _status(st.S_IFREG)
        return _status(st.S_IFDIR) if place in self._folders_here() else None

    def locate(self, key: str) -> str:
        """The key without dots and links; raises Blocked for what leads outside."""
        return key if key in self.files else self._resolve_links(key, [])

    def links_on(self, key: str) -> list[str]:
        """Every link on the way to `key`, in order, up to where it leads outside."""
        way: list[str] = []
        with suppress(Blocked, Missing, Unreadable):
            self._resolve_links(key, way)
        return way

    def _resolve_links(self, key: str, way: list[str]) -> str:
        """The key without dots and links; the links that were followed are added to `way`."""
        parts: list[str] = []
        todo = key_parts(key, self.limits.path_chars)[::-1]
        while todo:
            part = todo.pop()
            if part == "..":
                if not parts:
                    raise Blocked(key)
                parts.pop()
            elif part not in ("", "."):
                parts.append(part)
                blob = self.links.get("/".join(parts)) if self.links else None
                if blob is not None:
                    way.append("/".join(parts))
                    parts.pop()
                    target = os.fsdecode(self._git.objects().blob(blob, self.limits.path_chars) or b"/")
                    if target.startswith(self.path.rstrip("/") + "/"):
                        parts, target = [], target[len(self.path) :].lstrip("/")
                    if target.startswith("/") or len(way) > self.limits.symlinks:
                        raise Blocked(key)
                    todo.extend(reversed(target.split("/")))
        return "/".join(parts)

    def trace(self, key: str) -> list[tuple[str, str]]:
        """Nothing: in a commit there is nothing to watch."""
        return []

    def folder(self, key: str) -> int:
        """Nothing is open here: -1 where there is such a folder, else Missing."""
        if (self.locate(key) if key else "") not in self._folders_here():
            raise Missing(key)
        return -1

    def names(self, key: str) -> list[str]:
        """The names in the folder at `key`, sorted; none where there is no such folder."""
        try:
            return sorted(self._folders_here().get(self.locate(key) if key else "", ()))
        except Blocked:
            return []

    def _folders_here(self) -> dict[str, dict[str, None]]:
        """Every folder with the names in it."""
        if self._inside is None:
            self._inside = {"": {}}
            for path in self.files:
                folder, _, name = path.rpartition("/")
                while folder not in self._inside:
                    self._inside[folder] = {name: None}
                    folder, _, name = folder.rpartition("/")
                self._inside[folder][name] = None
        return self._inside


def indexed_files(git: Git) -> dict[str, str]:
    """Every file in the index below the root: path to blob id; links, submodules and conflicts left out."""
    found: dict[str, str] = {}
    for entry in git.run("ls-files", "-s", "-z", "--", *git.below(("",))).split(b"\0"):
        about, _, name = entry.partition(b"\t")
        mode, _, rest = about.partition(b" ")
        blob, _, stage = rest.partition(b" ")
        path = git.inside(name)
        if path is not None and mode.startswith(b"100") and stage == b"0":
            found[path] = blob.decode("ascii")
    return found


def linked_files(git: Git, commit: str = "") -> dict[str, str]:
    """Every link in a commit, or in the index, below the root: path to the blob that says where it leads."""
    if commit:
        listed = git.run("ls-tree", "-r", "-z", "--full-tree", commit).split(b"\0")
    else:
        listed = git.run("ls-files", "-s", "-z", "--", *git.below(("",))).split(b"\0")
    found: dict[str, str] = {}
    for entry in listed:
        about, _, name = entry.partition(b"\t")
        path = git.inside(name)
        if path is not None and about.startswith(b"120000"):
            words = about.decode("ascii").split(" ")
            found[path] = words[2] if commit else words[1]
    return found


def unmerged_files(git: Git) -> frozenset[str]:
    """Every file below the root whose merge is not finished: the index has several of it, or none that is meant."""
    entries = git.run("ls-files", "-u", "-z", "--", *git.below(("",))).split(b"\0")
    paths = (git.inside(entry.partition(b"\t")[2]) for entry in entries if entry)
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


def _status(kind: int) -> os.stat_result:
    return os.stat_result((kind, 0, 0, 1, 0, 0, 0, 0, 0, 0))
