"""What files held in commits: ids first, texts only where ids differ, many in one round trip."""

import os
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache
from hashlib import sha1, sha256

from ..core.limits import LIMITS, Limits
from ..safe.child import ChildFailed
from ..safe.git import Git
from ..text.file_names import group_by_name

_COMMITS_KEPT = 4
"""Commits of which the names of all files are kept: citations that one commit wrote stand together."""
_FOLDERS_KEPT = 64
_MOST_IDS = 50_000
_MOST_AHEAD = 16 * 1024 * 1024


class CommitContents:
    """The files of one repository's commits. What git cannot tell is None, and `trouble` says why."""

    def __init__(self, git: Git, limits: Limits = LIMITS) -> None:
        self.git = git
        self.trouble = ""
        """Why history could not be read to its end; empty where it could."""
        self._limits = limits
        self._ids: dict[tuple[str, str], str | None] = {}
        self._sizes: dict[str, int] = {}
        self._ahead: dict[str, bytes | None] = {}
        self._hash = sha256 if git.object_format == "sha256" else sha1

    def blob_ids(self, pairs: Sequence[tuple[str, str]]) -> list[str | None]:
        """For each (commit, path) the id of the file's content there; one round trip, answers remembered."""
        ids = self._ids
        asked = [pair for pair in dict.fromkeys(pairs) if pair not in ids]
        if len(ids) + len(asked) > _MOST_IDS:
            ids.clear()
            self._sizes.clear()
            asked = list(dict.fromkeys(pairs))
        if asked:
            try:
                for pair, found in zip(asked, self.git.objects().stat(asked), strict=True):
                    ids[pair] = None if found is None else found[0]
                    if found is not None:
                        self._sizes[found[0]] = found[1]
            except ChildFailed as error:
                self.trouble = self.trouble or str(error)
        return [ids.get(pair) for pair in pairs]

    def find_lost(self, commit: str, path: str) -> str:
        """Why git cannot read a file that a commit has, and what to type; empty where the commit has no such file."""
        from ..safe.git_damage import explain_object, find_object

        try:
            lost = self._files_in(commit, path.rpartition("/")[0]).get(path, "")
        except ChildFailed as error:
            lost = find_object(str(error))
        return explain_object(self.git, lost) if lost else ""

    def is_link(self, path: str) -> bool:
        """Whether a path is a symbolic link: the lines that are read there belong to another file."""
        return os.path.islink(os.path.join(self.git.root, path))

    @cached_property
    def _files_in(self) -> Callable[[str, str], dict[str, str]]:
        """The files of a folder of a commit, whether their contents are here or not."""
        from ..safe.git_damage import list_folder

        return lru_cache(_FOLDERS_KEPT)(lambda commit, folder: list_folder(self.git, commit, folder))

    def path_then(self, commit: str, path: str, end: str) -> str:
        """The path that a file had in a commit, where an end of it is known; as it is where that is not clear."""
        try:
            then = self._names_in(commit).get(path.rpartition("/")[2], ())
        except ChildFailed as error:
            self.trouble = self.trouble or str(error)
            return path
        ending = [one for one in then if f"/{one}".endswith(f"/{end}")]
        return ending[0] if path not in then and len(ending) == 1 else path

    @cached_property
    def _names_in(self) -> Callable[[str], dict[str, list[str]]]:
        """The files of a commit by name; those of a few commits are kept."""
        return lru_cache(_COMMITS_KEPT)(lambda commit: group_by_name(self.git.tree(commit)))

    def blob_id(self, data: bytes) -> str:
        """The id git gives to these bytes: equal ids need no comparison."""
        name = self._hash(b"blob %d\0" % len(data), usedforsecurity=False)
        name.update(data)
        return name.hexdigest()

    def foresee(self, blobs: Iterable[str]) -> None:
        """Read blobs that `blob_ids` named and `text_of` will be asked for, in one go, as far as memory allows."""
        wanted: list[str] = []
        size = 0
        for blob in dict.fromkeys(blobs):
            # What does not fit is no loss: it is read when it is asked for.
            own = self._sizes.get(blob, _MOST_AHEAD)
            if own <= self._limits.source_bytes and size + own < _MOST_AHEAD:
                size += own
                wanted.append(blob)
        self._ahead = {}
        if wanted:
            try:
                self._ahead.update(zip(wanted, self.git.objects().read(wanted), strict=True))
            except ChildFailed as error:
                self.trouble = self.trouble or str(error)

    def text_of(self, blob: str) -> bytes | None:
        """The bytes of a blob; None where it is not here or too large."""
        if blob in self._ahead:
            return self._ahead[blob]
        try:
            return self.git.objects().blob(blob, self._limits.source_bytes)
        except ChildFailed as error:
            self.trouble = self.trouble or str(error)
            return None

    def text_at(self, pairs: Sequence[tuple[str, str]]) -> list[bytes | None]:
        """The bytes of each (commit, path); None where there is no such file."""
        ids = self.blob_ids(pairs)
        texts = {blob: self.text_of(blob) for blob in dict.fromkeys(ids) if blob is not None}
        return [texts.get(blob) if blob is not None else None for blob in ids]
