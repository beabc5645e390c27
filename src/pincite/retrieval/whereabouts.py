"""Where a document went that is no longer where it was cited: git knows of renames, the index of contents."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ..errors import PinciteError, Refused
from ..safe.git import Git
from ..store.index import IndexStore
from .search import Search

if TYPE_CHECKING:
    from ..safe.files import Root
    from .model import Citation

_FIRST_WORDS = 12


class Whereabouts:
    """Looks for documents that went away; both sources are asked only when something is gone."""

    def __init__(self, root: Root) -> None:
        self.root = root
        self._renames: dict[str, str] | None = None

    def find(self, citation: Citation) -> str | None:
        """The path at which the document, or its passage, stands now; None where nobody knows or several could be it."""
        key = citation.relative_path
        if key is None:
            return None
        renamed = self._renamed().get(key)
        if renamed is not None and self.root.is_file(renamed):
            return os.path.join(self.root.path, renamed)
        try:
            return self._indexed(citation)
        except PinciteError:
            return None

    def _renamed(self) -> dict[str, str]:
        """What git knows to be renamed since the last commit, and by the commits before it."""
        if self._renames is None:
            self._renames = {}
            try:
                git = Git.find(self.root.path)
                head = git.head() if git is not None else None
                if git is not None and head is not None:
                    self._renames = git.renames(head)
                    git.close()
            except PinciteError:
                pass
        return self._renames

    def _indexed(self, citation: Citation) -> str | None:
        """The one document of the index with the content, or failing that the words."""
        store = IndexStore.open(self.root, write=False)
        if store is None:
            return None
        with store:
            paths = [path for path in _same(store, citation.document_digest) if self.root.is_file(path)]
            if not paths:
                words = " ".join(citation.text.split()[:_FIRST_WORDS]).replace('"', " ")
                hits = Search(self.root, store).find(f'"{words}"', 20, "", "", by_words=True) if words else []
                found = (hit.document.file_path for hit in hits if hit.chunk.content == citation.text)
                return _only(list(dict.fromkeys(found)))
        return _only([os.path.join(self.root.path, path) for path in paths])


def _same(store: IndexStore, digest: str) -> list[str]:
    try:
        return store.paths_of(bytes.fromhex(digest)) if digest else []
    except (ValueError, Refused):
        return []


def _only(paths: list[str]) -> str | None:
    return paths[0] if len(paths) == 1 else None
