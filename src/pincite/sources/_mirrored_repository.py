"""One other repository as its mirror has it: files at the current state, files at a revision, and its history."""

from __future__ import annotations

import os
import re
from contextlib import ExitStack, suppress
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ..core.errors import Unreadable, UsageError
from ..core.model import CURRENT_REVISIONS, Obstacle, SourceRef
from ..safe.child import ChildFailed
from ..safe.folder_lock import use_folder
from ..safe.git import Git, is_id
from ..safe.git_damage import list_folder
from ..safe.git_files import read_first_line
from ..safe.git_object_store import find_foreign
from ..safe.git_tree import GitTree, reference_files
from ..text.evidence import Evidence
from ..text.file_names import HOST
from . import World

if TYPE_CHECKING:
    from ..core.limits import Limits
    from ..core.model import Citation, Lines
    from ..history.authorship import History
    from ..history.branch_times import BranchTimes
    from ..history.trace import Tracer

_HEAD = "refs/pincite/head"
"""Where a mirror keeps the current state of the default branch; else its HEAD counts."""
_STATE = (_HEAD, "HEAD", "packed-refs", "shallow")
"""The files of a mirror that say which state is the current one."""
_BRANCH = "ref: refs/heads/"
_LONGEST_BRANCH = 6
"""Parts that the name of a branch may have, as `release/2026/summer` has three."""
_MOST_KNOWN = 1000
_MOST_REVISIONS = 5000
"""Names and short ids of commits that are looked up: each costs a process."""
_PATIENCE = 30.0
"""Seconds to wait for a mirror that is being removed or made again."""
_COMMIT = re.compile(r"[0-9a-f]{7,64}\Z")
# Asking history for a name costs a pass over it the first time: `latest` and `example.com` are not asked for.
_LIKE_A_FILE = re.compile(rf".*/|(?!{HOST})[^/]*\.[A-Za-z][A-Za-z0-9]{{0,7}}\Z")


class MirrorTree(GitTree):
    """The files of a commit of a mirror, listed when a question needs all of them: most citations need one file."""

    def __init__(self, git: Git, commit: str) -> None:
        self.path, self.limits = git.root, git.limits
        self.commit = commit
        self._git = git

    @cached_property
    def entries(self) -> dict[str, tuple[str, str]]:  # type: ignore[override]
        """Path to mode and object id, for files, links and submodules."""
        return {path: (mode, blob) for path, mode, blob in self._git.entries(self.commit)}

    @cached_property
    def files(self) -> dict[str, str]:  # type: ignore[override]
        """Path to blob, for every file."""
        return {path: blob for path, (mode, blob) in self.entries.items() if mode.startswith("100")}

    @cached_property
    def linked(self) -> bool:  # type: ignore[override]
        """Whether there are links."""
        return len(self.entries) > len(self.files)


class OtherRepository(World):
    """Another repository at the current state of its default branch: its files are read like those below the root."""

    def __init__(self, name: str, mirror: Git, head: str, held: ExitStack) -> None:
        """`held` keeps the mirror from being removed until it is closed."""
        super().__init__(MirrorTree(mirror, head), lambda: mirror)
        self._held = held
        self.is_open = True
        self.others = None
        self.name = name
        """Such as `github.com/owner/name`."""
        self.head = head
        self._mirror = mirror
        self._shown: dict[str, Evidence] = {}
        self._commits: dict[str, str] = {}
        self._default = read_first_line(os.path.join(mirror.git_dir, "HEAD")).partition(_BRANCH)[2].strip()
        self.state_files = [os.path.join(mirror.git_dir, state) for state in _STATE]
        """What changes when the mirror is at another state."""
        if self._default and ".." not in self._default.split("/"):
            self.state_files.append(os.path.join(mirror.git_dir, "refs", "heads", self._default))

    def close(self) -> None:
        """End the processes of git, and let go of the mirror."""
        super().close()
        self._mirror.close()
        self._held.close()
        self.is_open = False

    def take_up(self) -> bool:
        """Keep the mirror from being removed again; False where it is gone, or at another state now."""
        try:
            self._held.enter_context(use_folder(self._mirror.git_dir, _PATIENCE))
            self.is_open = find_head(self._mirror) == self.head
        except (OSError, UsageError):
            self.is_open = False
        if not self.is_open:
            self._held.close()
        return self.is_open

    def list_reference_files(self, revision: str) -> list[str]:
        """The files that say which commit a revision names, and whether that commit is here."""
        return reference_files(self._mirror, revision)

    def address(self, citation: Citation, revision: str, path: str) -> Citation:
        """A citation of a path at a revision, as one of this repository; its current state has no revision."""
        if revision in ("", self._default, *CURRENT_REVISIONS):
            return replace(citation, source=SourceRef("mirror", f"{self.name}:{path}"))
        with suppress(ChildFailed):
            revision, path = self._split_branch(revision, path)
        return replace(citation, source=SourceRef("mirror", f"{self.name}@{revision}:{path}"))

    def look_up(self, revision: str, path: str, lines: Lines | None) -> Evidence | Obstacle:
        """The file at a path, now or at a revision, or why it cannot be had."""
        key = f"{self.name}@{revision}:{path}" if revision else f"{self.name}:{path}"
        try:
            if revision:
                found = self._read_at(revision, path)
            elif lines is None:
                found = self.exists(path) or Evidence(SourceRef("file", path), b"", [])
            else:
                found = self.file(path)
        except ChildFailed as error:
            return self.explain(revision, str(error))
        if isinstance(found, Obstacle):
            return Obstacle(found.kind, key) if found.kind == "file-not-found" else found
        return self._show(key, found)

    def file(self, key: str) -> Evidence | Obstacle:
        """The file at a path now. Most are there: all names are listed only for one that is not."""
        try:
            if key not in self.sources:
                data = self._mirror.objects().blob((self.head, key), self.root.limits.source_bytes)
                if data is not None:
                    self.keep(key, _read_text(key, data))
                elif key in self.root_files and not self._has_object(self.root_files[key]):
                    return self.explain("", "its content is not in the mirror")
            return super().file(key)
        except ChildFailed as error:
            return self.explain("", str(error))

    def has_had(self, path: str) -> bool:
        """Whether there is a file at a path, or ever was; what does not look like a file is not asked for."""
        try:
            if self._mirror.objects().stat([(self.head, path)])[0] is not None:
                return True
        except ChildFailed:
            return _LIKE_A_FILE.match(path) is not None
        return _LIKE_A_FILE.match(path) is not None and self.history.has_existed(path)

    def explain(self, revision: str, why: str) -> Obstacle:
        """That the mirror cannot be looked at, and why."""
        return describe_trouble(self.name, revision, self.hide_place(why))

    def hide_place(self, text: str) -> str:
        """A text without the place of the mirror on this machine, which is nothing to a report."""
        return text.replace(self._mirror.git_dir, "the mirror")

    @cached_property
    def history(self) -> History:
        """What became of files and lines, up to the current state."""
        from ..history.authorship import History

        history = History(self._mirror, limits=self.root.limits)
        history.head = self.head
        return history

    @cached_property
    def tracer(self) -> Tracer:
        """Follows lines to the current state."""
        from ..history.trace import Tracer

        return Tracer(self._mirror, self.head, self.root.limits.source_bytes)

    @cached_property
    def times(self) -> BranchTimes:
        """Which commit was the current state at a moment."""
        from ..history.branch_times import BranchTimes

        return BranchTimes(self._mirror, self.head)

    @property
    def root_files(self) -> dict[str, str]:
        """Every file of the current state, with the id of its content; raises ChildFailed."""
        return self.root.files if isinstance(self.root, MirrorTree) else {}

    def _has_object(self, blob: str) -> bool:
        return self._mirror.objects().are_here([blob])[0]

    def _read_at(self, revision: str, path: str) -> Evidence | Obstacle:
        commit = self._resolve(revision)
        if not commit:
            return Obstacle("revision-unknown", revision)
        data = self._mirror.objects().blob((commit, path), self.root.limits.source_bytes)
        if data is None:
            listed = list_folder(self._mirror, commit, path.rpartition("/")[0])
            if path in listed and not self._has_object(listed[path]):
                return self.explain(revision, "its content is not in the mirror")
            if path in listed:
                return Obstacle("file-unreadable", f"more than {self.root.limits.source_bytes} bytes: the limit")
            return Obstacle("file-not-found")
        return _read_text(path, data)

    def _split_branch(self, revision: str, path: str) -> tuple[str, str]:
        """Where the name of a branch ends and a path begins: an address has a slash between them, and names too."""
        parts = path.split("/")
        if not _COMMIT.match(revision):
            for count in range(min(_LONGEST_BRANCH, len(parts))):
                longer = "/".join((revision, *parts[:count]))
                if self._resolve(longer):
                    return longer, "/".join(parts[count:])
        return revision, path

    def _resolve(self, revision: str) -> str:
        """The commit that a revision names; empty where it names none. Raises ChildFailed."""
        if is_id(revision):
            return revision if self._mirror.objects().times([revision])[0] is not None else ""
        known = self._commits.get(revision)
        if known is None:
            if len(self._commits) >= _MOST_REVISIONS:
                raise ChildFailed(f"more than {_MOST_REVISIONS} of its revisions are cited")
            known = self._commits[revision] = self._mirror.resolve_commit(revision) or ""
        return known

    def _show(self, key: str, found: Evidence) -> Evidence:
        """The same evidence under a name that says where it comes from; one object for all citations of a file."""
        known = self._shown.get(key)
        if known is None or known.data is not found.data:
            if len(self._shown) >= _MOST_KNOWN:
                self._shown.clear()
            known = self._shown[key] = Evidence(SourceRef("mirror", key), found.data, found.lines)
            known.retrieved = found.retrieved
        return known


def _read_text(path: str, data: bytes) -> Evidence | Obstacle:
    try:
        return Evidence(SourceRef("file", path), data)
    except Unreadable as error:
        return Obstacle("file-unreadable", str(error))


def open_repository(name: str, place: str, folder: str, limits: Limits) -> OtherRepository | Obstacle:
    """The repository in a git directory of the folder of mirrors, or why it cannot be looked at."""
    with ExitStack() as held:
        try:
            # A fleet makes room by removing mirrors that are not in use.
            with suppress(OSError):
                held.enter_context(use_folder(place, _PATIENCE))
            foreign = find_foreign(place, folder)
            if foreign:
                raise ChildFailed(foreign)
            mirror = Git.bare(place, limits)
            head = find_head(mirror)
            if head is None:
                # Git says why, where it can.
                mirror.run("rev-parse", "--verify", "HEAD^{commit}")
                raise ChildFailed("it has no commit")
        except UsageError as error:
            return describe_trouble(name, "", str(error).replace(place, "the mirror"))
        return OtherRepository(name, mirror, head, held.pop_all())


def find_head(mirror: Git) -> str | None:
    """The current state of the default branch; None where there is no such commit. Raises ChildFailed."""
    return mirror.resolve_commit(_HEAD) or mirror.resolve_commit("HEAD")


def describe_trouble(name: str, revision: str, why: str) -> Obstacle:
    """That a mirror cannot be looked at, and why."""
    return Obstacle("revision-unknown", f"{revision or CURRENT_REVISIONS[0]}\n{name}: {why}")
