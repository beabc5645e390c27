"""Where a document went that is no longer where it was cited: git knows of renames, the index of contents."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ..core.errors import PinciteError, Refused
from ..history.authorship import History
from ..store.search_index import IndexStore, has_index
from .document_text import fetch, take_in
from .model import chunk_identity
from .search import PassageSearch

if TYPE_CHECKING:
    from ..project.project import Project
    from ..safe.files import Root
    from .model import Citation

_FIRST_WORDS = 12


def update_chunk_id(root: Root, citation: Citation) -> Citation:
    """The citation with the id that its passage has where it stands now."""
    key = citation.relative_path
    if key is None:
        return citation
    nth = 0
    try:
        reading = take_in(key, fetch(root, key), root.limits)
    except Refused:
        pass
    else:
        before = (passage for passage in reading.passages if passage.start < citation.start_offset)
        nth = sum(reading.text_between(passage.start, passage.end) == citation.text for passage in before)
    return replace(citation, chunk_id=chunk_identity(key, citation.text, nth))


class MovedDocumentFinder:
    """Looks for documents that went away; both sources are asked only when something is gone."""

    def __init__(self, project: Project) -> None:
        self.root = project.root
        self._project = project
        self._fresh = False
        self._history: tuple[History | None] | None = None

    def find(self, citation: Citation) -> str | None:
        """The path at which the document or its passage stands now; None where it is unknown or several could be it."""
        key = citation.relative_path
        if key is None:
            return None
        try:
            renamed = self._find_rename(key)
            if renamed is not None and self.root.is_file(renamed):
                return os.path.join(self.root.path, renamed)
            return self._find_in_index(citation)
        except PinciteError:
            return None

    def _find_rename(self, key: str) -> str | None:
        """What git says a file is called now, by renames committed or not."""
        if self._history is None:
            git = self._project.git()
            head = git.head() if git is not None else None
            self._history = (History(git, (), None, True, self.root.read) if git is not None and head else None,)
        history = self._history[0]
        return history.find_rename(key) if history is not None else None

    def _find_in_index(self, citation: Citation) -> str | None:
        """The one document of the index with the content, or failing that the words."""
        self._refresh()
        store = IndexStore.open(self.root, write=False)
        if store is None:
            return None
        with store:
            paths: list[str] = []
            with suppress(ValueError):
                paths = store.paths_of(bytes.fromhex(citation.document_digest)) if citation.document_digest else []
            paths = [path for path in paths if self.root.is_file(path)]
            if not paths:
                words = " ".join(citation.text.split()[:_FIRST_WORDS]).replace('"', " ")
                hits = PassageSearch(self.root, store).find(f'"{words}"', 20, "", "", by_words=True) if words else []
                found = (hit.document.file_path for hit in hits if hit.chunk.content == citation.text)
                return _only(list(dict.fromkeys(found)))
        return _only([os.path.join(self.root.path, path) for path in paths])

    def _refresh(self) -> None:
        """Have the index know of what moved since; once, and only where there is one."""
        if self._fresh or not has_index(self.root):
            return
        self._fresh = True
        from .index import Index

        with suppress(PinciteError), Index.open(self.root.path) as index:
            index.refresh()


def _only(paths: list[str]) -> str | None:
    return paths[0] if len(paths) == 1 else None
