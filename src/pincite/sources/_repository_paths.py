"""Whether a path that is not there may belong to the repository all the same, or to another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.errors import Refused
from ..store import KEY
from ..text.lines import join
from ..text.path_words import is_path

if TYPE_CHECKING:
    from ..text.document import Document
    from . import World

_MOST_ASKED = 400
"""Paths of one run for which git is asked whether it ignores them; of more nothing is said."""
_MOST_WORDS = 2000
_FEWEST_FOREIGN = 5
"""Paths that have to be missing before a document may be about another tree."""
_LONGEST = 200


class RepositoryPaths:
    """What git ignores, and which documents are about another tree. Made when a path is not found at its place."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._ignored: dict[str, bool] = {}
        self._foreign: dict[tuple[str, int], bool] = {}

    def find_by_end(self, path: str) -> str:
        """A file, or a folder `a/`, whose path ends so, whole components only; empty where there is none."""
        tree = self._world.tree
        found = tree.folders_by_end(path.rstrip("/")) if path.endswith("/") else tree.paths_by_end(path)
        return found[0] if found else ""

    def is_ignored(self, path: str) -> bool:
        """Whether git ignores a path, or it cannot be asked any more."""
        self._world.touched[KEY] = None
        git = self._world.git()
        if git is None:
            return False
        known = self._ignored.get(path)
        if known is None:
            known = len(self._ignored) >= _MOST_ASKED or git.is_ignored(path)
            self._ignored[path] = known
        return known

    def is_foreign(self, document: Document) -> bool:
        """Whether most paths of a document are not here: then it is about another tree, or about a plan."""
        asked = document.path, hash(document.text)
        known = self._foreign.get(asked)
        if known is None:
            known = self._foreign[asked] = self._count_foreign(document)
        return known

    def _count_foreign(self, document: Document) -> bool:
        words: dict[str, None] = {}
        for region in document.code_regions():
            inner = region.inner
            if not region.fenced and inner.end - inner.start <= _LONGEST:
                word = document.text[inner.start : inner.end].strip()
                if is_path(word):
                    words[word] = None
            if len(words) >= _MOST_WORDS:
                break
        missing = sum(not self._is_there(word, document.folder) for word in words)
        return missing >= _FEWEST_FOREIGN and missing * 5 > len(words) * 3

    def _is_there(self, word: str, folder: str) -> bool:
        for place in {join("", word), join(folder, word)}:
            try:
                self._world.root.locate(place)
            except Refused:
                continue
            return True
        return bool(self.find_by_end(join("", word) + ("/" if word.endswith("/") else "")))
