"""The index of a workspace: kept up to date with its documents, and asked.

with Index.open() as index:
    index.refresh()
    for hit in index.search("how are sessions renewed"):
        print(hit.document.file_path, hit.chunk.heading, hit.score)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..project.project import Project, open_project
from ..safe.files import Root
from ..store.database import Damaged
from ..store.search_index import IndexStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from os import PathLike
    from typing import Self

    from ..project.config import Config
    from .model import Citation, SearchHit
    from .moved_documents import MovedDocumentFinder
    from .refresh import RefreshResult
    from .search import PassageSearch


class Index:
    """Passages of the documents below a root; use it as a context."""

    def __init__(self, project: Project, store: IndexStore) -> None:
        self.project = project
        self.root = project.root
        self.config = project.config
        self.store = store
        self._search: PassageSearch | None = None
        self._whereabouts: MovedDocumentFinder | None = None

    @classmethod
    def open(cls, root: str | PathLike[str] | None = None, config: Config | None = None) -> Self:
        """The index of a folder (default: the repository around the working folder), made where there is none."""
        project = open_project(root, config=config, option="")
        try:
            return cls(project, IndexStore.make(project.root))
        except BaseException:
            project.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the index and of the folders held open."""
        self.store.close()
        self.project.close()

    def refresh(
        self,
        paths: Iterable[str] | None = None,
        *,
        rebuild: bool = False,
        jobs: int = 1,
        progress: Callable[[int, int], None] | None = None,
    ) -> RefreshResult:
        """Bring the index up to date with the documents below some keys; all of the root where these are empty.

        Where none are given, that is what was indexed before.
        Only what changed is read. With `jobs` above 1 other processes read while this one writes.
        """
        from .refresh import refresh, scope_of

        def work() -> RefreshResult:
            # Folders that are replaced between two refreshes are looked up anew.
            with Root(self.root.path, self.root.limits) as root:
                return refresh(self.store, root, self.project.git, self.config, asked, rebuild, jobs, progress)

        asked = scope_of(self.store) if paths is None else tuple(paths)
        self._search = self._whereabouts = None
        try:
            found = work()
        except Damaged:
            self._make_anew()
            found = work()
        if self.config.retrieval.model:
            from .semantic_ranking import embed

            embed(self.store, self.root, self.config.retrieval.model, progress)
        return found

    def is_current(self) -> bool:
        """Whether no file changed since the last refresh; the files are looked at and not read."""
        from .refresh import is_current

        with Root(self.root.path, self.root.limits) as root:
            return is_current(self.store, root, self.config)

    def search(
        self, query: str, limit: int = 10, *, path: str = "", heading: str = "", by_words: bool = False
    ) -> list[SearchHit]:
        """The passages that fit a query best, the best first; any text is a query.

        `path` keeps to files it matches (a folder, a name, or a pattern as in a shell), `heading` to passages below a
        heading with these words. Each hit was read from its document just now; passages of documents that changed
        since they were indexed are left out, and `outdated` names those documents.
        """
        try:
            return self._open_search().find(query, limit, path, heading, by_words)
        except Damaged:
            if not self.store.write:
                raise
        self._make_anew()
        self.refresh()
        return self._open_search().find(query, limit, path, heading, by_words)

    def _open_search(self) -> PassageSearch:
        """Who answers questions, until the index changes."""
        if self._search is None:
            from .search import PassageSearch

            self._search = PassageSearch(self.root, self.store, self.config.retrieval.model)
        return self._search

    def _make_anew(self) -> None:
        """Replace an index that proved to be damaged by an empty one."""
        self._search = None
        self.store = self.store.anew(self.root)

    @property
    def outdated(self) -> tuple[str, ...]:
        """Documents that the last search left out, because they changed since they were indexed."""
        return tuple(self._search.outdated) if self._search is not None else ()

    @property
    def notes(self) -> tuple[str, ...]:
        """What the last search did otherwise than the query says: phrases that it did not require, and why."""
        return tuple(self._search.notes) if self._search is not None else ()

    @property
    def loosened(self) -> tuple[str, ...]:
        """Phrases that the last search did not require."""
        return tuple(self._search.loosened) if self._search is not None else ()

    def whereabouts(self, citation: Citation) -> str | None:
        """Where the document of a citation went, as of the last refresh; None if unclear. It can serve as a finder.

        git is asked for a rename, then the index for the one document that has the content, or the words.
        """
        if self._whereabouts is None:
            from .moved_documents import MovedDocumentFinder

            self._whereabouts = MovedDocumentFinder(self.project)
        return self._whereabouts.find(citation)
